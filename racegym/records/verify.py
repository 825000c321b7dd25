"""Replaying records and comparing every line with what has to be there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from racegym.engine import registry
from racegym.engine.position import Position
from racegym.errors import RacegymError, RecordError
from racegym.records.form import agent_names, end_line, play, to_text
from racegym.records.lines import Form, file_lines, numbered, parsed, shortened, shown

#: How far a reward may be from the formula.
REWARD_TOLERANCE = 1e-6


@dataclass
class Verified:
    """What a file held that was replayed without a difference.

    Attributes:
        games: number of games by name.
        moves: number of moves in all.
        full: how many of the games were full records.
        truncated: how many of the games were cut at ``max_turns``.
    """

    games: dict[str, int] = field(default_factory=dict)
    moves: int = 0
    full: int = 0
    truncated: int = 0

    @property
    def total(self) -> int:
        """Number of games."""
        return sum(self.games.values())


def verify(path: str | os.PathLike[str], on_game: Callable[[int], None] | None = None) -> Verified:
    """Replay every game of a file; line by line, with memory for one line.

    Args:
        path: a record file.
        on_game: called with the number of bytes read so far after each game, to show progress.

    Returns:
        What the file held.

    Raises:
        RecordError: with the line number and the reason, at the first line that is not exactly
            what the game's rules make of the seed, the options and the actions.
    """
    return verify_lines(file_lines(path), on_game)


def verify_lines(
    lines: Iterable[bytes | str], on_game: Callable[[int], None] | None = None
) -> Verified:
    """As :func:`verify`, for lines from anywhere (with or without their newlines)."""
    replay = _Replay()
    number = read = 0
    for number, text in numbered(lines):
        read += len(text) + 1
        if replay.check(number, text) == "end" and on_game is not None:
            on_game(read)
    replay.form.finish(number)
    return replay.verified


#: How the writer begins a move line, and whether more follows.
_MOVE = re.compile(
    r'\{"type":"move","n":(0|[1-9][0-9]{0,8}),"agent":([0-9]),"action":"([^"\\]*)"([,}])'
)


class _Replay:
    """Plays the games of a file along with its lines."""

    def __init__(self) -> None:
        self.form = Form()
        self.verified = Verified()
        self._position: Position | None = None

    def check(self, number: int, text: str) -> str:
        """Check one line; returns its type; raises RecordError."""
        expected = self._played(text)
        if expected is not None and to_text(expected) == text:
            self.form.count_move("state" in expected)
            self.verified.moves += 1
            return "move"
        line = parsed(number, text)
        kind = self.form.check(number, line)
        if kind == "game":
            self._position = start_of(number, line)
        elif kind == "end":
            self._end(number, line)
        else:
            if expected is None:
                expected = replayed(number, line, self._playing(), bool(self.form.full))
            compare(number, expected, line)
            self.verified.moves += 1
        return kind

    def _played(self, text: str) -> dict[str, Any] | None:
        """Play the move of a line that begins as the writer writes it; the line it should be.

        Reading the whole line first would take as long as playing the move.  None (and nothing
        played) for any other line, and for a move that cannot be.
        """
        position, found = self._position, _MOVE.match(text)
        if position is None or found is None:
            return None
        n, agent, action = found.group(1, 2, 3)
        if int(n) != self.form.moves or int(agent) != position.seat:
            return None
        full = found.group(4) == "," if self.form.full is None else self.form.full
        try:
            return play(position, position.action_from_text(action), int(n), full)
        except RacegymError:
            return None

    def _end(self, number: int, line: dict[str, Any]) -> None:
        position = self._playing()
        check_end(number, line, position)
        verified, name = self.verified, position.game.name
        verified.games[name] = verified.games.get(name, 0) + 1
        verified.full += bool(self.form.full)
        verified.truncated += position.is_truncated
        self._position = None

    def _playing(self) -> Position:
        assert self._position is not None
        return self._position


# --- single lines --------------------------------------------------------------------------------


def start_of(number: int, line: dict[str, Any]) -> Position:
    """The position that a game line describes; raises RecordError if there is no such game.

    The line has the right form already.
    """
    position = _new_game(number, line)
    game = position.game
    if line["version"] != game.version:
        reason = (
            f"version {shown(line['version'])} of {game.name}; this racegym plays {game.version}"
        )
        raise RecordError(number, reason)
    compare(number, position.options, line["options"], "options")
    compare(number, agent_names(position.num_players), line["agents"], "agents")
    compare(number, position.to_dict(), line["state"], "state")
    return position


def _new_game(number: int, line: dict[str, Any]) -> Position:
    try:
        game = registry.known_game(line["game"])
        missing = [o.name for o in game.options.declared if o.name not in line["options"]]
        if missing:
            raise RecordError(number, f"options: {missing[0]} is missing")
        for option in game.options.declared:
            option.check_recorded(line["options"][option.name])
        game.options.resolve(line["options"])
        return Position(game, seed=line["seed"], **line["options"])
    except RecordError:
        raise
    except RacegymError as error:
        raise RecordError(number, shortened(str(error), 300)) from None


def replayed(number: int, line: dict[str, Any], position: Position, full: bool) -> dict[str, Any]:
    """Play a move line's action and return the line as it has to be; raises RecordError."""
    if position.is_over:
        raise RecordError(number, "a move, but the game is over")
    if line["agent"] != position.seat:
        reason = f"agent: expected {position.seat}, the record has {line['agent']}"
        raise RecordError(number, reason)
    try:
        action = position.action_from_text(line["action"])
        return play(position, action, line["n"], full)
    except RacegymError as error:
        raise RecordError(number, shortened(str(error), 300)) from None


def check_end(number: int, line: dict[str, Any], position: Position) -> None:
    """Compare an end line with the game as it stands; raises RecordError."""
    if not position.is_over:
        reason = f"the game ends here, but it is not over: player_{position.seat} is to act"
        raise RecordError(number, reason)
    expected = end_line(position)
    wanted, found = expected.pop("rewards"), line["rewards"]
    compare(number, expected, {name: line[name] for name in expected})
    right = len(found) == len(wanted) and all(
        type(reward) in (int, float) and abs(reward - right) <= REWARD_TOLERANCE
        for reward, right in zip(found, wanted, strict=True)
    )
    if not right:
        reason = f"rewards: expected {shown(wanted)}, the record has {shown(found)}"
        raise RecordError(number, reason)


# --- comparing -----------------------------------------------------------------------------------


def compare(number: int, expected: Any, found: Any, where: str = "") -> None:
    """Raise RecordError, naming the place, unless two JSON values are the same.

    Types count: 1, 1.0 and true are three different things.
    """
    if type(expected) is not type(found):
        raise _difference(number, expected, found, where)
    if isinstance(expected, dict):
        for name in [*expected, *found]:
            place = f"{where}.{name}" if where else str(name)
            if name not in found:
                raise RecordError(number, f"{place} is missing")
            if name not in expected:
                raise RecordError(number, f"{shown(place)} should not be there")
            compare(number, expected[name], found[name], place)
    elif isinstance(expected, list):
        if len(expected) != len(found):
            raise _difference(number, expected, found, where)
        for index, pair in enumerate(zip(expected, found, strict=True)):
            compare(number, *pair, f"{where}[{index}]")
    elif expected != found:
        raise _difference(number, expected, found, where)


def _difference(number: int, expected: Any, found: Any, where: str) -> RecordError:
    return RecordError(
        number, f"{where}: expected {shown(expected)}, the record has {shown(found)}"
    )
