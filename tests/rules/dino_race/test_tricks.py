"""DR-30 to DR-35: push, egg, steal, lying and standing up."""

from __future__ import annotations

import pytest

from racegym import IllegalAction
from racegym.testing import ScriptedPosition
from tests.rules.dino_race.positions import die, hand, kinds, moves, random_card, scene

ALL = "push egg steal"
NO, YES = False, True


def tricks(play: ScriptedPosition) -> list[str]:
    """The tricks that are legal."""
    return [t for t in play.legal() if t.split()[0] in ("push", "egg", "steal", "trip")]


def test_dr_30_only_against_dinosaurs_on_a_tile_with_an_own_one() -> None:
    play = scene([[3, 5], [3, 4], [6, 5]], [ALL, "plains", "plains"], egg=1)
    assert tricks(play) == [
        *("push 1 1", "push 2 2"),
        *("steal 1", "steal 2"),
        *("trip 1 1", "trip 2 2"),
    ]


def test_dr_30_not_without_the_card() -> None:
    play = scene([[3, 5], [3, 5]], ["plains wild"], egg=1)
    assert tricks(play) == []


def test_dr_30_not_against_own_dinosaurs() -> None:
    play = scene([[3, 3], [4, 5]], [ALL], egg=1)
    assert tricks(play) == []


@pytest.mark.parametrize("own", [NO, YES])
def test_dr_30_lying_dinosaurs_play_and_suffer_tricks(own: bool) -> None:
    play = scene([[3, 5], [3, 4]], [ALL, "plains"], egg=1, lying=[[own, NO], [NO, NO]])
    assert tricks(play) == ["push 1 1", "steal 1", "trip 1 1"]
    play = scene([[3, 5], [3, 4]], [ALL, "plains"], egg=1, lying=[[own, NO], [YES, NO]])
    assert tricks(play) == ["push 1 1", "steal 1"]


def test_dr_30_a_dinosaur_that_is_home_shares_no_tile() -> None:
    play = scene([[12, 5], [12, 4]], [ALL, "plains"], egg=1)
    assert tricks(play) == []


def test_dr_30_dinosaurs_on_the_volcano_share_it() -> None:
    play = scene([[0, 5], [0, 4]], [ALL, "plains"], egg=1)
    assert tricks(play) == ["steal 1", "trip 1 1"]


def test_dr_31_push_moves_the_target_one_back() -> None:
    play = scene([[3, 5], [4, 5]], ["push"])
    play.apply("push 1 2", chance=[])
    assert play["position"] == [[3, 5], [4, 4]]
    assert play.events == [{"kind": "moved", "player": 1, "dino": 2, "to": 4, "why": "push"}]
    assert play["discards"]["push"] == 4


def test_dr_31_push_from_tile_1_onto_the_calm_volcano() -> None:
    play = scene([[1, 5], [1, 6]], ["push"])
    play.apply("push 1 1", chance=[])
    assert play["position"][1] == [0, 6]


def test_dr_31_nobody_is_pushed_off_tile_0() -> None:
    play = scene([[0, 5], [0, 6]], ["push"])
    assert tricks(play) == []


@pytest.mark.parametrize(("tile", "lava"), [(1, 0), (4, 3)])
def test_dr_31_in_front_of_lava_the_target_is_burned(tile: int, lava: int) -> None:
    play = scene(
        [[tile, 5], [tile, 6]], ["push", "plains wild wild"], volcano_active=True, lava=lava
    )
    play.apply("push 1 1", chance=[random_card(1, 3)])
    assert play["position"][1] == [tile, 6]
    assert play.events == [
        {"kind": "burned", "player": 1, "dino": 1},
        {"kind": "drop", "player": 1},
        {"kind": "discarded", "player": 1, "card": "wild", "why": "random"},
    ]
    assert play["drops"] == [0, 1]
    assert hand(play, 1) == "plains wild"


def test_dr_31_burned_without_cards() -> None:
    play = scene([[4, 5], [4, 6]], ["push"], volcano_active=True, lava=3)
    play.apply("push 1 1", chance=[])
    assert kinds(play) == ["burned", "drop"]


def test_dr_31_a_tile_in_front_of_no_lava() -> None:
    play = scene([[4, 5], [4, 6]], ["push"], volcano_active=True, lava=2)
    play.apply("push 1 1", chance=[])
    assert play["position"][1] == [3, 6]


