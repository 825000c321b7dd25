"""Random numbers for agents: a hash of a seed and a counter, many at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.chance import fraction, hashed
from racegym.engine.compile import uncompiled

_hashed, _fraction = uncompiled(hashed), uncompiled(fraction)


def random_bits(key: Any, counters: Any) -> np.ndarray:
    """Random bits (uint64) for a key and counters, arrays or numbers, by broadcasting.

    The generator is the engine's own (:mod:`racegym.engine.chance`), with other keys.
    """
    return np.asarray(_hashed(np.asarray(key, np.uint64), np.asarray(counters, np.uint64)))


def fractions(bits: np.ndarray) -> np.ndarray:
    """The random bits as float64 numbers in [0, 1)."""
    return np.asarray(_fraction(bits))
