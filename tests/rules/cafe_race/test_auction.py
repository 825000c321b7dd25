"""CR-20 to CR-29: speeds by auction, and the turn of a round."""

from __future__ import annotations

import pytest

from racegym.engine.chance import DEALS, DICE
from racegym.testing import Die, Pick, ScriptedPosition, scripted
from racegym.testing.scripted import Entry
from tests.rules.cafe_race.positions import SAFE, SPILL, auction, order, tie


def last_auction(
    position: list[int], coffee: list[int], chance: list[Entry], dice: tuple[int, int] = (2, 1)
) -> ScriptedPosition:
    """Player 1 buys the higher of the last two dice for 6; player 0 has a 3 for 4 already."""
    play = auction(position, dice, 1, coffee, speed=[3, 0, 0], impulse=[4, 0, 0])
    return play.apply(f"auction {dice[0]}").apply("bid 6", chance=chance)


def test_cr_20_as_many_auctions_as_players_the_last_without_a_decision() -> None:
    play = auction([0, 1, 2, 3], dice=[6, 5, 4, 3], auctioneer=3)
    auctions = 0
    for seat, die in ((3, 6), (2, 5), (1, 4)):
        assert play["auctioneer"] == seat
        play.apply(f"auction {die}")
        auctions += 1
        play.apply("bid 6", chance=[] if die > 4 else [*SAFE * 3, 1, 1, 1, 1])
    assert auctions == 3
    assert play["last_speed"] == [3, 4, 5, 6]
    assert play["last_impulse"] == [1, 6, 6, 6]
    assert play["round"] == 2


def test_cr_20_basic_rules_know_no_auctions() -> None:
    play = scripted("cafe_race", {"num_players": 4})
    assert play["phase"] == "impulse"
    assert play["auctioneer"] is None


def test_cr_21_the_first_auctioneer_is_drawn() -> None:
    for seat in range(4):
        dice = [Die(d, DICE) for d in (6, 5, 4, 3)]
        options = {"num_players": 4, "rules": "advanced"}
        play = scripted("cafe_race", options, setup=[*dice, Pick(seat, 4, DEALS)])
        assert play["auctioneer"] == play["to_act"] == seat
        assert play["phase"] == "auction"


def test_cr_21_later_the_one_furthest_ahead() -> None:
    play = last_auction([5, 9, 7], [5, 1, 5], chance=[*SAFE, 3, 2, 1])
    assert play["position"] == [8, 11, 8]
    assert play.of_kind("auctioneer") == [{"kind": "auctioneer", "player": 1}]
    assert play["auctioneer"] == play["to_act"] == 1


@pytest.mark.parametrize(("coffee", "auctioneer"), [([5, 4, 5], 0), ([4, 5, 5], 1)])
def test_cr_21_ties_by_more_tokens(coffee: list[int], auctioneer: int) -> None:
    play = last_auction([8, 9, 10], coffee, chance=[*SAFE * 3, 3, 2, 1])
    assert play["position"] == [11, 11, 10]
    assert play["auctioneer"] == auctioneer


@pytest.mark.parametrize("index", [0, 1])
def test_cr_21_further_ties_by_white_dice(index: int) -> None:
    play = last_auction([8, 9, 10], [5, 5, 5], chance=[*SAFE * 3, 3, 2, 1, tie(index, 2)])
    assert play["auctioneer"] == index


def test_cr_22_one_auction_per_distinct_value() -> None:
    play = auction([0, 0, 0, 0], dice=[6, 6, 3, 1], auctioneer=2)
    assert play["to_act"] == 2
    assert play.legal() == ["auction 1", "auction 3", "auction 6"]


def test_cr_22_an_auctioneer_with_one_value_left_is_asked_all_the_same() -> None:
    play = auction([0, 0, 0], dice=[4, 4, 4], auctioneer=0)
    assert play.legal() == ["auction 4"]
    play.apply("auction 4")
    assert play["auctioned"] == 4
    assert play["dice"] == [4, 4, 4]  # it stays there until it is sold


