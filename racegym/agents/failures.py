"""What goes wrong in the code of somebody's agent, in one line that says where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from racegym.agents.protocol import AgentError
from racegym.importing import in_one_line


@contextmanager
def failures_of(who: str, where: Callable[[], str] | None = None) -> Iterator[None]:
    """Raise what an agent's code raises as an AgentError that names it, the error and the place.

    Args:
        who: whose code runs in the ``with`` block: ``agent 'careful'``.
        where: says, when asked, in which situation of a game.
    """
    try:
        yield
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        asked = "" if where is None else f"; asked for {where()}"
        raise AgentError(f"{who} failed: {in_one_line(error)}{asked}") from error
