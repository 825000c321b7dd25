"""Environments that start from a position, and options that were given as a file."""

from __future__ import annotations

import copy
import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest

import racegym
from racegym.envs import RawEnv, SoloEnv, SoloVectorEnv, VectorEnv, env
from racegym.errors import OptionError, RacegymError
from racegym.games.ave_caesar.board.tracks import COURSES


def under_way(game: str, seed: int = 5, decisions: int = 3, **options: Any) -> racegym.Position:
    position = racegym.make(game, seed=seed, **options)
    for _ in range(decisions):
        position.apply(position.legal_actions()[-1])
    return position


# --- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["reset", "restore"])
@pytest.mark.parametrize("make", [RawEnv, env])
def test_aec_goes_on_from_a_position(game: str, make: Any, how: str) -> None:
    """It plays on as the position itself does, which is not touched; so are copies."""
    position = under_way(game)
    before = position.clone()
    single = make(game)
    if how == "reset":
        single.reset(options={"position": position})
    else:
        single.restore(position)
    twin = copy.copy(single)
    for each in (single, twin):
        played = before.clone()
        while not played.is_over:
            assert each.agent_selection == f"player_{played.seat}"
            seen = each.last()[0]
            assert seen["observation"].tobytes() == played.observation.tobytes()
            assert each.unwrapped.position == played
            each.step(played.legal_actions()[0])
            played.apply(played.legal_actions()[0])
        assert each.unwrapped.infos["player_0"]["ranks"] == played.ranks()
    assert position == before


def test_aec_goes_on_to_the_next_seed_after_a_position(game: str) -> None:
    one, two = RawEnv(game), RawEnv(game)
    for single in (one, two):
        single.reset(seed=3)
    one.reset(options={"position": under_way(game)})
    one.reset()
    two.reset()
    assert one.position == two.position


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_solo_goes_on_from_a_position(game: str, seat: int) -> None:
    position = under_way(game)
    solo = SoloEnv(game, seat=seat, opponents="random")
    _, info = solo.reset(options={"position": position})
    assert info["seat"] == seat == solo.position.seat
    if position.seat == seat:
        assert solo.position == position
    else:
        assert solo.position.decisions > position.decisions
    assert info["seed"] == position.seed
    while not solo.step(int(solo.action_masks().argmax()))[2]:
        pass
    solo.reset()


def test_many_solo_games_go_on_from_positions(game: str) -> None:
    positions = [under_way(game, seed) for seed in range(3)]
    vector = SoloVectorEnv(game, 3, seat=0)
    _, infos = vector.reset(options={"position": positions})
    assert infos["seed"].tolist() == [0, 1, 2]
    for i, position in enumerate(positions):
        solo = SoloEnv(game, seat=0)
        solo.reset(options={"position": position})
        assert vector._games.position(i) == solo.position
    _, infos = vector.reset(options={"position": positions[1]})
    assert infos["seed"].tolist() == [1, 1, 1]
    for _ in range(30):
        vector.step(vector.action_masks().argmax(axis=1))


MISTAKES: list[tuple[Any, str]] = [
    (lambda game: 7, "position is a racegym.Position"),
    (lambda game: None, "position is a racegym.Position"),
    (lambda game: [1, 2], "position is a racegym.Position"),
    (
        lambda game: racegym.make("horse_race" if game != "horse_race" else "cafe_race", seed=1),
        "this is one of",
    ),
    (lambda game: racegym.make(game, seed=1, max_turns=9), "its option max_turns is 9"),
    (lambda game: under_way(game, decisions=0, max_turns=9), "its option max_turns is 9"),
]


def over(game: str) -> racegym.Position:
    position = racegym.make(game, seed=1)
    while not position.is_over:
        position.apply(position.legal_actions()[0])
    return position


@pytest.mark.parametrize(("position", "words"), [*MISTAKES, (over, "is over")])
@pytest.mark.parametrize("make", [RawEnv, SoloEnv, lambda game: SoloVectorEnv(game, 2)])
def test_other_positions_are_refused(game: str, make: Any, position: Any, words: str) -> None:
    single = make(game)
    single.reset(seed=1)
    before = pickle.dumps(single)
    with pytest.raises(RacegymError, match=words) as caught:
        single.reset(options={"position": position(game)})
    assert "\n" not in str(caught.value)
    assert pickle.dumps(single) == before


@pytest.mark.parametrize("make", [RawEnv, SoloEnv])
def test_a_position_stands_alone(game: str, make: Any) -> None:
    single, position = make(game), under_way(game)
    with pytest.raises(OptionError, match="nothing else beside it"):
        single.reset(seed=1, options={"position": position})
    with pytest.raises(OptionError, match="nothing else beside it"):
        single.reset(options={"position": position, "reward": "rank"})


@pytest.mark.parametrize("source", [None, 7, "x", SoloEnv("cafe_race")])
def test_what_cannot_be_restored(source: Any) -> None:
    single = RawEnv("cafe_race")
    with pytest.raises(RacegymError, match="only an environment of the same game"):
        single.restore(source)


def test_positions_of_other_games_cannot_be_restored() -> None:
    with pytest.raises(RacegymError, match="this is one of horse_race, not of cafe_race"):
        RawEnv("cafe_race").restore(racegym.make("horse_race", seed=1))


# --- options given as a file ---------------------------------------------------------------------


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "own.json"
    file.write_text(json.dumps(COURSES["white"]))
    return file


MAKERS = [
    lambda: RawEnv("ave_caesar", course="own.json"),
    lambda: env("ave_caesar", course="own.json"),
    lambda: SoloEnv("ave_caesar", course="own.json"),
    lambda: SoloVectorEnv("ave_caesar", 2, course="own.json"),
    lambda: VectorEnv("ave_caesar", 2, course="own.json"),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("change", ["edited", "removed", "elsewhere"])
def test_a_file_is_read_once(
    make: Any, change: str, course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever becomes of it, later games are played on the same course."""
    made = make()
    made.reset(seed=1)
    before = made.unwrapped.options if hasattr(made, "unwrapped") else made.options
    if change == "edited":
        course.write_text(json.dumps(COURSES["blue"]))
    elif change == "removed":
        course.unlink()
    else:
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
    made.reset(seed=2)
    made.reset()
    if not isinstance(made, VectorEnv):
        made.reset(options={"max_turns": 50})
        made.reset()
    now = made.unwrapped.options if hasattr(made, "unwrapped") else made.options
    assert now["course"] == before["course"] == COURSES["white"]
    position = made.position(0) if isinstance(made, VectorEnv) else None
    if isinstance(made, (SoloEnv, RawEnv)):
        position = made.position
    assert position is None or position.options["course"] == COURSES["white"]


def test_a_position_reads_a_file_anew(course: Path) -> None:
    racegym.make("ave_caesar", seed=1, course="own.json")
    course.write_text(json.dumps(COURSES["blue"]))
    position = racegym.make("ave_caesar", seed=1, course="own.json")
    assert position.options["course"] == COURSES["blue"]


@pytest.mark.parametrize("make", MAKERS[:4])
def test_a_course_is_checked_once(make: Any, course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    from racegym.games.ave_caesar.board import courses

    known = courses.checked_course
    monkeypatch.setattr(courses, "checked_course", lambda value: checked.append(1) or known(value))
    made = make()
    for seed in range(5):
        made.reset(seed=seed)
    made.reset(options={"reward": "rank"})
    assert len(checked) == 1
    started = time.perf_counter()
    for seed in range(20):
        made.reset(seed=seed)
    assert time.perf_counter() - started < 5
