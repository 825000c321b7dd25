"""The board of Ave Caesar: courses, those of users too, the tables that rules load, a drawing."""

from racegym.games.ave_caesar.board.drawing import (
    FINISH,
    FINISHED,
    REMOVED,
    course_name,
    draw,
    place_name,
    track_in,
)

__all__ = ["FINISH", "FINISHED", "REMOVED", "course_name", "draw", "place_name", "track_in"]
