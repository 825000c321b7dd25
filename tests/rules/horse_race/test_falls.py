"""HR-50 to HR-52: horses that fall at the obstacles."""

from __future__ import annotations

import pytest

from racegym.testing import ScriptedPosition
from tests.rules.horse_race.positions import FALL, JUMP, kinds, obstacle, race, under

SIX = "E R1 F E E R4"
SHUFFLED = under("E R1 F E E R4 F")


def reach(
    cards: list[int], players: int = 3, placer: int = 0, stage: int = 1, **fields: object
) -> ScriptedPosition:
    """A player places the last card of a phase, and these jump and fall cards are drawn."""
    hands = ["F"] * players
    play = race(hands, [SIX, "", ""], stage=stage, to_act=placer, options={"falls": True}, **fields)
    chance: list[object] = [*obstacle(*cards)]
    if min(cards) >= JUMP and stage == 1:
        chance.append(SHUFFLED)
    return play.apply("up F lane 1", chance=chance)


def drawn(play: ScriptedPosition) -> list[tuple[str, int]]:
    return [(e["kind"], e["player"]) for e in play.events if e["kind"] in ("jump", "fall")]


def test_hr_50_one_card_each_clockwise_from_the_player_who_reached_the_obstacle() -> None:
    play = reach([JUMP, JUMP, JUMP], placer=1)
    assert drawn(play) == [("jump", 1), ("jump", 2), ("jump", 0)]
    assert kinds(play) == ["pair", "pair", "jump", "jump", "jump", "stage"]
    assert (play["phase"], play["stage"]) == ("race", 2)


def test_hr_50_until_someone_draws_a_fall() -> None:
    play = reach([JUMP, FALL], placer=2)
    assert drawn(play) == [("jump", 2), ("fall", 0)]


def test_hr_50_four_jumps_and_two_falls() -> None:
    play = reach([JUMP + 3, JUMP + 2, JUMP + 1, JUMP], players=4)
    assert [kind for kind, _ in drawn(play)] == ["jump"] * 4
    for index in (FALL, FALL + 1):
        assert drawn(reach([JUMP, JUMP, JUMP, index], players=4))[-1] == ("fall", 3)


def test_hr_50_at_the_second_obstacle_all_six_are_shuffled_again() -> None:
    play = reach([FALL], stage=2, horses_out=[5])  # the first draw is among six again
    assert play["phase"] == "fall"


def test_hr_50_after_scoring_and_before_clearing() -> None:
    play = reach([FALL])
    assert play["points"][:4] == [1, 0, 0, 1]
    assert [card["card"] for card in play["lanes"][0]] == ["E", "R1", "F", "E", "E", "R4", "F"]
    assert all(card["up"] for card in play["lanes"][0])


def test_hr_50_not_after_a_phase_that_ended_by_passing() -> None:
    play = race(["", ""], ["R1 F", "", ""], counters=[0, 0], options={"falls": True}, last_placer=0)
    play.apply("pass", "pass", chance=[under("R1 F")])
    assert (play["stage"], play["phase"]) == (2, "race")


def test_hr_50_not_in_phase_3_and_not_without_the_option() -> None:
    play = race(["E", ""], ["E E E E", "", ""], stage=3, options={"falls": True})
    assert play.apply("up E lane 1", chance=[])["phase"] == "end"
    play = race(["F", "F"], [SIX, "", ""])
    assert not play.position.options["falls"]
    play.apply("up F lane 1", chance=[SHUFFLED])
    assert play["stage"] == 2


def test_hr_51_the_player_who_reached_the_obstacle_chooses() -> None:
    play = reach([JUMP, JUMP, FALL], placer=1)
    assert (play["to_act"], play["phase"]) == (1, "fall")
    assert play.legal() == [f"out {horse}" for horse in range(1, 10)]


@pytest.mark.parametrize(("placer", "chooser"), [(0, 1), (1, 2), (2, 0)])
def test_hr_51_if_it_drew_the_fall_the_player_to_its_left(placer: int, chooser: int) -> None:
    play = reach([FALL], placer=placer)
    assert play["to_act"] == chooser
    play.apply("out 2", chance=[SHUFFLED])
    assert play.events[0] == {"kind": "out", "horse": 2, "by": chooser}
    assert play["starter"] == (placer + 1) % 3  # whoever chose


def test_hr_51_stage_and_turn_stay_until_the_choice() -> None:
    play = reach([JUMP, FALL], turn=20)
    assert (play["stage"], play["turn"], play["must_open"], play["passes"]) == (1, 20, False, 0)
    assert play["last_placer"] == 0
    play.apply("out 9", chance=[SHUFFLED])
    assert (play["stage"], play["turn"], play["must_open"]) == (2, 21, True)
    assert (play["starter"], play["phase"]) == (1, "race")
    assert kinds(play) == ["out", "stage"]


def test_hr_51_after_phase_2_the_deal_follows_the_choice() -> None:
    play = reach([JUMP, FALL], stage=2, pile="E E")
    play.apply("out 9", chance=[])
    assert kinds(play) == ["out", "drew", "drew", "stage"]


def test_hr_52_a_horse_that_is_out_loses_its_points() -> None:
    play = reach([JUMP, FALL], points=[4, 0, 0, 0, 0, 0, 0, 0, 3])
    assert play["points"][0] == 5
    play.apply("out 1", chance=[SHUFFLED])
    assert play["points"] == [0, 0, 0, 1, 0, 0, 0, 0, 3]
    assert play["horses_out"] == [1]


def test_hr_52_its_pairs_count_no_more() -> None:
    play = race(["F", ""], [SIX, "R1 F", ""], stage=2, horses_out=[1], options={"falls": True})
    play.apply("up F lane 1", chance=obstacle(JUMP, JUMP))
    assert [e["horse"] for e in play.of_kind("pair")] == [4]
    assert play["points"][0] == 0


def test_hr_52_its_places_go_to_the_others() -> None:
    lanes = ["E E E R1", "E E R2 F", "E R1 F"]
    for out, first in (([], [(1, 6), (2, 4), (1, 2)]), ([1], [(2, 6)])):
        play = race(["F", ""], lanes, stage=3, horses_out=out, options={"falls": True})
        play.apply("up F lane 1", chance=[])
        assert [(e["horse"], e["bonus"]) for e in play.of_kind("place")] == first


def test_hr_52_a_horse_already_out_cannot_be_chosen_again() -> None:
    play = reach([FALL], stage=2, horses_out=[5])
    assert play.legal() == [f"out {horse}" for horse in (1, 2, 3, 4, 6, 7, 8, 9)]
    play.apply("out 3")
    assert play["horses_out"] == [5, 3]
