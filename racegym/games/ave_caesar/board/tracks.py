"""The courses of Ave Caesar as tables for the rules.

A course is a graph (AC-03).  Driven in one of its two directions it is a :class:`Track`, whose
spaces are numbered by progress: a higher number is nearer to the next crossing of the line, and of
spaces level in this the one listed first in the course (the inner one) has the higher number.

A course is data from a file, which may be a user's own: the rules only ever see the whole numbers
that :attr:`Track.codes` gives.
"""

from __future__ import annotations

import json
import pathlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from racegym.engine.names import named
from racegym.errors import OptionError

DIRECTIONS = ("cw", "ccw")
NAMES = ("white", "blue", "yellow", "red")  # AC-02
NUM_BUILT_IN = len(NAMES)
OWN = "own"  #: what a state calls a course of the user's own

#: Limits of a course of the user's own: its spaces, edges out of a space in either direction, start
#: places, lanes, steps of a card, and spaces of the course and of the alley that one card can lead
#: to from one space.
LIMIT = named(
    "Limit",
    {"spaces": 120, "ways": 4, "places": 6, "lane": 7, "card": 6, "ends": 12, "alley_ends": 2},
)

#: A row of a track in whole numbers, for one space: the spaces one step ahead (-1 for none), which
#: of these steps cross the line (bits), steps to the next crossing, whether it belongs to the
#: alley, whether the alley can still be reached before the line, the lane, whether it is a neck.
ROW = named(
    "Row",
    {
        "ways": 0,
        "crosses": LIMIT.ways,
        "to_line": LIMIT.ways + 1,
        "in_alley": LIMIT.ways + 2,
        "alley_ahead": LIMIT.ways + 3,
        "lane": LIMIT.ways + 4,
        "neck": LIMIT.ways + 5,
        "stride": LIMIT.ways + 6,
    },
)
#: What a state has a row of for every space.
BY_SPACE = ROW._fields[:-1]
#: A track in whole numbers: two of them, the start places, the rows of the spaces.
CODE = named(
    "Code",
    {
        "num_spaces": 0,
        "lap": 1,
        "places": 2,
        "rows": 2 + LIMIT.places,
        "stride": 2 + LIMIT.places + LIMIT.spaces * ROW.stride,
    },
)

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
        """Per space, how many of those level with it lie further inside; 7 in the alley."""
        lanes = [LIMIT.lane] * len(self.spaces)
        inside: dict[int, int] = {}
        for u in reversed(range(len(self.spaces))):
            if u not in self.alley:
                level = self.to_line[u]
                lanes[u] = min(inside.get(level, 0), LIMIT.lane)
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

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The track as CODE.stride whole numbers, as the rules load it."""
        codes = [-1] * CODE.stride
        codes[CODE.num_spaces], codes[CODE.lap] = len(self.spaces), self.lap
        codes[CODE.places : CODE.places + len(self.places)] = self.places
        for u, ways in enumerate(self.ways):
            row = CODE.rows + u * ROW.stride
            codes[row : row + len(ways)] = ways
            codes[row + ROW.crosses] = sum(((u, v) in self.line) << k for k, v in enumerate(ways))
            codes[row + ROW.to_line] = self.to_line[u]
            codes[row + ROW.in_alley] = u in self.alley
            codes[row + ROW.alley_ahead] = self.alley_ahead[u]
            codes[row + ROW.lane] = self.lanes[u]
            codes[row + ROW.neck] = self.necks[u]
        return tuple(codes)


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


def in_a_ring(ways: list[list[int]]) -> int | None:
    """A space that lies on a closed way, None if there is no closed way."""
    alive = set(range(len(ways)))
    while True:
        dead = {u for u in alive if not any(v in alive for v in ways[u])}
        if not dead:
            break
        alive -= dead
    passed: set[int] = set()
    here = min(alive, default=None)
    while here is not None and here not in passed:
        passed.add(here)
        here = next(v for v in ways[here] if v in alive)
    return here


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

#: The tracks of the four courses, CODE.stride numbers each: course by course, cw before ccw.
BUILT_IN_CODES = np.array([n for track in _tracks.values() for n in track.codes], np.int32)


def track_of(course: int, direction: int) -> Track:
    """The track a state speaks of: number of the course (own ones: their key) and direction."""
    return _tracks[course, direction]


@lru_cache(maxsize=32)
def codes_of_own(text: str) -> tuple[int, ...]:
    """A course of the user's own as the rules read it: its key, then both its tracks.

    The course is known to :func:`track_of` from then on; its key is the same in every process.

    Args:
        text: JSON of a checked course, with sorted keys.
    """
    course: dict[str, Any] = json.loads(text)
    key = NUM_BUILT_IN + (zlib.crc32(text.encode()) >> 2)
    codes = [key]
    for d, direction in enumerate(DIRECTIONS):
        if not course["starts"].get(direction):
            codes += [-1] * CODE.stride
            continue
        track = track_of_course(course, direction)
        if _tracks.setdefault((key, d), track) != track:
            raise OptionError("two courses in use have the same key: rename a space in one")
        codes += track.codes
    return tuple(codes)


def tables() -> Iterator[tuple[str, str, Track]]:
    """The eight tracks of the built-in courses with course and direction."""
    for c, name in enumerate(NAMES):
        for d, direction in enumerate(DIRECTIONS):
            yield name, direction, _tracks[c, d]
