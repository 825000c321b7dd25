"""HR-40 to HR-48: phase 3, scores, ranks and the longest game."""

from __future__ import annotations

import pytest

import racegym
from racegym.testing import ScriptedPosition
from tests.rules.horse_race.positions import (
    FALL,
    JUMP,
    cards_in,
    ended,
    kinds,
    obstacle,
    race,
    under,
)


def places(play: ScriptedPosition) -> list[tuple[int, int, int, int]]:
    return [(e["horse"], e["lane"], e["place"], e["bonus"]) for e in play.of_kind("place")]


def test_hr_40_places_by_nearness_to_the_finish() -> None:
    lanes = ["R1 F E R2", "R3 F R4 F", "E R5 F"]
    play = race(["F", ""], lanes, stage=3)
    play.apply("up F lane 1", chance=[])
    assert play["phase"] == "end"
    assert places(play) == [(2, 1, 1, 6), (4, 2, 2, 4), (5, 3, 3, 2)]
    assert play["points"] == [1, 7, 1, 5, 3, 0, 0, 0, 0]
    assert kinds(play) == ["pair"] * 5 + ["place"] * 3


def test_hr_40_a_position_shared_by_several_pays_each() -> None:
    lanes = ["E E E R1", "R2 F R3 F", "E E R4 F", "R5 F"]
    play = race(["F", ""], lanes, stage=3)
    play.apply("up F lane 1", chance=[])
    assert places(play) == [(1, 1, 1, 6), (3, 2, 2, 4), (4, 3, 2, 4), (2, 2, 3, 2), (5, 4, 3, 2)]
    assert play["points"] == [7, 3, 5, 5, 3, 0, 0, 0, 0]


def test_hr_40_each_pair_of_one_horse_is_paid() -> None:
    lanes = ["E R1 F E (E)", "E R1 F", "R1 F"]
    play = race(["E", ""], ["E R1 F E", *lanes[1:]], stage=3)
    play.apply("up E lane 1", chance=[])
    assert places(play) == [(1, 1, 1, 6), (1, 2, 1, 6), (1, 3, 2, 4)]
    assert play["points"][0] == 3 + 16


def test_hr_40_nothing_extra_beyond_the_third_position() -> None:
    lanes = ["R1 F E R2", "E R3 F", "E E R4 F"]
    play = race(["F", ""], lanes, stage=3)
    play.apply("up F lane 1", chance=[])
    assert play["points"][:4] == [1, 7, 3, 5]
    assert len(places(play)) == 3


def test_hr_41_without_a_complete_horse_no_points_in_phase_3() -> None:
    points = [1, 0, 2, 0, 0, 0, 0, 0, 3]
    play = race(["E", ""], ["E E E E", "R1", ""], stage=3, points=points)
    play.apply("up E lane 1", chance=[])
    assert play["phase"] == "end"
    assert play.events == []
    assert play["points"] == points


def test_hr_42_points_add_up_over_the_phases_and_bets_are_revealed() -> None:
    play = race(["F", ""], ["R1 F E R1", "", ""], stage=3, points=[2, 0, 0, 0, 4, 0, 0, 0, 0])
    before = play.position.observe(1)
    play.apply("up F lane 1")
    assert play["points"][0] == 2 + 2 + 6 + 4
    assert play["bets"] == [[1, 2, 3], [4, 5, 6]]
    decode = play.position.game.encoder().decode
    assert decode(before)["bets"] == [[4, 5, 6], []]
    assert decode(play.position.observe(1))["bets"] == [[4, 5, 6], [1, 2, 3]]
    assert "Player 0: " in play.position.text(1)
    assert "backs 1, 2, 3" in play.position.text(1)


POINTS = [5, 3, 1, 2, 2, 5, 0, 0, 9]


def test_hr_43_the_sum_of_three_horses() -> None:
    play = ended(POINTS, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    assert play.position.options["scoring"] == "sum"
    assert play.position.scores() == [9, 9, 9]


def test_hr_43_ties_by_the_first_horse() -> None:
    assert ended(POINTS, [[1, 2, 3], [4, 5, 6], [9, 8, 7]]).position.ranks() == [2, 3, 1]
    assert ended(POINTS, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]).position.ranks() == [1, 2, 3]


def test_hr_44_only_the_first_horse_counts() -> None:
    play = ended(POINTS, [[1, 2, 3], [4, 5, 6], [6, 9, 8]], scoring="first")
    assert play.position.scores() == [5, 2, 5]
    assert play.position.ranks() == [2, 3, 1]  # tie: the second horse, 9 against 3


def test_hr_44_ties_by_the_second_then_the_third_horse() -> None:
    points = [5, 3, 1, 3, 2, 5, 0, 0, 9]
    play = ended(points, [[1, 2, 3], [6, 4, 5], [1, 3, 9]], scoring="first")
    assert play.position.ranks() == [2, 1, 3]


def test_hr_45_eight_more_if_the_first_horse_has_the_most() -> None:
    bets = [[1, 2, 3], [9, 4, 7], [8, 9, 7]]
    assert ended(POINTS, bets, scoring="sum_bonus").position.scores() == [9, 11 + 8, 9]