def test_dr_32_the_owner_gives_the_egg_to_the_owner_of_the_target() -> None:
    play = scene([[3, 5], [3, 4], [6, 5]], ["egg"], egg=0)
    assert tricks(play) == ["egg 1", "egg 2"]
    play.apply("egg 2", chance=[])
    assert play["egg"] == 2
    assert play.events == [{"kind": "egg", "from": 0, "to": 2}]
    assert play["lying"][2] == [False, False]


def test_dr_32_giving_the_egg_to_somebody_with_two_dinosaurs_there_is_one_action() -> None:
    play = scene([[3, 5], [3, 3]], ["egg"], egg=0)
    assert tricks(play) == ["egg 1"]


def test_dr_33_the_others_trip_with_it() -> None:
    play = scene([[3, 5], [3, 4]], ["egg"], egg=1)
    play.apply("trip 1 1", chance=[])
    assert play["lying"] == [[False, False], [True, False]]
    assert play["egg"] == 1
    assert play.events == []
    assert play["discards"]["egg"] == 4


def test_dr_33_one_that_lies_cannot_be_tripped() -> None:
    play = scene([[3, 5], [3, 3]], ["egg"], egg=1, lying=[[NO, NO], [YES, NO]])
    assert tricks(play) == ["trip 1 2"]


def test_dr_34_standing_up_costs_any_two_cards() -> None:
    play = scene([[3, 5], [6, 6]], ["plains wild wild"], lying=[[YES, NO], [NO, NO]])
    assert moves(play, "stand") == ["stand 1"]
    play.apply("stand 1", chance=[])
    assert play["lying"][0] == [False, False]  # at once
    assert (play["phase"], play["to_act"]) == ("pay", 0)
    assert play.legal() == ["pay plains wild", "pay wild wild"]  # there is no taking back
    play.apply("pay plains wild", chance=[])
    assert (play["phase"], hand(play, 0)) == ("play", "wild")
    assert play.events == []
    assert moves(play, "move") == ["move 1 wild", "move 2 wild"]


@pytest.mark.parametrize("held", ["", "wild"])
def test_dr_34_not_with_fewer_than_two_cards(held: str) -> None:
    play = scene([[3, 5], [6, 6]], [held], lying=[[YES, NO], [NO, NO]])
    assert moves(play, "stand") == []


def test_dr_34_both_dinosaurs_one_after_the_other() -> None:
    play = scene([[3, 5], [6, 6]], ["plains plains plains push"], lying=[[YES, YES], [NO, NO]])
    assert moves(play, "stand") == ["stand 1", "stand 2"]
    play.apply("stand 2", "pay plains plains", "stand 1", "pay plains push", chance=[])
    assert play["lying"][0] == [False, False]


def test_dr_34_it_is_not_forced() -> None:
    play = scene([[3, 5], [6, 6]], ["plains plains"], lying=[[YES, NO], [NO, NO]])
    play.apply("roll", chance=[die("swamp")])
    assert play["lying"][0] == [True, False]
    play.apply("roll", chance=[die("swamp")])
    assert moves(play, "stand") == ["stand 1"]


def test_dr_34_a_forced_payment_is_asked() -> None:
    play = scene([[3, 5], [6, 6]], ["plains plains"], lying=[[YES, NO], [NO, NO]])
    play.apply("stand 1", chance=[])
    assert play.legal() == ["pay plains plains"]
    with pytest.raises(IllegalAction):
        play.apply("roll")


def test_dr_34_pushed_and_moved_by_lava_it_stays_down() -> None:
    play = scene([[3, 5], [3, 6]], ["push"], egg=1, lying=[[NO, NO], [YES, NO]])
    play.apply("push 1 1", chance=[])
    assert play["position"][1] == [2, 6]
    assert play["lying"][1] == [True, False]
    play = scene([[5, 5], [3, 6]], egg=1, lying=[[NO, NO], [YES, NO]], volcano_active=True, lava=2)
    play.apply("roll", "give 0", chance=[die("eruption")])
    assert play["position"][1] == [4, 6]
    assert play["lying"][1] == [True, False]


def test_dr_35_steal_a_random_card() -> None:
    play = scene([[3, 5], [3, 6]], ["steal plains", "plains desert wild"])
    play.apply("steal 1", chance=[random_card(2, 3)])
    assert play.events == [{"kind": "stole", "player": 0, "from": 1, "card": "wild"}]
    assert (hand(play, 0), hand(play, 1)) == ("plains wild", "plains desert")
    assert play["discards"]["steal"] == 4


def test_dr_35_not_from_an_empty_hand() -> None:
    play = scene([[3, 5], [3, 6]], ["steal plains", ""])
    assert tricks(play) == []
