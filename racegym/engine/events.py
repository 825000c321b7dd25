"""What happened because of an action, noted by the rules for records and renderers.

A log is an int32 array of shape (rows, 12): ``log[0, 0]`` counts the events, and each later row
is one event: its kind, then up to eleven whole numbers.  With no rows nothing is noted.
"""

from __future__ import annotations

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
