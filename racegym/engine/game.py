"""What a game is: one description that every adapter, agent, record and picture works from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from racegym.engine.events import Secret
from racegym.engine.layout import Layout
from racegym.engine.options import OptionSet
from racegym.errors import RacegymError, nearest

Rule = Callable[..., Any]
#: What cannot be: bool (N,), which of N states it concerns, and a line that says what it is.
Contradictions = Iterator[tuple[np.ndarray, str]]


@dataclass(frozen=True)
class Slice:
    """One named part of an observation vector: where it stands and what it means."""

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


class Table:
    """The named slices of an observation vector, in order and without gaps."""

    def __init__(self, parts: Iterable[tuple[str, int, str]]) -> None:
        self.slices: dict[str, Slice] = {}
        at = 0
        for name, length, meaning in parts:
            assert name not in self.slices, f"slice {name} declared twice"
            self.slices[name] = Slice(name, at, length, meaning)
            at += length
        self.size = at

    def __getitem__(self, name: str) -> Slice:
        return self.slices[name]

    def start(self, name: str) -> int:
        """Where the slice begins."""
        return self.slices[name].start

    def read(self, vector: np.ndarray, name: str) -> np.ndarray:
        """The part of an observation vector that the name stands for."""
        part = self.slices[name]
        return vector[..., part.start : part.stop]

    def markdown(self) -> str:
        """The table for the docs."""
        rows = [f"| {s.indices} | `{s.name}` | {s.meaning} |" for s in self.slices.values()]
        return "\n".join(["| index | name | meaning |", "|---|---|---|", *rows])


@dataclass(frozen=True)
class Encoder:
    """A way of writing what a seat sees as an array.

    Attributes:
        name: ``flat``, ``full``, ``tokens`` ….
        version: of its layout; a changed layout gets a new version.
        shape: of the float32 array it writes.
        low, high: bounds of its values.
        write: compiled ``write(s, seat, out)``; writes every entry of ``out``.
        table: names of the entries (of one row, for ``tokens``).
        decode: reads the public facts back from an array, as a dict; the proof of completeness.
        hides: False for encoders that show hidden things (``full``).
    """

    name: str
    version: int
    shape: tuple[int, ...]
    write: Rule
    table: Table
    decode: Callable[[np.ndarray], dict[str, Any]]
    low: float = 0.0
    high: float = 1.0
    hides: bool = True

    @property
    def id(self) -> str:
        """Name and version, as exported policies state it: ``flat-1``."""
        return f"{self.name}-{self.version}"


@dataclass(frozen=True)
class Bot:
    """A scripted agent: a compiled choice from what the encoder shows.

    Attributes:
        name: ``default`` for the one that ``scripted`` means.
        choose: compiled ``choose(observation, mask, luck)`` → action; ``luck`` is a random
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

    ``state`` has the fields of the layout as attributes, read only: whole numbers as Python ints
    and arrays as NumPy arrays (:class:`racegym.engine.reading.StateFields`).  Only
    ``state_from_dict`` gets the NumPy record (``Layout.dtype``) itself, to write to.
    """

    def action_to_text(self, state: Any, action: int) -> str:
        """The action in words; valid for any action that can be legal in some state."""

    def action_from_text(self, state: Any, text: str) -> int:
        """The action that the words mean; raises IllegalAction when they mean none."""

    def state_to_dict(self, state: Any) -> dict[str, Any]:
        """The state fields of a record, in JSON types."""

    def state_from_dict(self, state: Any, fields: dict[str, Any]) -> None:
        """Set the fields given (any subset) in a started state; raises ValueError."""

    def event_to_dict(self, state: Any, row: Sequence[int]) -> dict[str, Any]:
        """One event of the log, in JSON types."""

    def describe(self, state: Any, seat: int) -> str:
        """The situation as ``seat`` may know it, in plain words (the ``text`` encoder, ansi)."""


@dataclass(frozen=True)
class Game:
    """The description of a game.  See :mod:`racegym.engine.kernels` for the rule functions."""

    name: str
    title: str
    version: int
    summary: str
    layout: Layout
    options: OptionSet
    min_players: int
    max_players: int
    num_actions: int
    action_table: tuple[tuple[int, str], ...]
    start: Rule
    legal: Rule
    apply: Rule
    outcome: Rule
    redeal: Rule
    encoders: tuple[Encoder, ...]
    bots: tuple[Bot, ...]
    notation: Notation
    max_events: int = 128
    #: What of its events is not for all to see, by kinds of events; all other fields are public.
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    #: ``contradictions(states)``: what cannot be, for (N,) states within the bounds of the layout,
    #: as pairs of bool (N,), the states concerned, and a line that says what it is.  Each holds
    #: good for states without those before it.
    contradictions: Callable[[np.ndarray], Contradictions] | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def num_players_allowed(self) -> range:
        """Player counts the game can be played with."""
        return range(self.min_players, self.max_players + 1)

    def encoder(self, name: str = "flat") -> Encoder:
        """An encoder by name (``flat``) or id (``flat-1``); raises RacegymError."""
        for encoder in self.encoders:
            if name in (encoder.name, encoder.id):
                return encoder
        known = [e.name for e in self.encoders]
        raise RacegymError(f"{self.name} has no encoder {name!r}{nearest(name, known)}")

    def bot(self, name: str = "default") -> Bot:
        """A scripted agent by name; raises RacegymError."""
        for bot in self.bots:
            if bot.name == name:
                return bot
        known = [bot.name for bot in self.bots]
        raise RacegymError(f"{self.name} has no scripted agent {name!r}{nearest(name, known)}")
