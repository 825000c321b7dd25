"""Files that are written whole or not at all.

What is being written stands beside its target as ``.racegym-MACHINE-PROCESS-RANDOM.tmp`` and takes
the target's name when it is complete.  A process that is killed leaves such a file behind; the next
one that writes to the folder removes it.
"""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import platform
import re
import secrets
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from racegym.errors import RacegymError

_OURS = re.compile(r"\.racegym-(?P<machine>[0-9a-f]{8})-(?P<process>\d+)-[0-9a-f]{12}\.tmp")
#: What versions before 0.1.0 called the files of a run that were being written.
_OLD = re.compile(r"\..+\.(?P<process>\d+)\.tmp")


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that it is either complete under its name or as it was before.

    Raises:
        RacegymError, OSError: as :func:`written_whole`.
    """
    with _replaced(path) as file:
        file.write(content)


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that takes its name only when the ``with`` block ends well.

    What was there before stays until then; an error leaves it as it was, and nothing beside it.

    Raises:
        RacegymError: the path is a directory or something else that is no plain file.
        OSError: as of any file.
    """
    with _replaced(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        yield text
        text.flush()


@contextmanager
def _replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of the one under ``path`` when the block ends well."""
    target = target_of(path)
    file = opened_beside(target, path)
    temporary = pathlib.Path(file.name)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def target_of(path: str | os.PathLike[str]) -> pathlib.Path:
    """The plain file to be written, links followed; RacegymError if it cannot be one."""
    target = pathlib.Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise RacegymError(f"{path} is no plain file: name a file to write to")
    return target


def opened_beside(target: pathlib.Path, shown: str | os.PathLike[str]) -> BinaryIO:
    """A new temporary file in the target's folder; an OSError speaks of the path ``shown``.

    What killed processes left in that folder is removed.
    """
    remove_leftovers(target.parent)
    name = f".racegym-{_machine()}-{os.getpid()}-{secrets.token_hex(6)}.tmp"
    try:
        return open(target.with_name(name), "xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(shown)) from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise what :func:`write_whole` would, before there is anything to write."""
    with opened_beside(target_of(path), path) as file:
        pass
    pathlib.Path(file.name).unlink(missing_ok=True)


def remove_leftovers(folder: pathlib.Path, old: bool = False) -> None:
    """Remove the temporary files that processes of this machine left in a folder when they died.

    Args:
        folder: may be missing.
        old: also those named as by versions before 0.1.0, ``.NAME.PROCESS.tmp``: only for folders
            in which nobody else has files.
    """
    with contextlib.suppress(OSError):
        for path in list(folder.glob(".*.tmp")):
            match = _OURS.fullmatch(path.name)
            if match is not None and match["machine"] != _machine():
                continue
            if match is None and old:
                match = _OLD.fullmatch(path.name)
            if match is not None and not _lives(int(match["process"])):
                path.unlink(missing_ok=True)


def _machine() -> str:
    """A short name of this machine: process numbers of others mean nothing here."""
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _lives(process: int) -> bool:
    """True if the process runs, or if that cannot be told."""
    if sys.platform == "win32":  # there, signal 0 would reach it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
