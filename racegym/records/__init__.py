"""Game records: JSON Lines files that hold whole games, format ``racegym-record/1``.

Write them with :class:`Recorder` and :class:`RecordWriter` (or :func:`record_game`), read them with
:func:`read_games`, and replay and compare every line with :func:`verify`.
"""

from __future__ import annotations

from racegym.errors import RecordError
from racegym.records.form import FORMAT
from racegym.records.play import record_game, record_games
from racegym.records.reader import GameRecord, read_games
from racegym.records.recorder import Recorder
from racegym.records.verify import Verified, verify, verify_lines
from racegym.records.writer import RecordWriter

__all__ = [
    "FORMAT",
    "GameRecord",
    "RecordError",
    "RecordWriter",
    "Recorder",
    "Verified",
    "read_games",
    "record_game",
    "record_games",
    "verify",
    "verify_lines",
]
