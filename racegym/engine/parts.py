"""The parts of an observation, declared once and used for everything.

A part says its name, its kind, its scale and its meaning.  From the parts of a table come the
offsets and scales for compiled writers and bots (named tuples of constants), the bounds, the table
in the docs, and the decoder::

    PLAYER = Parts(
        flag("present", "1 if the seat is taken"),
        scaled("coffee", "coffee tokens", 5),
        one_hot("speed", "speed die of this round", 6, first=1),
    )
    AT, PER = PLAYER.at, PLAYER.per      # AT.coffee is 1, PER.coffee is 1 / 5, AT.stride is 8

A table can hold other tables: :func:`inside` puts one at a place, :func:`each` repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.names import named
from racegym.engine.rewards import SCHEMES

#: Reads a part: float64 (length,) to a JSON value.
Decode = Callable[[np.ndarray], Any]


@dataclass(frozen=True)
class Part:
    """One named part of an observation.

    Attributes:
        name: in tables, offsets and scales.
        length: numbers it takes.
        meaning: for the table in the docs.
        decode: reads the part (float64 (length,)) as the fact that it tells, in JSON types; None
            for a part that tells nothing new.
        fact: name of that fact; the part's own if None.
        scale: what the numbers are divided by.
        low, high: bounds of the numbers.
        marks_seat: a flag that one seat has; the fact is that seat, or null.
        times: name of the part whose fact this part's numbers have to be multiplied by.
    """

    name: str
    length: int
    meaning: str
    decode: Decode | None
    fact: str | None = None
    scale: float = 1.0
    low: float = 0.0
    high: float = 1.0
    marks_seat: bool = False
    times: str | None = None

    @property
    def told(self) -> str:
        """Name of the fact that it tells."""
        return self.name if self.fact is None else self.fact


# --- kinds ---------------------------------------------------------------------------------------


def flag(
    name: str, meaning: str, words: tuple[Any, Any] = (False, True), fact: str | None = None
) -> Part:
    """0 or 1; ``words`` is what they tell."""
    return Part(name, 1, meaning, lambda x: words[int(x[0])], fact)


def flags(name: str, meaning: str, length: int, fact: str | None = None) -> Part:
    """Several flags; the fact is the list of the numbers (from 0) of those that are 1."""
    return Part(name, length, meaning, lambda x: x.nonzero()[0].tolist(), fact)


def seat(name: str, meaning: str, fact: str | None = None) -> Part:
    """A flag in a table that is repeated for every seat, which at most one seat has."""
    return Part(name, 1, meaning, lambda x: bool(x[0]), fact, marks_seat=True)


def scaled(
    name: str,
    meaning: str,
    scale: float,
    length: int | None = None,
    fact: str | None = None,
    high: float = 1.0,
    after: str = "",
) -> Part:
    """A whole number divided by ``scale``, or a list of ``length`` such numbers.

    ``after`` is what the table says behind the meaning and the scale.
    """
    text = f"{meaning} / {scale:g}{after}"
    if length is None:
        return Part(name, 1, text, lambda x: round(float(x[0]) * scale), fact, scale, high=high)

    def decode(x: np.ndarray) -> list[int]:
        return [int(k) for k in np.rint(x * scale)]

    return Part(name, length, text, decode, fact, scale, high=high)


def saturating(
    name: str,
    meaning: str,
    half: int,
    length: int | None = None,
    fact: str | None = None,
    letter: str = "v",
    signed: bool = False,
) -> Part:
    """A whole number v as v / (\\|v\\| + half), so that usual numbers differ visibly.

    Args:
        name, fact: see :class:`Part`.
        meaning: what the number is, named by its ``letter``.
        half: the number that is written 1/2.
        length: of a list of numbers; None for a single one.
        letter: what the number is called in the meaning.
        signed: it can be negative.
    """

    def decode(x: np.ndarray) -> Any:
        found = [round(half * float(v) / (1 - abs(float(v)))) for v in x]
        return found if length is not None else found[0]

    size = f"|{letter}|" if signed else letter
    text = f"{letter} / ({size} + {half}) for {meaning}"
    low = -1.0 if signed else 0.0
    return Part(name, 1 if length is None else length, text, decode, fact, half, low)


def one_hot(
    name: str,
    meaning: str,
    values: int | Sequence[Any],
    first: int = 0,
    none: Any = None,
    fact: str | None = None,
) -> Part:
    """One entry of several is 1, or none is.

    Args:
        name, meaning, fact: see :class:`Part`.
        values: what the entries stand for, or how many there are: then whole numbers.
        first: the first of these whole numbers.
        none: what it tells if no entry is 1.
    """
    words = range(first, first + values) if isinstance(values, int) else values
    if all(isinstance(word, str) for word in words):
        listed = ", ".join(map(str, words))
        meaning = f"{meaning}: {listed}" if meaning else listed

    def decode(x: np.ndarray) -> Any:
        return words[int(x.argmax())] if x.any() else none

    return Part(name, len(words), f"one-hot: {meaning}", decode, fact)


def inverse(name: str, meaning: str, fact: str | None = None) -> Part:
    """1 divided by a whole number."""
    return Part(name, 1, f"1 / {meaning}", lambda x: round(1 / float(x[0])), fact)


def portion(name: str, meaning: str, of: str, fact: str | None = None) -> Part:
    """A whole number divided by the one that the part ``of`` (an :func:`inverse`) tells."""
    return Part(name, 1, meaning, lambda x: float(x[0]), fact, times=of)


def derived(
    name: str,
    meaning: str,
    length: int = 1,
    scale: float | None = None,
    high: float = 1.0,
    after: str = "",
) -> Part:
    """Numbers that follow from other parts: they tell nothing new and are not decoded."""
    text = meaning if scale is None else f"{meaning} / {scale:g}{after}"
    return Part(name, length, text, None, scale=1.0 if scale is None else scale, high=high)


def reward_scheme() -> Part:
    """The option ``reward``, the same in every game."""
    part = one_hot("reward", "", SCHEMES)
    return replace(part, meaning=f"one-hot: reward scheme {', '.join(SCHEMES)}")


# --- tables --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """A table inside another: once, or ``count`` times in a row."""

    name: str
    table: Parts
    count: int
    parts: tuple[Part, ...]


def inside(name: str, table: Parts, prefix: str | None = None) -> Group:
    """A table at a place of another, its parts named ``NAME.PART`` (or ``prefix`` before PART)."""
    before = f"{name}." if prefix is None else prefix
    return Group(name, table, 1, tuple(_renamed(table, before, "")))


def each(
    name: str,
    table: Parts,
    who: Sequence[str],
    labels: Sequence[Any] | None = None,
) -> Group:
    """A table repeated: parts ``NAME_0.PART``, ``NAME_1.PART`` …, each with its own meaning.

    Args:
        name: of the group.
        table: of one of them.
        who: what each of them is, put before the meanings (unless empty).
        labels: what stands in the names in the place of 0, 1 ….
    """
    numbers = range(len(who)) if labels is None else labels
    parts = [
        part
        for label, text in zip(numbers, who, strict=True)
        for part in _renamed(table, f"{name}_{label}.", text)
    ]
    return Group(name, table, len(who), tuple(parts))


def _renamed(table: Parts, before: str, who: str) -> Iterator[Part]:
    for part in table.parts:
        meaning = f"{who}: {part.meaning}" if who else part.meaning
        yield replace(part, name=f"{before}{part.name}", meaning=meaning)


def seat_names(most: int) -> list[str]:
    """What the relative seats are called: own, seat +1 ….  They begin with the observer's."""
    return ["own" if q == 0 else f"seat +{q}" for q in range(most)]


