"""How many: counts that callers give, from 1 to more than anybody can wait for."""

from __future__ import annotations

from typing import Any

from racegym.engine.options import is_whole
from racegym.errors import RacegymError

#: The most games, deals and the like that can be asked for at once.
MOST = 10**9


def checked_count(what: str, value: Any) -> int:
    """The count as a Python int; raises RacegymError for anything but 1 … MOST.

    ``what`` names it in the message: ``-n is a whole number from 1 to 1,000,000,000, not 0``.
    """
    if not is_whole(value) or not 1 <= value <= MOST:
        raise RacegymError(f"{what} is a whole number from 1 to {MOST:,}, not {value!r}")
    return int(value)


def percent(share: float, sign: str = "") -> str:
    """A share as people read it: ``31.2 %``; with the sign ``+``, ``+31.2 %``."""
    return f"{100 * share:{sign}.1f} %"
