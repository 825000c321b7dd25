"""The option ``course`` of Ave Caesar: checking and reading courses of the user's own."""

from __future__ import annotations

import itertools
import json
import pathlib
from dataclasses import dataclass
from typing import Any

from racegym.engine.options import Option, is_whole
from racegym.errors import OptionError, nearest
from racegym.games.ave_caesar.board.tracks import (
    COURSES,
    DIRECTIONS,
    LIMIT,
    NAMES,
    Track,
    codes_of_own,
    in_a_ring,
    track_of_course,
)

MIN_PLACES = 3
LONGEST_NAME = 32  #: letters in the name of a space
LARGEST_FILE = 1_000_000  #: bytes of a course file
MOST_KEPT = 64  #: courses that are known to be right

#: The JSON of courses that were checked, by that JSON and by the JSON of what was given.
_settled: dict[str, str] = {}


# --- checking a course of the user's own ---------------------------------------------------------


def checked_course(value: dict[str, Any]) -> dict[str, Any]:
    """The course in plain Python form; raises OptionError in one line saying what is wrong.

    A course is checked once and then known by its content.
    """
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):  # NumPy's numbers and what cannot be a course
        return _check(value)
    settled = _settled.get(text)
    if settled is None:
        settled = json.dumps(_check(json.loads(text)))
        if len(_settled) >= MOST_KEPT:
            _settled.clear()
        _settled[text] = _settled[settled] = settled
    course: dict[str, Any] = json.loads(settled)
    return course


def _check(value: dict[str, Any]) -> dict[str, Any]:
    course = _checked_parts(value)
    for direction in DIRECTIONS:
        if course["starts"].get(direction):
            _check_track(track_of_course(course, direction))
    return course


def _checked_parts(value: dict[str, Any]) -> dict[str, Any]:
    needed = ("spaces", "edges", "line", "alley", "starts", "max_players")
    for key in value:
        if key not in (*needed, "side"):
            raise OptionError(f"a course has no entry {key!r}{nearest(key, (*needed, 'side'))}")
    for key in needed:
        if key not in value:
            raise OptionError(f"a course needs the entry {key!r}")
    spaces = _checked_spaces(value["spaces"])
    edges = _checked_edges("edges", value["edges"], spaces)
    line = _checked_edges("line", value["line"], spaces)
    for edge in line:
        if edge not in edges:
            raise OptionError(f"line {edge} is not among the edges")
    course: dict[str, Any] = {"side": value["side"]} if "side" in value else {}
    if not isinstance(course.get("side", ""), str):
        raise OptionError(f"side is a text, not {course['side']!r}")
    places = value["max_players"]
    if not is_whole(places) or not MIN_PLACES <= places <= LIMIT.places:
        raise OptionError(
            f"max_players is a whole number from {MIN_PLACES} to {LIMIT.places}, not {places!r}"
        )
    alley = _checked_alley(value["alley"], spaces, edges, line)
    starts = _checked_starts(value["starts"], spaces, alley, int(places))
    return course | {
        "spaces": spaces,
        "edges": edges,
        "line": line,
        "alley": alley,
        "starts": starts,
        "max_players": int(places),
    }


