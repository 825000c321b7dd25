"""HR-20 to HR-29: what a player can do in a turn."""

from __future__ import annotations

import pytest

from racegym.games.horse_race.state import CARDS
from racegym.testing import ScriptedPosition
from tests.rules.horse_race.positions import cards_in, race


def options_of(play: ScriptedPosition, verb: str) -> list[str]:
    return [text for text in play.legal() if text.startswith(verb)]


def test_hr_20_one_action_then_the_player_to_the_left() -> None:
    play = race(["E F", "E F", "E F"], pile="F F", to_act=1, counters=[1, 1, 0])
    for text, seat in (("up E lane 1", 2), ("sell F", 0), ("swap F", 1), ("down F lane 1", 2)):
        play.apply(text, chance=[])
        assert play["to_act"] == seat


def test_hr_20_all_kinds_of_actions() -> None:
    play = race(["R1 F", "E"], ["E", "R2", ""], pile="F")
    assert play.legal() == [
        "down F lane 1",
        "down F lane 2",
        "down R1 lane 1",
        "down R1 lane 2",
        "swap F",
        "swap R1",
        "up F lane 2",
        "up R1 lane 1",
        "up R1 lane 3",
    ]


def test_hr_21_face_up_is_free_and_fills_the_next_slot() -> None:
    play = race(["R1 E", "F"], ["E", "E F", ""])
    play.apply("up R1 lane 1", chance=[])
    assert play["lanes"][0][1] == {"card": "R1", "up": True, "by": 0}
    assert play["counters"] == [5, 5]
    assert play["hands"][0] == {"E": 1}
    assert play["last_placer"] == 0
    assert play.events == []


EVERY_CARD = "R1 R2 R3 R9 F E"
REARS_AND_EMPTY = {"R1", "R2", "R3", "R9", "E"}


@pytest.mark.parametrize(
    ("before", "fits"),
    [
        ("R4", {"F"}),
        ("R4 F", REARS_AND_EMPTY),
        ("E", REARS_AND_EMPTY),
        ("E (R4)", REARS_AND_EMPTY | {"F"}),
        ("E (F:1)", REARS_AND_EMPTY | {"F"}),
        ("E (E:1)", REARS_AND_EMPTY | {"F"}),
    ],
)
def test_hr_22_what_may_follow_face_up(before: str, fits: set[str]) -> None:
    play = race([EVERY_CARD, ""], [before, "", ""])
    found = {text.split()[1] for text in options_of(play, "up") if text.endswith("lane 1")}
    assert found == fits


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_hr_23_the_first_slot_takes_a_rear_or_an_empty_face_up(stage: int) -> None:
    play = race([EVERY_CARD, ""], stage=stage)
    for number in (1, 2, 3):
        found = {t.split()[1] for t in options_of(play, "up") if t.endswith(f"lane {number}")}
        assert found == REARS_AND_EMPTY
    assert options_of(play, "down") == []


@pytest.mark.parametrize("before", ["R4", "R4 F", "E", "E (F)"])
def test_hr_24_any_card_face_down_whatever_is_before_it(before: str) -> None:
    play = race([EVERY_CARD, ""], [before, "", ""])
    found = {text.split()[1] for text in options_of(play, "down")}
    assert found == set(EVERY_CARD.split())
    assert all(text.endswith("lane 1") for text in options_of(play, "down"))


def test_hr_24_costs_a_counter() -> None:
    play = race(["E", "F"], ["R1", "", ""], counters=[1, 0])
    play.apply("down E lane 1", chance=[])
    assert (play["counters"], play["bank"]) == ([0, 0], 40)
    assert play["lanes"][0][1] == {"card": "E", "up": False, "by": 0}
    assert options_of(play, "down") == []  # player 1 has no counter


def test_hr_24_only_the_player_who_placed_it_knows_the_card() -> None:
    seen = {}
    for card in ("E", "F"):
        play = race(["E F", "R1", "R2"], ["R3", "", ""]).apply(f"down {card} lane 1")
        seen[card] = [play.position.observe(seat).tobytes() for seat in range(3)]
        assert f"({card}·0)" in play.position.text(0)
        assert "(??·0)" in play.position.text(2)
    assert seen["E"][0] != seen["F"][0]
    assert seen["E"][1:] == seen["F"][1:]


def test_hr_25_placing_draws_no_card() -> None:
    play = race(["E F", "F"], ["R1", "", ""], pile="R2 R3")
    play.apply("up F lane 1", "down F lane 1", chance=[])
    assert play["hands"] == [{"E": 1}, {}]
    assert play["pile"] == ["R2", "R3"]


