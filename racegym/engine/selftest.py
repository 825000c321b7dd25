"""Whether rules compiled as parts work with this Numba: tried once, in a process of its own.

The trial compiles the tiny kernels of :mod:`racegym.engine.trial`.  What comes out is kept beside
the kernels, by the versions of Numba and Python.  It cannot hang or crash the user's process; if it
fails, rules are compiled by plain Numba, which takes longer.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pathlib
import platform
import subprocess
import sys
import warnings

import llvmlite
import numba

from racegym.engine.cache import cache_folder

#: The latest Numba with which racegym was tested.
TESTED = (0, 68)
#: Seconds after which a trial has failed.
PATIENCE = 120.0

PASSED, FAILED = "passed", "failed"


@functools.cache
def is_passed() -> bool:
    """True if rules may be compiled as parts; tried at the first call if nobody has yet.

    ``RACEGYM_LINKING=1`` says that they may (the trial itself runs under it).
    """
    if os.environ.get("RACEGYM_LINKING") == "1":
        return True
    _warn_of_newer()
    folder = cache_folder()
    kept = None if folder is None else folder / f"linking-{_key()}.txt"
    found = _read(kept)
    if found is None:
        found = PASSED if trial() else FAILED
        _write(kept, found)
    if found == FAILED:
        told = f"racegym: rules are compiled by plain Numba {numba.__version__}, which takes longer"
        print(f"{told}: the self-test of linking them has failed", file=sys.stderr, flush=True)
    return found == PASSED


def trial() -> bool:
    """Compile and run the trial's kernels in another process; False if anything goes wrong."""
    if getattr(sys, "frozen", False) or not sys.executable:  # there is no Python to be started
        return False
    root = str(pathlib.Path(__file__).resolve().parents[2])
    program = f"import sys; sys.path.insert(0, {root!r})\nfrom racegym.engine import trial"
    try:
        done = subprocess.run(
            [sys.executable, "-c", f"{program}; trial.run()"],
            env={**os.environ, "RACEGYM_LINKING": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            text=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and done.stdout.split() == ["part", "3", PASSED]


def _warn_of_newer() -> None:
    version = tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit())
    if version > TESTED:
        tested = ".".join(map(str, TESTED))
        warnings.warn(
            f"Numba {numba.__version__} is newer than those racegym was tested with (to {tested})",
            RuntimeWarning,
            stacklevel=2,
        )


def _key() -> str:
    folder = pathlib.Path(__file__).parent
    parts = [numba.__version__, llvmlite.__version__, sys.version, platform.machine()]
    digest = hashlib.sha256(" ".join(parts).encode())
    for name in ("libraries.py", "trial.py"):
        with contextlib.suppress(OSError):
            digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]


def _read(path: pathlib.Path | None) -> str | None:
    try:
        text = "" if path is None else path.read_text("ascii").strip()
    except (OSError, ValueError):
        return None
    return text if text in (PASSED, FAILED) else None


def _write(path: pathlib.Path | None, text: str) -> None:
    if path is None:
        return
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        temporary.write_text(f"{text}\n", "ascii")
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
