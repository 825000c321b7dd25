"""CR-30 to CR-36: movement, balance rolls, barred ways, restarts."""

from __future__ import annotations

import pytest

from racegym.testing import ScriptedPosition
from tests.rules.cafe_race.positions import (
    SAFE,
    SPILL,
    auction,
    balance_of,
    basic,
    move_of,
    order,
    played,
    tie,
)


def test_cr_30_from_highest_to_lowest_speed() -> None:
    """Impulse has no say while the speeds differ."""
    play = auction([0, 0, 0], [5, 3], 1, speed=[1, 0, 0], impulse=[6, 0, 0])
    play.apply("auction 5", "bid 1").apply("pass", chance=[*SAFE * 3, 3, 2, 1])
    assert order(play, "move") == [1, 2, 0]


def test_cr_30_equal_speeds_by_higher_impulse() -> None:
    play = played([9, 0, 4], dice=[2, 2, 2], impulses=[1, 2, 3], chance=[*SAFE * 3, 1, 1, 1])
    assert order(play, "move") == [2, 1, 0]


def test_cr_30_then_the_worker_further_behind() -> None:
    play = played(
        [4, 0, 2],
        dice=[2, 2, 2],
        impulses=[3, 3, 3],
        coffee=[1, 3, 2],
        chance=[*SAFE * 3, 1, 1, 1],
    )
    assert order(play, "move") == [1, 2, 0]


def test_cr_30_then_fewer_tokens() -> None:
    play = played(
        [0, 0, 0],
        dice=[2, 2, 2],
        impulses=[3, 3, 3],
        coffee=[5, 3, 4],
        chance=[*SAFE * 3, 1, 1, 1],
    )
    assert order(play, "move") == [1, 2, 0]


def test_cr_30_then_the_white_dice_rolled_anew() -> None:
    play = played(
        [0, 0, 0],
        dice=[2, 2, 2],
        impulses=[3, 3, 3],
        chance=[tie(2, 3), tie(1, 2), tie(0, 3), *SAFE, tie(0, 2), *SAFE, *SAFE, 1, 1, 1],
    )
    assert order(play, "speed") == [2, 1, 0]
    assert order(play, "move") == [0, 1, 2]
    assert play["position"] == [2, 2, 1]


def test_cr_30_a_move_changes_who_is_behind_for_nobody_else() -> None:
    """Two pairs of equal speeds: each pair is ordered by the places it stands on."""
    play = played(
        [4, 0, 9, 3],
        dice=[3, 3, 1, 1],
        impulses=[5, 5, 1, 1],
        chance=[*SAFE * 3, 1, 1, 1, 1],
    )
    assert order(play, "move") == [1, 0, 3, 2]


@pytest.mark.parametrize("speed", range(1, 7))
def test_cr_31_a_worker_advances_exactly_its_speed(speed: int) -> None:
    play = played([0, 18, 18], dice=[speed, 1, 1], impulses=[6, 3, 2], chance=[*SAFE, 1, 1, 1])
    assert move_of(play, 0) == {
        "kind": "move",
        "player": 0,
        "from": 0,
        "to": speed,
        "barred": False,
        "overshot": False,
    }


@pytest.mark.parametrize(
    ("white", "spilled"), [((4, 6), False), ((5, 6), False), ((3, 6), True), ((1, 1), True)]
)
def test_cr_32_the_sum_must_reach_impulse_plus_speed(white: tuple[int, int], spilled: bool) -> None:
    play = played([0, 18, 18], dice=[4, 1, 1], impulses=[6, 3, 2], chance=[*white, 1, 1, 1])
    assert balance_of(play, 0) == {
        "kind": "balance",
        "player": 0,
        "dice": list(white),
        "need": 10,
        "spilled": spilled,
    }
    assert play["coffee"] == [4 if spilled else 5, 5, 5]


def test_cr_32_nothing_happens_on_a_landing() -> None:
    play = played([5, 18, 17], dice=[5, 2, 1], impulses=[6, 3, 2], chance=[1, 1, 1])
    assert play["position"] == [10, 20, 18]
    assert play.of_kind("balance") == []


def test_cr_32_the_roll_comes_right_after_the_move() -> None:
    play = played([0, 3, 0], dice=[4, 2, 1], impulses=[6, 3, 2], chance=[*SAFE * 3, 1, 1, 1])
    kinds = [(e["kind"], e.get("player")) for e in play.events[3:9]]
    assert kinds == [(kind, p) for p in (0, 1, 2) for kind in ("move", "balance")]


