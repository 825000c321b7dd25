"""Reading the lines of a record and checking their form, with no game played.

A record may come from anywhere, so nothing in it is believed: lines are bounded, numbers and
nesting too, every field has its type, and the lines come in the one order that makes a game.
"""

from __future__ import annotations

import difflib
import json
import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from racegym.errors import RecordError
from racegym.records.form import END_FIELDS, FORMAT, FULL_FIELDS, GAME_FIELDS, MOVE_FIELDS

#: The longest line that is read, in bytes.
LONGEST_LINE = 2**20

#: The longest name of a game, and the longest action, in letters.
LONGEST_NAME = 200

_NOTHING_READ = "the file holds no game"


def file_lines(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of a file, one at a time; raises RecordError for a file that cannot be read."""
    path = pathlib.Path(path)
    try:
        with open(path, "rb") as file:
            while line := file.readline(LONGEST_LINE + 2):
                yield line
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(0, f"{path}: {reason}") from None


def decoded(number: int, line: bytes | str) -> str:
    """The text of a line; raises RecordError if it is too long or not UTF-8."""
    if len(line) > LONGEST_LINE + 1:
        raise RecordError(number, f"the line is longer than {LONGEST_LINE} bytes")
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError:
            raise RecordError(number, "the line is not UTF-8 text") from None
    return line.rstrip("\r\n")


def parsed(number: int, text: str) -> dict[str, Any]:
    """The JSON object of a line; raises RecordError if it is none.

    Refused too is what JSON does not allow but Python reads (NaN, Infinity), and a name that comes
    twice in one object.
    """
    if not text.strip():
        raise RecordError(number, "the line is empty")
    try:
        found = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except RecursionError:
        raise RecordError(number, "the JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} at column {error.colno}"
        raise RecordError(number, reason) from None
    except ValueError as error:
        reason = str(error) if isinstance(error, _Refused) else "a number has too many digits"
        raise RecordError(number, reason) from None
    if not isinstance(found, dict):
        raise RecordError(number, "the line is no JSON object")
    return found


class _Refused(ValueError):
    """JSON that Python would read but a record does not allow."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"{shown(twice)} comes twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is no JSON number")


def shown(value: Any) -> str:
    """A value from a file, short enough for a message of one line."""
    try:
        text = json.dumps(value)
    except (RecursionError, TypeError, ValueError):
        text = f"a {type(value).__name__}"
    return shortened(text, 80)


def shortened(text: str, most: int) -> str:
    """A text of at most about ``most`` letters."""
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text)} letters)"


# --- the form of each line -----------------------------------------------------------------------


class Form:
    """Follows the lines of a file and says whether each is of the right form in the right place.

    Attributes:
        inside: True between a game line and its end line.
        began: number of the latest game line.
        moves: moves of the game so far.
        full: whether this game's moves hold legal actions, events and states; None at its start.
        num_players: of the game.
    """

    def __init__(self) -> None:
        self.inside = False
        self.began = 0
        self.moves = 0
        self.full: bool | None = None
        self.num_players = 0

    def check(self, number: int, line: dict[str, Any]) -> str:
        """Check one line; returns its type; raises RecordError."""
        kind = line.get("type")
        if kind == "move" and self.inside:
            self._check_move(number, line)
        elif kind == "game" and not self.inside:
            self._check_game(number, line)
            self.inside, self.began, self.moves, self.full = True, number, 0, None
            self.num_players = len(line["agents"])
        elif kind == "end" and self.inside:
            self._check_end(number, line)
            self.inside = False
        elif kind in ("game", "move", "end"):
            raise RecordError(number, self._out_of_order(kind))
        else:
            raise RecordError(number, f"type is game, move or end, not {shown(kind)}")
        return str(kind)

    def finish(self, number: int) -> None:
        """The file ends behind line ``number``; raises RecordError if it must not end there."""
        if self.inside:
            reason = f"the file is cut off: the game that begins in line {self.began} has no end"
            raise RecordError(number + 1, reason)
        if not self.began:
            raise RecordError(1, _NOTHING_READ)

    def _out_of_order(self, kind: str) -> str:
        if kind == "game":
            return f"a new game, but the one that begins in line {self.began} has no end line"
        return f"a line of type {kind} where a game line should begin a game"

    def _check_game(self, number: int, line: dict[str, Any]) -> None:
        if line.get("format") != FORMAT:
            found = shown(line.get("format"))
            raise RecordError(number, f"the format is {found}; this racegym reads {FORMAT}")
        _check_fields(number, line, GAME_FIELDS)
        _check_type(number, line, "game", str)
        _check_type(number, line, "version", int)
        _check_type(number, line, "options", dict)
        _check_type(number, line, "seed", int)
        _check_type(number, line, "agents", list)
        _check_type(number, line, "policies", list)
        _check_type(number, line, "state", dict)
        if not all(name is None or isinstance(name, str) for name in line["policies"]):
            raise RecordError(number, "policies are names or null")
        if len(line["policies"]) != len(line["agents"]):
            raise RecordError(number, "policies has not one entry per agent")

    def _check_move(self, number: int, line: dict[str, Any]) -> None:
        if self.full is None:
            self.full = len(line) > len(MOVE_FIELDS)
        _check_fields(number, line, FULL_FIELDS if self.full else MOVE_FIELDS)
        _check_type(number, line, "n", int)
        _check_type(number, line, "agent", int)
        _check_type(number, line, "action", str)
        if line["n"] != self.moves:
            raise RecordError(
                number, f"n: expected {self.moves}, the record has {shown(line['n'])}"
            )
        if not 0 <= line["agent"] < self.num_players:
            reason = f"agent is 0 to {self.num_players - 1}, not {shown(line['agent'])}"
            raise RecordError(number, reason)
        if self.full:
            _check_type(number, line, "legal", list)
            _check_type(number, line, "events", list)
            _check_type(number, line, "state", dict)
        self.moves += 1

    def count_move(self, full: bool) -> None:
        """Note a move line whose form is known to be right."""
        self.full = full
        self.moves += 1

    def _check_end(self, number: int, line: dict[str, Any]) -> None:
        _check_fields(number, line, END_FIELDS)
        _check_type(number, line, "reason", str)
        for name in ("scores", "ranks", "rewards"):
            _check_type(number, line, name, list)


def _check_fields(number: int, line: dict[str, Any], wanted: tuple[str, ...]) -> None:
    for name in wanted:
        if name not in line:
            raise RecordError(number, f"a line of type {line['type']} without {name}")
    for name in line:
        if name not in wanted:
            close = difflib.get_close_matches(name[:80], wanted, n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            reason = f"a line of type {line['type']} has no field {shown(name)} here{hint}"
            raise RecordError(number, reason)


_NAMES = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


def _check_type(number: int, line: dict[str, Any], name: str, kind: type) -> None:
    if type(line[name]) is not kind:
        raise RecordError(number, f"{name} is {_NAMES[kind]}, not {shown(line[name])}")
    if kind is str and len(line[name]) > LONGEST_NAME:
        raise RecordError(number, f"{name} has more than {LONGEST_NAME} letters")


def numbered(lines: Iterable[bytes | str]) -> Iterator[tuple[int, str]]:
    """The lines as text with their numbers, from 1; raises RecordError."""
    for number, line in enumerate(lines, start=1):
        yield number, decoded(number, line)
