"""What agents are called where several are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


def names_of(names: Sequence[str], specs: Sequence[str | None]) -> list[str]:
    """A name for each agent that no other has.

    Equal names of agents from different files get the names of the folders before them, as many as
    it takes (``mine/policy``, ``yours/policy``); what is still equal is numbered.

    Args:
        names: the agents' own.
        specs: the texts they were made from, None for agents given as objects.
    """
    given = list(names)
    for name in set(names):
        same = [k for k, other in enumerate(names) if other == name and _is_file(specs[k])]
        folders = {k: PurePath(str(specs[k])).parts[:-1] for k in same}
        for k in same:
            given[k] = "/".join((*_telling(folders[k], set(folders.values())), name))
    return distinct(given)


def _is_file(spec: str | None) -> bool:
    return spec is not None and ("/" in spec or "\\" in spec or ".onnx" in spec)


def _telling(folders: tuple[str, ...], all_folders: set[tuple[str, ...]]) -> tuple[str, ...]:
    """The last few of some folders: enough to tell them from all others."""
    for count in range(len(folders) + 1):
        last = folders[len(folders) - count :]
        if sum(other[len(other) - count :] == last for other in all_folders) == 1:
            return last
    return folders


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
