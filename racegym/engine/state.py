"""One game's state as Python reads and writes it: the fields as attributes.

Rules that run uncompiled, notations, tests and users all look at a state through :class:`State`.
Compiled code reads the same bytes as a record.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np


class FieldArray(np.ndarray):
    """An array field: a NumPy array whose single items are Python numbers.

    Compiled code computes with whole numbers of 64 bits, whatever the field's dtype; NumPy's small
    scalars would overflow.
    """

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return found if isinstance(found, np.ndarray) else found.item()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist()) if self.ndim == 1 else super().__iter__()


class State:
    """The fields of one state: ``s.to_act``, ``s.position[p]``, ``s["position"]``.

    Single numbers are Python numbers.  Array fields are NumPy arrays of the field's dtype and shape
    that look at the state's own bytes, and their single items are Python numbers.  Fields can be
    assigned (``s.phase = 2``, ``s.position[:] = 0``) unless the state is read-only.

    Args:
        layout: the game's :class:`~racegym.engine.layout.Layout`.
        raw: uint8, the bytes of one state; not copied.
        read_only: numbers are read once, which is faster, and nothing can be assigned.
    """

    layout: Any
    #: uint8, the bytes of the state.
    raw: np.ndarray
    #: The array fields by name as plain NumPy arrays, which are quicker to read.
    arrays: dict[str, np.ndarray]

    def __init__(self, layout: Any, raw: np.ndarray, read_only: bool = False) -> None:
        here = self.__dict__
        here["layout"] = layout
        here["raw"] = raw
        here["_plan"] = plan_of(layout)
        here["_bytes"] = raw
        here["arrays"] = _Arrays(self)
        if read_only:
            here["_bytes"] = raw.view()
            here["_bytes"].flags.writeable = False
            self.read_again()

    def read_again(self) -> None:
        """Bring the single numbers of a read-only state up to date with the bytes."""
        here = self.__dict__
        plan = here["_plan"]
        here.update(zip(plan.names, plan.numbers.unpack_from(here["raw"]), strict=True))

    def __getattr__(self, name: str) -> Any:
        here = self.__dict__
        if "_plan" not in here or name not in here["_plan"].places:
            raise AttributeError(f"a state has no field {name!r}")
        shape, dtype, offset = here["_plan"].places[name]
        if not shape:
            return np.ndarray((), dtype, here["_bytes"], offset).item()
        here[name] = np.ndarray(shape, dtype, here["_bytes"], offset).view(FieldArray)
        return here[name]

    def __setattr__(self, name: str, value: Any) -> None:
        here = self.__dict__
        if name not in here["_plan"].places:
            raise AttributeError(f"a state has no field {name!r}")
        shape, dtype, offset = here["_plan"].places[name]
        np.ndarray(shape, dtype, here["_bytes"], offset)[...] = value

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.layout, np.array(self.raw))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={self[name]!r}" for name in self._plan.places)
        return f"State({fields})"


class _Arrays(dict[str, np.ndarray]):
    """The array fields of a state, made when they are first asked for."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __missing__(self, name: str) -> np.ndarray:
        self[name] = found = getattr(self._state, name).view(np.ndarray)
        return found


class States:
    """An array of states, as uncompiled kernels index it.

    Args:
        layout: the game's layout.
        raw: uint8, the bytes of one state or (N, bytes) of several.
    """

    __slots__ = ("_layout", "_raw")

    def __init__(self, layout: Any, raw: np.ndarray) -> None:
        self._layout = layout
        self._raw = raw.reshape(-1, layout.size)

    def __getitem__(self, index: Any) -> State:
        row = index[0] if isinstance(index, tuple) else index
        return State(self._layout, self._raw[row])


class _Plan:
    """Where the fields of a layout lie: every one by itself, single numbers as one pattern too."""

    def __init__(self, layout: Any) -> None:
        fields = layout.dtype.fields
        assert fields is not None
        self.places = {
            field.name: (field.shape, np.dtype(field.dtype), fields[field.name][1])
            for field in layout
        }
        self.names = tuple(name for name, (shape, *_) in self.places.items() if not shape)
        self.numbers = _pattern([self.places[name][1:] for name in self.names])


def _pattern(places: list[Any]) -> struct.Struct:
    parts = ["@"]  # NumPy's codes are those of the native C types, aligned as in the record
    at = 0
    for dtype, offset in places:
        parts.append(f"{offset - at}x{dtype.char}")
        at = offset + dtype.itemsize
    return struct.Struct("".join(parts))


_plans: dict[int, tuple[Any, _Plan]] = {}


def plan_of(layout: Any) -> _Plan:
    """Where the fields of a layout lie; made once."""
    known = _plans.get(id(layout))
    if known is None:
        known = _plans[id(layout)] = (layout, _Plan(layout))
    return known[1]
