"""The folder where machine code is kept between processes, and Numba's cache in it.

Whatever is wrong with the folder or its files only costs time.  Code of rules that have changed
since is removed, see :func:`remove_old`.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from numba.core import caching

#: So many versions of a kernel are kept, those used last: checkouts side by side have one each.
VERSIONS_KEPT = 3
#: Files that were not used for so many days are removed, whatever they are of.
DAYS_KEPT = 60
_DAY = 86_400.0

_KEY = "[0-9a-f]{16}"


def cache_folder() -> pathlib.Path | None:
    """Where machine code is kept, or None if there is no place that can be written.

    ``RACEGYM_CACHE_DIR`` names the folder; without it the user's cache folder is used.  Nothing
    is ever written beside the package.
    """
    folder = _cache_folder_wanted()
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


def _cache_folder_wanted() -> pathlib.Path | None:
    named = os.environ.get("RACEGYM_CACHE_DIR")
    if named:
        return pathlib.Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if not base or base.startswith("~"):
        return None
    return pathlib.Path(base) / "racegym"


class _Locator(caching._CacheLocator):
    """Tells Numba where a kernel's code is kept; its name holds the fingerprint."""

    folder: pathlib.Path

    def __init__(self, function: FunctionType) -> None:
        self._name = function.__qualname__

    def get_cache_path(self) -> str:
        return str(self.folder)

    def get_source_stamp(self) -> str:
        return self._name

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> _Locator:
        return cls(py_func)


class KernelCache(caching.FunctionCache):
    """Numba's function cache in our folder; a cache that fails only costs time.

    Args:
        function: the kernel; its ``__qualname__`` is ``LABEL-KERNEL-KEY``.
        folder: see :func:`cache_folder`.
        on_miss: is called when there is no code for it yet.
    """

    def __init__(self, function: FunctionType, folder: pathlib.Path, on_miss: Callable[[], None]):
        locator = type("Locator", (_Locator,), {"folder": folder})
        implementation: Any = type(
            "Implementation", (caching.CompileResultCacheImpl,), {"_locator_classes": [locator]}
        )
        self._impl_class = implementation
        self._on_miss = on_miss
        self._folder, self._unique = folder, function.__qualname__
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # a damaged or foreign file in the cache: compile again
            found = None
        if found is None:
            self._on_miss()
        else:
            note_use(self._folder, self._unique)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:  # disk full, folder gone …: the code is in memory all the same
            return
        remove_old(self._folder, self._unique)


# --- what is kept --------------------------------------------------------------------------------


def note_use(folder: pathlib.Path, unique: str) -> None:
    """Mark the files of a kernel as used today: their times of change tell the last use."""
    now = time.time()
    for path, used in _files_of(folder, re.escape(unique)):
        if now - used > _DAY:
            with contextlib.suppress(OSError):
                os.utime(path)


def remove_old(folder: pathlib.Path, unique: str) -> None:
    """Remove the code of rules that have changed since, when a kernel has been saved.

    Of each kernel the :data:`VERSIONS_KEPT` versions used last stay, since several checkouts may be
    in use side by side; of all files those used in the last :data:`DAYS_KEPT` days.  Processes may
    do this at the same time, and while others read: who misses a file compiles.

    Args:
        folder: see :func:`cache_folder`.
        unique: ``LABEL-KERNEL-KEY`` of the kernel saved.
    """
    family = unique.rpartition("-")[0]
    latest: dict[str, float] = {}
    files: list[tuple[str, pathlib.Path]] = []
    for path, used in _files_of(folder, f"{re.escape(family)}-{_KEY}"):
        key = path.name.partition(f"{family}-")[2][:16]
        latest[key] = max(used, latest.get(key, 0.0))
        files.append((key, path))
    kept = sorted(latest, key=lambda key: latest[key], reverse=True)[:VERSIONS_KEPT]
    kept.append(unique.rpartition("-")[2])
    doomed = [path for key, path in files if key not in kept]
    oldest = time.time() - DAYS_KEPT * _DAY
    doomed += [path for path, used in _files_of(folder, ".*") if used < oldest]
    for path in doomed:
        with contextlib.suppress(OSError):
            path.unlink()


def _files_of(folder: pathlib.Path, pattern: str) -> Iterator[tuple[pathlib.Path, float]]:
    """Files of code whose kernels' names fit a pattern, and when they were used last."""
    wanted = re.compile(rf"[^.]*\.{pattern}-\..*\.nb[ic]\b.*")
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if wanted.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    yield pathlib.Path(entry.path), entry.stat().st_mtime
