"""Playing a list of games between agents, many at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from racegym.agents.asking import Players
from racegym.agents.randomness import random_bits
from racegym.engine.batch import GameBatch
from racegym.engine.setup import Setup


@dataclass(frozen=True)
class Plan:
    """The games to play.

    Attributes:
        seeds: int64 (games,), the seed of each game.
        seating: int64 (games, players), the number of the agent in each seat.
        bits: uint64 (games, agents), the key of each agent's random bits in each game.
    """

    seeds: np.ndarray
    seating: np.ndarray
    bits: np.ndarray


@dataclass
class Outcomes:
    """What came of the games of a plan, row by row.

    Attributes:
        scores, ranks: int32 (games, players).
        rewards: float32 (games, players).
        truncated: bool (games,).
        ended: bool (games,), False for games not played to their end yet.
        decisions: int64 (games,), how many decisions the game took.
        actions: the actions of each game, if they are kept, else empty.
    """

    scores: np.ndarray
    ranks: np.ndarray
    rewards: np.ndarray
    truncated: np.ndarray
    ended: np.ndarray
    decisions: np.ndarray
    actions: list[list[int]] = field(default_factory=list)

    @classmethod
    def none_yet(cls, plan: Plan, keep_actions: bool = False) -> Outcomes:
        """Outcomes to be filled in by :func:`play_plan`."""
        games, players = plan.seating.shape
        return cls(
            scores=np.zeros((games, players), np.int32),
            ranks=np.zeros((games, players), np.int32),
            rewards=np.zeros((games, players), np.float32),
            truncated=np.zeros(games, bool),
            ended=np.zeros(games, bool),
            decisions=np.zeros(games, np.int64),
            actions=[[] for _ in range(games)] if keep_actions else [],
        )

    def first(self, games: int) -> Outcomes:
        """Those of the first games of the plan."""
        return Outcomes(**{name: part[:games] for name, part in vars(self).items()})


def play_plan(
    players: Players,
    setup: Setup,
    plan: Plan,
    outcomes: Outcomes,
    *,
    batch: int = 512,
    finished: Callable[[int], None] = lambda games: None,
) -> None:
    """Play every game of a plan.

    Args:
        players: the agents that ``plan.seating`` numbers.
        setup: game, options and encoder.
        outcomes: filled in, game by game, so that an interruption leaves what was finished.
        batch: games in progress at the same time.  Agents with ``choose`` or ``decide`` play the
            same games whatever it is.
        finished: called with the number of games that have just ended.

    Raises:
        AgentError: an agent failed or answered in another form; the message names it.
        IllegalAction: an agent chose an illegal action; the message names it, the game's seed and
            the action.
    """
    progress = _Progress(players, setup, plan, outcomes, batch)
    while progress.running.size:
        ended = progress.play_one_decision()
        if ended:
            finished(ended)


class _Progress:
    """The games of a plan in progress, one per row of a batch; an ended one makes room for another.

    Attributes:
        games: the batch.
        number: int64 (rows,), which game of the plan is in each row.
    """

    def __init__(
        self, players: Players, setup: Setup, plan: Plan, outcomes: Outcomes, batch: int
    ) -> None:
        self.players = players
        self.plan = plan
        self.outcomes = outcomes
        self.begun = 0
        rows = min(batch, len(plan.seeds))
        self.games = GameBatch.idle(setup, rows)
        self.number = np.zeros(rows, np.int64)
        players.make_room(rows, plan.seating.shape[1])
        self._begin(np.arange(rows))

    def _begin(self, rows: np.ndarray) -> None:
        """Start the next games of the plan in some rows, as far as there are any."""
        rows = rows[: len(self.plan.seeds) - self.begun]
        if rows.size:
            numbers = np.arange(self.begun, self.begun + len(rows))
            self.begun += len(rows)
            self.number[rows] = numbers
            self.games.begin(self.plan.seeds[numbers], rows)
            self.players.begin(rows, self.plan.seating[numbers])

    @property
    def running(self) -> np.ndarray:
        """int64, the rows of games in progress."""
        return np.flatnonzero(~self.games.is_over)

    def play_one_decision(self) -> int:
        """Play one decision in every game in progress; returns how many games ended."""
        rows = self.running
        numbers, decisions = self.number[rows], self.outcomes.decisions
        acting = self.plan.seating[numbers, self.games.seats[rows]]
        bits = random_bits(self.plan.bits[numbers, acting], decisions[numbers])
        actions = np.full(len(self.games), -1, np.int64)
        actions[rows] = self.players.ask(self.games, rows, bits)
        if self.outcomes.actions:
            for number, action in zip(numbers.tolist(), actions[rows].tolist(), strict=True):
                self.outcomes.actions[number].append(action)
        decisions[numbers] += 1
        if self.games.step(actions):
            return self._note_ends(rows[self.games.is_over[rows]])
        return 0

    def _note_ends(self, rows: np.ndarray) -> int:
        """Note the outcomes of games that have just ended, and start others."""
        games, numbers, outcomes = self.games, self.number[rows], self.outcomes
        players = outcomes.scores.shape[1]
        outcomes.scores[numbers] = games.scores[rows, :players]
        outcomes.ranks[numbers] = games.ranks[rows, :players]
        outcomes.rewards[numbers] = games.rewards[rows, :players]
        outcomes.truncated[numbers] = games.cut[rows]
        outcomes.ended[numbers] = True
        self.players.end(rows, games.ranks[rows])
        self._begin(rows)
        return len(rows)
