"""Playing games with agents and recording them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from racegym.agents import AnyAgent, agent_from_spec
from racegym.agents.asking import Players
from racegym.agents.play import Outcomes, Plan, play_plan
from racegym.agents.protocol import encoder_of, takes_bits
from racegym.engine import registry
from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, derived_seed
from racegym.engine.setup import Setup
from racegym.errors import RacegymError
from racegym.records.recorder import Recorder


def record_game(
    game: str | Game,
    seed: int,
    agents: Sequence[str | AnyAgent] | None = None,
    options: Mapping[str, Any] | None = None,
    full: bool = False,
    perfect_information: bool = False,
) -> Recorder:
    """Play a game with agents and record it.

    Args:
        game: a game's name or description.
        seed: seed of the game, 0 … 2^63-1.
        agents: one per seat, or one for all seats: agents or their specs
            (:func:`racegym.agents.agent_from_spec`); None plays at random.
        options: the game's options.
        full: note the legal actions, events and state of every move as well.
        perfect_information: admit agents whose encoder shows hidden information.

    Returns:
        The recorder of the finished game; its ``lines`` are the record.

    Raises:
        OptionError, SeedError, RacegymError: for arguments that do not fit.
        AgentError, IllegalAction: for an agent that answers wrongly.

    The agents' randomness is apart from the game's and depends on the seed alone.  The key of the
    agent in seat p is ``derived_seed(seed, p, 1)``: if it has ``choose`` or ``decide`` (see
    :class:`racegym.agents.Agent`), decision n of the game gets ``random_bits(key, n)``, else the
    agent is reset with the key when the game begins.
    """
    table = _Table(registry.game(game), agents, options, full, perfect_information)
    return table.play([checked_seed(seed)])[0]


def record_games(
    game: str | Game,
    games: int,
    seed: int,
    agents: Sequence[str | AnyAgent] | None = None,
    options: Mapping[str, Any] | None = None,
    full: bool = False,
    perfect_information: bool = False,
) -> Iterator[Recorder]:
    """Play and record a series of games, one after the other; as :func:`record_game`.

    Game i (from 0) has the seed ``derived_seed(seed, i)`` and is the same whatever the number of
    games.
    """
    table = _Table(registry.game(game), agents, options, full, perfect_information)
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
        side_by_side: how many games to play at once; one if an agent has a generator of its own,
            which must not depend on the other games.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[str | AnyAgent] | None,
        options: Mapping[str, Any] | None,
        full: bool,
        perfect_information: bool,
    ) -> None:
        settled = game.options.resolve(dict(options or {}))
        seated = _seated(game, agents, settled["num_players"])
        encoders = [encoder_of(game, agent) for agent in seated]
        seeing = [encoder for encoder in encoders if encoder is not None]
        self.setup = Setup(game, settled, seeing[0] if seeing else game.encoder())
        self.players = Players(game, seated, perfect_information=perfect_information)
        self.full = full
        self._own_bits = [k for k, agent in enumerate(seated) if not takes_bits(agent)]
        self.side_by_side = 1 if self._own_bits else 64

    def play(self, seeds: Sequence[int]) -> list[Recorder]:
        """Play a game from each seed, side by side, and return their recorders."""
        seats = range(len(self.players.agents))
        keys = [[derived_seed(seed, seat, 1) for seat in seats] for seed in seeds]
        for k in self._own_bits:
            self.players.reset(k, keys[0][k])
        seating = np.broadcast_to(np.array(seats), (len(seeds), len(seats)))
        plan = Plan(np.array(seeds, np.int64), seating, np.array(keys, np.uint64))
        outcomes = Outcomes.none_yet(plan, keep_actions=True)
        play_plan(self.players, self.setup, plan, outcomes, batch=self.side_by_side)
        return [
            self._recorded(seed, actions)
            for seed, actions in zip(seeds, outcomes.actions, strict=True)
        ]

    def _recorded(self, seed: int, actions: Sequence[int]) -> Recorder:
        start = Position.begun(self.setup, seed)
        recorder = Recorder(start, policies=self.players.names, full=self.full)
        for action in actions:
            recorder.apply(action)
        return recorder


def _seated(
    game: Game, agents: Sequence[str | AnyAgent] | None, num_players: int
) -> list[AnyAgent]:
    """One agent per seat, each an object of its own where it was named by a spec."""
    given = ["random"] if agents is None else [agents] if isinstance(agents, str) else list(agents)
    if len(given) == 1:
        given = given * num_players
    if len(given) != num_players:
        raise RacegymError(
            f"{len(given)} agents for {num_players} players: name one for all, or one per seat"
        )
    return [agent_from_spec(agent, game) for agent in given]
