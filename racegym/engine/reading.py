"""States as notations read them: the fields of one state as plain attributes, quickly.

NumPy's record scalars take some microseconds per field; writing a state as JSON reads twenty.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from racegym.engine.layout import Layout


class StateFields:
    """The fields of one state, read only: ``s.to_act``, ``s.position``, ``s["position"]``.

    Single numbers are Python ints as of the moment they were read; array fields are NumPy arrays
    that look at the state's own bytes (as ``raw`` does).

    Args:
        layout: the game's layout.
        raw: uint8, the bytes of one state.
    """

    def __init__(self, layout: Layout, raw: np.ndarray) -> None:
        here = self.__dict__
        here["_plan"] = _plans.get(id(layout)) or _planned(layout)
        here["raw"] = raw
        here["_read_only"] = raw.view()
        here["_read_only"].flags.writeable = False
        self.read_again()

    def read_again(self) -> None:
        """Bring the single numbers up to date with the bytes."""
        here = self.__dict__
        plan = here["_plan"]
        here.update(zip(plan.names, plan.numbers.unpack_from(here["raw"]), strict=True))

    def __getattr__(self, name: str) -> Any:
        """An array field; kept, so that this runs once per field."""
        here = self.__dict__
        if "_plan" not in here or name not in here["_plan"].arrays:
            raise AttributeError(f"a state has no field {name!r}")
        shape, dtype, offset = here["_plan"].arrays[name]
        here[name] = np.ndarray(shape, dtype, here["_read_only"], offset)
        return here[name]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


class _Plan:
    """Where the fields of a layout lie: single numbers as one pattern, arrays one by one."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        fields = layout.dtype.fields
        assert fields is not None
        self.names = tuple(field.name for field in layout if not field.shape)
        self.numbers = _pattern([fields[name] for name in self.names])
        self.arrays = {
            field.name: (field.shape, np.dtype(field.dtype), fields[field.name][1])
            for field in layout
            if field.shape
        }


def _pattern(places: list[Any]) -> struct.Struct:
    parts = ["@"]  # NumPy's codes are those of the native C types, aligned as in the record
    at = 0
    for dtype, offset in places:
        parts.append(f"{offset - at}x{dtype.char}")
        at = offset + dtype.itemsize
    return struct.Struct("".join(parts))


_plans: dict[int, _Plan] = {}


def _planned(layout: Layout) -> _Plan:
    return _plans.setdefault(id(layout), _Plan(layout))
