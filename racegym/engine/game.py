"""What a game is: one description that every adapter, agent, record and picture works from."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from racegym.engine.actions import Actions
from racegym.engine.events import Events
from racegym.engine.layout import Layout
from racegym.engine.options import OptionSet
from racegym.engine.parts import Parts
from racegym.errors import RacegymError, nearest

Rule = Callable[..., Any]
#: What cannot be: bool (N, …), which of N states it concerns (somewhere), and a line that says
#: what it is.
Contradictions = Iterator[tuple[np.ndarray, str]]


class Unreachable(str):
    """What play never leads to, although the rules can cope with it."""

    __slots__ = ()


def _nothing(seen: np.ndarray) -> dict[str, Any]:
    """What the rows of an encoder without a decoder tell."""
    return {}


@dataclass(frozen=True)
class Encoder:
    """A way of writing what a seat sees as an array.

    Attributes:
        name: ``flat``, ``full``, ``tokens`` ….
        version: of its layout; a changed layout gets a new version.
        write: compiled ``write(s, seat, out)``; writes every entry of ``out``.
        table: the parts of the array it writes (of one row, if there are ``rows``).
        decode: reads the public facts back from an array, as a dict in JSON types; the proof of
            completeness.  Without it what the table tells is read (of a vector).
        rows: how many rows the array has; None for a vector.
        hides: False for encoders that show hidden things (``full``).
        complete: it tells all public facts; False for encoders that are meant to tell less.
    """

    name: str
    version: int
    write: Rule
    table: Parts
    decode: Callable[[np.ndarray], dict[str, Any]] = None  # type: ignore[assignment]
    rows: int | None = None
    hides: bool = True
    complete: bool = True

    def __post_init__(self) -> None:
        if vars(self)["decode"] is None:
            read = self.table.told if self.rows is None else _nothing
            object.__setattr__(self, "decode", read)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the float32 array it writes."""
        return (self.table.size,) if self.rows is None else (self.rows, self.table.size)

    @property
    def low(self) -> float:
        """Lower bound of its values."""
        return self.table.low

    @property
    def high(self) -> float:
        """Upper bound of its values."""
        return self.table.high

    @property
    def id(self) -> str:
        """Name and version, as exported policies state it: ``flat-1``."""
        return f"{self.name}-{self.version}"


@dataclass(frozen=True)
class Bot:
    """A scripted agent: a compiled choice from what the encoder shows.

    Attributes:
        name: ``default`` for the one that ``scripted`` means.
        choose: compiled ``choose(observation, mask, bits)`` → action; ``bits`` is a random
            whole number 0 … 2^62 for its coin tosses.
        encoder: name of the encoder it reads.
        meaning: its style in one line.
    """

    name: str
    choose: Rule
    encoder: str
    meaning: str


class Notation(Protocol):
    """How a game is written: actions and states in text and JSON types (module ``notation``).

    ``state`` is a :class:`racegym.engine.state.State`, read-only but in ``state_from_dict``.
    """

    def action_to_text(self, state: Any, action: int) -> str:
        """The action in words; valid for any action that can be legal in some state."""

    def action_from_text(self, state: Any, text: str) -> int:
        """The action that the words mean; raises IllegalAction when they mean none."""

    def state_to_dict(self, state: Any) -> dict[str, Any]:
        """The state fields of a record, in JSON types."""

    def state_from_dict(self, state: Any, fields: dict[str, Any]) -> None:
        """Set the fields given (any subset) in a started state; raises ValueError."""

    def describe(self, state: Any, seat: int) -> str:
        """The situation as ``seat`` may know it, in plain words (the ``text`` encoder, ansi)."""


@dataclass(frozen=True)
class Game:
    """The description of a game.  See :mod:`racegym.engine.kernels` for the rule functions."""

    name: str
    title: str
    layout: Layout
    options: OptionSet
    actions: Actions
    start: Rule
    legal: Rule
    apply: Rule
    outcome: Rule
    redeal: Rule
    encoders: tuple[Encoder, ...]
    notation: Notation
    bots: tuple[Bot, ...] = ()
    events: Events = field(default_factory=Events)
    #: Most events that one action can bring about.
    max_events: int = 128
    version: int = 0
    #: The game in one line.
    summary: str = ""
    #: ``contradictions(states)``: what cannot be, for (N,) states within the bounds of the layout,
    #: as pairs of bool (N, …), true somewhere in the states concerned, and a line that says what it
    #: is.  Each holds good for states without those before it.  What the rules can cope with,
    #: although play never leads there, is :class:`Unreachable`: hand-made states may be so.
    contradictions: Callable[[np.ndarray], Contradictions] | None = None
    #: ``max_decisions(options)``: how many decisions a game can have at most, if it is known.
    max_decisions: Callable[[dict[str, Any]], int] | None = None
    #: ``rotate(state, first)``: for tests: renumber what the layout does not know to be seats, so
    #: that seat ``first`` becomes seat 0.
    rotate: Callable[[Any, int], None] | None = None

    @cached_property
    def min_players(self) -> int:
        """The fewest players, by the option ``num_players``."""
        return self.options.num_players.low

    @cached_property
    def max_players(self) -> int:
        """The most players; what has a row per seat has so many."""
        return self.options.num_players.high

    @cached_property
    def num_players_allowed(self) -> range:
        """Player counts the game can be played with."""
        return range(self.min_players, self.max_players + 1)

    @cached_property
    def num_actions(self) -> int:
        """How many actions there are."""
        return len(self.actions.texts)

    @property
    def action_table(self) -> tuple[tuple[int, str], ...]:
        """Number and words of every action."""
        return self.actions.table

    def encoder(self, name: str = "flat") -> Encoder:
        """An encoder by name (``flat``) or id (``flat-1``); raises RacegymError."""
        for encoder in self.encoders:
            if name in (encoder.name, encoder.id):
                return encoder
        known = [e.name for e in self.encoders]
        raise RacegymError(f"{self.name} has no encoder {name!r}{nearest(name, known)}")

    def with_encoder(self, encoder: Encoder) -> Game:
        """This game with one more encoder, which is then asked for by its name.

        Name the result ``package.module:NAME`` wherever a game is named to use the encoder in
        configs and commands.

        Raises:
            RacegymError: it is no encoder, or the game has one of that name and version.
        """
        if not isinstance(encoder, Encoder):
            raise RacegymError(f"an encoder is a racegym Encoder, not {encoder!r}")
        if encoder.id in (known.id for known in self.encoders):
            raise RacegymError(f"{self.name} has an encoder {encoder.id} already")
        return dataclasses.replace(self, encoders=(encoder, *self.encoders))

    def bot(self, name: str = "default") -> Bot:
        """A scripted agent by name; raises RacegymError."""
        for bot in self.bots:
            if bot.name == name:
                return bot
        known = [bot.name for bot in self.bots]
        raise RacegymError(f"{self.name} has no scripted agent {name!r}{nearest(name, known)}")
