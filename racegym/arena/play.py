"""Playing a list of games between agents, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from racegym.agents import Agent, checked_actions, read_only
from racegym.agents.failures import failures_of
from racegym.agents.luck import luck_of
from racegym.engine.events import no_log
from racegym.engine.game import Game
from racegym.engine.instances import kernels_of

_NO_LOG = no_log()


@dataclass(frozen=True)
class Plan:
    """The games to play.

    Attributes:
        seeds: int64 (games,), the seed of each game.
        seating: int64 (games, players), the number of the agent in each seat.
        luck: uint64 (games, agents), the key of each agent's luck in each game.
    """

    seeds: np.ndarray
    seating: np.ndarray
    luck: np.ndarray


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
    game: Game,
    options: dict[str, Any],
    agents: Sequence[Agent],
    plan: Plan,
    outcomes: Outcomes,
    *,
    batch: int = 512,
    finished: Callable[[int], None] = lambda games: None,
) -> None:
    """Play every game of a plan.

    Args:
        options: all options of the game, as ``game.options.resolve`` gives them.
        agents: those that ``plan.seating`` numbers.
        outcomes: filled in, game by game, so that an interruption leaves what was finished.
        batch: games in progress at the same time.  Agents with ``choose`` play the same games
            whatever it is.
        finished: called with the number of games that have just ended.

    Raises:
        AgentError: an agent failed or answered in another form; the message names it.
        IllegalAction: an agent chose an illegal action; the message names it, the game's seed and
            the action.
    """
    tables = _Tables(game, options, agents, plan, outcomes, batch)
    while tables.rows:
        ended = tables.play_one_decision()
        if ended:
            finished(ended)


class _Tables:
    """Games in progress, one per row; a row whose game has ended takes the next of the plan."""

    def __init__(
        self,
        game: Game,
        options: dict[str, Any],
        agents: Sequence[Agent],
        plan: Plan,
        outcomes: Outcomes,
        batch: int,
    ) -> None:
        self.game = game
        self.agents = agents
        self.plan = plan
        self.codes = game.options.encode(options)
        self.kernels = kernels_of(game, game.encoder())
        self.sights = [kernels_of(game, game.encoder(agent.encoder)) for agent in agents]
        self.outcomes = outcomes
        self.begun = 0
        rows = min(batch, len(plan.seeds))
        self.number = np.zeros(rows, np.int64)
        self.raw = np.zeros((rows, game.layout.size), np.uint8)
        self.seats = np.zeros(rows, np.int64)
        self.masks = np.zeros((rows, game.num_actions), np.int8)
        #: What the seats to act see, by the default encoder.
        self.observations = np.zeros((rows, *self.kernels.encoder.shape), np.float32)
        for row in range(rows):
            self._begin(row)

    @property
    def rows(self) -> int:
        """Games in progress."""
        return len(self.number)

    def _begin(self, row: int) -> None:
        """Start the next game of the plan in a row."""
        number = self.begun
        self.begun += 1
        self.number[row] = number
        kernels = self.kernels
        seat = kernels.begin(self.raw[row], self.codes, int(self.plan.seeds[number]))
        self.seats[row] = seat
        kernels.mark_legal(self.raw[row], self.masks[row])
        kernels.look(self.raw[row], seat, self.observations[row])

    def play_one_decision(self) -> int:
        """Play one decision in every game in progress; returns how many games ended."""
        actions = self._asked()
        if self.outcomes.actions:
            for number, action in zip(self.number.tolist(), actions.tolist(), strict=True):
                self.outcomes.actions[number].append(action)
        self.outcomes.decisions[self.number] += 1
        return self._step(actions)

    def _asked(self) -> np.ndarray:
        """The action chosen in every row."""
        acting = self.plan.seating[self.number, self.seats]
        luck = luck_of(self.plan.luck[self.number, acting], self.outcomes.decisions[self.number])
        actions = np.empty(self.rows, np.int64)
        for k in np.unique(acting).tolist():
            rows = np.flatnonzero(acting == k)
            actions[rows] = self._ask(k, rows, luck[rows])
        return actions

    def _ask(self, k: int, rows: np.ndarray, luck: np.ndarray) -> np.ndarray:
        """What agent ``k`` chooses in ``rows``, checked."""
        agent, sight = self.agents[k], self.sights[k]
        seats, masks = self.seats[rows], self.masks[rows]
        if sight is self.kernels:
            observations = self.observations[rows]
        else:
            observations = np.empty((len(rows), *sight.encoder.shape), np.float32)
            sight.look_all(self.raw[rows], seats, observations)
        shown = (read_only(observations), read_only(masks), read_only(seats))
        with failures_of(f"agent {agent.name!r}"):
            if hasattr(agent, "choose"):
                answer = agent.choose(*shown, read_only(luck))
            else:
                answer = agent.act(*shown)

        def situation(row: int, action: int) -> str:
            return self._situation(int(rows[row]), action)

        return checked_actions(agent.name, answer, self.masks[rows], situation)

    def _situation(self, row: int, action: int) -> str:
        """Where something happened, in words."""
        seed = int(self.plan.seeds[self.number[row]])
        where = f"player_{self.seats[row]}, game seed {seed}, decision {self._decision(row)}"
        if not 0 <= action < self.game.num_actions:
            return f"there are 0 to {self.game.num_actions - 1}; {where}"
        state = self.raw[row].view(self.game.layout.dtype)[0]
        return f"{self.game.notation.action_to_text(state, action)!r}; {where}"

    def _decision(self, row: int) -> int:
        return int(self.outcomes.decisions[self.number[row]])

    def _step(self, actions: np.ndarray) -> int:
        """Play the actions, note the outcomes of games that end, and start others."""
        rows, most = self.rows, self.game.max_players
        rewards = np.zeros((rows, most), np.float32)
        terminated, truncated = np.zeros(rows, bool), np.zeros(rows, bool)
        scores, ranks = np.zeros((rows, most), np.int32), np.zeros((rows, most), np.int32)
        unused = np.zeros(rows, np.int64)
        self.kernels.step_all(
            self.raw,
            self.codes,
            0,
            0,
            np.zeros(rows, np.int64),
            unused,
            actions,
            self.seats,
            self.masks,
            self.observations,
            rewards,
            terminated,
            truncated,
            scores,
            ranks,
            np.empty_like(self.raw),
            unused,
            _NO_LOG,
        )
        ended = np.flatnonzero(terminated | truncated)
        if len(ended):
            numbers = self.number[ended]
            players = self.outcomes.scores.shape[1]
            self.outcomes.scores[numbers] = scores[ended, :players]
            self.outcomes.ranks[numbers] = ranks[ended, :players]
            self.outcomes.rewards[numbers] = rewards[ended, :players]
            self.outcomes.truncated[numbers] = truncated[ended]
            self.outcomes.ended[numbers] = True
            self._refill(ended)
        return len(ended)

    def _refill(self, ended: np.ndarray) -> None:
        """Start games in the rows that ended, or give the rows up when none are left."""
        kept = np.ones(self.rows, bool)
        for row in ended.tolist():
            if self.begun < len(self.plan.seeds):
                self._begin(row)
            else:
                kept[row] = False
        if not kept.all():
            self.number, self.raw = self.number[kept], self.raw[kept]
            self.seats, self.masks = self.seats[kept], self.masks[kept]
            self.observations = self.observations[kept]
