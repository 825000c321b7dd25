"""Experience as a learner needs it: per game and seat, never across seats or games.

A seat's transition runs from one of its own decisions to its next one, or to the end of the game.
Its reward is what this seat was given in between, whoever moved.  A decision whose successor has
not been seen when the rollout ends stays *open*: its value serves the decision before it, and it
is carried over, with the log-probability it was drawn with, into the next rollout, where it is
closed.  So every decision is learned from exactly once, and no reward is lost or moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Rollout:
    """``steps`` decisions in each of N games, after a row per seat for what was carried over.

    Row p < seats holds seat p's open decision of the rollout before, row seats + t step t.

    Attributes:
        observation: float32 (rows, N, *shape); mask: int8 (rows, N, actions).
        action: int64, log_prob, value: float32, seat: int64, all (rows, N).
        taken: bool (rows, N), a decision of the learner stands here.
        state: float32 (rows, N, *state_shape), what a recurrent network remembered when it decided;
            critic_observation: float32 (rows, N, *critic_shape); each None if there is none.
        rewards: float32 (steps, N, seats); ended: bool (steps, N).  Behind an end, a cut at
            ``max_turns`` included, nothing is to be expected: nothing is bootstrapped there.
        extra: float32 (steps, N), what the seat to act gets, beside the game's rewards, for its
            decision before (zero if there is none in this game); None: nothing anywhere.
        advantage, target: float32 (rows, N), and ``closed``: bool (rows, N), where they are known;
            set by :meth:`finish`.
    """

    def __init__(
        self,
        steps: int,
        games: int,
        seats: int,
        shape: tuple[int, ...],
        num_actions: int,
        state_shape: tuple[int, ...] | None = None,
        critic_shape: tuple[int, ...] | None = None,
    ) -> None:
        rows = seats + steps

        def room(shape: tuple[int, ...] | None) -> np.ndarray | None:
            return None if shape is None else np.zeros((rows, games, *shape), np.float32)

        self.state, self.critic_observation = room(state_shape), room(critic_shape)
        self.steps, self.games, self.seats = steps, games, seats
        self.observation = np.zeros((rows, games, *shape), np.float32)
        self.mask = np.zeros((rows, games, num_actions), np.int8)
        self.action = np.zeros((rows, games), np.int64)
        self.log_prob = np.zeros((rows, games), np.float32)
        self.value = np.zeros((rows, games), np.float32)
        self.seat = np.zeros((rows, games), np.int64)
        self.seat[:seats] = np.arange(seats)[:, None]
        self.taken = np.zeros((rows, games), bool)
        self.rewards = np.zeros((steps, games, seats), np.float32)
        self.ended = np.zeros((steps, games), bool)
        self.extra: np.ndarray | None = None
        self.advantage = np.zeros((rows, games), np.float32)
        self.target = np.zeros((rows, games), np.float32)
        self.closed = np.zeros((rows, games), bool)
        self._carried_reward = np.zeros((games, seats), np.float32)
        self._open_row = np.full((games, seats), -1, np.int64)
        self._open_reward = np.zeros((games, seats), np.float32)

    def begin(self) -> None:
        """Make room for new steps; the open decisions move to the first rows."""
        for p in range(self.seats):
            row = self._open_row[:, p]
            games = np.flatnonzero(row >= 0)
            for array in self._decisions().values():
                array[p, games] = array[row[games], games]
            self.taken[p] = False
            self.taken[p, games] = True
        self._carried_reward[...] = self._open_reward
        self.taken[self.seats :] = False

    def _decisions(self) -> dict[str, np.ndarray]:
        """By name, the arrays that say what a decision was."""
        names = ("observation", "mask", "action", "log_prob", "value", "state")
        arrays = {name: getattr(self, name) for name in (*names, "critic_observation")}
        return {name: array for name, array in arrays.items() if array is not None}

    def finish(self, gamma: float, gae_lambda: float) -> None:
        """Compute advantages (Schulman et al. 2016, eq. 16) and value targets, backwards.

        The discount ``gamma`` applies per own decision of a seat.
        """
        chain = _Chain(self.games, self.seats, gamma, gae_lambda)
        self.advantage[...] = 0.0
        self.closed[...] = False
        self._open_row[...] = -1
        self._open_reward[...] = 0.0
        for t in range(self.steps - 1, -1, -1):
            chain.rewards(self.rewards[t], self.ended[t])
            self._settle(chain, self.seats + t)
            if self.extra is not None:
                taken = np.flatnonzero(self.taken[self.seats + t])
                chain.pending[taken, self.seat[self.seats + t, taken]] += self.extra[t, taken]
        chain.pending += self._carried_reward
        for p in range(self.seats):
            self._settle(chain, p)
        self.target = self.advantage + self.value

    def _settle(self, chain: _Chain, row: int) -> None:
        games = np.flatnonzero(self.taken[row])
        seats = self.seat[row, games]
        known = chain.known[games, seats]
        still_open, open_seats = games[~known], seats[~known]
        self._open_row[still_open, open_seats] = row
        self._open_reward[still_open, open_seats] = chain.pending[still_open, open_seats]
        self.closed[row, games] = known
        value = self.value[row, games]
        self.advantage[row, games] = chain.decide(games, seats, value)

    @property
    def open_decisions(self) -> int:
        """Decisions that wait for their successor after :meth:`finish`."""
        return int((self._open_row >= 0).sum())

    # --- saving ----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, np.ndarray]:
        """The open decisions, after :meth:`finish`: all that the next rollout takes from this."""
        self.begin()
        taken = self.taken[: self.seats].copy()
        saved = {"taken": taken, "reward": self._carried_reward.copy()}
        for name, array in self._decisions().items():
            rows = array[: self.seats].copy()
            rows[~taken] = 0
            saved[name] = rows
        self._open_row = np.where(taken.T, np.arange(self.seats), -1)
        return saved

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from a :meth:`state_dict`; shapes must be those of this rollout."""
        for name, array in self._decisions().items():
            array[: self.seats] = saved[name]
        self._open_row = np.where(saved["taken"].T, np.arange(self.seats), -1)
        self._open_reward[...] = saved["reward"]


class _Chain:
    """What follows in each game for each seat, going backwards: arrays (games, seats)."""

    def __init__(self, games: int, seats: int, gamma: float, gae_lambda: float) -> None:
        self.gamma, self.decay = np.float32(gamma), np.float32(gamma * gae_lambda)
        self.pending = np.zeros((games, seats), np.float32)
        self.value = np.zeros((games, seats), np.float32)
        self.advantage = np.zeros((games, seats), np.float32)
        self.known = np.zeros((games, seats), bool)

    def rewards(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Take in what a step brought; behind the end of a game nothing counts any more."""
        self.pending += rewards
        if ended.any():
            self.pending[ended] = rewards[ended]
            self.value[ended] = 0.0
            self.advantage[ended] = 0.0
            self.known[ended] = True

    def decide(self, games: np.ndarray, seats: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Advantages of decisions of these seats (zero where the successor is not known)."""
        at = (games, seats)
        surprise = self.pending[at] + self.gamma * self.value[at] - value
        advantage = surprise + self.decay * self.advantage[at]
        advantage = np.where(self.known[at], advantage, np.float32(0.0)).astype(np.float32)
        self.pending[at] = 0.0
        self.value[at] = value
        self.advantage[at] = advantage
        self.known[at] = True
        return advantage
