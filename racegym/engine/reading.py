"""States as notations read them: the fields of one state as plain attributes, quickly.

NumPy's record scalars take about a microsecond per field; writing a state as JSON reads twenty.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from racegym.engine.layout import Layout


class StateFields:
    """The fields of one state, read only: ``s.to_act``, ``s.position``, ``s["position"]``.

    Single numbers are Python ints as of the moment this was made; array fields are NumPy arrays
    that look at the state's own bytes.

    Args:
        layout: the game's layout.
        raw: uint8, the bytes of one state.
    """

    def __init__(self, layout: Layout, raw: np.ndarray) -> None:
        names, numbers = _numbers(layout)
        here = self.__dict__
        here.update(zip(names, numbers.unpack_from(raw), strict=True))
        here["_records"] = raw.view(layout.dtype)

    def __getattr__(self, name: str) -> np.ndarray:
        """An array field; kept, so that this runs once per field."""
        try:
            array = self.__dict__["_records"][name][0]
        except (KeyError, ValueError):
            raise AttributeError(f"a state has no field {name!r}") from None
        array.flags.writeable = False
        self.__dict__[name] = array
        return array

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


_of_layout: dict[int, tuple[Layout, tuple[str, ...], struct.Struct]] = {}


def _numbers(layout: Layout) -> tuple[tuple[str, ...], struct.Struct]:
    """Names of the fields that are single numbers, and the pattern that reads them all."""
    if id(layout) not in _of_layout:
        single = [field.name for field in layout if not field.shape]
        _of_layout[id(layout)] = (layout, tuple(single), _pattern(layout.dtype, single))
    _, names, numbers = _of_layout[id(layout)]
    return names, numbers


def _pattern(dtype: np.dtype, names: list[str]) -> struct.Struct:
    assert dtype.fields is not None
    parts = ["@"]  # NumPy's codes are those of the native C types, aligned as in the record
    at = 0
    for name in names:
        kind, offset = dtype.fields[name][:2]
        parts.append(f"{offset - at}x{kind.char}")
        at = offset + kind.itemsize
    return struct.Struct("".join(parts))
