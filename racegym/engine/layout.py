"""The layout of a game's state, declared once and used for everything.

A state is one fixed-size NumPy record.  Every field says who may see it and how it is written in
records, so the same declaration gives the dtype, the JSON of a state, the tables in the docs, and
the tests that nothing hidden leaks.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from racegym.engine.forms import SEAT, Form
from racegym.engine.generated import Mappings
from racegym.engine.state import State
from racegym.errors import nearest

CHANCE_STREAMS = 4


class Visible(enum.Enum):
    """Who may see a field."""

    EVERYBODY = "everybody"
    OWNER = "its owner"
    NOBODY = "nobody"


@dataclass(frozen=True)
class Field:
    """One field of a state.

    With ``Visible.OWNER`` the first axis runs over seats, and row ``p`` is seen by seat ``p`` only.

    ``seats`` tells where seat numbers are in it, for renumbering the seats of a situation:
    ``"rows"`` (the first axis runs over seats), ``"values"`` (its numbers are seats, negative ones
    stand for nobody), ``"both"`` or ``"none"``.  None means rows if the first axis is as long as
    the largest number of players, else none.

    ``low`` and ``high`` are the lowest and the highest value that the rules can cope with: whole
    numbers, or nested tuples that broadcast to the shape.  Without them a field of seat numbers
    holds -1 (nobody) to the last seat, another one 0 to ``high``, or whatever its dtype does.  A
    ``fixed`` field is settled by the game's options and never changes.  States from outside are
    held to all this (:mod:`racegym.engine.validity`).

    ``form`` says how the field is written in records (:mod:`racegym.engine.forms`), under its name
    or ``key``.  A field without a form is in no record, or the game writes it by hand.  What seats
    ``remembered`` of earlier moves is in no record, but observations tell it.  A field that is not
    ``observed`` is told by no observation, though the layout lets seats see it or records hold it
    (because it follows from others, or is told in other words).
    """

    name: str
    dtype: str
    shape: tuple[int, ...] = ()
    visible: Visible = Visible.EVERYBODY
    meaning: str = ""
    seats: Literal["rows", "values", "both", "none"] | None = None
    low: Any = None
    high: Any = None
    fixed: bool = False
    form: Form | None = None
    key: str | None = None
    remembered: bool = False
    observed: bool = True

    @property
    def written(self) -> str:
        """Its name in records."""
        return self.name if self.key is None else self.key

    @property
    def holds_seats(self) -> bool:
        """True if its numbers are seats."""
        return self.seats in ("values", "both")

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Lowest and highest value; of seat numbers not given as (…, None)."""
        whole = np.iinfo(self.dtype) if np.dtype(self.dtype).kind in "iu" else np.finfo(self.dtype)
        if self.holds_seats:
            return -1 if self.low is None else self.low, self.high
        lowest = whole.min if self.high is None else 0
        return (
            lowest if self.low is None else self.low,
            whole.max if self.high is None else self.high,
        )


def seen(
    name: str, meaning: str, shape: tuple[int, ...] = (), dtype: str = "i1", **more: Any
) -> Field:
    """A field that everybody may see; ``more`` as of :class:`Field`."""
    return Field(name, dtype, shape, Visible.EVERYBODY, meaning, **more)


def own(name: str, meaning: str, shape: tuple[int, ...], dtype: str = "i1", **more: Any) -> Field:
    """A field whose rows their owners may see; ``more`` as of :class:`Field`."""
    return Field(name, dtype, shape, Visible.OWNER, meaning, **more)


def hidden(
    name: str, meaning: str, shape: tuple[int, ...] = (), dtype: str = "i1", **more: Any
) -> Field:
    """A field that nobody may see; ``more`` as of :class:`Field`."""
    return Field(name, dtype, shape, Visible.NOBODY, meaning, **more)


