"""Recording games from any source, and the mistakes one can make with it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import racegym
from racegym.envs.vector import VectorEnv
from racegym.errors import GameOver, IllegalAction, RacegymError, RecordError, SeedError
from racegym.records import Recorder, record_game, record_games, verify_lines


def test_recording_by_hand(game_name: str) -> None:
    """Actions by number or text; the position given stays as it was."""
    position = racegym.make(game_name, seed=4)
    recorder = Recorder(position, policies=None)
    while not recorder.is_over:
        recorder.apply_text(recorder.position.legal_texts()[0])
    assert position == racegym.make(game_name, seed=4)
    assert verify_lines(recorder.lines).moves == recorder.moves > 0
    assert json.loads(recorder.lines[0])["policies"] == [None] * position.num_players


def test_games_of_a_vector_env_can_be_recorded(game_name: str) -> None:
    """P58: the seed and the actions of a training game are enough for its record."""
    env = VectorEnv(game_name, 5, seed=2)
    batch = env.reset()
    actions: list[list[int]] = [[] for _ in range(5)]
    ended = 0
    while ended < 5:
        chosen = env.sample()
        for i, action in enumerate(chosen.tolist()):
            actions[i].append(action)
        batch = env.step(chosen)
        for i in np.flatnonzero(batch.ended):
            recorder = Recorder(racegym.make(game_name, seed=batch.last_seeds[i]))
            for action in actions[i]:
                recorder.apply(action)
            actions[i] = []
            ended += 1
            assert recorder.is_over
            verify_lines(recorder.lines)
            result = json.loads(recorder.lines[-1])
            assert result["scores"] == batch.scores[i][: recorder.position.num_players].tolist()


def test_a_position_that_would_not_replay_is_refused() -> None:
    """Played on, changed by hand, or with other luck than its seed gives."""
    position = racegym.make("cafe_race", seed=1)
    played = position.clone()
    played.apply(0)
    for wrong in (played, position.with_state(coffee=[1, 1, 1, 1]), position.redeal(0, seed=9)):
        with pytest.raises(RacegymError, match="begins at the start of a game"):
            Recorder(wrong)
    Recorder(position.with_encoder("full"))


def test_playing_behind_the_recorders_back_is_noticed() -> None:
    """Moves would be missing in the record."""
    recorder = Recorder(racegym.make("cafe_race", seed=1))
    recorder.position.apply(0)
    with pytest.raises(RacegymError, match="use the recorder's apply"):
        recorder.apply(0)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("action", [-1, 6, 19, 10**30, True, 1.0, None, "impulse 1", float("nan")])
def test_an_illegal_action_changes_nothing(action: object, full: bool) -> None:
    """Neither the game nor its record."""
    recorder = Recorder(racegym.make("cafe_race", seed=1), full=full)
    recorder.apply(2)
    before, lines = recorder.position.clone(), list(recorder.lines)
    with pytest.raises(IllegalAction):
        recorder.apply(action)  # type: ignore[arg-type]
    assert recorder.position == before
    assert recorder.lines == lines
    recorder.apply(np.int8(3))


def test_a_game_that_is_over_takes_no_more_moves() -> None:
    """GameOver, and the record stays complete."""
    recorder = record_game("cafe_race", 1)
    lines = list(recorder.lines)
    with pytest.raises(GameOver):
        recorder.apply(0)
    assert recorder.lines == lines


@pytest.mark.parametrize("policies", [["a"], ["a"] * 5, ["a", "b", "c", 4], "abcd", []])
def test_policies_are_one_name_per_seat(policies: object) -> None:
    """A text is no list of names."""
    with pytest.raises(RacegymError, match="policies are 4 names or None"):
        Recorder(racegym.make("cafe_race", seed=1), policies=policies)  # type: ignore[arg-type]


def test_strange_names_are_kept_as_they_are() -> None:
    """Quotes, line ends, letters of any kind, half a letter."""
    names = ['a "quoted"\nname', "Ωμέγα", "\ud800", None]
    recorder = Recorder(racegym.make("cafe_race", seed=1), policies=names)
    while not recorder.is_over:
        recorder.apply(recorder.position.legal_actions()[0])
    assert json.loads(recorder.lines[0])["policies"] == names
    assert verify_lines(recorder.lines).total == 1


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, True, "7", None])
def test_seeds_out_of_range_or_type_are_refused(seed: object) -> None:
    """P55, before anything is played."""
    with pytest.raises(SeedError):
        record_game("cafe_race", seed)  # type: ignore[arg-type]
    with pytest.raises(SeedError):
        record_games("cafe_race", 1, seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [0, 2**63 - 1, np.int64(7), np.uint8(7)])
def test_every_seed_in_range_is_taken(seed: int) -> None:
    """P55: as a Python int or a NumPy integer."""
    recorder = record_game("cafe_race", seed)
    assert json.loads(recorder.lines[0])["seed"] == int(seed)
    verify_lines(recorder.lines)


def test_a_record_error_survives_pickling() -> None:
    """It may have to leave a worker process."""
    error = pickle.loads(pickle.dumps(RecordError(3, "n: expected 1")))
    assert (error.line, error.reason, str(error)) == (3, "n: expected 1", "line 3: n: expected 1")
