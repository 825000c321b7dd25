"""The layout of a game's state, declared once and used for everything.

A state is one fixed-size NumPy record.  Every field says who may see it, so the same declaration
gives the dtype, the tables in the docs, and the tests that nothing hidden leaks.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

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


_ALL = Visible.EVERYBODY

#: Fields that every state begins with.  A game's ``start`` sets ``to_act``, ``sides`` and
#: ``score_scale``; the kernels set the rest before they call it.
HEADER = (
    Field("chance_key", "u8", (CHANCE_STREAMS,), Visible.NOBODY, "key of each stream", "none"),
    Field("chance_count", "u8", (CHANCE_STREAMS,), Visible.NOBODY, "draws from each", "none"),
    Field("decisions", "i4", (), _ALL, "decisions made so far", high=2**30),
    Field("num_players", "i1", (), _ALL, "players in the game", fixed=True),
    Field("sides", "i1", (), _ALL, "competing sides; seat p is on side p % sides", fixed=True),
    Field("to_act", "i1", (), _ALL, "seat to act, -1 when the game is over", "values"),
    Field("truncated", "i1", (), _ALL, "1 if the game was cut at max_turns", high=1),
    Field("reward", "i1", (), _ALL, "reward scheme: 0 win, 1 rank, 2 score", fixed=True),
    Field("score_scale", "i2", (), _ALL, 'divisor of the "score" rewards', fixed=True),
)


class Layout:
    """An ordered set of fields and the record dtype they make.

    Attributes:
        fields: the header's fields followed by the game's own.
        dtype: aligned record dtype; unused padding bytes are always zero.
    """

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields: tuple[Field, ...] = (*HEADER, *fields)
        names = [f.name for f in self.fields]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise ValueError(f"fields declared twice: {', '.join(sorted(twice))}")
        taken = [n for n in names if hasattr(np.record, n)]
        if taken:
            raise ValueError(
                f"{taken[0]!r} is a method of NumPy's records: name the field otherwise"
            )
        plain = np.dtype([(f.name, f.dtype, f.shape) for f in self.fields], align=True)
        #: ``np.record`` as the scalar type gives ``s.name`` access when rules run uncompiled.
        self.dtype = np.dtype((np.record, plain))

    @property
    def size(self) -> int:
        """Bytes of one state."""
        return self.dtype.itemsize

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __getitem__(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def hidden_from(self, seat: int) -> Iterator[tuple[str, tuple[int, ...] | None]]:
        """Pairs of (field, rows) that ``seat`` may not see; rows None means the whole field."""
        for field in self.fields:
            if field.visible is Visible.NOBODY:
                yield field.name, None
            elif field.visible is Visible.OWNER:
                yield field.name, tuple(p for p in range(field.shape[0]) if p != seat)
