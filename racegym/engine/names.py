"""Numbers with names: what compiled rules and everybody else call phases, actions and places."""

from __future__ import annotations

import keyword
from collections import namedtuple
from collections.abc import Iterable, Mapping
from typing import Any


def named(kind: str, values: Mapping[str, Any]) -> Any:
    """A named tuple of constants; compiled functions read its fields as constants too.

    Words that are no names get a ``_`` behind them: ``pass_`` for ``pass``.

    Args:
        kind: what the tuple is called in error messages.
        values: by name, in order.
    """
    names = [f"{name}_" if keyword.iskeyword(name) else name for name in values]
    return namedtuple(kind, names)(*values.values())


def numbered(kind: str, words: Iterable[str], first: int = 0) -> Any:
    """Consecutive whole numbers, by name: ``numbered("Phase", ("bet", "race")).race`` is 1."""
    return named(kind, {word: number for number, word in enumerate(words, first)})
