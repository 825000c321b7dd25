"""The errors racegym raises for mistakes of its callers; each says what to do in one line."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable
from typing import Any

#: The most names that a message lists.
MOST_LISTED = 20

_short = reprlib.Repr()
_short.maxstring = 60


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


class RulesError(RacegymError, ValueError):
    """Rules of a game that cannot be compiled."""


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
    """``; did you mean 'x'?`` for the closest known name, else the list of them.

    Of more than MOST_LISTED names it has the first few and says how many there are.
    """
    known = list(known)
    shown = ", ".join(known if len(known) <= MOST_LISTED else known[:8])
    more = f" … ({len(known)} in all)" if len(known) > MOST_LISTED else ""
    return did_you_mean(name, known) or (f"; known: {shown}{more}" if known else "")


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """``; did you mean 'x'?`` for the closest known name; empty if none is close.

    ``cutoff`` is how alike two names must be, letter case aside: 1 for the same, 0 for nothing in
    common.
    """
    folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(str(name).casefold(), list(folded), n=1, cutoff=cutoff)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def no_such_action(text: str, title: str, known: Iterable[str]) -> IllegalAction:
    """The error for words that mean no action of a game.

    It names the closest known words or, where none are close, some for each first word there is:
    ``'foo' is no action of Café Race; write 'impulse 1', 'auction 1', 'bid 1', 'pass' or the
    like``.

    Args:
        text: what was written; the message shows the ends of a long text only.
        title: of the game.
        known: all actions in words.
    """
    known = list(known)
    forms = {words.split(" ")[0]: words for words in reversed(known)}
    written = ", ".join(map(repr, reversed(forms.values())))
    hint = did_you_mean(text, known) or f"; write {written} or the like"
    return IllegalAction(f"{quoted(text)} is no action of {title}{hint}")


def quoted(text: Any) -> str:
    """A text in quotation marks (or another value), of a long one the ends only."""
    return _short.repr(text)