def test_hr_26_a_swap_discards_and_draws_for_free() -> None:
    play = race(["E F", "F"], pile="R2 R3")
    before = play["out_of_game"]["E"]
    play.apply("swap E", chance=[])
    assert play.events == [{"kind": "drew", "player": 0, "card": "R2"}]
    assert play["hands"][0] == {"F": 1, "R2": 1}
    assert play["pile"] == ["R3"]
    assert play["out_of_game"]["E"] == before + 1
    assert play["counters"] == [5, 5]


def test_hr_26_no_swap_with_an_empty_pile() -> None:
    assert options_of(race(["E F", "F"]), "swap") == []


def test_hr_26_all_see_the_discard_and_only_the_player_the_card_drawn() -> None:
    def seen(swap: str, pile: str) -> list[bytes]:
        play = race(["E F", "R1", "R2"], pile=pile).apply(f"swap {swap}")
        return [play.position.observe(seat).tobytes() for seat in range(3)]

    one, other_card, other_discard = seen("E", "R2 R3"), seen("E", "R3 R2"), seen("F", "R2 R3")
    assert one[0] != other_card[0]
    assert one[1:] == other_card[1:]
    assert one[1] != other_discard[1]


def test_hr_27_an_empty_hand_can_draw_for_a_counter() -> None:
    play = race(["", "F"], pile="R2 R3", counters=[3, 1])
    assert play.legal() == ["draw"]
    play.apply("draw", chance=[])
    assert play.events == [{"kind": "drew", "player": 0, "card": "R2"}]
    assert (play["hands"][0], play["counters"], play["bank"]) == ({"R2": 1}, [2, 1], 37)
    assert options_of(play, "draw") == []  # player 1 has a card


def test_hr_27_not_without_a_counter_or_a_pile() -> None:
    assert race(["", "F"], pile="R2", counters=[0, 1]).legal() == ["pass"]
    assert race(["", "F"], counters=[3, 1]).legal() == ["pass"]


def test_hr_28_without_counters_a_card_can_be_sold() -> None:
    play = race(["E F F", "F"], ["R1", "", ""], counters=[0, 1])
    assert options_of(play, "sell") == ["sell E", "sell F"]
    before = play["out_of_game"]["F"]
    play.apply("sell F", chance=[])
    assert play.events == []
    assert play["hands"][0] == {"E": 1, "F": 1}
    assert (play["counters"], play["bank"]) == ([1, 1], 38)
    assert play["out_of_game"]["F"] == before + 1


def test_hr_28_not_with_counters_without_a_card_or_with_an_empty_bank() -> None:
    assert options_of(race(["E", "F"], counters=[1, 1]), "sell") == []
    assert options_of(race(["", "F"], counters=[0, 1]), "sell") == []
    assert options_of(race(["E", "F"], counters=[0, 1], bank=0), "sell") == []


def test_hr_29_who_can_do_nothing_passes() -> None:
    play = race(["", "E", ""], counters=[0, 5, 5])
    assert play.legal() == ["pass"]
    play.apply("pass", chance=[])
    assert (play["to_act"], play["passes"], play["turn"]) == (1, 1, 2)
    play.apply("up E lane 1")
    assert play["passes"] == 0


@pytest.mark.parametrize("stage", [1, 2])
def test_hr_29_fronts_cannot_open_and_nothing_else_is_possible(stage: int) -> None:
    assert race(["F F", "E"], counters=[2, 2], stage=stage).legal() == ["pass"]


def test_hr_29_no_pass_while_anything_is_possible() -> None:
    for play in (
        race(["F", ""], pile="F"),
        race(["F", ""], counters=[0, 1]),
        race(["", ""], pile="F"),
        race(["F", ""], ["E", "", ""]),
        race(["E", ""], counters=[0, 0]),
    ):
        assert "pass" not in play.legal()
        assert play.legal()


def test_hr_20_texts_of_all_actions() -> None:
    play = race(["E", ""])
    texts = [play.position.action_to_text(a) for a in range(play.position.game.num_actions)]
    assert len(set(texts)) == len(texts) == 9 + 44 + 44 + 11 + 1 + 11 + 1 + 9
    assert {text.split()[1] for text in texts if text.startswith("sell")} == set(CARDS)
    assert [play.position.action_from_text(text) for text in texts] == list(range(len(texts)))
    assert cards_in(play.apply("up E lane 2"), 2) == ["E"]