#: Fields that every state begins with.  A game's ``start`` sets ``to_act``, ``sides`` and
#: ``score_scale``; the kernels set the rest before they call it.
HEADER = (
    hidden("chance_key", "key of each stream", (CHANCE_STREAMS,), "u8", seats="none"),
    hidden("chance_count", "draws from each", (CHANCE_STREAMS,), "u8", seats="none"),
    seen("decisions", "decisions made so far", dtype="i4", high=2**30),
    seen("num_players", "players in the game", fixed=True),
    seen("sides", "competing sides; seat p is on side p % sides", fixed=True),
    seen("to_act", "seat to act, -1 when the game is over", seats="values", form=SEAT),
    seen("truncated", "1 if the game was cut at max_turns", high=1),
    seen("reward", "reward scheme: 0 win, 1 rank, 2 score", fixed=True),
    seen("score_scale", 'divisor of the "score" rewards', dtype="i2", fixed=True),
)


class Layout:
    """An ordered set of fields, the record dtype they make, and the JSON of a state.

    Args:
        fields: the game's own, which follow the header's.
        record: the keys of a state in records, in order: those of the fields that have a form, and
            those that the game writes by hand.  None means the fields that have a form.

    Attributes:
        fields: the header's fields followed by the game's own.
        dtype: aligned record dtype; unused padding bytes are always zero.
    """

    def __init__(self, fields: Iterable[Field], record: Sequence[str] | None = None) -> None:
        self.fields: tuple[Field, ...] = (*HEADER, *fields)
        names = [f.name for f in self.fields]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise ValueError(f"fields declared twice: {', '.join(sorted(twice))}")
        taken = [n for n in names if hasattr(State, n) or hasattr(np.record, n)]
        if taken:
            raise ValueError(f"{taken[0]!r} is a method of states: name the field otherwise")
        self.dtype = np.dtype([(f.name, f.dtype, f.shape) for f in self.fields], align=True)
        self._by_name = {f.name: f for f in self.fields}
        self._by_key = {f.written: f for f in self.fields if f.form is not None}
        self.record: tuple[str, ...] = tuple(self._by_key if record is None else record)
        left_out = [key for key in self._by_key if key not in self.record]
        if left_out:
            raise ValueError(f"{left_out[0]!r} has a form, but no place in the record")
        made = Mappings("s", "arrays", "n")
        own = {key: self._expression(key, made) for key in self.record if key in self._by_key}
        self._read = made.function(own)

    def _expression(self, key: str, made: Mappings) -> str:
        field = self._by_key[key]
        assert field.form is not None
        return field.form.expression(field.name, made.keep)

    @property
    def size(self) -> int:
        """Bytes of one state."""
        return self.dtype.itemsize

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __getitem__(self, name: str) -> Field:
        return self._by_name[name]

    def hidden_from(self, seat: int) -> Iterator[tuple[str, tuple[int, ...] | None]]:
        """Pairs of (field, rows) that ``seat`` may not see; rows None means the whole field."""
        for field in self.fields:
            if field.visible is Visible.NOBODY:
                yield field.name, None
            elif field.visible is Visible.OWNER:
                yield field.name, tuple(p for p in range(field.shape[0]) if p != seat)

    def __reduce__(self) -> tuple[Any, ...]:
        return Layout, (self.fields[len(HEADER) :], self.record)

    # --- JSON ------------------------------------------------------------------------------------

    def to_dict(self, state: State, by_hand: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A state in JSON types, in the order of ``record``.

        Args:
            state: the state.
            by_hand: what the game writes itself, by key; it takes the place of a field's own form.
        """
        own = self._read(state, state.arrays, state.num_players)
        if by_hand is None:
            return own
        own.update(by_hand)
        if len(own) == len(self._by_key):
            return own
        return {key: own[key] for key in self.record}

    def from_dict(
        self, state: State, given: Mapping[str, Any], title: str, by_hand: Container[str] = ()
    ) -> None:
        """Set the fields of a state that are given under their keys.

        Args:
            state: the state, which is spoilt if this raises.
            given: some of the keys of ``record``.
            title: of the game, for messages.
            by_hand: keys that the game sets itself; they are left out.

        Raises:
            ValueError: an unknown key, or a value that a field does not take.
        """
        for key in given:
            if key not in self.record:
                raise ValueError(
                    f"a state of {title} has no field {key!r}{nearest(key, self.record)}"
                )
        for key, field in self._by_key.items():
            if key in given and key not in by_hand:
                assert field.form is not None
                field.form.write(state, field.name, given[key])
