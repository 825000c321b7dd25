"""The option ``-O key=value …`` of the commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def add_assignments(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add ``-O``, which collects texts ``key=value`` in ``options`` (None where there are none)."""
    parser.add_argument("-O", dest="options", metavar="key=value", action="append", help=meaning)


def one_by_one(words: Sequence[str]) -> list[str]:
    """Command-line words in which each ``key=value`` behind ``-O`` has a ``-O`` of its own.

    So ``-O rules=basic num_players=3 random`` sets two options, and ``random`` is an argument.
    """
    return list(_one_by_one(words))


def _one_by_one(words: Sequence[str]) -> Iterator[str]:
    follows = False  # the words before were "-O key=value"
    before = ""
    for number, word in enumerate(words):
        if word == "--":
            yield from words[number:]
            return
        if before == "-O":
            follows = True
        elif follows and _ASSIGNMENT.match(word):
            yield "-O"
        else:
            follows = word.startswith("-O") and len(word) > 2
        yield word
        before = word