def barred(position: list[int], speed: int, white: tuple[int, int] = SAFE) -> ScriptedPosition:
    """Player 0 goes first, with impulse 6; the other two then move on by one space each."""
    stands = [p + 1 for p in position[1:]]
    rolls = [SAFE for p in stands if p % 10 in range(1, 8)]
    chance = [*white, *(d for roll in rolls for d in roll), 1, 1, 1]
    return played(position, dice=[speed, 1, 1], impulses=[6, 3, 2], chance=chance)


def test_cr_33_stopped_before_a_full_space() -> None:
    play = barred([3, 6, 6], speed=5)
    assert play["position"] == [5, 7, 7]
    assert move_of(play, 0)["barred"] and not move_of(play, 0)["overshot"]


def test_cr_33_the_roll_is_for_the_full_speed() -> None:
    assert balance_of(barred([3, 6, 6], speed=5), 0)["need"] == 11


def test_cr_33_one_worker_bars_nobody() -> None:
    play = played([3, 6, 5], dice=[5, 2, 1], impulses=[6, 3, 2], chance=[*SAFE, 1, 1, 1])
    assert play["position"] == [8, 8, 6]
    assert not move_of(play, 0)["barred"]


def test_cr_33_the_first_full_space_counts() -> None:
    play = played(
        [2, 4, 4, 6, 6],
        dice=[6, 1, 1, 1, 1],
        impulses=[6, 1, 2, 3, 4],
        chance=[*SAFE * 5, 1, 1, 1, 1, 1],
    )
    assert play["position"] == [3, 5, 5, 7, 7]


@pytest.mark.parametrize("white", [SAFE, SPILL])
def test_cr_33_sudden_stop_on_a_landing(white: tuple[int, int]) -> None:
    play = barred([6, 9, 9], speed=4, white=white)
    assert play["position"] == [8, 10, 10]
    assert balance_of(play, 0)["spilled"] == (white == SPILL)


def test_cr_33_a_worker_that_cannot_move_at_all() -> None:
    play = barred([8, 9, 9], speed=4, white=SPILL)
    assert (move_of(play, 0)["from"], move_of(play, 0)["to"]) == (8, 8)
    assert move_of(play, 0)["barred"]
    assert play["coffee"] == [4, 5, 5]


def test_cr_33_barred_on_the_start() -> None:
    play = barred([0, 1, 1], speed=4, white=SPILL)
    assert play["position"] == [0, 2, 2]
    assert move_of(play, 0)["barred"]
    assert play["coffee"] == [4, 5, 5]


def test_cr_33_barred_before_29_on_a_finish_space() -> None:
    play = played(
        [25, 27, 26, 0], dice=[6, 5, 4, 1], impulses=[4, 6, 5, 1], chance=[*SAFE * 2, *SPILL, *SAFE]
    )
    assert play["position"] == [28, 29, 29, 1]
    assert move_of(play, 0)["barred"] and not move_of(play, 0)["overshot"]
    assert balance_of(play, 0) == {
        "kind": "balance",
        "player": 0,
        "dice": [1, 1],
        "need": 8,
        "spilled": True,
    }


@pytest.mark.parametrize("start", [24, 25])
def test_cr_33_barred_before_28(start: int) -> None:
    """Also if the speed would have carried it past 29."""
    play = played(
        [start, 22, 23, 0],
        dice=[6, 5, 5, 1],
        impulses=[3, 6, 5, 1],
        chance=[*SAFE, *SAFE],
    )
    assert play["position"] == [27, 28, 28, 1]
    assert move_of(play, 0)["barred"] and not move_of(play, 0)["overshot"]
    assert order(play, "balance") == [0, 3]


def test_cr_34_not_barred_when_the_move_ends_just_before() -> None:
    play = barred([3, 6, 6], speed=2)
    assert play["position"][0] == 5
    assert not move_of(play, 0)["barred"]


def test_cr_34_no_roll_on_a_landing_just_before_a_full_space() -> None:
    play = played([7, 9, 9], dice=[1, 1, 1], impulses=[6, 3, 2], chance=[1, 1, 1])
    assert play["position"] == [8, 10, 10]
    assert play.of_kind("balance") == []


def test_cr_34_no_roll_on_28_just_before_a_full_29() -> None:
    play = played([24, 23, 25, 0], dice=[6, 5, 4, 1], impulses=[4, 6, 5, 1], chance=[*SAFE, *SAFE])
    assert play["position"] == [28, 29, 29, 1]
    assert order(play, "balance") == [2, 3]


