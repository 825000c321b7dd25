"""HR-30 to HR-36: the ends and beginnings of the phases."""

from __future__ import annotations

import pytest

from racegym.testing import ScriptedPosition
from tests.rules.horse_race.positions import cards_in, kinds, race, total_cards, under

SIX = "E R4 F E E E"  # six slots of phase 1 or 2, one complete horse


def pairs(play: ScriptedPosition) -> list[tuple[int, int, int]]:
    return [(e["lane"], e["slot"], e["horse"]) for e in play.of_kind("pair")]


@pytest.mark.parametrize("text", ["up E lane 2", "down F lane 2"])
def test_hr_30_the_last_slot_of_any_lane_ends_the_phase_for_all(text: str) -> None:
    play = race(["E F", "E"], ["R1 F", "E E E E E E", "R2"])
    last = text.split()[1]
    play.apply(text, chance=[under(f"R1 F E E E E E E {last} R2")])
    assert play["stage"] == 2
    assert play["lanes"] == [[], [], []]


def test_hr_31_all_cards_are_turned_up_and_pairs_score() -> None:
    play = race(
        ["E", "F"],
        ["R1 (F:1) R2 F", "E R3 F E (R2) (E)", "R4 (R5:1) F (R6)"],
    )
    play.apply("up E lane 2", chance=[under("R1 F R2 F E R3 F E R2 E E R4 R5 F R6")])
    assert play.events[:5] == [
        {"kind": "reveal", "lane": 1, "slot": 2, "card": "F"},
        {"kind": "reveal", "lane": 2, "slot": 5, "card": "R2"},
        {"kind": "reveal", "lane": 2, "slot": 6, "card": "E"},
        {"kind": "reveal", "lane": 3, "slot": 2, "card": "R5"},
        {"kind": "reveal", "lane": 3, "slot": 4, "card": "R6"},
    ]
    assert pairs(play) == [(1, 2, 1), (1, 4, 2), (2, 3, 3), (3, 3, 5)]
    assert play["points"] == [1, 1, 1, 0, 1, 0, 0, 0, 0]
    assert kinds(play) == ["reveal"] * 5 + ["pair"] * 4 + ["stage"]


def test_hr_31_only_a_front_directly_behind_a_rear_counts() -> None:
    lanes = [
        "E (F) (F) R1 (R1) (E)",
        "R2 (E) F",
        "E F:1 R3",
    ]  # F after E cannot be placed: unpaired
    play = race(["F", ""], lanes)
    play.apply("down F lane 1", chance=[under("E F F R1 R1 E F R2 E F E F R3")])
    assert pairs(play) == []


def test_hr_31_a_pair_lies_within_one_phase() -> None:
    play = race(["R1 E", "E", "E F"], ["E E E E E E", "", ""], to_act=0)
    play.apply("up R1 lane 1", chance=[under("E E E E E E R1")])
    play.apply("up E lane 1", "down F lane 1")
    assert play["points"] == [0] * 9
    assert play["lanes"][0][1]["card"] == "F"


def test_hr_31_each_pair_of_a_horse_counts_and_points_add_up() -> None:
    play = race(["F", ""], ["R1 F R1 F E R1", "", ""], points=[2, 0, 0, 0, 0, 0, 0, 0, 5])
    play.apply("up F lane 1", chance=[under("R1 F R1 F E R1 F")])
    assert play["points"] == [5, 0, 0, 0, 0, 0, 0, 0, 5]


def test_hr_32_placed_cards_go_under_the_pile_shuffled_the_rest_keeps_its_order() -> None:
    play = race(["E", "F"], [SIX, "R2", ""], pile="R9 E F R8")
    out = play["out_of_game"]
    play.apply("up E lane 1", chance=[under("R4 E F E R2 E E E")])
    assert " ".join(play["pile"]) == "R9 E F R8 R4 E F E R2 E E E"
    assert play["out_of_game"] == out
    assert "drew" not in kinds(play)
    assert total_cards(play) == 60


def test_hr_32_discards_are_not_put_under_the_pile() -> None:
    play = race(["R1 E", "F"], [SIX, "", ""], pile="E F", counters=[0, 0])
    play.apply("swap R1", "sell F", "up E lane 1", chance=[under("E E E E E R4 F")])
    assert "R1" not in play["pile"]
    assert play["out_of_game"]["R1"] == 3


def test_hr_32_no_cards_are_dealt() -> None:
    play = race(["E", ""], [SIX, "", ""], pile="F F F F F")
    play.apply("up E lane 1", chance=[under("E R4 F E E E E")])
    assert play["hands"] == [{}, {}]


def test_hr_33_after_phase_2_the_placed_cards_leave_the_game() -> None:
    play = race(["E F", "F"], [SIX, "R1", ""], stage=2)
    before = play["out_of_game"]["E"]
    play.apply("up E lane 1", chance=[])
    assert play["out_of_game"]["E"] == before + 5
    assert play["out_of_game"]["R1"] == 3
    assert play["pile"] == []


def test_hr_33_players_are_dealt_up_to_five_in_rounds_from_the_starter() -> None:
    hands = ["E F F F", "F F F F F", "F F F F"]
    play = race(hands, [SIX, "", ""], pile="R1 R2 R3 R5 R6", stage=2, to_act=0)
    play.apply("up E lane 1", chance=[])
    drawn = [(e["player"], e["card"]) for e in play.of_kind("drew")]
    assert drawn == [(2, "R1"), (0, "R2"), (0, "R3")]  # player 1 has five already
    assert [sum(hand.values()) for hand in play["hands"]] == [5, 5, 5]
    assert kinds(play)[-4:] == ["drew", "drew", "drew", "stage"]
    assert play["pile"] == ["R5", "R6"]


