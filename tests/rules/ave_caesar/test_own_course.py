"""Courses of the user's own: the option takes an object or a file, and refuses what cannot be."""

from __future__ import annotations

import json
import pathlib
import pickle
import random
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.games.ave_caesar.board import courses
from racegym.games.ave_caesar.board.tracks import COURSES, LIMIT, Track
from racegym.records import Recorder, verify_lines
from racegym.testing.play import choose_random
from tests.reference import check
from tests.reference.ave_caesar import Reference


def small() -> dict[str, Any]:
    """Seven columns of two lanes, an alley of two spaces beside the line, two ways round."""
    spaces = [f"{column}.{lane}" for column in range(1, 9) for lane in (1, 2)] + ["8.3", "a1", "a2"]
    edges = [
        [f"{column}.{lane}", f"{column % 8 + 1}.{beside}"]
        for column in range(1, 9)
        for lane in (1, 2)
        for beside in (1, 2)
    ]
    edges += [["7.2", "8.3"], ["8.3", "1.2"], ["7.2", "a1"], ["a1", "a2"], ["a2", "2.2"]]
    line = [edge for edge in edges if edge[0].startswith("8.")] + [["a1", "a2"]]
    starts = {"cw": ["8.1", "8.2", "8.3"], "ccw": ["1.1", "1.2", "2.1"]}
    return {
        "spaces": spaces,
        "edges": edges,
        "line": line,
        "alley": ["a1", "a2"],
        "starts": starts,
        "max_players": 3,
    }


def game(**options: Any) -> racegym.Position:
    """A game for three on the small course, or the course given."""
    return racegym.make("ave_caesar", seed=3, **{"num_players": 3, "course": small(), **options})


@pytest.mark.parametrize("direction", ["cw", "ccw"])
@pytest.mark.parametrize("seed", range(3))
def test_own_course_is_played_by_the_clauses(direction: str, seed: int) -> None:
    recorder = Recorder(game(direction=direction), full=True)
    rng = random.Random(seed)
    while not recorder.is_over:
        recorder.apply(choose_random(recorder.position, rng))
    lines = [json.loads(line) for line in recorder.lines]
    assert lines[0]["options"]["course"] == small()
    assert lines[0]["state"]["course"] == "own"
    assert check(Reference, lines) > 10
    verify_lines(recorder.lines)


@pytest.mark.parametrize("name", list(COURSES))
def test_own_course_like_a_built_in_one_is_the_same_game(name: str) -> None:
    """Only the name differs."""
    for direction in ("cw", "ccw"):
        given = {"num_players": 4, "direction": direction, "seed": 9}
        own = racegym.make("ave_caesar", course=COURSES[name], **given)
        built_in = racegym.make("ave_caesar", course=name, **given)
        rng = random.Random(1)
        while not built_in.is_over:
            assert own.to_dict() == {**built_in.to_dict(), "course": "own"}
            assert own.legal_texts() == built_in.legal_texts()
            action = choose_random(built_in, rng)
            own.apply(action)
            built_in.apply(action)
        assert own.scores() == built_in.scores()


def test_own_course_from_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "meine Bahn.json"
    path.write_text(json.dumps(small()), "utf-8")
    for value in (path, str(path)):
        assert game(course=value) == game()
    parsed = racegym.game("ave_caesar").options.parse([f"course={path}"])
    assert game(**parsed) == game()


