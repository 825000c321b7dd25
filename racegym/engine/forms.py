"""How the fields of a state are written in records: a form per field, declared in the layout.

A form turns what a field holds into JSON types and back.  Writing a state is made quick by putting
all its forms' expressions together once (:mod:`racegym.engine.generated`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym.engine.generated import Keep
from racegym.errors import nearest


@dataclass(frozen=True)
class Form:
    """A whole number as it is."""

    def expression(self, name: str, keep: Keep) -> str:
        """Python for the JSON of the field ``name`` of ``s``.

        It may use ``s`` (the state), ``arrays`` (its array fields by name) and ``n`` (the number of
        players), and constants kept with ``keep``.
        """
        return f"s.{name}"

    def write(self, s: Any, name: str, given: Any) -> None:
        """Set the field of a state from JSON; raises ValueError for what it does not take."""
        s[name] = given


@dataclass(frozen=True)
class YesNo(Form):
    """A flag as true or false."""

    def expression(self, name: str, keep: Keep) -> str:
        return f"s.{name} != 0"


@dataclass(frozen=True)
class OrNull(Form):
    """A whole number, or null in the place of the one that stands for nothing."""

    nothing: int

    def expression(self, name: str, keep: Keep) -> str:
        return f"None if s.{name} == {self.nothing} else s.{name}"

    def write(self, s: Any, name: str, given: Any) -> None:
        s[name] = self.nothing if given is None else given


@dataclass(frozen=True)
class Word(Form):
    """A number as the word at its place; None among the words stands for null."""

    words: tuple[str | None, ...]

    def expression(self, name: str, keep: Keep) -> str:
        return f"{keep(self.words)}[s.{name}]"

    def write(self, s: Any, name: str, given: Any) -> None:
        if given not in self.words:
            words = [word or "null" for word in self.words]
            known = ", ".join(words)
            raise ValueError(f"{name} is one of {known}, not {given!r}{nearest(given, words)}")
        s[name] = self.words.index(given)


@dataclass(frozen=True)
class Numbers(Form):
    """A list of whole numbers: all that the field has, or one per player with ``per_player``."""

    per_player: bool = False

    def expression(self, name: str, keep: Keep) -> str:
        return f"arrays[{name!r}]{'[:n]' if self.per_player else ''}.tolist()"

    def write(self, s: Any, name: str, given: Any) -> None:
        field = s[name]
        count = s.num_players if self.per_player else len(field)
        field[:count] = checked_list(name, given, count, field[:count])


@dataclass(frozen=True)
class YesNos(Form):
    """A list of true or false, one per player."""

    def expression(self, name: str, keep: Keep) -> str:
        return f"[k != 0 for k in arrays[{name!r}][:n].tolist()]"

    def write(self, s: Any, name: str, given: Any) -> None:
        field, n = s[name], s.num_players
        field[:n] = checked_list(name, given, n, field[:n])


@dataclass(frozen=True)
class Filled(Form):
    """A list as long as is filled: the numbers up to the first 0, or ``size`` of them.

    Attributes:
        size: name of the field that says how many there are; set along with the list.
        words: what the numbers 1, 2 … are called; without it they stand as they are.
        backwards: the list begins with the last number.
        descending: numbers are put in this order when they are set.
        rest: what stands behind the list.
    """

    size: str | None = None
    words: tuple[str, ...] = ()
    backwards: bool = False
    descending: bool = False
    rest: int = 0

    def expression(self, name: str, keep: Keep) -> str:
        field = f"arrays[{name!r}]"
        if self.size is None:
            found = f"[k for k in {field}.tolist() if k]"
        else:
            found = f"{field}[: s.{self.size}].tolist()"
        if self.backwards:
            found = f"{found}[::-1]"
        if not self.words:
            return found
        return f"[{keep((None, *self.words))}[k] for k in {found}]"

    def write(self, s: Any, name: str, given: Any) -> None:
        field = s[name]
        check_at_most(name, given, len(field))
        numbers = [number_of(k, self.words) for k in given] if self.words else list(given)
        if self.backwards:
            numbers = numbers[::-1]
        if self.descending:
            numbers = sorted(numbers, reverse=True)
        ready = checked_list(name, numbers, len(numbers), field[: len(numbers)])
        field[:] = self.rest
        field[: len(numbers)] = ready
        if self.size is not None:
            s[self.size] = len(numbers)


@dataclass(frozen=True)
class Counts(Form):
    """How many there are of each kind, by its name: a mapping, or one per player.

    Attributes:
        words: names of the kinds.
        per_player: the field has a row per seat.
        zeros: kinds of which there are none are written too.
        total: name of the field that holds the sum; set along with the counts.
    """

    words: tuple[str, ...]
    per_player: bool = False
    zeros: bool = False
    total: str | None = None

    def expression(self, name: str, keep: Keep) -> str:
        written, field = keep(self._written), f"arrays[{name!r}]"
        if self.per_player:
            return f"[{written}(row) for row in {field}[:n].tolist()]"
        return f"{written}({field}.tolist())"

    def _written(self, counts: list[int]) -> dict[str, int]:
        if self.zeros:
            return dict(zip(self.words, counts, strict=True))
        return {word: k for word, k in zip(self.words, counts, strict=True) if k}

    def write(self, s: Any, name: str, given: Any) -> None:
        field, n = s[name], s.num_players
        if not self.per_player:
            field[:] = self._numbers(name, given)
            if self.total is not None:
                s[self.total] = field.sum()
            return
        check_length(name, given, n)
        rows = [self._numbers(name, row) for row in given]
        field[:n] = rows
        if self.total is not None:
            s[self.total][:n] = [sum(row) for row in rows]

    def _numbers(self, name: str, given: Any) -> list[int]:
        if not isinstance(given, Mapping):
            raise ValueError(f"{name} holds counts by name, not {given!r}")
        counts = [0] * len(self.words)
        for word, k in given.items():
            counts[number_of(word, self.words) - 1] = k
        return counts


NUMBER, YES_NO = Form(), YesNo()
SEAT = OrNull(-1)
ALL, PER_PLAYER = Numbers(), Numbers(per_player=True)
FLAGS = YesNos()


def number_of(word: Any, words: Sequence[str]) -> int:
    """The number (from 1) of a word; raises ValueError for another one."""
    if word not in words:
        raise ValueError(f"there is no {word!r}: known are {', '.join(words)}")
    return words.index(word) + 1


def check_length(name: str, given: Any, count: int) -> None:
    """Raise ValueError for anything but a list of so many values."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ValueError(f"{name} is a list of {count} values, not {given!r}")
    if len(given) != count:
        raise ValueError(f"{name} needs {count} values, not {len(given)}")


def check_at_most(name: str, given: Any, most: int) -> None:
    """Raise ValueError for anything but a list of at most so many values."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ValueError(f"{name} is a list, not {given!r}")
    if len(given) > most:
        raise ValueError(f"{name} takes at most {most} values, not {len(given)}")


def checked_list(name: str, given: Any, count: int, like: np.ndarray) -> np.ndarray:
    """A list of so many numbers, as an array that fits a field; raises ValueError otherwise."""
    check_length(name, given, count)
    ready = np.empty_like(like)
    try:
        ready[...] = list(given)
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, OverflowError):
            raise
        raise ValueError(f"{name} holds whole numbers, not {given!r}") from None
    return ready