def test_cr_22_the_auctioneer_opens_with_one_to_six_and_may_not_pass() -> None:
    play = auction([0, 0, 0], dice=[4, 3, 2], auctioneer=1).apply("auction 3", chance=[])
    assert play["phase"] == "bid"
    assert play["to_act"] == 1
    assert play["high_bid"] is play["high_bidder"] is None
    assert play.legal() == [f"bid {k}" for k in range(1, 7)]


def test_cr_23_the_others_without_a_die_once_each_clockwise() -> None:
    play = auction(
        [0, 1, 0, 0, 0],
        dice=[5, 4, 3, 2],
        auctioneer=3,
        speed=[6, 0, 0, 0, 0],
        impulse=[2, 0, 0, 0, 0],
    )
    play.apply("auction 5", "bid 1")
    asked = []
    for _ in range(3):
        asked.append(play["to_act"])
        assert play.events == []
        play.apply("pass")
    assert asked == [4, 1, 2]  # player 0 has a die; nobody is asked twice
    assert play.of_kind("sold") == [{"kind": "sold", "player": 3, "speed": 5, "bid": 1}]


def test_cr_23_pass_or_bid_higher_up_to_six() -> None:
    play = auction([0, 0, 0, 0], dice=[5, 4, 3, 2], auctioneer=0).apply("auction 2", "bid 3")
    assert play.legal() == ["bid 4", "bid 5", "bid 6", "pass"]
    play.apply("bid 5")
    assert play.legal() == ["bid 6", "pass"]
    play.apply("pass")
    assert play.legal() == ["bid 6", "pass"]
    assert play["high_bid"] == 5
    assert play["high_bidder"] == 1


def test_cr_24_a_bid_of_six_ends_the_auction_at_once() -> None:
    play = auction([3, 0, 0, 0], dice=[5, 4, 3, 2], auctioneer=0)
    play.apply("auction 5", "bid 2", "bid 6", chance=[])
    assert play.events == [
        {"kind": "sold", "player": 1, "speed": 5, "bid": 6},
        {"kind": "auctioneer", "player": 0},
    ]


def test_cr_24_a_bid_of_six_as_the_opening() -> None:
    play = auction([0, 0, 3, 0], dice=[5, 4, 3, 2], auctioneer=0)
    play.apply("auction 2", "bid 6", chance=[])
    assert play.events == [
        {"kind": "sold", "player": 0, "speed": 2, "bid": 6},
        {"kind": "auctioneer", "player": 2},
    ]


def test_cr_25_the_highest_bid_wins_and_is_the_impulse() -> None:
    play = auction([0, 0, 9, 0], dice=[5, 4, 3, 2], auctioneer=2)
    play.apply("auction 4", "bid 1", "bid 3", "pass", "bid 4", chance=[])
    assert play["speed"] == [0, 4, 0, 0]
    assert play["impulse"] == [0, 4, 0, 0]
    assert play["dice"] == [5, 3, 2]


def test_cr_25_the_winner_is_out_and_losing_bids_cost_nothing() -> None:
    play = auction([0, 0, 9, 0], dice=[5, 4, 3, 2], auctioneer=2, coffee=[4, 3, 2, 1])
    play.apply("auction 4", "bid 1", "bid 3", "bid 5", "pass", chance=[])  # sold to player 0
    assert play["speed"] == [4, 0, 0, 0]
    assert play["coffee"] == [4, 3, 2, 1]
    play.apply("auction 5", "bid 1")
    assert play["to_act"] == 3
    assert "bid 6" in play.legal()  # having bid 3 before takes nothing away
    play.apply("pass")
    assert play["to_act"] == 1  # not player 0
    play.apply("pass")
    assert play["speed"] == [4, 0, 5, 0]


