"""DR-20 to DR-25 and DR-40: turns, drawing, moving, exchanging."""

from __future__ import annotations

import pytest

from racegym import IllegalAction
from tests.rules.dino_race.positions import (
    CARDS,
    die,
    drawn,
    hand,
    kinds,
    moves,
    scene,
    shuffled,
)


def test_dr_20_draw_play_roll_then_the_next_clockwise() -> None:
    play = scene([[1, 2], [1, 2], [1, 2]], player=2, egg=2, turn=7)
    play.apply("roll", chance=[die("jungle")])
    assert (play["current"], play["to_act"], play["turn"], play["phase"]) == (0, 0, 8, "play")
    assert drawn(play) == [(0, "jungle"), (0, "jungle")]


@pytest.mark.parametrize(("row", "count"), [([3, 6], 2), ([12, 6], 1), ([5, 12], 1)])
def test_dr_21_a_card_for_every_dinosaur_on_the_track(row: list[int], count: int) -> None:
    play = scene([[1, 2], row], lying=[[False, False], [False, row[1] < 12]])
    play.apply("roll", chance=[die("jungle")])
    assert drawn(play) == [(1, "jungle")] * count


def test_dr_21_there_is_no_hand_limit() -> None:
    play = scene([[1, 2], [1, 2]], ["", " ".join(["plains"] * 8 + ["desert"] * 8)])
    play.apply("roll", chance=[die("jungle")])
    assert sum(play["hands"][1].values()) == 18


def test_dr_21_the_discards_become_the_pile_only_when_a_card_is_to_be_drawn() -> None:
    play = scene([[1, 2], [1, 2]], pile="wild wild", discards="egg push")
    play.apply("roll", chance=[die("jungle")])
    assert play["pile"] == []  # empty, and not made anew yet
    assert play["discards"]["egg"] == play["discards"]["push"] == 1
    play.apply("roll", chance=[die("jungle"), shuffled("push egg")])
    assert kinds(play) == ["die", "shuffle", "drew", "drew"]
    assert drawn(play) == [(0, "push"), (0, "egg")]
    assert set(play["discards"].values()) == {0}


def test_dr_21_the_rest_of_a_draw_comes_from_the_new_pile() -> None:
    play = scene([[1, 2], [1, 2]], pile="wild", discards="egg push steal")
    play.apply("roll", chance=[die("jungle"), shuffled("steal push egg")])
    assert kinds(play) == ["die", "drew", "shuffle", "drew"]
    assert drawn(play) == [(1, "wild"), (1, "steal")]
    assert play["pile"] == ["push", "egg"]


def test_dr_21_without_discards_nothing_is_drawn() -> None:
    play = scene([[1, 2], [1, 2]], pile="wild", discards="")
    play.apply("roll", chance=[die("jungle")])
    assert kinds(play) == ["die", "drew"]
    assert play["to_act"] == 1


def test_dr_21_each_draws_all_before_the_next_from_the_one_whose_turn_it_is() -> None:
    play = scene(
        [[1, 2], [1, 2], [1, 2]], pile="push egg steal wild plains desert swamp swamp", player=1
    )
    play.apply("roll", chance=[die("two")])
    expected = [(1, "push"), (1, "egg"), (2, "steal"), (2, "wild"), (0, "plains"), (0, "desert")]
    assert drawn(play) == [*expected, (2, "swamp"), (2, "swamp")]


def test_dr_22_any_number_of_cards_in_any_order_until_the_roll() -> None:
    play = scene([[1, 2], [2, 3]], ["desert desert desert swamp push wild wild"])
    play.apply("move 1 desert", "push 1 1", "exchange desert desert", "move 2 swamp", chance=[])
    play.apply("move 1 wild", "move 1 wild", chance=[])
    assert play["to_act"] == 0
    assert "roll" in play.legal()


def test_dr_22_rolling_needs_no_card() -> None:
    play = scene([[1, 2], [1, 2]])
    assert play.legal() == ["roll"]


def test_dr_23_one_card_of_the_tile_in_front() -> None:
    play = scene([[1, 3], [5, 5]], ["desert jungle plains"])
    assert moves(play, "move") == ["move 1 desert", "move 2 jungle"]
    play.apply("move 1 desert", chance=[])
    assert play["position"][0] == [2, 3]
    assert play.events == [{"kind": "moved", "player": 0, "dino": 1, "to": 2, "why": "card"}]
    assert hand(play, 0) == "plains jungle"