@dataclass(frozen=True)
class Slice:
    """Where a part stands in an observation, and what it means."""

    name: str
    start: int
    length: int
    meaning: str

    @property
    def stop(self) -> int:
        """First index behind it."""
        return self.start + self.length

    @property
    def indices(self) -> str:
        """First and last index, as the docs write them."""
        return str(self.start) if self.length == 1 else f"{self.start}–{self.stop - 1}"


class Parts:
    """The parts of an observation (or of a piece of one), in order and without gaps.

    Args:
        *items: parts, groups, and other tables, whose parts are taken over.

    Attributes:
        parts: all of them, those of groups under their full names.
        slices: where each of them stands, by name.
        size: numbers in all.
        at: named tuple of the offsets of parts and groups, and ``stride``, the size.  Parts of
            groups have their offsets in the group's own table.
        per: named tuple of what whole numbers are multiplied by, 1 / scale, by part; in single
            precision where that is exact, which saves converting small ones.
        scale: named tuple of what the numbers are multiplied by to read them, by part.
    """

    def __init__(self, *items: Part | Group | Parts) -> None:
        flat: list[Part | Group] = []
        for item in items:
            flat += item.items if isinstance(item, Parts) else [item]
        self.items: tuple[Part | Group, ...] = tuple(flat)
        self.parts = tuple(
            part for i in flat for part in (i.parts if isinstance(i, Group) else (i,))
        )
        self.slices: dict[str, Slice] = {}
        at = 0
        for part in self.parts:
            assert part.name not in self.slices, f"part {part.name} declared twice"
            self.slices[part.name] = Slice(part.name, at, part.length, part.meaning)
            at += part.length
        self.size = at
        own = [item for item in flat if isinstance(item, Part)]
        self._own = own
        self._starts = dict(self._started())
        plain = {name: at for name, at in self._starts.items() if name.isidentifier()}
        scales = {part.name: part.scale for part in own if part.name.isidentifier()}
        self.at: Any = named("Offsets", {**plain, "stride": self.size})
        self.scale: Any = named("Scales", {name: float(s) for name, s in scales.items()})
        self.per: Any = named("Factors", {name: _factor(s) for name, s in scales.items()})
        self.groups = {item.name: item for item in flat if isinstance(item, Group)}

    def _started(self) -> Iterator[tuple[str, int]]:
        at = 0
        for item in self.items:
            yield item.name, at
            at += item.length if isinstance(item, Part) else item.count * item.table.size

    @property
    def low(self) -> float:
        """The lowest number there can be."""
        return min(part.low for part in self.parts)

    @property
    def high(self) -> float:
        """The highest number there can be."""
        return max(part.high for part in self.parts)

    def __getitem__(self, name: str) -> Slice:
        return self.slices[name]

    def read(self, vector: np.ndarray, name: str) -> np.ndarray:
        """The numbers of a part; of a group (…, its size), or (…, count, size) if it is repeated.

        Args:
            vector: (…, size) or longer.
            name: of the part or group.
        """
        if name not in self.groups:
            part = self.slices[name]
            return vector[..., part.start : part.stop]
        group, start = self.groups[name], self._starts[name]
        found = vector[..., start : start + group.count * group.table.size]
        if group.count == 1:
            return found
        return found.reshape(*vector.shape[:-1], group.count, group.table.size)

    def markdown(self) -> str:
        """The table for the docs."""
        rows = [f"| {s.indices} | `{s.name}` | {s.meaning} |" for s in self.slices.values()]
        return "\n".join(["| index | name | meaning |", "|---|---|---|", *rows])

    # --- reading back ----------------------------------------------------------------------------

    def facts(self, vector: np.ndarray) -> dict[str, Any]:
        """What the parts (not those of groups) of a vector (size,) tell, by fact, in JSON types."""
        found: dict[str, Any] = {}
        numbers = vector.astype(np.float64)
        for part in sorted(self._own, key=lambda p: p.times is not None):
            if part.decode is not None:
                value = part.decode(self.read(numbers, part.name))
                if part.times is not None:
                    other = next(p for p in self._own if p.name == part.times)
                    value = round(value * found[other.told])
                found[part.told] = value
        return found

    def columns(self, rows: np.ndarray) -> dict[str, Any]:
        """What the rows (N, size) of a repeated table tell: by fact a list, or the seat marked."""
        told = [self.facts(row) for row in rows]
        found: dict[str, Any] = {}
        for part in self._own:
            if part.decode is None:
                continue
            values = [facts[part.told] for facts in told]
            if part.marks_seat:
                found[part.told] = values.index(True) if True in values else None
            else:
                found[part.told] = values
        return found

    def pieces(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """The numbers of every group of a vector, as :meth:`read` gives them, by name."""
        return {name: self.read(vector, name) for name in self.groups}

    def told_by(self, pieces: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """What groups tell, given by their numbers.

        A repeated table tells :meth:`columns`.  If it has a part ``present``, those of the rows in
        which it is 1, and ``num_players``, their number.
        """
        found: dict[str, Any] = {}
        for name, numbers in pieces.items():
            group = self.groups[name]
            if group.count == 1:
                found.update(group.table.told(numbers))
                continue
            if "present" in group.table.slices:
                numbers = numbers[group.table.read(numbers, "present")[:, 0] > 0]
                found["num_players"] = len(numbers)
            found.update(group.table.columns(numbers))
        return found

    def told(self, vector: np.ndarray) -> dict[str, Any]:
        """What all parts of a vector tell, groups included; see :meth:`told_by`."""
        return {**self.facts(vector), **self.told_by(self.pieces(vector))}


def _factor(scale: float) -> float | np.float32:
    exact, single = 1.0 / scale, np.float32(1.0 / scale)
    return single if float(single) == exact else exact


# --- for bots ------------------------------------------------------------------------------------


@compiled
def whole(observation, at, scale):
    """The whole number that was written at an index divided by a scale."""
    return int(observation[at] * scale + 0.5)


@compiled
def index_of(observation, at, length):
    """Which entry (from 0) of a one-hot part is 1, or -1."""
    for i in range(length):
        if observation[at + i] > 0.5:
            return i
    return -1
