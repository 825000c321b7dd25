"""CR-40 to CR-45, the rewards, and what is told after the end."""

from __future__ import annotations

from typing import Any

import pytest

import racegym
from racegym.testing import scripted
from tests.rules.cafe_race.positions import SAFE, auction, basic, ended, order, played


def test_cr_40_the_round_is_completed() -> None:
    play = played([27, 0, 10], dice=[5, 3, 2], impulses=[6, 3, 2], chance=[*SAFE * 3])
    assert order(play, "move") == [0, 1, 2]
    assert play["position"] == [29, 3, 12]
    assert play["phase"] == "end"
    assert play["to_act"] is None
    assert play["last_round"] is True
    assert not play.position.is_truncated


def test_cr_40_also_by_a_worker_who_stops_on_28() -> None:
    play = played([27, 18, 18], dice=[1, 1, 1], impulses=[1, 3, 2], chance=[])
    assert play.position.is_over


def test_cr_40_27_is_not_the_finish() -> None:
    play = played([26, 18, 18], dice=[1, 1, 1], impulses=[1, 3, 2], chance=[*SAFE, 1, 1, 1])
    assert not play.position.is_over
    assert play["last_round"] is False


def test_cr_40_also_under_the_advanced_rules() -> None:
    play = auction([18, 18, 27], [2, 1], 1, speed=[1, 0, 0], impulse=[6, 0, 0])
    play.apply("auction 2").apply("bid 6", chance=[])
    assert play["position"] == [19, 20, 28]
    assert play["phase"] == "end"
    assert play["auctioneer"] is play["auctioned"] is play["high_bid"] is None
    assert play["high_bidder"] is None


def test_cr_40_no_dice_are_rolled_after_the_end() -> None:
    play = played([27, 18, 17], dice=[4, 2, 1], impulses=[6, 3, 2], chance=SAFE)
    assert play["dice"] == []
    assert play["round"] == 1
    assert play["impulse"] == [6, 3, 2]
    assert play["speed"] == [4, 2, 1]
    assert play["last_impulse"] == play["last_speed"] == [0, 0, 0]
    assert play.of_kind("speed_dice") == []


@pytest.mark.parametrize(
    ("position", "places"),
    [
        ([29, 28, 5], [1, 2, 3]),
        ([5, 28, 29], [3, 2, 1]),
        ([29, 28, 28, 20], [1, 2, 2, 3]),
        ([29, 29, 28, 20], [1, 1, 2, 3]),
        ([29, 29, 28, 28, 3, 3], [1, 1, 2, 2, 3, 3]),
        ([28, 0, 0, 0], [1, 2, 2, 2]),
        ([0, 0, 0], [1, 1, 1]),
    ],
)
def test_cr_41_places_are_dense(position: list[int], places: list[int]) -> None:
    n = len(position)
    assert ended(position, [0] * n).position.scores() == [n - place + 1 for place in places]


def test_cr_42_tokens_and_points_for_the_place() -> None:
    assert ended([29, 20, 28, 4], [1, 5, 3, 0]).position.scores() == [5, 7, 6, 1]


def test_cr_43_the_highest_score_wins() -> None:
    assert ended([29, 20, 28, 4], [1, 5, 3, 0]).position.ranks() == [3, 1, 2, 4]


def test_cr_43_ties_by_more_tokens() -> None:
    play = ended([29, 28, 4], [3, 4, 0])
    assert play.position.scores() == [6, 6, 1]
    assert play.position.ranks() == [2, 1, 3]


def test_cr_43_players_still_equal_share_the_rank() -> None:
    play = ended([29, 29, 28, 4], [2, 2, 0, 5])
    assert play.position.scores() == [6, 6, 3, 7]
    assert play.position.ranks() == [2, 2, 4, 1]
    play = ended([29, 29, 28], [5, 5, 5])
    assert play.position.ranks() == [1, 1, 3]


def test_cr_44_cut_after_max_turns_and_scored_as_it_stands() -> None:
    play = basic([0, 0, 0], dice=[3, 2, 1], max_turns=2)
    play.apply("impulse 1", "impulse 2", "impulse 3", chance=[*SAFE * 3, 3, 2, 1])
    assert not play.position.is_over
    play.apply("impulse 1", "impulse 2", "impulse 3", chance=[*SAFE * 3])
    assert play.position.is_truncated
    assert play["phase"] == "end"
    assert play["round"] == 2
    assert play["dice"] == []
    assert play["last_round"] is False
    assert play.position.scores() == [5 + 1, 5 + 2, 5 + 3]


def test_cr_44_finished_not_truncated_if_a_worker_has_arrived() -> None:
    play = basic([27, 18, 18], dice=[1, 1, 1], max_turns=1)
    play.apply("impulse 3", "impulse 2", "impulse 1", chance=[])
    assert play.position.is_over
    assert not play.position.is_truncated


def test_cr_44_two_hundred_rounds_by_default() -> None:
    assert racegym.make("cafe_race", seed=1).options["max_turns"] == 200


@pytest.mark.parametrize("max_turns", [0, -1, True, 1.5, "9", None])
def test_cr_44_max_turns_is_a_whole_number_from_one(max_turns: Any) -> None:
    with pytest.raises(racegym.OptionError, match="max_turns"):
        racegym.make("cafe_race", seed=1, max_turns=max_turns)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_cr_45_the_scale_is_the_widest_gap(n: int) -> None:
    """A player first with five tokens against players last with none, all on one space."""
    play = ended([29] + [0] * (n - 1), [5] + [0] * (n - 1), reward="score")
    best, worst = 5 + n, n - 1
    assert play.position.scores() == [best] + [worst] * (n - 1)
    expected = (best - worst) / (n + 4)
    assert play.position.rewards()[0] == pytest.approx(expected)


def test_cr_45_score_rewards() -> None:
    play = ended([29, 20, 28], [1, 5, 3], reward="score")  # scores 4, 6, 5; scale 7
    assert play.position.rewards() == pytest.approx([-1.5 / 7, 1.5 / 7, 0])


@pytest.mark.parametrize(
    ("position", "coffee", "rewards"),
    [
        ([29, 28, 27, 26], [5, 5, 5, 5], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([29, 29, 27, 26], [5, 5, 5, 5], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
        ([29, 28, 27], [5, 5, 5], [1, -1 / 2, -1 / 2]),
        ([0, 0, 0], [5, 5, 5], [0, 0, 0]),
    ],
)
def test_win_rewards(position: list[int], coffee: list[int], rewards: list[float]) -> None:
    assert ended(position, coffee).position.rewards() == pytest.approx(rewards)


@pytest.mark.parametrize(
    ("position", "coffee", "rewards"),
    [
        ([29, 28, 27, 26], [5, 5, 5, 5], [1, 1 / 3, -1 / 3, -1]),
        ([29, 29, 27, 26], [5, 5, 5, 5], [2 / 3, 2 / 3, -1 / 3, -1]),
        ([29, 28, 28], [5, 5, 5], [1, -1 / 2, -1 / 2]),
        ([0, 0, 0], [5, 5, 5], [0, 0, 0]),
    ],
)
def test_rank_rewards(position: list[int], coffee: list[int], rewards: list[float]) -> None:
    play = ended(position, coffee, reward="rank")
    assert play.position.rewards() == pytest.approx(rewards)


def test_rewards_are_zero_before_the_end() -> None:
    assert scripted("cafe_race").position.rewards() == [0, 0, 0, 0]
