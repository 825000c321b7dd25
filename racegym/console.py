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
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    right: Sequence[int] = (),
    names: int = 1,
) -> None:
    """Print a table to stdout.

    Off a terminal it is as wide as its contents, so that no word is cut or wrapped.  On one, cells
    are wrapped between words, and where the words do not fit either, every row becomes a list.

    Args:
        right: the columns (by number) to be set flush right.
        names: so many of the first columns are never wrapped.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [[str(cell) for cell in row] for row in rows]
    console = Console() if sys.stdout.isatty() else Console(width=10_000)
    widths = _column_widths([columns, *cells], names, console.width)
    table = Table()
    for number, column in enumerate(columns):
        width = None if widths is None else widths[number]
        justify: Any = "right" if number in right else "left"
        table.add_column(Text(column), justify=justify, width=width)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    with console.capture() as shown:
        console.print(Text(title, style="bold"))
        if widths is not None:
            console.print(table)
    print(shown.get(), end="")  # by itself Rich would end the process when a pipe is closed
    if widths is None:
        _print_lists(columns, cells)


def _column_widths(
    lines: Sequence[Sequence[str]], names: int, available: int
) -> tuple[int, ...] | None:
    """How wide each column is to be, so that no word is cut; None if that is too wide."""
    from rich.cells import cell_len

    columns = list(zip(*lines, strict=True))
    wanted = [max(map(cell_len, column)) for column in columns]
    words = [[word for cell in column for word in cell.split()] for column in columns[names:]]
    widths = wanted[:names] + [max(map(cell_len, column), default=0) for column in words]
    spare = available - sum(widths) - 3 * len(widths) - 1  # what is left beside the lines between
    if spare < 0:
        return None
    while spare and widths != wanted:
        short = max(range(len(widths)), key=lambda number: wanted[number] - widths[number])
        widths[short] += 1
        spare -= 1
    return tuple(widths)


def _print_lists(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for row in rows:
        for number, (column, cell) in enumerate(zip(columns, row, strict=True)):
            indent = "  " if number else ""
            print(f"{indent}{column}: {cell}" if column else f"{indent}{cell}")
