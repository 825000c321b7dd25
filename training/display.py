"""What a run shows while it goes on, on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

#: Seconds between two plain lines.
PLAIN_INTERVAL = 10.0


class Display(Protocol):
    """Shows how far a run is."""

    def show(self, decisions: int, figures: Mapping[str, float | None]) -> None:
        """Show the figures of an update."""

    def say(self, text: str) -> None:
        """Show a line that stays."""


#: Figures that one wants to see at a glance: name, label, format.
_GLANCE = (
    ("speed/decisions_per_second", "decisions/s", ",.0f"),
    ("train/entropy", "entropy", ".3f"),
    ("train/explained_variance", "explained variance", ".2f"),
)


def at_a_glance(figures: Mapping[str, float | None]) -> str:
    """Some figures of an update in one line."""
    shown = [line for line in _GLANCE if figures.get(line[0]) is not None]
    if len(shown) <= 1:  # a learner with figures of its own
        own = [name for name in figures if name.startswith("train/") and figures[name] is not None]
        shown += [(name, name.removeprefix("train/"), ".3g") for name in own[:2]]
    return "  ".join(f"{label} {figures[name]:{form}}" for name, label, form in shown)


@contextmanager
def display(total: int, done: int = 0) -> Iterator[Display]:
    """The display for a run of ``total`` decisions, ``done`` of which were played before."""
    if not sys.stderr.isatty():
        yield _Lines(total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("training"), BarColumn(), TextColumn("{task.percentage:3.0f} %"))
    rest = (TimeRemainingColumn(), TextColumn("{task.fields[figures]}"))
    with Progress(*columns, *rest, console=Console(stderr=True), transient=True) as bars:
        yield _Bar(bars, bars.add_task("training", total=total, completed=done, figures=""))


class _Bar:
    def __init__(self, bars: Any, task: Any) -> None:
        self._bars, self._task = bars, task

    def show(self, decisions: int, figures: Mapping[str, float | None]) -> None:
        self._bars.update(self._task, completed=decisions, figures=at_a_glance(figures))

    def say(self, text: str) -> None:
        self._bars.console.print(text, highlight=False, markup=False)


class _Lines:
    def __init__(self, total: int) -> None:
        self._total = total
        self._due = 0.0

    def show(self, decisions: int, figures: Mapping[str, float | None]) -> None:
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + PLAIN_INTERVAL
            self.say(f"{decisions:,} of {self._total:,} decisions  {at_a_glance(figures)}")

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)
