"""The courses of Ave Caesar: reading, checking, and turning them into tables for the rules.

A sixth room beside the five that every game has, because a course is data from a file, which may
be a user's own: the rules only ever see the whole numbers that :func:`Track.codes` gives.

A course is a graph (AC-03).  Driven in one of its two directions it is a :class:`Track`, whose
spaces are numbered by progress: a higher number is nearer to the next crossing of the line, and of
spaces level in this the one listed first in the course (the inner one) has the higher number.
"""

from __future__ import annotations

import json
import pathlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from racegym.engine.options import Option, is_whole
from racegym.errors import OptionError, nearest

DIRECTIONS = ("cw", "ccw")
NAMES = ("white", "blue", "yellow", "red")  # AC-02
OWN = "own"  #: what a state calls a course of the user's own

# Limits of a course of the user's own.
MAX_SPACES = 120
MAX_WAYS = 4  #: edges out of a space, in either direction
MAX_PLACES = 6  #: start places
MIN_PLACES = 3
TRACK_ENDS = 12  #: spaces of the course that one card can lead to from one space
ALLEY_ENDS = 2  #: spaces of the alley that one card can lead to from one space
DECK_VALUES = 6  #: cards are worth 1 to 6 steps
LARGEST_FILE = 1_000_000  #: bytes of a course file

# A track in whole numbers: a header, then a row for each space.
NUM_SPACES, LAP, PLACES, HEADER_SIZE = 0, 1, 2, 2 + MAX_PLACES
# In a row: the spaces one step ahead (-1 for none), which of these steps cross the line (bits),
# steps to the next crossing, whether it belongs to the alley, whether the alley can still be
# reached before the line, the lane, whether it is a neck.
CROSSES, TO_LINE, IN_ALLEY, ALLEY_AHEAD, LANE, NECK, ROW_SIZE = 4, 5, 6, 7, 8, 9, 10
LARGEST_LANE = 7
TRACK_SIZE = HEADER_SIZE + MAX_SPACES * ROW_SIZE

Edge = tuple[str, str]


