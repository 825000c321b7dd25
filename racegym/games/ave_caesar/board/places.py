"""The spaces of Ave Caesar by name, in words and in records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from racegym.engine.forms import Form, check_length
from racegym.engine.generated import Keep
from racegym.engine.names import named
from racegym.errors import nearest
from racegym.games.ave_caesar.board.tracks import NAMES, OWN, Track, track_of

FINISH, FINISHED, REMOVED = "finish", "finished", "removed"
#: Where a chariot is when it is on no space.
OFF = named("Off", {"finished": -1, "removed": -2, "nowhere": -1})


def course_name(course: int) -> str:
    """How a state calls its course."""
    return NAMES[course] if course < len(NAMES) else OWN


def track_in(state: Any) -> Track:
    """The course and direction of a state."""
    return track_of(state.course, state.direction)


def place_name(track: Track, space: int) -> str:
    """A space's name in the course; words for a chariot that is on none."""
    if space >= 0:
        return track.spaces[space]
    return FINISHED if space == OFF.finished else REMOVED


def move_in_words(numbers: Sequence[int]) -> dict[str, Any]:
    """What an event of a move tells, from its numbers."""
    player, origin, to, card, course, direction = numbers[:6]
    spaces = track_of(course, direction).spaces
    reached = spaces[to] if to >= 0 else FINISH
    return {"player": player, "from": spaces[origin], "to": reached, "card": card}


@dataclass(frozen=True)
class Places(Form):
    """Where chariots are, by the names of spaces on the course that is driven.

    Attributes:
        off: what the numbers below 0 mean.
    """

    off: tuple[tuple[int, str | None], ...]

    def expression(self, name: str, keep: Keep) -> str:
        return f"{keep(self._written)}(s, arrays[{name!r}][:n].tolist())"

    def _written(self, s: Any, places: list[int]) -> list[str | None]:
        spaces, words = track_of(s.course, s.direction).spaces, dict(self.off)
        return [words[u] if u < 0 else spaces[u] for u in places]

    def write(self, s: Any, name: str, given: Any) -> None:
        check_length(name, given, s.num_players)
        number: dict[Any, int] = dict(track_of(s.course, s.direction).number)
        number.update((word, u) for u, word in self.off)
        for p, place in enumerate(given):
            if place not in number:
                raise ValueError(
                    f"there is no space {place!r}{nearest(str(place), map(str, number))}"
                )
            s[name][p] = number[place]


#: Where chariots are, and where those were that are taken off.
SPACE = Places(((OFF.finished, FINISHED), (OFF.removed, REMOVED)))
LEFT_FROM = Places(((OFF.nowhere, None),))
