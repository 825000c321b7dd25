"""What many games hold their states to, for :attr:`racegym.engine.game.Game.contradictions`.

Everything here works on all states at once: ``s`` are (N,) records, counts have any shape.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.game import Contradictions


def upto(count: Any, size: int) -> np.ndarray:
    """Which of ``size`` places are below a count: bool (…, size) for counts (…)."""
    return np.arange(size) < np.asarray(count)[..., None]


def count_kinds(items: np.ndarray, kinds: int, first: int = 1) -> np.ndarray:
    """How many items (…, items) are of each kind: int64 (…, kinds).

    Args:
        items: the kind of each item, in whole numbers; others count for nothing.
        kinds: how many kinds there are.
        first: the number of the first kind.
    """
    counts = [(items == kind).sum(axis=-1) for kind in range(first, first + kinds)]
    return np.stack(counts, axis=-1)


def acting(s: Any, end: int) -> Contradictions:
    """Somebody is to act in every phase but ``end``."""
    wrong = (s["to_act"] >= 0) != (s["phase"] != end)
    yield wrong, "somebody is to act just as long as the game runs"


def hand_sizes(s: Any, hands: np.ndarray) -> Contradictions:
    """Hands, int64 (N, seats, kinds), hold ``hand_size`` cards, and those of nobody none."""
    yield hands.sum(axis=2) != s["hand_size"], "hand_size is not the number in hand"
    playing = upto(s["num_players"], hands.shape[1])
    yield ~playing & (s["hand_size"] > 0), "hands of nobody hold cards"