def _checked_spaces(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise OptionError("spaces is a list of texts")
    if not value or len(value) > LIMIT.spaces:
        raise OptionError(f"a course has 1 to {LIMIT.spaces} spaces, not {len(value)}")
    for name in value:
        if len(name) > LONGEST_NAME:
            raise OptionError(
                f"names of spaces have at most {LONGEST_NAME} letters, not {len(name)}"
            )
        plain = name.isprintable() and name.split() == [name]
        if not plain or name in ("finish", "finished", "removed"):
            raise OptionError(f"{name!r} cannot be the name of a space")
    twice = next((v for v in value if value.count(v) > 1), None)
    if twice is not None:
        raise OptionError(f"space {twice!r} is listed twice")
    return list(value)


def _known(name: Any, where: str, spaces: list[str]) -> str:
    if name not in spaces:
        raise OptionError(f"{where} names an unknown space {name!r}{nearest(name, spaces)}")
    return str(name)


def _checked_edges(part: str, value: Any, spaces: list[str]) -> list[list[str]]:
    if not isinstance(value, list) or not value:
        raise OptionError(f"{part} is a list of pairs of spaces, not empty")
    edges: list[list[str]] = []
    for pair in value:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise OptionError(f"{part} holds pairs of spaces, not {pair!r}")
        edge = [_known(name, part, spaces) for name in pair]
        if edge[0] == edge[1]:
            raise OptionError(f"{part} {edge} leads from a space to itself")
        if edge in edges:
            raise OptionError(f"{part} {edge} is listed twice")
        edges.append(edge)
    return edges


def _checked_alley(
    value: Any, spaces: list[str], edges: list[list[str]], line: list[list[str]]
) -> list[str]:
    """The alley is a single file: entered at its first space, left at its last."""
    if not isinstance(value, list) or not value:
        raise OptionError("alley is a list of spaces, not empty")
    alley = [_known(name, "alley", spaces) for name in value]
    if len(set(alley)) < len(alley) or len(alley) == len(spaces):
        raise OptionError("alley lists a space twice, or all spaces of the course")
    within = [[u, v] for u, v in edges if u in alley and v in alley]
    if sorted(within) != sorted([u, v] for u, v in itertools.pairwise(alley)):
        raise OptionError(
            "the edges within the alley must lead from each of its spaces to the next"
        )
    for u, v in edges:
        if (v in alley and u not in alley and v != alley[0]) or (
            u in alley and v not in alley and u != alley[-1]
        ):
            raise OptionError(f"edge {[u, v]} enters or leaves the alley midway")
        if (u in alley) != (v in alley) and [u, v] in line:
            raise OptionError(
                f"line {[u, v]} lies at an end of the alley: move it within or beyond"
            )
    return alley


def _checked_starts(
    value: Any, spaces: list[str], alley: list[str], places: int
) -> dict[str, list[str]]:
    if not isinstance(value, dict) or not value:
        raise OptionError("starts is an object with the start places for 'cw', 'ccw' or both")
    starts = {}
    for direction, names in value.items():
        if direction not in DIRECTIONS:
            raise OptionError(f"starts names {direction!r}{nearest(direction, DIRECTIONS)}")
        if not isinstance(names, list) or len(set(map(str, names))) != places:
            raise OptionError(f"starts {direction} needs {places} different spaces (max_players)")
        starts[direction] = [_known(name, f"starts {direction}", spaces) for name in names]
        inside = next((name for name in starts[direction] if name in alley), None)
        if len(names) != places or inside is not None:
            raise OptionError(f"starts {direction} needs {places} spaces outside the alley")
    return starts


def _check_track(track: Track) -> None:
    """Refuse what the rules or the numbering of the actions cannot handle."""
    names = track.spaces
    backwards = [[u for u, ways in enumerate(track.ways) if v in ways] for v in range(len(names))]
    for u in range(len(names)):
        if max(len(track.ways[u]), len(backwards[u])) > LIMIT.ways:
            raise OptionError(f"space {names[u]!r} has more than {LIMIT.ways} edges to one side")
    for ways, what in ((track.ways, "cannot be reached"), (backwards, "has no way on")):
        lost = set(range(len(names))) - _reached(track.places[0], ways)
        if lost:
            raise OptionError(
                f"space {names[min(lost)]!r} {what} (start place: {names[track.places[0]]!r})"
            )
    looping = in_a_ring(
        [[v for v in w if (u, v) not in track.line] for u, w in enumerate(track.ways)]
    )
    if looping is not None:
        raise OptionError(f"there is a closed way through {names[looping]!r} that crosses no line")
    for u in range(len(names)):
        _check_ends(track, u)
    _check_first_move(track)


def _reached(first: int, ways: Any) -> set[int]:
    seen, todo = {first}, [first]
    while todo:
        for v in ways[todo.pop()]:
            if v not in seen:
                seen.add(v)
                todo.append(v)
    return seen


def _check_ends(track: Track, first: int) -> None:
    """Where the cards lead from a space: not too many places, and the line crossed once at most."""
    name = track.spaces[first]
    ends = {(first, 0)}
    for card in range(1, LIMIT.card + 1):
        ends = {(v, over + ((u, v) in track.line)) for u, over in ends for v in track.ways[u]}
        spaces = {v for v, _ in ends}
        if first in spaces or any(over > 1 for _, over in ends):
            raise OptionError(
                f"the course is too short: a {card} from {name!r} goes round it; a lap has at "
                f"least {LIMIT.card + 1} steps"
            )
        if len(spaces) < len(ends):
            raise OptionError(f"a {card} from {name!r} leads to a space both over the line and not")
        for part, most in (
            (spaces - set(track.alley), LIMIT.ends),
            (spaces & set(track.alley), LIMIT.alley_ends),
        ):
            if len(part) > most:
                raise OptionError(
                    f"a {card} from {name!r} leads to {len(part)} spaces, more than {most}"
                )


def _check_first_move(track: Track) -> None:
    """The first player must be able to play any card (AC-32 speaks of a first card)."""
    taken = set(track.places[1:])
    ends = {track.places[0]}
    for card in range(1, LIMIT.card + 1):
        ends = {v for u in ends for v in track.ways[u] if v not in taken and v not in track.alley}
        if not ends:
            raise OptionError(
                f"from the first start place a {card} cannot be played past the others"
            )


# --- the option ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class CourseOption(Option):
    """The option ``course``: one of the four, a course object, or a path to a file with one."""

    @property
    def values(self) -> str:
        named = ", ".join(repr(n) for n in NAMES)
        return f"one of {named}, a course object, or the path of a JSON file that holds one"

    def check(self, value: Any) -> str | dict[str, Any]:
        if isinstance(value, str) and value in NAMES:
            return value
        if isinstance(value, dict):
            return _named_errors("course", value)
        if isinstance(value, str) and not _is_path(value):
            raise OptionError(
                f"option {self.name} takes {self.values}, not {value!r}{nearest(value, NAMES)}"
            )
        if isinstance(value, (str, pathlib.Path)):
            return _named_errors(f"course file {str(value)!r}", _read(pathlib.Path(value)))
        raise self.refuse(value)

    def check_recorded(self, value: Any) -> str | dict[str, Any]:
        """A record holds its course itself (AC-03): no file is opened because of one."""
        if isinstance(value, str) and value not in NAMES:
            raise OptionError(f"a record holds its course, it names no file like {value!r}")
        return self.check(value)

    def encode(self, value: str | dict[str, Any]) -> list[int]:
        """The number of a built-in course; for an own one its key and both tracks."""
        if isinstance(value, str):
            return [NAMES.index(value)]
        return list(codes_of_own(json.dumps(value, sort_keys=True)))


def _named_errors(label: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise OptionError(f"{label}: a course is an object, not {type(value).__name__}")
    try:
        return checked_course(value)
    except OptionError as error:
        raise OptionError(f"{label}: {error}") from None


def _is_path(text: str) -> bool:
    return text.endswith(".json") or "/" in text or "\\" in text


def _read(path: pathlib.Path) -> Any:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OptionError(f"course file {str(path)!r} cannot be read: {reason}") from None
    if len(content) > LARGEST_FILE:
        raise OptionError(f"course file {str(path)!r} is larger than {LARGEST_FILE} bytes")
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise OptionError(f"course file {str(path)!r} is no JSON file") from None


def check_together(options: dict[str, Any]) -> None:
    """Refuse more players than start places, and a direction without any (AC-02).

    In a tournament the courses are laid down, and ``course`` and ``direction`` have no effect.
    """
    if options["races"] > 1:
        return
    value = options["course"]
    course = COURSES[value] if isinstance(value, str) else value
    called = repr(value) if isinstance(value, str) else "given"
    if options["direction"] not in course["starts"]:
        raise OptionError(f"the course {called} has no start places for {options['direction']!r}")
    places = course["max_players"]
    if options["num_players"] > places:
        raise OptionError(
            f"the course {called} has {places} start places, too few for "
            f"{options['num_players']} players"
        )
