"""What happened because of an action, noted by the rules for records and renderers.

A log is an int32 array of shape (rows, 12): ``log[0, 0]`` counts the events, and each later row
is one event: its kind, then up to eleven whole numbers.  With no rows nothing is noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym.engine.compile import compiled

WIDTH = 12


@compiled
def emit(log, kind, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0):
    """Append one event to a log; free of effect on a log without rows."""
    if log.shape[0] > 0:
        row = log[0, 0] + 1
        log[0, 0] = row
        log[row, 0] = kind
        log[row, 1] = a
        log[row, 2] = b
        log[row, 3] = c
        log[row, 4] = d
        log[row, 5] = e
        log[row, 6] = f
        log[row, 7] = g
        log[row, 8] = h


def no_log() -> np.ndarray:
    """A log that takes nothing."""
    return np.zeros((0, WIDTH), np.int32)


def new_log(rows: int) -> np.ndarray:
    """An empty log with room for ``rows`` events."""
    return np.zeros((rows + 1, WIDTH), np.int32)


@dataclass(frozen=True)
class Secret:
    """What of a kind of events is not for all to see.

    Attributes:
        fields: names of the fields that are hidden.
        known_to: names of the fields that hold the seats who may know them all the same.
    """

    fields: tuple[str, ...]
    known_to: tuple[str, ...] = ("player",)


def seen_event(event: dict[str, Any], secrets: Mapping[str, Secret], seat: int) -> dict[str, Any]:
    """An event as a seat sees it: a copy in which the fields that it may not know are None.

    Args:
        event: in the form of a record.
        secrets: what is hidden, by kinds of events (``Game.secrets``).
        seat: who looks.
    """
    secret = secrets.get(event["kind"])
    if secret is None or seat in (event[name] for name in secret.known_to):
        return dict(event)
    return {name: None if name in secret.fields else value for name, value in event.items()}
