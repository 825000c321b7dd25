"""What agents are called where several are told apart."""

from __future__ import annotations

from collections.abc import Sequence


def distinct(names: Sequence[str]) -> list[str]:
    """The names, with `` #2`` and so on behind those that came before."""
    given: list[str] = []
    for name in names:
        candidate, copy = name, 1
        while candidate in given:
            copy += 1
            candidate = f"{name} #{copy}"
        given.append(candidate)
    return given
