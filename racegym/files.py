"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import pathlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from racegym.errors import RacegymError


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that takes its name only when the ``with`` block ends well.

    What was there before stays until then; an error leaves it as it was, and nothing beside it.

    Raises:
        RacegymError: the path is a directory or something else that is no plain file.
        OSError: as of any file.
    """
    target = pathlib.Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise RacegymError(f"{path} is no plain file: name a file to write to")
    temporary = target.with_name(f".racegym-{secrets.token_hex(6)}.tmp")
    try:
        file = open(temporary, "x", encoding="utf-8", newline="\n")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
