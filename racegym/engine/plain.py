"""States as the rules see them when they run uncompiled.

Compiled code computes with whole numbers of 64 bits, whatever the fields' dtypes.  NumPy's small
scalars would overflow, so here every number read from a state is a Python int.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class PlainArray:
    """An array field (or part of one) whose items are read as Python ints."""

    __slots__ = ("_array",)

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        found = self._array[index]
        return PlainArray(found) if isinstance(found, np.ndarray) else int(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value._array if isinstance(value, PlainArray) else value

    def __len__(self) -> int:
        return len(self._array)

    @property
    def shape(self) -> tuple[int, ...]:
        """As of the array itself."""
        return self._array.shape


class PlainState:
    """One state, with its fields as attributes."""

    __slots__ = ("_record",)

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        found = self._record[name]
        return PlainArray(found) if isinstance(found, np.ndarray) else int(found)

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


class PlainStates:
    """An array of states."""

    __slots__ = ("_records",)

    def __init__(self, records: np.ndarray) -> None:
        self._records = records

    def __getitem__(self, index: Any) -> PlainState:
        return PlainState(self._records[index])
