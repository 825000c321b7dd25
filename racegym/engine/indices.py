"""What callers hand to compiled code beside actions: rows, seats, seeds and how many of them.

Compiled code checks no index, so whatever it is given is checked here, a whole array at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.options import is_whole
from racegym.errors import RacegymError, SeedError, quoted

#: The most bytes that the copies made by one call may take: 4 GiB.
MOST_BYTES = 2**32


def whole_array(what: str, given: Any, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """Whole numbers as int64 of a shape (default: any number of them in a row).

    Raises RacegymError for anything else; ``what`` names them in the message.
    """
    try:
        found = np.asarray(given)
    except (ValueError, OverflowError):
        found = np.empty((), object)
    if found.size == 0 and isinstance(given, (list, tuple)):
        found = found.astype(np.int64)
    fits = found.ndim == 1 if shape is None else found.shape == shape
    if not fits or found.dtype.kind not in "iu" or (found.dtype == np.uint64 and _wraps(found)):
        size = "" if shape is None or not shape else f"{shape[0]} "
        raise RacegymError(f"{what} are {size}whole numbers, not {quoted(given)}")
    return np.ascontiguousarray(found, np.int64)


def _wraps(found: np.ndarray) -> bool:
    return bool((found > np.uint64(np.iinfo(np.int64).max)).any())


def checked_rows(given: Any, count: int) -> np.ndarray:
    """Numbers of games, int64 (M,); raises RacegymError unless all are 0 … count - 1."""
    rows = whole_array("rows", given)
    if ((rows < 0) | (rows >= count)).any():
        wrong = int(rows[(rows < 0) | (rows >= count)][0])
        raise RacegymError(f"there is no row {wrong}: {_range('rows', count)}")
    return rows


def checked_row(given: Any, count: int) -> int:
    """The number of a game; raises RacegymError unless it is 0 … count - 1."""
    if not is_whole(given) or not 0 <= given < count:
        raise RacegymError(f"there is no row {quoted(given)}: {_range('rows', count)}")
    return int(given)


def _range(what: str, count: int) -> str:
    return f"{what} are 0 to {count - 1}" if count else f"there are no {what}"


def checked_seats(given: Any, rows: int, num_players: int) -> np.ndarray:
    """A seat for each row, int64 (rows,), from one for each or one for all; raises RacegymError."""
    one = is_whole(given) or (isinstance(given, np.ndarray) and given.ndim == 0)
    seats = whole_array("seats", given, () if one else (rows,))
    if ((seats < 0) | (seats >= num_players)).any():
        raise RacegymError(f"seats are 0 to {num_players - 1}, not {quoted(given)}")
    return np.ascontiguousarray(np.broadcast_to(seats, (rows,)))


def checked_seeds(given: Any, rows: int) -> np.ndarray:
    """A seed for each row, int64 (rows,), each 0 … 2^63-1; raises SeedError."""
    try:
        seeds = whole_array("seeds", given, (rows,))
    except RacegymError as error:
        raise SeedError(str(error)) from None
    if (seeds < 0).any():
        raise SeedError(f"a seed is a whole number from 0 to 2**63 - 1, not {seeds.min()}")
    return seeds


def checked_copies(copies: Any, rows: int, row_bytes: int) -> int:
    """How many copies of each of some rows; raises RacegymError if they are too many to hold.

    Args:
        copies: a whole number of at least 1.
        rows: how many games are copied so often.
        row_bytes: what one copy takes.
    """
    if not is_whole(copies) or copies < 1:
        raise RacegymError(f"copies is a whole number of at least 1, not {quoted(copies)}")
    check_room(rows * int(copies), row_bytes)
    return int(copies)


def check_room(rows: int, row_bytes: int) -> None:
    """Raise RacegymError for more games than fit into MOST_BYTES."""
    most = MOST_BYTES // max(row_bytes, 1)
    if rows > most:
        raise RacegymError(
            f"{quoted(rows)} games of {row_bytes} bytes each are more than a batch may hold "
            f"(4 GiB): make at most {most:,} at a time"
        )
