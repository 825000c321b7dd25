"""Seeds: whole numbers 0 … 2^63-1."""

from __future__ import annotations

import secrets
from typing import Any

from racegym.engine.options import is_whole
from racegym.errors import SeedError

LARGEST = 2**63 - 1


def checked_seed(seed: Any) -> int:
    """The seed as a Python int; raises SeedError for anything but 0 … 2^63-1."""
    if not is_whole(seed) or not 0 <= int(seed) <= LARGEST:
        raise SeedError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed!r}")
    return int(seed)


def fresh_seed() -> int:
    """A seed from the operating system, for callers that gave none."""
    return secrets.randbits(63)
