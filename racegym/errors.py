"""The errors racegym raises for mistakes of its callers; each says what to do in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RacegymError(Exception):
    """Base of all errors that a caller's mistake causes."""


class OptionError(RacegymError, ValueError):
    """An unknown option, or a value it does not take."""


class IllegalAction(RacegymError, ValueError):
    """An action that is malformed or not legal now; nothing was changed."""


class SeedError(RacegymError, ValueError):
    """A seed that is no whole number 0 … 2^63-1."""


class StateError(RacegymError, ValueError):
    """Fields that are no state of the game."""


class GameOver(RacegymError, ValueError):
    """A move was asked for in a game that is over."""


class RecordError(RacegymError, ValueError):
    """A game record that is malformed or does not replay.

    Attributes:
        line: number of the line that is wrong, from 1; 0 for the file as a whole.
        reason: what is wrong with it.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line
        self.reason = reason

    def __reduce__(self) -> tuple[type[RecordError], tuple[int, str]]:
        return type(self), (self.line, self.reason)


def nearest(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'x'?`` for the closest known name, else the list of them all."""
    known = list(known)
    return did_you_mean(name, known) or (f"; known: {', '.join(known)}" if known else "")


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """``; did you mean 'x'?`` for the closest known name; empty if none is close.

    ``cutoff`` is how alike two names must be: 1 for the same, 0 for nothing in common.
    """
    close = difflib.get_close_matches(str(name), list(known), n=1, cutoff=cutoff)
    return f"; did you mean {close[0]!r}?" if close else ""
