"""What commands show: progress on stderr, tables on stdout.  Rich is imported when needed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

#: Seconds between two lines of progress where there is no terminal.
PLAIN_INTERVAL = 10.0


class Progress(Protocol):
    """A task that knows how far it is."""

    def advance(self, steps: float = 1) -> None:
        """Note that so many steps more are done."""


@contextmanager
def progress(what: str, total: float, unit: str = "games") -> Iterator[Progress]:
    """Show how far a task is: a bar on a terminal, a line every ten seconds elsewhere.

    Args:
        what: the task, in a word or two.
        total: how many steps it has.
        unit: what a step is.

    Everything goes to stderr.  A task that takes less than a second leaves no trace there.
    """
    if not sys.stderr.isatty():
        yield _Lines(what, total, unit)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    ending = (TextColumn(unit), TimeRemainingColumn())
    with Bars(*columns, *ending, console=console, transient=True) as bars:
        yield _Bar(bars, bars.add_task(what, total=total))


class _Bar:
    """A bar of Rich, redrawn by Rich at its own pace."""

    def __init__(self, bars: Any, task: Any) -> None:
        self._bars = bars
        self._task = task

    def advance(self, steps: float = 1) -> None:
        self._bars.advance(self._task, steps)


class _Lines:
    """Plain lines, for logs and pipes."""

    def __init__(self, what: str, total: float, unit: str) -> None:
        self._what, self._total, self._unit = what, total, unit
        self._done = 0.0
        self._due = time.monotonic() + PLAIN_INTERVAL

    def advance(self, steps: float = 1) -> None:
        self._done += steps
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + PLAIN_INTERVAL
            line = f"{self._what}: {self._done:g} of {self._total:g} {self._unit}"
            print(line, file=sys.stderr, flush=True)


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], right: Sequence[int] = ()
) -> None:
    """Print a table to stdout; ``right`` names the columns (by number) to be set flush right.

    Off a terminal the table is as wide as its contents, so that no word is cut or wrapped.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for number, column in enumerate(columns):
        table.add_column(Text(column), justify="right" if number in right else "left")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console = Console() if sys.stdout.isatty() else Console(width=10_000)
    with console.capture() as shown:
        console.print(Text(title, style="bold"))
        console.print(table)
    print(shown.get(), end="")  # by itself Rich would end the process when a pipe is closed