@pytest.mark.parametrize(("start", "speed"), [(22, 6), (27, 1), (23, 6), (27, 2), (28, 1)])
def test_cr_35_exactly_to_the_finish_without_a_roll(start: int, speed: int) -> None:
    play = played([start, 18, 18], dice=[speed, 1, 1], impulses=[6, 3, 2], chance=[])
    assert play["position"][0] == start + speed
    assert play.of_kind("balance") == []
    assert not move_of(play, 0)["overshot"]
    assert play.position.is_over


@pytest.mark.parametrize(("start", "speed"), [(27, 3), (24, 6), (28, 2)])
def test_cr_35_reaching_29_with_speed_left(start: int, speed: int) -> None:
    play = played([start, 18, 18], dice=[speed, 1, 1], impulses=[6, 3, 2], chance=SPILL)
    assert play["position"][0] == 29
    assert move_of(play, 0)["overshot"] and not move_of(play, 0)["barred"]
    assert balance_of(play, 0)["need"] == 6 + speed
    assert play["coffee"][0] == 4


def test_cr_35_an_overshot_worker_stands_on_29_like_any_other() -> None:
    """Two of them fill it, and share the first place."""
    play = played([25, 27, 26, 0], dice=[6, 5, 4, 1], impulses=[4, 6, 5, 1], chance=[*SAFE * 4])
    assert [move_of(play, p)["overshot"] for p in range(4)] == [False, True, True, False]
    assert play["position"] == [28, 29, 29, 1]
    assert play.position.scores() == [5 + 3, 5 + 4, 5 + 4, 5 + 2]


def test_cr_36_without_tokens_back_to_the_start_with_five() -> None:
    """Until then the worker stays, and counts for the limit of its space."""
    play = played(
        [0, 1, 2],
        dice=[5, 4, 3],
        impulses=[6, 5, 4],
        coffee=[1, 5, 5],
        chance=[*SPILL, *SAFE, *SAFE, 1, 1, 1],
    )
    assert move_of(play, 2)["to"] == 4 and move_of(play, 2)["barred"]
    assert play["position"] == [0, 5, 4]
    assert play["coffee"] == [5, 5, 5]
    assert play.events[-2:] == [
        {"kind": "restart", "player": 0},
        {"kind": "speed_dice", "values": [1, 1, 1]},
    ]


def test_cr_36_the_worker_plays_the_round_it_restarts_in() -> None:
    play = played(
        [0, 18, 18],
        dice=[5, 2, 1],
        impulses=[6, 5, 4],
        coffee=[1, 5, 5],
        chance=[*SPILL, 3, 2, 1],
    )
    assert play["position"] == [0, 20, 19]
    play.apply("impulse 6", "impulse 1", "impulse 2", chance=[*SAFE * 3, 1, 1, 1])
    assert play["position"] == [3, 21, 21]


def test_cr_36_restart_of_a_worker_already_on_the_start() -> None:
    play = played(
        [0, 1, 1],
        dice=[4, 1, 1],
        impulses=[6, 3, 2],
        coffee=[1, 5, 5],
        chance=[*SPILL, *SAFE, *SAFE, 1, 1, 1],
    )
    assert order(play, "restart") == [0]
    assert play["position"] == [0, 2, 2]
    assert play["coffee"] == [5, 5, 5]


def test_cr_36_several_in_seating_order() -> None:
    play = played(
        [0, 18, 1],
        dice=[5, 4, 2],
        impulses=[3, 1, 6],
        coffee=[1, 5, 1],
        chance=[*SPILL, *SPILL, 1, 1, 1],
    )
    assert order(play, "move") == [2, 0, 1]
    assert order(play, "restart") == [0, 2]
    assert play["position"] == [0, 20, 0]


def test_cr_36_no_tokens_at_the_end_of_the_game() -> None:
    """There is no next round: the worker stays where it is, with nothing."""
    play = played(
        [0, 24, 18], dice=[6, 4, 1], impulses=[3, 6, 1], coffee=[1, 5, 5], chance=[*SAFE, *SPILL]
    )
    assert play.position.is_over
    assert play["position"] == [4, 29, 19]
    assert play["coffee"] == [0, 5, 5]
    assert play.position.scores() == [0 + 1, 5 + 3, 5 + 2]
    assert play.of_kind("restart") == []


def test_cr_36_no_restart_when_the_game_is_cut() -> None:
    play = basic([0, 18, 18], dice=[4, 1, 1], coffee=[1, 5, 5], max_turns=1)
    play.apply("impulse 6", "impulse 2", "impulse 1", chance=SPILL)
    assert play.position.is_truncated
    assert (play["position"][0], play["coffee"][0]) == (4, 0)
