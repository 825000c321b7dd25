"""AC-03, AC-40: the drawing shows where the alley begins and ends, and where the line cuts it."""

from __future__ import annotations

import pytest

import racegym


@pytest.mark.parametrize(
    "course, direction, alley",
    [
        ("white", "cw", "25.3 > . | . . > 2.3"),
        ("white", "ccw", "25.3 < . | . . < 2.3"),
        ("red", "cw", "23.4 > . . . | . . . > 3.4"),
        ("red", "ccw", "23.4 < . . . | . . . < 3.4"),
    ],
)
def test_the_drawing_shows_where_the_alley_joins(course: str, direction: str, alley: str) -> None:
    position = racegym.make("ave_caesar", seed=1, num_players=3, course=course, direction=direction)
    (line,) = [line for line in position.text().splitlines() if "Imperial Alley" in line]
    assert line == f" Imperial Alley: {alley}"


def test_a_chariot_in_the_alley_is_drawn_in_its_space() -> None:
    """The columns of the drawing run clockwise, also when the race does not."""
    for direction in ("cw", "ccw"):
        start = racegym.make(
            "ave_caesar", seed=1, num_players=3, course="white", direction=direction
        )
        state = start.to_dict()
        space = ["alley.3", *state["space"][1:]]
        text = start.with_state(space=space, crossed=[1, 0, 0], coin=[False, True, True]).text()
        assert ". | . 0" in text
