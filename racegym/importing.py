"""Things of the user's own, named ``package.module:thing``, and how they are imported."""

from __future__ import annotations

import importlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from racegym.errors import RacegymError, nearest

_REFERENCE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")

_HERE = os.path.dirname(os.path.abspath(__file__))
#: Where a file's name begins that is not the user's: racegym's own, its trainer's, and Python's for
#: imports.
_OTHERS = (
    _HERE,
    os.path.join(os.path.dirname(_HERE), "training", ""),
    os.path.dirname(importlib.__file__),
    "<frozen",
)

#: What stands between us and a network of the user's own: PyTorch's way of calling it.
_BETWEEN = os.path.join("", "torch", "nn", "modules", "")


def is_reference(text: str) -> bool:
    """True for a text of the form ``package.module:thing``."""
    return _REFERENCE.fullmatch(text) is not None


def imported(
    reference: str,
    kind: str,
    fits: Callable[[Any], bool],
    what: str = "",
    error: type[RacegymError] = RacegymError,
) -> Any:
    """The thing that ``package.module:thing`` names.

    Modules are also looked for in the current folder, after all other places.

    Args:
        reference: module and name.
        kind: what is wanted, in a word: ``game``, ``callable``.
        fits: tells if something is of that kind.
        what: what the reference stands for in messages (default: ``kind``).
        error: what is raised.

    Raises:
        error: in one line, if the module cannot be imported or has no such thing.
    """
    module_name, _, name = reference.partition(":")
    asked = f"{what or kind} {reference!r}"
    with current_folder_importable():
        try:
            module = importlib.import_module(module_name)
        except (Exception, SystemExit) as failure:
            reason = f"cannot import {module_name}: {in_one_line(failure)}"
            raise error(f"{asked}: {reason}") from failure
    found = getattr(module, name, None)
    if fits(found):
        return found
    known = [n for n, value in vars(module).items() if n[0] != "_" and fits(value)]
    other = f" ({name} is {_kind_of(found)})" if hasattr(module, name) else ""
    raise error(f"{asked}: {module_name} has no {kind} {name}{other}{nearest(name, known)}")


def _kind_of(value: Any) -> str:
    return "a class" if isinstance(value, type) else f"of type {type(value).__name__}"


@contextmanager
def current_folder_importable() -> Iterator[None]:
    """Look for modules in the current folder too, after all other places."""
    here = os.getcwd()
    sys.path.append(here)
    try:
        yield
    finally:
        if here in sys.path:
            sys.path.reverse()
            sys.path.remove(here)
            sys.path.reverse()


def in_one_line(error: BaseException) -> str:
    """An exception's type and text, shortened to one line, and the place in the user's code."""
    text = " ".join(str(error).split()) or "no message"
    shown = text if len(text) <= 200 else text[:200] + " …"
    place = _place(error)
    return f"{type(error).__name__}: {shown}" + (f" ({place})" if place else "")


def _place(error: BaseException) -> str | None:
    """``file:line`` in the user's code: where it failed, or called the library that failed.

    The user's code is the first file that racegym called, and what lies in the same folder.
    """
    calls = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    foreign = [(file, line) for file, line in calls if not file.startswith(_OTHERS)]
    while foreign and _BETWEEN in foreign[0][0]:
        del foreign[0]
    if not foreign:
        return None
    first = foreign[0][0]
    folder = os.path.join(os.path.dirname(first), "")
    file, line = [c for c in foreign if c[0] == first or c[0].startswith(folder)][-1]
    here = os.path.join(os.getcwd(), "")
    return f"{file.removeprefix(here)}:{line}"
