"""What a step of many games hands out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Batch:
    """The next decision of each of N games, and what the step before brought.

    A game that ended in the step has been started again at once: ``seat``, ``observation``,
    ``mask`` and ``seeds`` are those of the new game, the fields from ``rewards`` on tell of the
    old one.

    Attributes:
        seat: int64 (N,), the seat to act.
        observation: float32 (N, *encoder shape), what that seat sees.
        mask: int8 (N, actions), 1 = legal for that seat.
        seeds: int64 (N,), seed of the game in progress; ``racegym.make(name, seed, **options)``
            starts that very game.
        rewards: float32 (N, most players), for all seats; zero unless the game ended.
        terminated: bool (N,), the game ended.  ``max_turns`` is one of its rules and part of every
            observation, so a game cut there has ended too: its rewards are final.
        cut: bool (N,), it ended because of ``max_turns``.
        scores: int32 (N, most players), of the game that ended, else zero.
        ranks: int32 (N, most players), of the game that ended, else zero.
        last_seeds: int64 (N,), seed of the game that ended, else -1.
    """

    seat: np.ndarray
    observation: np.ndarray
    mask: np.ndarray
    seeds: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    cut: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray
    last_seeds: np.ndarray

    @property
    def ended(self) -> np.ndarray:
        """bool (N,), the game ended in the step: another name of ``terminated``."""
        return self.terminated
