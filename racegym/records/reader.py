"""Reading games from a record file, one game at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from racegym.engine.position import Position
from racegym.records.lines import Form, file_lines, numbered, parsed
from racegym.records.verify import check_end, compare, replayed, start_of


@dataclass
class GameRecord:
    """One game of a record file, its lines as Python dicts.

    Attributes:
        line: number of the game line in its file, from 1.
        header: the game line.
        moves: the move lines.
        end: the end line.
    """

    line: int
    header: dict[str, Any]
    moves: list[dict[str, Any]] = field(default_factory=list)
    end: dict[str, Any] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        """True if the moves hold legal actions, events and states."""
        return bool(self.moves) and "state" in self.moves[0]

    def start(self) -> Position:
        """The position at the start of the game; raises RecordError."""
        return start_of(self.line, self.header)

    def positions(self) -> Iterator[Position]:
        """The position at the start and after each move, each a copy of its own.

        Raises:
            RecordError: at the first line that does not replay.
        """
        position = self.start()
        yield position.clone()
        for index, move in enumerate(self.moves):
            number = self.line + 1 + index
            compare(number, replayed(number, move, position, self.is_full), move)
            yield position.clone()
        check_end(self.line + 1 + len(self.moves), self.end, position)


def read_games(path: str | os.PathLike[str]) -> Iterator[GameRecord]:
    """The games of a file, one after the other, with memory for one.

    The form of every line is checked, the games are not replayed (:func:`racegym.records.verify`
    does that, and :meth:`GameRecord.positions`).

    Raises:
        RecordError: with the line number and the reason.
    """
    form = Form()
    number = 0
    for number, text in numbered(file_lines(path)):
        line = parsed(number, text)
        kind = form.check(number, line)
        if kind == "game":
            record = GameRecord(number, line)
        elif kind == "move":
            record.moves.append(line)
        else:
            record.end = line
            yield record
    form.finish(number)