def test_cr_26_the_auctioneer_goes_on_until_it_wins() -> None:
    play = auction([9, 0, 0, 0], dice=[5, 4, 3, 2], auctioneer=1)
    play.apply("auction 5", "bid 1", "bid 2", "pass", "pass", chance=[])
    assert play["auctioneer"] == 1
    assert play.of_kind("auctioneer") == [{"kind": "auctioneer", "player": 1}]


def test_cr_26_then_the_furthest_ahead_of_the_others() -> None:
    """Just behind the winner; players who have a die are out of the question."""
    play = auction([20, 5, 7, 9, 6], dice=[5, 4, 3], auctioneer=3, speed=[6, 6, 0, 0, 0])
    play.apply("auction 5", "bid 6", chance=[])
    assert play["auctioneer"] == 2


def test_cr_26_a_player_level_with_the_winner() -> None:
    play = auction([9, 8, 9, 0], dice=[5, 4, 3, 2], auctioneer=0)
    play.apply("auction 5", "bid 6", chance=[])
    assert play["auctioneer"] == 2


def test_cr_26_a_player_ahead_of_the_winner() -> None:
    """It can happen that somebody without a die is further ahead than a first auctioneer."""
    play = auction([2, 8, 4, 0], dice=[5, 4, 3, 2], auctioneer=0)
    play.apply("auction 5", "bid 6", chance=[])
    assert play["auctioneer"] == 1


@pytest.mark.parametrize(("coffee", "auctioneer"), [([5, 4, 5, 5], 2), ([5, 5, 4, 5], 1)])
def test_cr_26_ties_by_more_tokens(coffee: list[int], auctioneer: int) -> None:
    play = auction([9, 7, 7, 0], dice=[5, 4, 3, 2], auctioneer=0, coffee=coffee)
    play.apply("auction 5", "bid 6", chance=[])
    assert play["auctioneer"] == auctioneer


def test_cr_26_further_ties_by_white_dice() -> None:
    play = auction([9, 7, 7, 0], dice=[5, 4, 3, 2], auctioneer=0)
    play.apply("auction 5", "bid 6", chance=[tie(1, 2)])
    assert play["auctioneer"] == 2


def test_cr_27_the_last_die_goes_to_the_last_player_for_one() -> None:
    play = last_auction([5, 9, 7], [5, 5, 5], chance=[*SAFE, 3, 2, 1])
    assert play.of_kind("sold") == [
        {"kind": "sold", "player": 1, "speed": 2, "bid": 6},
        {"kind": "sold", "player": 2, "speed": 1, "bid": 1},
    ]
    assert [e["kind"] for e in play.events[:3]] == ["sold", "sold", "move"]
    assert play["last_impulse"] == [4, 6, 1]


def test_cr_29_restarts_then_dice_then_auctioneer() -> None:
    """The auctioneer is settled with workers and tokens as they are after the restarts."""
    play = last_auction([10, 0, 4], [1, 5, 1], dice=(2, 2), chance=[*SPILL, *SAFE, *SPILL, 6, 6, 6])
    assert [(e["kind"], e.get("player")) for e in play.events[-4:]] == [
        ("restart", 0),
        ("restart", 2),
        ("speed_dice", None),
        ("auctioneer", 1),
    ]
    assert play["position"] == [0, 2, 0]


def test_cr_29_tokens_count_as_they_are_after_the_restarts() -> None:
    """Back on the start with five tokens, a player is ahead of one with four there."""
    play = auction([0, 0, 0], [1, 1], 2, [1, 4, 1], speed=[1, 0, 0], impulse=[6, 0, 0])
    stuck_on_the_start = SAFE
    chance = [tie(0, 2), *SPILL, *SPILL, *stuck_on_the_start, 6, 6, 6, tie(1, 2)]
    play.apply("auction 1").apply("bid 6", chance=chance)
    assert order(play, "restart") == [0, 2]
    assert play["position"] == [0, 0, 0]
    assert play["coffee"] == [5, 4, 5]
    assert play["auctioneer"] == 2
