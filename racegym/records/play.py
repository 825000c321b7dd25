"""Playing games with agents and recording them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from racegym.agents import Agent, agent_from_spec, checked_actions, read_only
from racegym.agents.failures import failures_of
from racegym.agents.luck import luck_of
from racegym.engine import registry
from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, derived_seed
from racegym.errors import RacegymError
from racegym.records.recorder import Recorder


def record_game(
    game: str | Game,
    seed: int,
    agents: Sequence[str | Agent] | None = None,
    options: Mapping[str, Any] | None = None,
    full: bool = False,
) -> Recorder:
    """Play a game with agents and record it.

    Args:
        game: a game's name or description.
        seed: seed of the game, 0 … 2^63-1.
        agents: one per seat, or one for all seats: agents or their specs
            (:func:`racegym.agents.agent_from_spec`); None plays at random.
        options: the game's options.
        full: note the legal actions, events and state of every move as well.

    Returns:
        The recorder of the finished game; its ``lines`` are the record.

    Raises:
        OptionError, SeedError, RacegymError: for arguments that do not fit.
        AgentError, IllegalAction: for an agent that answers wrongly.

    The agents' randomness is apart from the game's and depends on the seed alone.  The key of the
    agent in seat p is ``derived_seed(seed, p, 1)``: if it has ``choose`` (see
    :class:`racegym.agents.Agent`), decision n of the game gets the luck ``luck_of(key, n)``, else
    the agent is reset with the key when the game begins.
    """
    table = _Table(registry.game(game), agents, options, full)
    return table.play([checked_seed(seed)])[0]


def record_games(
    game: str | Game,
    games: int,
    seed: int,
    agents: Sequence[str | Agent] | None = None,
    options: Mapping[str, Any] | None = None,
    full: bool = False,
) -> Iterator[Recorder]:
    """Play and record a series of games, one after the other; as :func:`record_game`.

    Game i (from 0) has the seed ``derived_seed(seed, i)`` and is the same whatever the number of
    games.
    """
    table = _Table(registry.game(game), agents, options, full)
    first = checked_seed(seed)
    starts = range(0, games, table.side_by_side)

    def play() -> Iterator[Recorder]:
        for start in starts:
            numbers = range(start, min(start + table.side_by_side, games))
            yield from table.play([derived_seed(first, i) for i in numbers])

    return play()


class _Table:
    """A game's agents in their seats, for any number of games.

    Attributes:
        side_by_side: how many games to play at once; one if an agent keeps luck of its own, which
            must not depend on the other games.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[str | Agent] | None,
        options: Mapping[str, Any] | None,
        full: bool,
    ) -> None:
        self.game = game
        self.options = game.options.resolve(dict(options or {}))
        self.full = full
        self.agents = _seated(game, agents, self.options["num_players"])
        self.encoders = [game.encoder(agent.encoder).id for agent in self.agents]
        self._keys: dict[int, list[int]] = {}
        self.side_by_side = 64 if all(hasattr(a, "choose") for a in self.agents) else 1

    def play(self, seeds: Sequence[int]) -> list[Recorder]:
        """Play a game from each seed, side by side, and return their recorders."""
        seats = range(len(self.agents))
        self._keys = {seed: [derived_seed(seed, seat, 1) for seat in seats] for seed in seeds}
        recorders = [self._begun(seed) for seed in seeds]
        while playing := [recorder for recorder in recorders if not recorder.is_over]:
            for seat in seats:
                asked = [recorder for recorder in playing if recorder.position.seat == seat]
                if asked:
                    for recorder, action in zip(asked, self._chosen(seat, asked), strict=True):
                        recorder.apply(action)
        return recorders

    def _begun(self, seed: int) -> Recorder:
        for seat, agent in enumerate(self.agents):
            if not hasattr(agent, "choose"):
                with failures_of(f"agent {agent.name!r}"):
                    agent.reset(self._keys[seed][seat])
        names = [agent.name for agent in self.agents]
        start = Position(self.game, seed=seed, encoder=self.encoders[0], **self.options)
        return Recorder(start, policies=names, full=self.full)

    def _chosen(self, seat: int, asked: list[Recorder]) -> list[int]:
        """The agent's actions in the games in which it is to act."""
        agent = self.agents[seat]
        positions = [recorder.position for recorder in asked]
        masks = read_only(np.stack([position.mask for position in positions]))
        batch = (self._seen(seat, positions), masks, np.full(len(asked), seat, np.int64))
        with failures_of(f"agent {agent.name!r}"):
            if hasattr(agent, "choose"):
                keys = [self._keys[position.seed][seat] for position in positions]
                luck = luck_of(keys, [recorder.moves for recorder in asked])
                answer = agent.choose(*batch, luck)
            else:
                answer = agent.act(*batch)

        def situation(row: int, action: int) -> str:
            return f"{self.game.name}, seed {positions[row].seed}, player_{seat}"

        return checked_actions(agent.name, answer, masks, situation).tolist()

    def _seen(self, seat: int, positions: list[Position]) -> np.ndarray:
        encoder = self.encoders[seat]
        if encoder != self.encoders[0]:
            positions = [position.with_encoder(encoder) for position in positions]
        return read_only(np.stack([position.observation for position in positions]))


def _seated(game: Game, agents: Sequence[str | Agent] | None, num_players: int) -> list[Agent]:
    """One agent per seat, each an object of its own where it was named by a spec."""
    given = ["random"] if agents is None else [agents] if isinstance(agents, str) else list(agents)
    if len(given) == 1:
        given = given * num_players
    if len(given) != num_players:
        raise RacegymError(
            f"{len(given)} agents for {num_players} players: name one for all, or one per seat"
        )
    return [agent_from_spec(agent, game) for agent in given]