def test_dr_23_from_the_volcano_onto_tile_1() -> None:
    play = scene([[0, 3], [5, 5]], ["plains"])
    play.apply("move 1 plains", chance=[])
    assert play["position"][0] == [1, 3]


def test_dr_23_one_wild() -> None:
    play = scene([[1, 3], [5, 5]], ["wild"])
    assert moves(play, "move") == ["move 1 wild", "move 2 wild"]
    play.apply("move 2 wild", chance=[])
    assert play["position"][0] == [1, 4]
    assert hand(play, 0) == ""


@pytest.mark.parametrize("card", CARDS)
def test_dr_23_three_of_one_kind(card: str) -> None:
    play = scene([[1, 3], [5, 5]], [f"{card} {card}"], pile="")
    assert f"move 1 three {card}" not in play.legal()
    play = scene([[1, 3], [5, 5]], [f"{card} {card} {card}"], pile="")
    play.apply(f"move 1 three {card}", chance=[])
    assert play["position"][0] == [2, 3]
    assert hand(play, 0) == ""


def test_dr_23_not_three_of_different_kinds() -> None:
    play = scene([[1, 3], [5, 5]], ["plains swamp push"])
    assert moves(play, "move") == []


def test_dr_23_a_dinosaur_that_is_home_does_not_move() -> None:
    play = scene([[12, 3], [5, 5]], ["wild jungle jungle jungle"], pile="")
    assert moves(play, "move") == ["move 2 jungle", "move 2 three jungle", "move 2 wild"]


def test_dr_24_a_lying_dinosaur_does_not_move() -> None:
    play = scene([[1, 3], [5, 5]], ["wild"], lying=[[True, False], [False, False]])
    assert moves(play, "move") == ["move 2 wild"]


def test_dr_25_cards_played_go_to_the_discards() -> None:
    play = scene([[1, 3], [3, 5]], ["desert wild push plains plains plains"], pile="", discards="")
    play.apply("move 1 desert", "push 1 1", "move 2 wild", "move 1 three plains", chance=[])
    discarded = {card: count for card, count in play["discards"].items() if count}
    assert discarded == {"plains": 3, "desert": 1, "wild": 1, "push": 1}
    assert hand(play, 0) == ""


# --- exchanging ----------------------------------------------------------------------------------


def test_dr_40_two_cards_for_one() -> None:
    play = scene([[1, 3], [5, 5]], ["swamp steal"], pile="wild")
    assert moves(play, "exchange") == ["exchange swamp steal"]
    play.apply("exchange swamp steal", chance=[])
    assert play.events == [{"kind": "drew", "player": 0, "card": "wild"}]
    assert hand(play, 0) == "wild"
    assert moves(play, "exchange") == []


def test_dr_40_every_pair_of_the_hand() -> None:
    play = scene([[1, 3], [5, 5]], ["swamp swamp egg plains"])
    assert moves(play, "exchange") == [
        "exchange plains egg",
        "exchange plains swamp",
        "exchange swamp egg",
        "exchange swamp swamp",
    ]


def test_dr_40_as_often_as_wished() -> None:
    play = scene([[1, 3], [5, 5]], ["swamp swamp swamp swamp"], pile="egg push steal")
    play.apply("exchange swamp swamp", "exchange swamp swamp", "exchange push egg", chance=[])
    assert hand(play, 0) == "steal"


def test_dr_40_the_two_cards_are_shuffled_in_if_the_pile_is_empty() -> None:
    play = scene([[1, 3], [5, 5]], ["swamp steal"], pile="", discards="")
    play.apply("exchange swamp steal", chance=[shuffled("steal swamp")])
    assert kinds(play) == ["shuffle", "drew"]
    assert hand(play, 0) == "steal"
    assert play["pile"] == ["swamp"]


def test_dr_40_not_after_the_roll() -> None:
    play = scene([[1, 3], [5, 5]], ["swamp steal"])
    play.apply("roll", chance=[die("swamp")])
    with pytest.raises(IllegalAction):
        play.apply("exchange swamp steal")


def test_dr_54_cards_drawn_through_the_die_come_too_late() -> None:
    play = scene([[1, 3], [5, 5]], pile="desert wild jungle jungle jungle jungle")
    play.apply("roll", chance=[die("two")])
    assert hand(play, 0) == "desert wild"
    assert play["to_act"] == 1
