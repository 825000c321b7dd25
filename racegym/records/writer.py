"""Writing record files that are complete or not there at all."""

from __future__ import annotations

import contextlib
import os
import pathlib
from types import TracebackType
from typing import BinaryIO

from racegym.errors import RacegymError
from racegym.files import opened_beside, target_of
from racegym.records.recorder import Recorder


class RecordWriter:
    """Writes finished games to a file; use it in a ``with`` block.

    The games go to a temporary file beside the target, which takes its place when the block ends:
    what was there before stays until then.  If the block ends with an error or Ctrl-C, the games
    finished so far are kept: under the target's name if that was free, else (so that no file is
    replaced by part of another) under the target's name with ``.partial`` added.

    Args:
        path: the file to write.

    Raises:
        RacegymError: the path is a directory or something else that is no plain file.
        OSError: as of any file.

    Attributes:
        games: how many games were written.
        moves: how many moves they had.
        written: where they are, once the block has ended; None if there was nothing to keep.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        self.games = 0
        self.moves = 0
        self.written: pathlib.Path | None = None
        self._target = target_of(self.path)
        self._file: BinaryIO | None = None
        self._size = 0

    def __enter__(self) -> RecordWriter:
        self._file = opened_beside(self._target, self.path)
        return self

    def add(self, recorder: Recorder) -> None:
        """Write a game; raises RacegymError if it is not over."""
        if self._file is None:
            raise RacegymError(
                "a RecordWriter is used in a with block: with RecordWriter(path) as …"
            )
        if not recorder.is_over:
            raise RacegymError("only a game that is over can be written: play it to its end")
        text = ("\n".join(recorder.lines) + "\n").encode("ascii")
        self._file.write(text)
        self._size += len(text)
        self.games += 1
        self.moves += recorder.moves

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        file, self._file = self._file, None
        assert file is not None
        temporary = pathlib.Path(file.name)
        try:
            file.flush()
            file.truncate(self._size)  # an interrupt may have left part of a game
            os.fsync(file.fileno())
            file.close()
            if kind is None:
                self._keep(temporary, self._target)
            elif self.games:
                partial = self._target.with_name(f"{self._target.name}.partial")
                self._keep(temporary, partial if self._target.exists() else self._target)
        finally:
            with contextlib.suppress(OSError):
                file.close()
            temporary.unlink(missing_ok=True)

    def _keep(self, temporary: pathlib.Path, target: pathlib.Path) -> None:
        os.replace(temporary, target)
        self.written = target