@dataclass(frozen=True)
class Track:
    """A course driven in one direction.

    Attributes:
        spaces: names of the spaces, in the order of their numbers.
        ways: per space, the numbers of the spaces one step ahead, ascending.
        line: edges that cross the line, as pairs of numbers.
        alley: numbers of the alley's spaces, in driving order.
        places: numbers of the start places I, II, …; empty if the course has none this way.
        to_line: per space, steps to the next crossing of the line (AC-30).
        lap: length of the shortest closed way without the alley.
    """

    spaces: tuple[str, ...]
    ways: tuple[tuple[int, ...], ...]
    line: frozenset[tuple[int, int]]
    alley: tuple[int, ...]
    places: tuple[int, ...]
    to_line: tuple[int, ...]
    lap: int

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each space."""
        return {name: u for u, name in enumerate(self.spaces)}

    @cached_property
    def alley_ahead(self) -> tuple[bool, ...]:
        """Per space, whether the alley can be reached before the line on the empty course."""
        reaching = set(self.alley)
        while True:
            more = {
                u
                for u, ways in enumerate(self.ways)
                if u not in reaching
                and any(v in reaching and (u, v) not in self.line for v in ways)
            }
            if not more:
                return tuple(u in reaching for u in range(len(self.spaces)))
            reaching |= more

    @cached_property
    def lanes(self) -> tuple[int, ...]:
        """Per space, how many of those level with it lie further inside; LARGEST_LANE in the alley."""
        lanes = [LARGEST_LANE] * len(self.spaces)
        inside: dict[int, int] = {}
        for u in reversed(range(len(self.spaces))):
            if u not in self.alley:
                level = self.to_line[u]
                lanes[u] = min(inside.get(level, 0), LARGEST_LANE)
                inside[level] = inside.get(level, 0) + 1
        return tuple(lanes)

    @cached_property
    def necks(self) -> tuple[bool, ...]:
        """Per space, whether a chariot there bars every way round."""
        return tuple(
            in_a_ring(
                [[v for v in ways if v != u] if w != u else [] for w, ways in enumerate(self.ways)]
            )
            is None
            for u in range(len(self.spaces))
        )

    def codes(self) -> list[int]:
        """The track as TRACK_SIZE whole numbers, as the rules load it."""
        codes = [-1] * TRACK_SIZE
        codes[NUM_SPACES], codes[LAP] = len(self.spaces), self.lap
        codes[PLACES : PLACES + len(self.places)] = self.places
        for u, ways in enumerate(self.ways):
            row = HEADER_SIZE + u * ROW_SIZE
            codes[row : row + len(ways)] = ways
            codes[row + CROSSES] = sum(((u, v) in self.line) << k for k, v in enumerate(ways))
            codes[row + TO_LINE] = self.to_line[u]
            codes[row + IN_ALLEY] = u in self.alley
            codes[row + ALLEY_AHEAD] = self.alley_ahead[u]
            codes[row + LANE] = self.lanes[u]
            codes[row + NECK] = self.necks[u]
        return codes


# --- from a course object to its tracks ----------------------------------------------------------


def track_of_course(course: dict[str, Any], direction: str) -> Track:
    """The course driven in a direction (AC-03: counter-clockwise every edge is reversed)."""
    names: list[str] = course["spaces"]
    alley: list[str] = course["alley"]
    edges, line = (_directed(course[part], direction) for part in ("edges", "line"))
    if direction == "ccw":
        alley = alley[::-1]
    ahead: dict[str, list[str]] = {name: [] for name in names}
    for u, v in edges:
        ahead[u].append(v)
    steps = _steps_to_line(ahead, set(line))
    listed = {name: k for k, name in enumerate(names)}
    ordered = sorted(names, key=lambda name: (-steps.get(name, 0), -listed[name]))
    number = {name: u for u, name in enumerate(ordered)}
    return Track(
        spaces=tuple(ordered),
        ways=tuple(tuple(sorted(number[v] for v in ahead[name])) for name in ordered),
        line=frozenset((number[u], number[v]) for u, v in line),
        alley=tuple(number[name] for name in alley),
        places=tuple(number[name] for name in course["starts"].get(direction, ())),
        to_line=tuple(steps.get(name, 0) for name in ordered),
        lap=_lap(ahead, set(line), alley),
    )


def _directed(edges: Iterable[Any], direction: str) -> list[Edge]:
    return [(u, v) if direction == "cw" else (v, u) for u, v in edges]


def _steps_to_line(ahead: dict[str, list[str]], line: set[Edge]) -> dict[str, int]:
    """Steps to the next crossing by the shortest way; from the alley there is only one (AC-30)."""
    steps = {u: 1 for u in ahead if any((u, v) in line for v in ahead[u])}
    reached = set(steps)
    count = 1
    while reached:
        count += 1
        reached = {u for u in ahead if u not in steps and any(v in reached for v in ahead[u])}
        steps.update(dict.fromkeys(reached, count))
    return steps


def _lap(ahead: dict[str, list[str]], line: set[Edge], alley: list[str]) -> int:
    """Length of the shortest closed way without the alley (AC-30)."""
    lengths = []
    for u, v in line:
        if u in alley or v in alley:
            continue
        reached, seen, count = {v}, {v}, 1
        while reached and u not in reached:
            reached = {w for x in reached for w in ahead[x] if w not in alley} - seen
            seen |= reached
            count += 1
        if reached:
            lengths.append(count)
    if not lengths:
        raise OptionError("there is no closed way round without the alley")
    return min(lengths)


# --- checking a course of the user's own ---------------------------------------------------------


def checked_course(value: dict[str, Any]) -> dict[str, Any]:
    """The course in plain Python form; raises OptionError in one line saying what is wrong."""
    course = _checked_parts(value)
    tracks = [track_of_course(course, d) for d in DIRECTIONS if course["starts"].get(d)]
    for track in tracks:
        _check_track(track)
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
    if not is_whole(places) or not MIN_PLACES <= places <= MAX_PLACES:
        raise OptionError(
            f"max_players is a whole number from {MIN_PLACES} to {MAX_PLACES}, not {places!r}"
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
    if not value or len(value) > MAX_SPACES:
        raise OptionError(f"a course has 1 to {MAX_SPACES} spaces, not {len(value)}")
    for name in value:
        if not name or name.split() != [name] or name in ("finish", "finished", "removed"):
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
        if edge[0] == edge[1] or edge in edges:
            raise OptionError(f"{part} {edge} leads nowhere or is listed twice")
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
    if sorted(within) != sorted([u, v] for u, v in zip(alley, alley[1:], strict=False)):
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
        if max(len(track.ways[u]), len(backwards[u])) > MAX_WAYS:
            raise OptionError(f"space {names[u]!r} has more than {MAX_WAYS} edges to one side")
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


def in_a_ring(ways: list[list[int]]) -> int | None:
    """A space that lies on a closed way or leads to one, None if there is no closed way."""
    alive = set(range(len(ways)))
    while True:
        dead = {u for u in alive if not any(v in alive for v in ways[u])}
        if not dead:
            return min(alive, default=None)
        alive -= dead


def _check_ends(track: Track, first: int) -> None:
    """Where the cards lead from a space: not too many places, and the line crossed once at most."""
    name = track.spaces[first]
    ends = {(first, 0)}
    for card in range(1, DECK_VALUES + 1):
        ends = {(v, over + ((u, v) in track.line)) for u, over in ends for v in track.ways[u]}
        spaces = {v for v, _ in ends}
        if first in spaces or any(over > 1 for _, over in ends):
            raise OptionError(
                f"the course is too short: a {card} from {name!r} goes round it; a lap has at least "
                f"{DECK_VALUES + 1} steps"
            )
        if len(spaces) < len(ends):
            raise OptionError(f"a {card} from {name!r} leads to a space both over the line and not")
        for part, most in (
            (spaces - set(track.alley), TRACK_ENDS),
            (spaces & set(track.alley), ALLEY_ENDS),
        ):
            if len(part) > most:
                raise OptionError(
                    f"a {card} from {name!r} leads to {len(part)} spaces, more than {most}"
                )


def _check_first_move(track: Track) -> None:
    """The first player must be able to play any card (AC-32 speaks of a first card)."""
    taken = set(track.places[1:])
    ends = {track.places[0]}
    for card in range(1, DECK_VALUES + 1):
        ends = {v for u in ends for v in track.ways[u] if v not in taken and v not in track.alley}
        if not ends:
            raise OptionError(
                f"from the first start place a {card} cannot be played past the others"
            )


# --- the courses there are -----------------------------------------------------------------------


def _load_built_in() -> dict[str, dict[str, Any]]:
    path = pathlib.Path(__file__).with_name("courses.json")
    courses: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return courses


COURSES = _load_built_in()
_tracks: dict[tuple[int, int], Track] = {
    (c, d): track_of_course(COURSES[name], direction)
    for c, name in enumerate(NAMES)
    for d, direction in enumerate(DIRECTIONS)
}

#: The tracks of the four courses, TRACK_SIZE numbers each: course by course, cw before ccw.
BUILT_IN_CODES = np.array([n for track in _tracks.values() for n in track.codes()], np.int32)


def track_of(course: int, direction: int) -> Track:
    """The track a state speaks of: number of the course (own ones: their key) and direction."""
    return _tracks[course, direction]


def _register(course: dict[str, Any]) -> int:
    """Make a course of the user's own known; returns its key, the same in every process."""
    text = json.dumps(course, sort_keys=True).encode()
    key = len(NAMES) + (zlib.crc32(text) >> 2)
    for d, direction in enumerate(DIRECTIONS):
        if course["starts"].get(direction):
            track = track_of_course(course, direction)
            if _tracks.setdefault((key, d), track) != track:
                raise OptionError("two courses in use have the same key: rename a space in one")
    return key


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
        key = _register(value)
        codes = [key]
        for d in range(len(DIRECTIONS)):
            track = _tracks.get((key, d))
            codes += track.codes() if track else [-1] * TRACK_SIZE
        return codes


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
        if len(content) > LARGEST_FILE:
            raise OptionError(f"course file {str(path)!r} is larger than {LARGEST_FILE} bytes")
        return json.loads(content)
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise OptionError(f"course file {str(path)!r} cannot be read: {reason}") from None
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


def tables() -> Iterator[tuple[str, str, Track]]:
    """The eight tracks of the built-in courses with course and direction."""
    for c, name in enumerate(NAMES):
        for d, direction in enumerate(DIRECTIONS):
            yield name, direction, _tracks[c, d]
