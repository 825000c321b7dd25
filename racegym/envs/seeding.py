"""The seeds of the games that environments play one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.chance import game_seed
from racegym.engine.compile import uncompiled

_game_seed = uncompiled(game_seed)


class SeedRows:
    """N rows of seeds; each row follows from one seed.

    A row with place -1 begins with its base itself, and its later seeds are derived from it.  In a
    row with a place every seed is derived, as :class:`racegym.envs.VectorEnv` does it: the same
    base and place give the same games there.

    Args:
        bases: int64 (N,), the seeds given, 0 … 2^63-1.
        places: int64 (N,), places in a batch, or -1.

    Attributes:
        played: int64 (N,), how many seeds of the row came before the one now.
    """

    def __init__(self, bases: Any, places: Any = -1) -> None:
        self.bases = np.atleast_1d(np.array(bases, np.int64))
        self.places = np.broadcast_to(np.asarray(places, np.int64), self.bases.shape).copy()
        self.played = np.zeros_like(self.bases)

    def __len__(self) -> int:
        return len(self.bases)

    def seeds(self, rows: Any = slice(None)) -> np.ndarray:
        """int64, the seeds now in some rows."""
        bases, places, played = self.bases[rows], self.places[rows], self.played[rows]
        derived = _game_seed(bases, np.maximum(places, 0), played)
        return np.where((places < 0) & (played == 0), bases, derived)

    def following(self) -> SeedRows:
        """All rows, one game on; a copy."""
        rows = SeedRows(self.bases, self.places)
        rows.played = self.played + 1
        return rows
