"""Options of a game: declared, checked, and encoded for the compiled rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from racegym.engine.names import named
from racegym.engine.rewards import SCHEMES
from racegym.errors import OptionError, nearest


def is_whole(value: Any) -> bool:
    """True for Python and NumPy integers, not for booleans."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


@dataclass(frozen=True)
class Option:
    """One option: a name, a default and the values it takes.

    ``default`` may be a function of the options settled before it (``num_players`` and those
    declared earlier), for defaults that depend on them.
    """

    name: str
    default: Any
    meaning: str

    @property
    def values(self) -> str:
        """The values it takes, in words."""
        raise NotImplementedError

    def check(self, value: Any) -> Any:
        """The value in its plain Python form; raises OptionError naming what is accepted."""
        raise NotImplementedError

    def check_recorded(self, value: Any) -> Any:
        """As :meth:`check`, for a value from a record, which may come from anywhere.

        An option that looks at more than the value (a file that it names) must not do so here.
        """
        return self.check(value)

    def encode(self, value: Any) -> list[int]:
        """The value as whole numbers for the rules."""
        return [int(value)]

    def parse(self, text: str) -> Any:
        """A value from the command line (checked later)."""
        try:
            return json.loads(text)
        except ValueError:
            return text

    def refuse(self, value: Any) -> OptionError:
        """The error for a value that it does not take."""
        return OptionError(f"option {self.name} takes {self.values}, not {value!r}")


@dataclass(frozen=True)
class WholeNumber(Option):
    """A whole number within bounds (both included)."""

    low: int = 0
    high: int = 0

    @property
    def values(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: Any) -> int:
        if not is_whole(value) or not self.low <= value <= self.high:
            raise self.refuse(value)
        return int(value)


@dataclass(frozen=True)
class Choice(Option):
    """One of several words."""

    choices: tuple[str, ...] = ()

    @property
    def values(self) -> str:
        return "one of " + ", ".join(repr(c) for c in self.choices)

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise self.refuse(value)
        return value

    def encode(self, value: str) -> list[int]:
        return [self.choices.index(value)]


@dataclass(frozen=True)
class Flag(Option):
    """True or False."""

    @property
    def values(self) -> str:
        return "true or false"

    def check(self, value: Any) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise self.refuse(value)
        return bool(value)

    def parse(self, text: str) -> Any:
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True)
class WholeNumbers(Option):
    """A list of whole numbers of fixed length, within bounds, perhaps with a fixed sum."""

    length: int = 0
    low: int = 0
    high: int = 0
    total: int | None = None

    @property
    def values(self) -> str:
        text = f"{self.length} whole numbers from {self.low} to {self.high}"
        return text if self.total is None else f"{text} with the sum {self.total}"

    def check(self, value: Any) -> list[int]:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if (
            not isinstance(value, Sequence)
            or isinstance(value, str)
            or len(value) != self.length
            or not all(is_whole(v) and self.low <= v <= self.high for v in value)
            or (self.total is not None and sum(value) != self.total)
        ):
            raise self.refuse(value)
        return [int(v) for v in value]

    def encode(self, value: list[int]) -> list[int]:
        return list(value)


def reward_option() -> Choice:
    """The option ``reward``, the same in every game."""
    return Choice("reward", "win", "what the rewards at the end reward", choices=SCHEMES)


def num_players_option(default: int, low: int, high: int) -> WholeNumber:
    """The option ``num_players``."""
    return WholeNumber("num_players", default, "players in the game", low=low, high=high)


def max_turns_option(
    default: int, meaning: str = "turns after which the game is cut"
) -> WholeNumber:
    """The option ``max_turns``."""
    return WholeNumber("max_turns", default, meaning, low=1, high=1_000_000)


@dataclass(frozen=True)
class OptionSet:
    """All options of a game.  The first two are always ``num_players`` and ``reward``.

    ``together`` checks what only several options together can get wrong; it takes the dict of all
    options and raises OptionError.
    """

    declared: tuple[Option, ...]
    together: Callable[[dict[str, Any]], None] = field(default=lambda options: None)

    def __post_init__(self) -> None:
        names = [o.name for o in self.declared]
        assert names[:2] == ["num_players", "reward"], "num_players and reward come first"

    @property
    def num_players(self) -> WholeNumber:
        """The option of that name, which every game has."""
        first = self.declared[0]
        assert isinstance(first, WholeNumber)
        return first

    def resolve(self, given: dict[str, Any], checked: Container[str] = ()) -> dict[str, Any]:
        """All options, defaults included, in declared order; raises OptionError.

        Args:
            given: some of them.
            checked: names of those whose values have come from here before and are taken as they
                are: a file that such a value was read from is not opened again.
        """
        known = [o.name for o in self.declared]
        for name in given:
            if name not in known:
                raise OptionError(f"unknown option {name!r}{nearest(name, known)}")
        settled: dict[str, Any] = {}
        for option in self.declared:
            if option.name in given:
                value = given[option.name]
                settled[option.name] = value if option.name in checked else option.check(value)
            else:
                default = option.default
                settled[option.name] = default(settled) if callable(default) else copy(default)
        self.together(settled)
        return settled

    def parse(self, assignments: Sequence[str]) -> dict[str, Any]:
        """Options from ``key=value`` texts, as given on the command line; raises OptionError."""
        by_name = {o.name: o for o in self.declared}
        given: dict[str, Any] = {}
        for text in assignments:
            name, equals, value = text.partition("=")
            if not equals:
                raise OptionError(f"options are written key=value, not {text!r}")
            if name not in by_name:
                raise OptionError(f"unknown option {name!r}{nearest(name, by_name)}")
            given[name] = by_name[name].parse(value)
        return given

    @cached_property
    def at(self) -> Any:
        """Named tuple of where each option begins in the vector of :meth:`encode`."""
        defaults, places, at = self.resolve({}), {}, 0
        for option in self.declared:
            places[option.name] = at
            at += len(option.encode(defaults[option.name]))
        return named("Options", places)

    def encode(self, options: dict[str, Any]) -> np.ndarray:
        """The options as the int32 vector that ``start`` reads: each option's code(s) in order."""
        codes = [code for o in self.declared for code in o.encode(options[o.name])]
        return np.array(codes, dtype=np.int32)
