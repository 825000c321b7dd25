"""What goes wrong in the code of somebody's agent, in one line that says where."""

from __future__ import annotations

import importlib
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from racegym.agents.protocol import AgentError

#: Where a file's name begins that is not the agent's: racegym's own, and Python's for imports.
_OTHERS = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    os.path.dirname(importlib.__file__),
    "<frozen",
)


@contextmanager
def failures_of(who: str) -> Iterator[None]:
    """Raise what an agent's code raises as an AgentError that names it, the error and the place.

    Args:
        who: whose code runs in the ``with`` block: ``agent 'careful'``.
    """
    try:
        yield
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentError(f"{who} failed: {in_one_line(error)}") from error


def in_one_line(error: BaseException) -> str:
    """An exception's type and text, shortened to one line, and the place in the agent's code."""
    text = " ".join(str(error).split()) or "no message"
    shown = text if len(text) <= 200 else text[:200] + " …"
    place = _place(error)
    return f"{type(error).__name__}: {shown}" + (f" ({place})" if place else "")


def _place(error: BaseException) -> str | None:
    """``file:line`` in the agent's code: where it failed, or called the library that failed.

    The agent's code is the first file that racegym called, and what lies in the same folder.
    """
    calls = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    foreign = [(file, line) for file, line in calls if not file.startswith(_OTHERS)]
    if not foreign:
        return None
    first = foreign[0][0]
    folder = os.path.join(os.path.dirname(first), "")
    file, line = [c for c in foreign if c[0] == first or c[0].startswith(folder)][-1]
    here = os.path.join(os.getcwd(), "")
    return f"{file.removeprefix(here)}:{line}"