def test_hr_45_also_if_it_is_one_of_several_or_all_have_nothing() -> None:
    bets = [[1, 2, 3], [9, 4, 7], [8, 9, 7]]
    points = [9, 0, 0, 0, 0, 0, 0, 0, 9]
    assert ended(points, bets, scoring="sum_bonus").position.scores() == [17, 17, 9]
    assert ended([0] * 9, bets, scoring="sum_bonus").position.scores() == [8, 8, 8]


def test_hr_45_a_horse_that_is_out_counts_as_one_with_nothing() -> None:
    play = ended([0] * 9, [[1, 2, 3], [9, 4, 7]], scoring="sum_bonus", falls=True)
    twin = play.position.with_state(horses_out=[1])
    assert twin.scores() == [8, 8]


def test_hr_45_ties_as_with_the_sum() -> None:
    points = [5, 4, 3, 6, 3, 3, 0, 20, 0]
    play = ended(points, [[1, 2, 3], [4, 5, 6], [8, 7, 9]], scoring="sum_bonus")
    assert play.position.scores() == [12, 12, 28]
    assert play.position.ranks() == [3, 2, 1]


def test_hr_46_players_still_equal_share_the_rank() -> None:
    assert ended(POINTS, [[1, 2, 3], [6, 2, 3], [7, 8, 9]]).position.ranks() == [1, 1, 3]
    assert ended(POINTS, [[1, 2, 3], [1, 3, 2]]).position.ranks() == [1, 1]
    play = ended(POINTS, [[1, 2, 3], [6, 2, 3], [2, 1, 9]], scoring="first")
    assert play.position.ranks() == [1, 1, 3]


def test_hr_47_turn_counts_the_turns_passes_included() -> None:
    play = race(["E", "", "F F"], counters=[0] * 3)
    turns = [play["turn"]]
    for text in ("up E lane 1", "pass", "sell F"):
        turns.append(play.apply(text)["turn"])
    assert turns == [1, 2, 3, 4]


def test_hr_47_bets_are_no_turns() -> None:
    game = racegym.make("horse_race", seed=1, num_players=2)
    for _ in range(6):
        assert game.to_dict()["turn"] == 1
        game.apply(game.legal_actions()[0])
    assert game.to_dict()["turn"] == 1


def test_hr_47_truncated_when_the_last_turn_is_over() -> None:
    play = race(
        ["E", "F E"],
        ["R1 F R2", "E", ""],
        options={"max_turns": 3},
        turn=3,
        points=[2, 0, 0, 0, 0, 1, 0, 0, 0],
    )
    play.apply("down E lane 1", chance=[])
    assert play.position.is_truncated
    assert (play["turn"], play["phase"], play["to_act"]) == (3, "end", None)
    assert play["points"] == [2, 0, 0, 0, 0, 1, 0, 0, 0]  # the phase is not scored
    assert not play["lanes"][0][3]["up"]
    assert play.events == []
    assert play.position.scores() == [2, 1]
    assert play["bets"] == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("stage", [1, 2])
def test_hr_47_a_phase_that_ends_with_the_last_turn_is_scored_and_cleared(stage: int) -> None:
    play = race(
        ["F", "F E"],
        ["E E E E E R1", "E", ""],
        pile="R5",
        stage=stage,
        options={"max_turns": 8},
        turn=8,
    )
    play.apply("up F lane 1", chance=[under("E E E E E R1 F E")] if stage == 1 else [])
    assert play.position.is_truncated
    assert play["points"][0] == 1
    assert play["lanes"] == [[], [], []]
    assert (play["turn"], play["stage"], play["starter"]) == (8, stage + 1, 1)
    assert not play["must_open"]
    assert kinds(play) == ["pair", *(["drew"] if stage == 2 else []), "stage"]


def test_hr_47_a_fall_is_played_out_before_the_game_is_cut() -> None:
    play = race(
        ["F", "E"],
        ["E E E E E R1", "", ""],
        options={"max_turns": 8, "falls": True},
        turn=8,
    )
    play.apply("up F lane 1", chance=obstacle(JUMP, FALL))
    assert (play["phase"], play["turn"]) == ("fall", 8)
    play.apply("out 4", chance=[under("E E E E E R1 F")])
    assert play.position.is_truncated
    assert (play["turn"], play["stage"]) == (8, 2)


def test_hr_47_a_game_that_ends_with_the_last_turn_is_finished() -> None:
    play = race(["E", ""], ["E E E E", "", ""], stage=3, options={"max_turns": 5}, turn=5)
    play.apply("up E lane 1")
    assert not play.position.is_truncated
    assert (play["turn"], play["phase"]) == (5, "end")


def test_hr_47_1000_turns_by_default() -> None:
    assert racegym.make("horse_race", seed=1).options["max_turns"] == 1000


def test_hr_48_score_rewards_are_divided_by_ten() -> None:
    play = ended(POINTS, [[1, 2, 3], [9, 4, 7], [8, 7, 3]], reward="score")
    assert play.position.scores() == [9, 11, 1]
    assert play.position.rewards() == pytest.approx([0.3, 0.6, -0.9])


def test_hr_42_the_lanes_stay_as_they_are_at_the_end() -> None:
    play = race(["E", "F"], ["E R1 (F:1) E", "R2", ""], stage=3, starter=1)
    play.apply("up E lane 1")
    assert cards_in(play, 1) == ["E", "R1", "F", "E", "E"]
    assert play["lanes"][0][2]["up"]
    assert (play["stage"], play["starter"], play["last_placer"]) == (3, 1, 0)
