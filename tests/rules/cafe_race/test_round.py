"""CR-01 to CR-15: components, board, the basic rules for speeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.chance import DICE
from racegym.testing import Die, ScriptError, scripted
from tests.rules.cafe_race.positions import SAFE, SPILL, basic, order, played, tie

LANDINGS = (8, 9, 10, 18, 19, 20)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_cr_01_three_to_six_players(n: int) -> None:
    assert racegym.make("cafe_race", seed=1, num_players=n).num_players == n


def test_cr_01_four_players_by_default() -> None:
    assert racegym.make("cafe_race", seed=1).options["num_players"] == 4


@pytest.mark.parametrize("n", [2, 7, 0, -3, True, 4.0, "4", None])
def test_cr_01_other_player_counts_are_refused(n: Any) -> None:
    with pytest.raises(racegym.OptionError, match="num_players takes a whole number from 3 to 6"):
        racegym.make("cafe_race", seed=1, num_players=n)


@pytest.mark.parametrize("space", range(1, 30))
def test_cr_02_steps_landings_and_finish(space: int) -> None:
    """A worker that ends its move on a step must roll; on landings and the finish it need not."""
    is_step = space not in (*LANDINGS, 28, 29)
    ends = space >= 28
    play = basic([space - 1, 0, 0], dice=[3, 2, 1])
    chance = [*SAFE, *SAFE]  # the other two, on spaces 2 and 3 (or 1 and 2 more)
    chance += SAFE if is_step else ()
    chance += [] if ends else [1, 1, 1]
    play.apply("impulse 1", "impulse 3", "impulse 2", chance=chance)
    assert play["position"][0] == space
    assert (0 in order(play, "balance")) == is_step
    assert play.position.is_over == ends


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_cr_03_set_up(n: int) -> None:
    play = scripted("cafe_race", {"num_players": n}, setup=[Die(d, DICE) for d in range(1, n + 1)])
    state = play.state()
    assert state["coffee"] == [5] * n
    assert state["position"] == [0] * n
    assert state["dice"] == list(range(n, 0, -1))
    assert state["impulse"] == state["speed"] == [0] * n
    assert state["round"] == 1


def test_cr_04_a_third_worker_does_not_enter_a_space() -> None:
    play = played(
        [5, 5, 3], dice=[4, 2, 1], impulses=[1, 2, 6], chance=[*SAFE, *SAFE, *SAFE, 1, 1, 1]
    )
    assert play["position"] == [6, 7, 4]


def test_cr_04_the_start_holds_everybody() -> None:
    """Six workers stand there, and the first one is not in the others' way."""
    play = basic([0] * 6, dice=[6, 5, 4, 3, 2, 1])
    play.apply(*(f"impulse {k}" for k in (1, 2, 3, 4, 5, 6)), chance=[*SAFE * 6, *[1] * 6])
    assert play["position"] == [1, 2, 3, 4, 5, 6]


def test_cr_10_speeds_then_movement_round_after_round() -> None:
    play = basic([0, 0, 0], dice=[3, 2, 1])
    play.apply("impulse 1", "impulse 2", chance=[])
    assert play["position"] == [0, 0, 0]
    assert play.events == []
    play.apply("impulse 3", chance=[*SAFE * 3, 3, 2, 1])
    assert play["round"] == 2
    assert play["position"] == [1, 2, 3]
    play.apply("impulse 1", "impulse 2", "impulse 3", chance=[*SAFE * 3, 3, 2, 1])
    assert play["round"] == 3
    assert play["position"] == [2, 4, 6]


def test_cr_11_speed_dice_are_rolled_sorted_and_seen_by_all() -> None:
    play = scripted("cafe_race", {"num_players": 4}, setup=[Die(d, DICE) for d in (2, 6, 3, 6)])
    assert play["dice"] == [6, 6, 3, 2]
    later = [Die(d, DICE) for d in (1, 5, 4, 5)]
    play.apply("impulse 1", "impulse 2", "impulse 3", chance=[])
    play.apply("impulse 4", chance=[*SAFE * 4, *later])
    assert play["dice"] == [5, 5, 4, 1]
    assert play.events[-1] == {"kind": "speed_dice", "values": [5, 5, 4, 1]}
    decode = play.position.game.encoder("flat").decode
    for seat in range(4):
        assert decode(play.position.observe(seat))["dice"] == [5, 5, 4, 1]


def test_cr_11_as_many_dice_as_players() -> None:
    with pytest.raises(ScriptError, match="used up"):
        scripted("cafe_race", {"num_players": 5}, setup=[1, 2, 3, 4])
    with pytest.raises(ScriptError, match="never asked for"):
        scripted("cafe_race", {"num_players": 3}, setup=[1, 2, 3, 4])


