"""Working on the parts of a batch at the same time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from racegym.errors import RacegymError


class Chunks:
    """The rows of a batch in so many parts, each worked on by a thread of its own.

    Used as a context (``with chunks: …``) it keeps the batch for one user: a second thread that
    comes in between is refused, because two at once would spoil the states.  Neither threads nor
    locks survive a fork of the process, so a child starts with fresh ones.

    Raises:
        RacegymError: on entering, another thread works on the batch.
    """

    def __init__(self, rows: int, threads: int) -> None:
        edges = np.linspace(0, rows, threads + 1).astype(int).tolist()
        self._parts = [slice(a, b) for a, b in pairwise(edges)]
        self._start_anew()

    def _start_anew(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Chunks:
        if self._process != os.getpid():
            self._start_anew()
        if not self._lock.acquire(blocking=False):
            raise RacegymError(
                "another thread is using this environment just now: give every thread its own, "
                "by clone()"
            )
        return self

    def __exit__(self, *error: Any) -> None:
        self._lock.release()

    def run(self, work: Callable[[slice], None]) -> None:
        """Do ``work(part)`` for every part of the rows."""
        if len(self._parts) == 1:
            work(self._parts[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._parts), thread_name_prefix="racegym")
        for done in [self._pool.submit(work, part) for part in self._parts]:
            done.result()

    def close(self) -> None:
        """Free the threads, if there are any."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None
