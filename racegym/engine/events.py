"""What happened because of an action, noted by the rules for records and renderers.

A log is an int32 array of shape (rows, 12): ``log[0, 0]`` counts the events, and each later row
is one event: its kind, then up to eleven whole numbers.  With no rows nothing is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.generated import Keep, Mappings
from racegym.engine.names import numbered

WIDTH = 12


@compiled
def emit(log, kind, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0):
    """Append one event to a log; free of effect on a log without rows."""
    if log.shape[0] > 0:
        row = log[0, 0] + 1
        log[0, 0] = row
        log[row, 0] = kind
        log[row, 1] = a
        log[row, 2] = b
        log[row, 3] = c
        log[row, 4] = d
        log[row, 5] = e
        log[row, 6] = f
        log[row, 7] = g
        log[row, 8] = h


def no_log() -> np.ndarray:
    """A log that takes nothing."""
    return np.zeros((0, WIDTH), np.int32)


def new_log(rows: int) -> np.ndarray:
    """An empty log with room for ``rows`` events."""
    return np.zeros((rows + 1, WIDTH), np.int32)


# --- what the numbers mean -----------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """One thing that an event tells, in JSON types.

    Attributes:
        name: its key.
        form: what its number is in JSON types (``bool``, or :func:`word_of`).
        only: keys of the players who alone may know it; empty if everybody may.
        width: it is a list of so many numbers; None for a single one.
        each: it is a list, with a number for each player.
        counted: it is a list; its number says how many follow.
    """

    name: str
    form: Callable[[int], Any] = int
    only: tuple[str, ...] = ()
    width: int | None = None
    each: bool = False
    counted: bool = False

    def expression(self, at: int, keep: Keep) -> str:
        """Python for it, from the ``row`` of an event, where it begins at ``at``."""
        if self.counted:
            return f"row[{at + 1} : {at + 1} + row[{at}]]"
        if self.each:
            return f"row[{at} : {at} + n]"
        if self.width is not None:
            return f"row[{at} : {at + self.width}]"
        return f"row[{at}]" if self.form is int else f"{keep(self.form)}(row[{at}])"


def word_of(words: Sequence[str], first: int = 0) -> Callable[[int], str]:
    """A form: the word for a number, counted from ``first``."""
    return lambda number: words[number - first]


#: What an event of a kind tells: things in the order of its row (a text stands for a whole number
#: of that name), or a function that makes the mapping of the row's numbers.
Telling = Sequence[Told | str] | Callable[[Sequence[int]], dict[str, Any]]


class Events:
    """The kinds of events of a game, declared once.

    Args:
        **kinds: by name, what an event of the kind tells.

    Attributes:
        at: named tuple of the numbers of the kinds, from 1, for the rules.
    """

    def __init__(self, **kinds: Telling) -> None:
        self.at: Any = numbered("Events", kinds, first=1)
        declared = {k: told if callable(told) else _as_told(told) for k, told in kinds.items()}
        self._telling = [_telling(kind, told) for kind, told in declared.items()]
        self._secrets = {
            kind: tuple(t for t in told if t.only) if isinstance(told, tuple) else ()
            for kind, told in declared.items()
        }

    def to_dict(self, row: Sequence[int], num_players: int) -> dict[str, Any]:
        """An event in JSON types, as records write it.

        Args:
            row: of the log: the kind, then its numbers.
            num_players: players in the game.
        """
        return self._telling[row[0] - 1](row, num_players)

    @property
    def have_secrets(self) -> bool:
        """True if some kind of events tells something that not everybody may know."""
        return any(self._secrets.values())

    def seen_by(self, event: dict[str, Any], seat: int) -> dict[str, Any]:
        """An event as a seat may know it: null stands for what it may not."""
        hidden = {
            told.name
            for told in self._secrets[event["kind"]]
            if seat not in (event[player] for player in told.only)
        }
        return {key: None if key in hidden else value for key, value in event.items()}


def _as_told(telling: Sequence[Told | str]) -> tuple[Told, ...]:
    return tuple(Told(told) if isinstance(told, str) else told for told in telling)


def _telling(
    kind: str, told: tuple[Told, ...] | Callable[[Sequence[int]], dict[str, Any]]
) -> Callable[[Sequence[int], int], dict[str, Any]]:
    """The function of a row and the number of players that gives an event of a kind."""
    if not isinstance(told, tuple):
        return lambda row, n: {"kind": kind, **told(row[1:])}
    made, at = Mappings("row", "n"), 1
    pairs = {"kind": repr(kind)}
    for part in told:
        pairs[part.name] = part.expression(at, made.keep)
        at += part.width or 1
    return made.function(pairs)
