"""Seeds: whole numbers 0 … 2^63-1."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from racegym.engine.chance import game_seed
from racegym.engine.compile import uncompiled
from racegym.engine.options import is_whole
from racegym.errors import SeedError

LARGEST = 2**63 - 1

_game_seed = uncompiled(game_seed)


def checked_seed(seed: Any) -> int:
    """The seed as a Python int; raises SeedError for anything but 0 … 2^63-1."""
    if not is_whole(seed) or not 0 <= int(seed) <= LARGEST:
        raise SeedError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed!r}")
    return int(seed)


def fresh_seed() -> int:
    """A seed from the operating system, for callers that gave none."""
    return secrets.randbits(63)


def derived_seed(seed: int, index: int, episode: int = 0) -> int:
    """The seed of game ``index`` of a series that was given ``seed``.

    The same as that of the ``episode``-th game in place ``index`` of a
    :class:`racegym.envs.vector.VectorEnv` with this seed.
    """
    return int(_game_seed(np.uint64(seed), np.uint64(index), np.uint64(episode)))


def derived_seeds(seeds: Any, indices: Any, episodes: Any = 0) -> np.ndarray:
    """As :func:`derived_seed` for arrays that broadcast against each other; int64."""
    words = (np.asarray(array).astype(np.uint64) for array in (seeds, indices, episodes))
    return np.asarray(_game_seed(*np.broadcast_arrays(*words)))
