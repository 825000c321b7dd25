"""AC-10 to AC-23: set-up, playing a card."""

from __future__ import annotations

import pytest

import racegym
from racegym.engine.chance import DEALS
from racegym.testing import Order, Pick, ScriptError, scripted
from tests.rules.ave_caesar.positions import ALL_CARDS, DECK, SORTED_CARDS, ends, kinds, race


def setup(n: int, starter: int) -> list[Pick | Order]:
    """The draw for the first start place, and everybody's shuffled cards."""
    return [Pick(starter, n, DEALS), *[Order(ALL_CARDS, DEALS)] * n]


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_ac_10_a_coin_and_24_cards_each(n: int) -> None:
    state = racegym.make("ave_caesar", seed=5, num_players=n).to_dict()
    assert state["coin"] == [True] * n
    for hand, deck in zip(state["hands"], state["decks"], strict=True):
        assert {card: hand[card] + deck[card] for card in hand} == dict.fromkeys("123456", 4)


def test_ac_10_every_deck_is_shuffled() -> None:
    with pytest.raises(ScriptError, match="used up"):
        scripted("ave_caesar", setup=setup(4, 0)[:-1])
    with scripted("ave_caesar", setup=setup(4, 0)) as play:
        assert play["hands"] == [{"1": 1, "2": 1, "3": 1, "4": 0, "5": 0, "6": 0}] * 4


@pytest.mark.parametrize("starter", range(4))
def test_ac_11_places_from_the_starter_clockwise(starter: int) -> None:
    play = scripted("ave_caesar", setup=setup(4, starter))
    places = ["26.2", "26.3", "26.4", "26.5"]
    assert play["starter"] == starter
    assert play["space"] == [places[(p - starter) % 4] for p in range(4)]
    assert play["crossed"] == [0] * 4


def test_ac_11_the_first_crossing_begins_lap_1() -> None:
    play = scripted("ave_caesar", setup=setup(4, 0))
    play.apply("play 1 to 1.1")
    assert play["crossed"] == [1, 0, 0, 0]


@pytest.mark.parametrize("starter", range(3))
def test_ac_12_three_cards_and_the_starter_begins(starter: int) -> None:
    play = scripted("ave_caesar", {"num_players": 3}, setup=setup(3, starter))
    assert [sum(hand.values()) for hand in play["hands"]] == [3] * 3
    assert play["turn"] == 1
    order = []
    for _ in range(4):
        order.append(play["to_act"])
        play.apply(play.legal()[0])
    assert order == [(starter + k) % 3 for k in range(4)]


def test_ac_20_exactly_as_many_steps_as_the_card_says() -> None:
    play = race(["12.1", "1.1", "1.2"], [[1, 2, 3]])
    assert ends(play, 1) == ["13.i1", "13.o1"]
    assert ends(play, 2) == ["13.i2", "13.o2"]
    assert ends(play, 3) == ["13.o3", "15.1", "15.2"]


def test_ac_20_draws_back_to_three_cards() -> None:
    play = race(["12.1", "1.1", "1.2"], [[1, 2, 3]], decks=[[5, 4], DECK, DECK])
    play.apply("play 2 to 13.i2")
    assert play.events == [
        {"kind": "moved", "player": 0, "from": "12.1", "to": "13.i2", "card": 2},
        {"kind": "drew", "player": 0, "card": 5},
    ]
    assert play["hands"][0] == {"1": 1, "2": 0, "3": 1, "4": 0, "5": 1, "6": 0}
    assert play["decks"][0] == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 0, "6": 0}


def test_ac_20_without_a_deck_the_hand_shrinks() -> None:
    play = race(["12.1", "1.1", "1.2"], [[1, 2, 3]], decks=[[], DECK, DECK])
    play.apply("play 2 to 13.i2")
    assert kinds(play) == ["moved"]
    assert play["hands"][0] == {"1": 1, "2": 0, "3": 1, "4": 0, "5": 0, "6": 0}


def test_ac_21_no_way_through_another_chariot() -> None:
    play = race(["12.1", "13.i2", "1.2"], [[1, 2, 3]])
    assert ends(play, 1) == ["13.i1", "13.o1"]
    assert ends(play, 2) == ["13.o2"]
    assert ends(play, 3) == ["13.o3"]


def test_ac_21_no_stop_on_another_chariot() -> None:
    play = race(["12.1", "15.1", "1.2"], [[3, 4]])
    assert ends(play, 3) == ["13.o3", "15.2"]
    assert ends(play, 4) == ["15.2", "16.1"]


def test_ac_21_a_stranded_chariot_is_in_the_way_too() -> None:
    play = race(["12.1", "13.i1", "1.2"], [[1, 3]], stranded=[1])
    assert ends(play, 1) == ["13.o1"]
    assert ends(play, 3) == ["13.o3"]


def test_ac_22_an_unwelcome_card_must_be_played() -> None:
    play = race(["12.1", "13.i1", "1.2"], [[2, 6, 6]], stranded=[1])
    assert play.legal() == ["play 2 to 13.o2"]


def test_ac_22_a_lost_turn_happens_by_itself() -> None:
    """Player 3 on the neck bars players 1 and 2, who are not asked and keep their cards."""
    play = race(["5.1", "9.2", "9.1", "10.1"], [[1], [2, 3, 4], [1, 2, 3]], to_act=0)
    before = play.state()
    play.apply("play 1 to 6.1")
    assert play.events[2:] == [
        {"kind": "lost_turn", "player": 1},
        {"kind": "lost_turn", "player": 2},
    ]
    assert play["to_act"] == 3
    assert play["turn"] == before["turn"] + 3
    for field in ("hands", "decks", "space"):
        assert play[field][1:] == before[field][1:]
    assert play["lost_last"] == [False, True, True, False]
    assert play["lost_in_a_row"] == 2


def test_ac_23_only_the_end_of_the_move_is_chosen() -> None:
    """Two ways of two steps lead from 17.1 to 19.1: one action."""
    play = race(["17.1", "1.1", "1.2"], [[2]])
    assert play.legal() == ["play 2 to 19.1"]
    assert len(play.position.legal_actions()) == 1
    play = race(["17.1", "18.1", "1.2"], [[2]])
    assert play.legal() == ["play 2 to 19.1"]


def test_ac_23_two_cards_to_one_space_are_two_actions() -> None:
    """From 12.1 the outside of the curve takes a step more."""
    play = race(["12.1", "1.1", "1.2"], [[3, 4]])
    assert {"play 3 to 15.1", "play 4 to 15.1"} <= set(play.legal())


def test_deck_order_is_that_of_the_shuffle() -> None:
    order = [*SORTED_CARDS[::-1]]
    play = scripted("ave_caesar", setup=[Pick(0, 4), *[Order(order)] * 4])
    assert play["hands"][0]["6"] == 3
    play.apply("play 6 to 6.1")
    assert play.events[1] == {"kind": "drew", "player": 0, "card": 6}