def test_cr_12_everybody_chooses_from_one_to_six_in_seating_order() -> None:
    play = basic([3, 0, 21], dice=[3, 2, 1])
    for _ in range(2):
        for seat in range(3):
            assert play["to_act"] == seat
            assert play.legal() == [f"impulse {k}" for k in range(1, 7)]
            last = seat == 2
            play.apply(f"impulse {seat + 1}", chance=[*SAFE * 3, 3, 2, 1] if last else [])
    assert play["round"] == 3


def test_cr_12_choices_are_secret_until_all_have_chosen() -> None:
    plays = [basic([0, 0, 0], dice=[3, 2, 1]).apply(f"impulse {k}") for k in range(1, 7)]
    for encoder in ("flat", "tokens"):
        for seat in (1, 2):
            seen = [p.position.with_encoder(encoder).observe(seat) for p in plays]
            assert all(np.array_equal(seen[0], other) for other in seen)
    assert len({p.position.text(1) for p in plays}) == 1
    own = [p.position.game.encoder().decode(p.position.observe(0))["impulse"] for p in plays]
    assert own == [[k, 0, 0] for k in range(1, 7)]


def test_cr_13_higher_impulse_takes_the_higher_die() -> None:
    play = played(
        [0, 1, 2, 3], dice=[6, 4, 3, 1], impulses=[2, 5, 1, 6], chance=[*SAFE * 3, 1, 1, 1, 1]
    )
    assert play.of_kind("speed") == [
        {"kind": "speed", "player": 3, "impulse": 6, "speed": 6},
        {"kind": "speed", "player": 1, "impulse": 5, "speed": 4},
        {"kind": "speed", "player": 0, "impulse": 2, "speed": 3},
        {"kind": "speed", "player": 2, "impulse": 1, "speed": 1},
    ]
    assert play["position"] == [3, 5, 3, 9]


def test_cr_14_equal_impulses_nearer_the_start_first() -> None:
    play = played(
        [4, 2, 0],
        dice=[5, 2, 1],
        impulses=[3, 3, 3],
        coffee=[1, 2, 3],
        chance=[*SAFE * 3, 1, 1, 1],
    )
    assert order(play, "speed") == [2, 1, 0]


def test_cr_14_equal_impulses_on_one_space_fewer_tokens_first() -> None:
    play = played(
        [0, 0, 0],
        dice=[3, 2, 1],
        impulses=[3, 3, 3],
        coffee=[5, 3, 4],
        chance=[*SAFE * 3, 1, 1, 1],
    )
    assert order(play, "speed") == [1, 2, 0]


def test_cr_14_the_rest_by_white_dice() -> None:
    play = played(
        [0, 0, 0],
        dice=[3, 2, 1],
        impulses=[3, 3, 3],
        chance=[tie(2, 3), tie(1, 2), *SAFE * 3, 1, 1, 1],
    )
    assert order(play, "speed") == [2, 1, 0]


def test_cr_14_only_those_level_roll_the_white_dice() -> None:
    play = played(
        [1, 0, 0],
        dice=[3, 2, 1],
        impulses=[4, 4, 4],
        coffee=[1, 5, 5],
        chance=[tie(1, 2), *SAFE * 3, 1, 1, 1],
    )
    assert order(play, "speed") == [2, 1, 0]


def test_cr_14_a_higher_impulse_comes_before_all_else() -> None:
    play = played(
        [20, 0, 0],
        dice=[3, 2, 1],
        impulses=[2, 1, 1],
        chance=[tie(0, 2), *SAFE * 3, 1, 1, 1],
    )
    assert order(play, "speed") == [0, 1, 2]


def test_cr_15_the_round_before_stays_known() -> None:
    play = basic([0, 0, 0], dice=[6, 4, 1])
    decode = play.position.game.encoder().decode
    assert play["last_impulse"] == play["last_speed"] == [0, 0, 0]
    assert decode(play.position.observe(1))["last_impulse"] == [0, 0, 0]
    play.apply("impulse 2", "impulse 5", "impulse 3", chance=[*SPILL, *SPILL, *SAFE, 1, 1, 1])
    assert play["last_impulse"] == [2, 5, 3]
    assert play["last_speed"] == [1, 6, 4]
    assert play["impulse"] == play["speed"] == [0, 0, 0]
    for seat in range(3):
        facts = decode(play.position.observe(seat))
        assert facts["last_impulse"] == [[2, 5, 3][(seat + q) % 3] for q in range(3)]
        assert facts["last_speed"] == [[1, 6, 4][(seat + q) % 3] for q in range(3)]
