"""The one way to ask agents: matches, environments, records and training all come through here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from racegym.agents.decisions import Decisions
from racegym.agents.failures import failures_of
from racegym.agents.protocol import (
    AgentError,
    AnyAgent,
    checked_actions,
    encoder_of,
    read_only,
)
from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.engine.options import is_whole
from racegym.errors import RacegymError

#: Number of a seat that none of the agents plays.
NOBODY = -1


class Players:
    """Agents and the seats they have in the games of a batch, row by row.

    A game has a number of its own from :meth:`begin` to :meth:`end`; no number is used twice.

    Args:
        game: the game.
        agents: whom the seatings number.
        names: what they are called in messages and to each other (default: their own names).
        perfect_information: admit agents whose encoder shows hidden information.

    Raises:
        AgentError: an agent reads such an encoder and is not admitted.

    Attributes:
        seating: int64 (rows, players), the number of the agent in each seat, or NOBODY.
        games: int64 (rows,), the number of the game in each row, -1 where none runs.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[AnyAgent],
        names: Sequence[str] | None = None,
        perfect_information: bool = False,
    ) -> None:
        self.game = game
        self.agents = list(agents)
        self.names = [agent.name for agent in agents] if names is None else list(names)
        self._encoders = [encoder_of(game, agent) for agent in self.agents]
        for agent, encoder in zip(self.agents, self._encoders, strict=True):
            if encoder is not None and not encoder.hides and not perfect_information:
                raise AgentError(
                    f"agent {agent.name!r} reads the encoder {agent.encoder!r}, which shows hidden "
                    "information: allow it with perfect_information (--perfect-information)"
                )
        self._next = 0
        self.seating = np.empty((0, 0), np.int64)
        self.games = np.empty(0, np.int64)

    def reset(self, k: int, seed: int) -> None:
        """Start agent k's own generator anew, if it has one."""
        agent = self.agents[k]
        if hasattr(agent, "reset"):
            with failures_of(self._who(k)):
                agent.reset(seed)

    # --- games come and go -----------------------------------------------------------------------

    def make_room(self, rows: int, num_players: int) -> None:
        """Forget all games, which end unfinished if they still run, and take in so many others."""
        self.give_up(np.arange(len(self.games)))
        self.seating = np.full((rows, num_players), NOBODY, np.int64)
        self.games = np.full(rows, -1, np.int64)

    def begin(self, rows: np.ndarray, seating: np.ndarray) -> None:
        """Tell the agents of games that begin.

        Args:
            rows: int64 (M,), where they are.
            seating: int64 (M, players), or (players,) for all of them.
        """
        self.give_up(rows)
        self.games[rows] = np.arange(self._next, self._next + len(rows))
        self._next += len(rows)
        self.seating[rows] = seating
        for k, games, seats in self._places("begin", rows):
            with failures_of(self._who(k)):
                self.agents[k].begin(self.games[rows][games], seats)  # type: ignore[union-attr]

    def end(self, rows: np.ndarray, ranks: np.ndarray) -> None:
        """Tell the agents of games that have ended.

        Args:
            rows: int64 (M,), where they are.
            ranks: int32 (M, players or more), zero for games given up before their end.
        """
        for k, games, seats in self._places("end", rows):
            theirs = np.array(ranks[games, : self.seating.shape[1]], np.int32)
            with failures_of(self._who(k)):
                self.agents[k].end(  # type: ignore[union-attr]
                    self.games[rows][games], seats, theirs
                )
        self.games[rows] = -1

    def give_up(self, rows: np.ndarray) -> None:
        """Tell the agents that games are not played to their end; the ranks they get are zero."""
        running = rows[self.games[rows] >= 0]
        if len(running):
            self.end(running, np.zeros((len(running), self.seating.shape[1]), np.int32))

    def _places(
        self, method: str, rows: np.ndarray
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Where the agents that have a method sit in some rows; one given twice comes once.

        The agent's number, indices into ``rows``, and seats.
        """
        numbers: dict[int, list[int]] = {}
        for k, agent in enumerate(self.agents):
            if hasattr(agent, method):
                numbers.setdefault(id(agent), []).append(k)
        for same in numbers.values():
            games, seats = np.nonzero(np.isin(self.seating[rows], same))
            if len(games):
                yield same[0], games.astype(np.int64), seats.astype(np.int64)

    def state_dict(self) -> dict[str, Any]:
        """The numbers of the games now running, for :meth:`load_state_dict`."""
        return {"games": self.games.copy(), "next": self._next}

    def load_state_dict(self, saved: Any, seating: np.ndarray) -> None:
        """Go on with the games of a :meth:`state_dict`, without telling the agents.

        Args:
            saved: what :meth:`state_dict` gave.
            seating: int64 (rows, players), who sits where.

        Raises:
            RacegymError: it is of another batch, or damaged; nothing was changed.
        """
        games, following = np.asarray(saved["games"]), saved["next"]
        fits = games.dtype == np.int64 and games.shape == seating.shape[:1]
        if not fits or not is_whole(following) or (games.size and games.max() >= following):
            raise RacegymError("these games are damaged: their numbers do not fit")
        self.games, self.seating, self._next = games.copy(), seating, int(following)

    # --- asking ----------------------------------------------------------------------------------

    def ask(
        self, batch: GameBatch, rows: np.ndarray, bits: np.ndarray, first: int = 0
    ) -> np.ndarray:
        """The actions that the agents to act choose, int64 (M,), all legal.

        Args:
            batch: the games.
            rows: int64 (M,), in which games; one of the agents is to act in each.
            bits: uint64 (M,), random bits for each decision.
            first: where the batch's row 0 is among the rows that :meth:`begin` was told of.

        Raises:
            AgentError: an agent failed or answered in another form; the message names it.
            IllegalAction: an agent chose an illegal action; the message names it, the game's seed,
                the decision and the action in words.
        """
        actions = np.empty(len(rows), np.int64)
        acting = self.seating[first + rows, batch.seats[rows]]
        for k in np.unique(acting).tolist():
            mine = np.flatnonzero(acting == k)
            actions[mine] = self._asked(k, batch, rows[mine], bits[mine], first)
        return actions

    def _asked(
        self, k: int, batch: GameBatch, rows: np.ndarray, bits: np.ndarray, first: int
    ) -> np.ndarray:
        agent: Any = self.agents[k]
        observations = self._seen(k, batch, rows)
        arrays = (read_only(batch.masks[rows]), read_only(batch.seats[rows]))
        with failures_of(self._who(k), lambda: _where(batch, rows)):
            if hasattr(agent, "decide"):
                games, names, guess = self._known(batch, rows, first)
                bits = read_only(bits)
                decisions = Decisions(observations, *arrays, bits, games, names, guess)
                answer = agent.decide(decisions)
            elif hasattr(agent, "choose"):
                answer = agent.choose(observations, *arrays, read_only(bits))
            else:
                answer = agent.act(observations, *arrays)

        def situation(row: int, action: int) -> str:
            return f"{_in_words(batch, rows[row], action)}; {_where(batch, rows[row : row + 1])}"

        return checked_actions(
            self.names[k], answer, batch.masks[rows], situation, lambda: _where(batch, rows)
        )

    def _known(
        self, batch: GameBatch, rows: np.ndarray, first: int
    ) -> tuple[np.ndarray, tuple[tuple[str | None, ...], ...], GameBatch]:
        """Which games, who plays in them, and a guess at each: nothing of the games themselves."""
        names = np.array([*self.names, None], object)  # NOBODY is the last
        seated = self.seating[first + rows, : batch.num_players]
        players = tuple(tuple(row) for row in names[seated].tolist())
        guess = batch.take(rows).redeal(np.zeros(len(rows), np.int64))
        return read_only(self.games[first + rows]), players, guess

    def _seen(self, k: int, batch: GameBatch, rows: np.ndarray) -> Any:
        encoder = self._encoders[k]
        if encoder is None:
            return batch.texts(rows)
        if encoder.id == batch.setup.encoder.id:
            return read_only(batch.observations[rows])
        return read_only(batch.observe(batch.seats[rows], encoder.id, rows))

    def _who(self, k: int) -> str:
        return f"agent {self.names[k]!r}"


def _in_words(batch: GameBatch, row: int, action: int) -> str:
    count = batch.game.num_actions
    if not 0 <= action < count:
        return f"there are 0 to {count - 1}"
    return repr(batch.position(row).action_to_text(action))


def _where(batch: GameBatch, rows: np.ndarray) -> str:
    """Where something happened, in words: the first of some rows."""
    row = int(rows[0])
    seat, seed = int(batch.seats[row]), int(batch.seeds[row])
    text = f"player_{seat}, game seed {seed}, decision {int(batch.decisions[row])}"
    return text if len(rows) == 1 else f"{text}, the first of {len(rows)} decisions asked together"