def test_hr_33_until_the_pile_is_empty() -> None:
    play = race(["E", "F F F F", ""], [SIX, "", ""], pile="R1 R2 R3 R5", stage=2, to_act=0)
    play.apply("up E lane 1", chance=[])
    drawn = [(e["player"], e["card"]) for e in play.of_kind("drew")]
    assert drawn == [(1, "R1"), (2, "R2"), (0, "R3"), (2, "R5")]
    assert play["pile"] == []


def test_hr_33_more_than_five_cards_are_kept() -> None:
    play = race(["E", "F F F F F F F"], [SIX, "", ""], pile="R1 R2 R3 R5 R6 R7", stage=2)
    play.apply("up E lane 1", chance=[])
    assert [sum(hand.values()) for hand in play["hands"]] == [5, 7]


@pytest.mark.parametrize("placer", [0, 1, 2])
def test_hr_34_the_next_phase_begins_left_of_the_last_placer_in_every_lane(placer: int) -> None:
    hands = ["E"] * 3
    play = race(hands, [SIX, "R1", ""], to_act=placer, starter=0, last_placer=1)
    play.apply("up E lane 1", chance=[under("E R4 F E E E E R1")])
    starter = (placer + 1) % 3
    assert (play["starter"], play["to_act"]) == (starter, starter)
    assert play.events[-1] == {"kind": "stage", "stage": 2, "starter": starter}
    assert (play["passes"], play["last_placer"]) == (0, None)
    assert {text for text in play.legal() if text.startswith("up")} == {
        f"up E lane {number}" for number in (1, 2, 3)
    }


@pytest.mark.parametrize("stage", [1, 2])
def test_hr_35_the_starter_of_phases_2_and_3_must_place_face_up(stage: int) -> None:
    chance = [under("E R4 F E E E E")] if stage == 1 else []
    play = race(["E F", "R1 F F F F"], [SIX, "", ""], stage=stage).apply(
        "up E lane 1", chance=chance
    )
    assert play["must_open"]
    assert play.legal() == ["up R1 lane 1", "up R1 lane 2", "up R1 lane 3"]
    play.apply("up R1 lane 2")
    assert not play["must_open"]
    assert "swap F" in play.legal() or not play["pile"]
    assert "down F lane 2" in play.legal()


def test_hr_35_otherwise_any_other_legal_action() -> None:
    play = race(["E F", "F F", "E"], [SIX, "", ""], pile="E F")
    play.apply("up E lane 1", chance=[under("E R4 F E E E E")])
    assert play["must_open"]
    assert play.legal() == ["swap F"]
    play.apply("swap F")
    assert not play["must_open"]
    assert play["to_act"] == 2
    assert "swap E" in play.legal()  # it binds nobody else


def test_hr_35_phase_1_binds_nobody() -> None:
    play = race(["E F", "E"], pile="F")
    assert not play["must_open"]
    assert "swap E" in play.legal()


def test_hr_36_when_all_pass_the_phase_ends_as_it_stands() -> None:
    play = race(["", "", ""], ["R1 F R2", "E", ""], counters=[0] * 3, to_act=1, last_placer=0)
    play.apply("pass", "pass")
    assert (play["passes"], play["stage"]) == (2, 1)
    play.apply("pass", chance=[under("R1 F R2 E")])
    assert pairs(play) == [(1, 2, 1)]
    assert play["points"][0] == 1
    assert (play["stage"], play["passes"], play["must_open"]) == (2, 0, True)
    assert (play["starter"], play["to_act"]) == (1, 1)  # left of player 0, who placed last
    assert play["pile"] == ["R1", "F", "R2", "E"]


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_hr_36_if_nobody_placed_left_of_the_player_who_started(starter: int) -> None:
    play = race(["", "", ""], stage=2, counters=[0] * 3, starter=starter, to_act=starter)
    play.apply("pass", "pass", "pass", chance=[])
    assert (play["stage"], play["starter"]) == (3, (starter + 1) % 3)


def test_hr_36_any_other_action_starts_the_count_anew() -> None:
    play = race(["", "F F"], ["E", "", ""], counters=[0, 0], last_placer=0)
    play.apply("pass")
    assert play["passes"] == 1
    play.apply("sell F")
    assert play["passes"] == 0
    play.apply("pass")
    assert (play["passes"], play["stage"]) == (1, 1)


def test_hr_36_after_phase_2_cards_are_dealt() -> None:
    play = race(["", ""], ["R1", "", ""], stage=2, counters=[0, 0], pile="E F", to_act=1)
    play.apply("pass", "pass", chance=[])
    assert [(e["player"], e["card"]) for e in play.of_kind("drew")] == [(1, "E"), (0, "F")]
    assert play["out_of_game"]["R1"] == 3


def test_hr_36_in_phase_3_the_game_ends() -> None:
    play = race(["", ""], ["R1 F", "E", ""], stage=3, counters=[0, 0], last_placer=1)
    play.apply("pass", "pass", chance=[])
    assert play["phase"] == "end"
    assert not play.position.is_truncated
    assert play["points"][0] == 7
    assert (play["passes"], play["stage"], play["turn"]) == (2, 3, 2)
    assert cards_in(play, 1) == ["R1", "F"]