def test_own_course_from_a_file_is_settled_once(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is settled holds the course: no file is read again, as a record may hold it too."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(small()), "utf-8")
    options = racegym.game("ave_caesar").options
    settled = options.resolve({"num_players": 3, "course": str(path)})
    path.unlink()
    monkeypatch.setattr(pathlib.Path, "open", None)
    assert options.resolve(settled) == settled
    assert settled["course"] == small()
    (option,) = (o for o in options.declared if o.name == "course")
    assert option.check_recorded(settled["course"]) == settled["course"]


def test_own_course_from_a_file_that_changed_is_read_anew(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "own.json"
    for side in ("first", "second"):
        path.write_text(json.dumps(changed(side=side)), "utf-8")
        assert game(course=str(path)).options["course"]["side"] == side


def test_own_course_is_checked_once_by_its_content(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Track] = []
    check = courses._check_track
    monkeypatch.setattr(
        courses, "_check_track", lambda track: (checked.append(track), check(track))
    )
    options = racegym.game("ave_caesar").options
    given = {"num_players": 3, "course": changed(side="checked by its content")}
    settled = options.resolve(given)
    assert len(checked) == 2  # one in each direction
    for again in (given, settled, json.loads(json.dumps(settled))):
        assert options.resolve(again) == settled
    assert len(checked) == 2
    settled["course"]["spaces"].reverse()  # nobody else's
    assert options.resolve(given)["course"]["spaces"] == small()["spaces"]
    settled["course"]["spaces"][0] = "elsewhere"
    with pytest.raises(racegym.OptionError, match="unknown space"):
        options.resolve(settled)


def test_own_course_with_numpy_numbers_is_settled_in_plain_ones() -> None:
    settled = game(course=changed(max_players=np.int64(3))).options["course"]
    assert settled == small() and type(settled["max_players"]) is int


def test_own_course_survives_pickling_and_cloning() -> None:
    position = game()
    position.apply(position.legal_actions()[0])
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.clone().text() == position.text()


def test_own_course_is_seen_and_decoded() -> None:
    position = game()
    for name in ("flat", "full", "tokens"):
        encoder = position.game.encoder(name)
        seen = position.with_encoder(name).observe()
        assert seen.min() >= encoder.low and seen.max() <= encoder.high
        facts = encoder.decode(seen)
        assert facts["course"] == "own"
        assert all(space.startswith("#") for space in facts["space"])
    assert np.isfinite(position.observation).all()


def test_own_course_with_a_closed_way_is_told_where_it_is() -> None:
    for edge in (["2.1", "1.1"], ["5.1", "3.2"]):
        with pytest.raises(racegym.OptionError, match="closed way through") as caught:
            game(course=with_edges(edge))
        assert f"'{edge[0]}'" in str(caught.value) or f"'{edge[1]}'" in str(caught.value)


def test_own_course_in_one_direction_only() -> None:
    course = small()
    del course["starts"]["ccw"]
    assert game(course=course).num_players == 3
    with pytest.raises(racegym.OptionError, match="no start places for 'ccw'"):
        game(course=course, direction="ccw")
    with pytest.raises(racegym.OptionError, match="3 start places, too few for 4 players"):
        game(num_players=4)


def changed(**entries: Any) -> dict[str, Any]:
    """The small course with some entries put in the place of its own."""
    return {**small(), **entries}


def with_edges(*more: list[str], line: list[list[str]] | None = None) -> dict[str, Any]:
    """The small course with more edges."""
    course = small()
    return changed(edges=course["edges"] + list(more), line=line or course["line"])


def without(*gone: list[str]) -> dict[str, Any]:
    """The small course without some edges."""
    course = small()
    kept = [edge for edge in course["edges"] if edge not in gone]
    return changed(edges=kept, line=[edge for edge in course["line"] if edge in kept])


def short(columns: int) -> dict[str, Any]:
    """A ring of that many columns."""
    spaces = [f"{c}.{lane}" for c in range(columns) for lane in "123"] + ["a"]
    last = columns - 1
    edges = [[f"{c}.{i}", f"{(c + 1) % columns}.{i}"] for c in range(columns) for i in "123"]
    edges += [[f"{c}.1", f"{c + 1}.2"] for c in range(last)]
    edges += [[f"{c}.2", f"{c + 1}.3"] for c in range(last)]
    edges += [[f"{c}.3", f"{c + 1}.1"] for c in range(last)]
    edges += [["1.1", "a"], ["a", "3.1"]]
    line = [[f"{last}.{i}", f"0.{i}"] for i in "123"]
    starts = {"cw": [f"{last}.{i}" for i in "123"]}
    return changed(spaces=spaces, edges=edges, line=line, alley=["a"], starts=starts)


def wide() -> dict[str, Any]:
    """Thirteen spaces side by side that a card can lead to."""
    course = small()
    fan = [f"f{k}" for k in range(13)]
    knots = [f"k{k}" for k in range(4)]
    edges = [edge for edge in course["edges"] if edge[0] not in ("3.1", "4.1")]
    edges += [["3.1", "4.1"], *[["4.1", knot] for knot in knots]]
    edges += [[knots[k // 4], name] for k, name in enumerate(fan)]
    edges += [[name, "j" + str(k // 4)] for k, name in enumerate(fan)]
    edges += [[f"j{k}", "7.1"] for k in range(3)] + [["j3", "7.2"]]
    edges = [edge for edge in edges if edge[1] not in ("7.1",) or edge[0].startswith(("j", "6.1"))]
    return changed(spaces=course["spaces"] + fan + knots + ["j0", "j1", "j2", "j3"], edges=edges)


WRONG = {
    "no object": ([], "course object"),
    "a number": (5, "course object"),
    "unknown name": ("whit", "did you mean 'white'"),
    "unknown entry": (changed(space=[]), "no entry 'space'; did you mean 'spaces'"),
    "missing entry": ({k: v for k, v in small().items() if k != "line"}, "needs the entry 'line'"),
    "spaces": (changed(spaces="abc"), "spaces is a list of texts"),
    "no spaces": (changed(spaces=[]), f"1 to {LIMIT.spaces} spaces"),
    "too many": (
        changed(spaces=[str(k) for k in range(LIMIT.spaces + 1)]),
        f"not {LIMIT.spaces + 1}",
    ),
    "reserved": (changed(spaces=[*small()["spaces"], "finish"]), "'finish' cannot be the name"),
    "blank": (changed(spaces=[*small()["spaces"], "a b"]), "'a b' cannot be the name"),
    "control letter": (changed(spaces=[*small()["spaces"], "\x1b[31mX"]), "cannot be the name"),
    "invisible": (changed(spaces=[*small()["spaces"], "\u200b"]), "cannot be the name"),
    "half a letter": (changed(spaces=[*small()["spaces"], "\ud800"]), "cannot be the name"),
    "long name": (changed(spaces=[*small()["spaces"], "x" * 33]), "at most 32 letters, not 33"),
    "twice": (changed(spaces=[*small()["spaces"], "a1"]), "'a1' is listed twice"),
    "edge": (with_edges(["1.1", "2.9"]), "edges names an unknown space '2.9'"),
    "edge pair": (with_edges(["1.1"]), "pairs of spaces"),
    "edge twice": (with_edges(["1.1", "2.1"]), "listed twice"),
    "edge to itself": (with_edges(["1.1", "1.1"]), "leads from a space to itself"),
    "line": (changed(line=[["1.1", "3.1"]]), "not among the edges"),
    "no line": (changed(line=[]), "line is a list of pairs"),
    "side": (changed(side=3), "side is a text"),
    "places": (changed(max_players=2), "max_players is a whole number from 3 to 6"),
    "few places": (changed(max_players=4), "starts cw needs 4 different spaces"),
    "no starts": (changed(starts={}), "starts is an object"),
    "direction": (changed(starts={"up": []}), "starts names 'up'"),
    "start": (changed(starts={"cw": ["8.1", "8.2", "9.3"]}), "unknown space '9.3'"),
    "start in alley": (changed(starts={"cw": ["8.1", "8.2", "a1"]}), "outside the alley"),
    "no alley": (changed(alley=[]), "alley is a list of spaces"),
    "alley order": (changed(alley=["a2", "a1"]), "from each of its spaces to the next"),
    "alley side door": (with_edges(["6.2", "a2"]), "midway"),
    "line at the alley": (
        changed(line=[*small()["line"], ["7.2", "a1"]]),
        "at an end of the alley",
    ),
    "dead end": (without(["4.1", "5.1"], ["4.1", "5.2"]), "'4.1' has no way on"),
    "unreachable": (without(["3.1", "4.1"], ["3.2", "4.1"]), "'4.1' cannot be reached"),
    "fork": (
        with_edges(["1.1", "3.1"], ["1.1", "3.2"], ["1.1", "4.1"]),
        "more than 4 edges",
    ),
    "no crossing": (with_edges(["5.1", "2.1"]), "crosses no line"),
    "line half": (changed(line=[["8.1", "1.1"]]), "crosses no line"),
    "too short": (short(6), "too short"),
    "wide": (wide(), "more than 12"),
    "boxed in": (changed(starts={"cw": ["6.1", "7.1", "7.2"]}), "cannot be played past"),
}


@pytest.mark.parametrize("case", list(WRONG))
def test_own_course_that_cannot_be_is_refused_in_one_line(case: str) -> None:
    course, message = WRONG[case]
    with pytest.raises(racegym.OptionError, match=message) as caught:
        game(course=course)
    assert "\n" not in str(caught.value)


def test_own_course_seven_columns_are_enough() -> None:
    assert game(course=short(7)).num_players == 3


def test_own_course_files_that_are_none(tmp_path: pathlib.Path) -> None:
    with pytest.raises(racegym.OptionError, match="cannot be read: No such file"):
        game(course=str(tmp_path / "none.json"))
    with pytest.raises(racegym.OptionError, match="cannot be read"):
        game(course=tmp_path)
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"\xff{")
    with pytest.raises(racegym.OptionError, match="is no JSON file"):
        game(course=broken)
    broken.write_text("[1]")
    with pytest.raises(racegym.OptionError, match="a course is an object"):
        game(course=broken)
    broken.write_text(" " * 1_000_001)
    with pytest.raises(racegym.OptionError, match="larger than"):
        game(course=broken)
