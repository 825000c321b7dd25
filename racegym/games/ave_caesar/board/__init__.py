"""The board of Ave Caesar: courses, those of users too, the tables that rules load, a drawing."""

from racegym.games.ave_caesar.board.drawing import draw
from racegym.games.ave_caesar.board.places import (
    FINISH,
    FINISHED,
    LEFT_FROM,
    OFF,
    REMOVED,
    SPACE,
    course_name,
    move_in_words,
    place_name,
    track_in,
)
from racegym.games.ave_caesar.board.tracks import DIRECTIONS, NAMES

__all__ = [
    "DIRECTIONS",
    "FINISH",
    "FINISHED",
    "LEFT_FROM",
    "NAMES",
    "OFF",
    "REMOVED",
    "SPACE",
    "course_name",
    "draw",
    "move_in_words",
    "place_name",
    "track_in",
]
