"""AC-01 to AC-04: players, courses, the length of a race."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import racegym
from racegym.games.ave_caesar.board.tracks import COURSES, tables
from tests.rules.ave_caesar.positions import ends, race

FILE = pathlib.Path(racegym.__file__).parent / "games" / "ave_caesar" / "board" / "courses.json"
DRIVEN = [(course, direction) for course in COURSES for direction in ("cw", "ccw")]


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_ac_01_three_to_six_players(n: int) -> None:
    assert racegym.make("ave_caesar", seed=1, num_players=n).num_players == n


def test_ac_01_four_players_by_default() -> None:
    assert racegym.make("ave_caesar", seed=1).options["num_players"] == 4


@pytest.mark.parametrize("n", [2, 7, 0, -3, True, 4.0, "4", None])
def test_ac_01_other_player_counts_are_refused(n: Any) -> None:
    with pytest.raises(racegym.OptionError, match="num_players takes a whole number from 3 to 6"):
        racegym.make("ave_caesar", seed=1, num_players=n)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_ac_02_default_course(n: int) -> None:
    position = racegym.make("ave_caesar", seed=1, num_players=n)
    assert position.options["course"] == ("white" if n <= 4 else "yellow")
    assert position.options["direction"] == "cw"
    assert position.to_dict()["course"] == position.options["course"]
    assert position.to_dict()["direction"] == "cw"


@pytest.mark.parametrize(("course", "direction"), DRIVEN)
def test_ac_02_every_course_both_ways(course: str, direction: str) -> None:
    places = COURSES[course]["starts"][direction]
    assert len(places) == COURSES[course]["max_players"] == (4 if course in "white blue" else 6)
    for n in range(3, len(places) + 1):
        options = {"num_players": n, "course": course, "direction": direction}
        state = racegym.make("ave_caesar", seed=1, **options).to_dict()
        assert (state["course"], state["direction"]) == (course, direction)
        assert sorted(state["space"]) == sorted(places[:n])


@pytest.mark.parametrize("course", ["white", "blue"])
@pytest.mark.parametrize("n", [5, 6])
def test_ac_02_more_players_than_start_places_are_refused(course: str, n: int) -> None:
    with pytest.raises(racegym.OptionError, match=f"4 start places, too few for {n} players"):
        racegym.make("ave_caesar", seed=1, num_players=n, course=course)


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("course", ["yellow", "red"])
def test_ac_02_side_b_for_few_players(course: str, n: int) -> None:
    position = racegym.make("ave_caesar", seed=1, num_players=n, course=course)
    assert position.to_dict()["course"] == course


def test_ac_03_the_courses_are_those_of_the_file() -> None:
    assert json.loads(FILE.read_text("utf-8")) == COURSES
    assert list(COURSES) == ["white", "blue", "yellow", "red"]


@pytest.mark.parametrize(("course", "direction"), DRIVEN)
def test_ac_03_a_step_follows_an_edge(course: str, direction: str) -> None:
    """From every space off the alley a 1 leads along the edges, reversed counter-clockwise."""
    data = COURSES[course]
    for here in data["spaces"]:
        if here in data["alley"]:
            continue
        pairs = [edge if direction == "cw" else edge[::-1] for edge in data["edges"]]
        wanted = [b for a, b in pairs if a == here and b not in data["alley"]]
        others = [space for space in data["spaces"] if space not in (here, *wanted)][:2]
        play = race([here, *others], [[1]], {"course": course, "direction": direction})
        assert ends(play, 1) == sorted(wanted)


@pytest.mark.parametrize(("course", "direction"), DRIVEN)
def test_ac_03_crossing_the_line_is_counted(course: str, direction: str) -> None:
    data = COURSES[course]
    over = [edge if direction == "cw" else edge[::-1] for edge in data["line"]]
    for here, beyond in over:
        others = [space for space in data["spaces"] if space not in (here, beyond)][:2]
        if here in data["alley"]:
            continue
        play = race([here, *others], [[1]], {"course": course, "direction": direction})
        play.apply(f"play 1 to {beyond}")
        assert play["crossed"] == [2, 1, 1]


def _shortest_race(data: dict[str, Any], direction: str, first: str) -> int:
    """Steps of the shortest way to cross the line four times, with a stop in the alley."""
    forward = direction == "cw"
    pairs = [(a, b) if forward else (b, a) for a, b in data["edges"]]
    line = {(a, b) if forward else (b, a) for a, b in data["line"]}
    alley = set(data["alley"])
    reached, seen, steps = {(first, 0, False)}, set(), 0
    while True:
        steps += 1
        beyond = set()
        for here, crossed, paid in reached:
            for a, b in pairs:
                if a != here:
                    continue
                times = crossed + ((a, b) in line)
                if times == 4 and paid:
                    return steps
                if b in alley and a not in alley and (paid or crossed not in (1, 2)):
                    continue
                if times < 4:
                    beyond.add((b, times, paid or b in alley))
        reached = beyond - seen
        seen |= beyond


@pytest.mark.parametrize(("course", "direction"), DRIVEN)
def test_ac_04_shortest_race(course: str, direction: str) -> None:
    """80 steps on side A and 78 on side B, from every start place, against 84 points of cards."""
    data = COURSES[course]
    wanted = {"A": 80, "B": 78}[data["side"]]
    found = [_shortest_race(data, direction, place) for place in data["starts"][direction]]
    assert found == [wanted] * data["max_players"]
    hands = racegym.make("ave_caesar", seed=1, course=course).to_dict()
    cards = {k: hands["hands"][0][k] + hands["decks"][0][k] for k in "123456"}
    assert sum(int(value) * number for value, number in cards.items()) == 84


def test_ac_04_tracks_know_their_laps() -> None:
    for course, _, track in tables():
        assert track.lap == {"A": 26, "B": 25}[COURSES[course]["side"]]
