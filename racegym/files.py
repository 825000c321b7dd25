"""Files that are written whole or not at all."""

from __future__ import annotations

import io
import os
import pathlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from racegym.errors import RacegymError


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that takes its name only when the ``with`` block ends well.

    What was there before stays until then; an error leaves it as it was, and nothing beside it.

    Raises:
        RacegymError: the path is a directory or something else that is no plain file.
        OSError: as of any file.
    """
    target = target_of(path)
    file = opened_beside(target, path)
    temporary = pathlib.Path(file.name)
    try:
        with file, io.TextIOWrapper(file, encoding="utf-8", newline="\n") as text:
            yield text
            text.flush()
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
    """A new temporary file in the target's folder; an OSError speaks of the path ``shown``."""
    try:
        return open(target.with_name(f".racegym-{secrets.token_hex(6)}.tmp"), "xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(shown)) from None
