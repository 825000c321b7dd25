"""Horses in the observer's own order, and the part ``stakes`` of the flat observation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.games.horse_race.observation import FLAT
from racegym.testing import ScriptedPosition
from racegym.testing.play import scenarios, walk
from tests.rules.horse_race.positions import ended, race

GAME = racegym.game("horse_race")
ENDS = ("none", "first", "second", "third", "other", "front", "empty", "unknown")


def stakes(position: racegym.engine.position.Position, seat: int) -> dict[str, Any]:
    """What a seat's observation says in this part, in whole numbers and words."""
    seen = position.observe(seat)

    def read(name: str, scale: int) -> list[int]:
        values = FLAT.read(seen, f"stakes.{name}") * scale
        assert np.allclose(values, values.round(), atol=1e-4)
        return [round(float(value)) for value in values]

    lanes = range(1, position.options["lanes"] + 1)
    return {
        "worth": read("worth", 30)[0],
        "best_other": read("best_other", 10)[0],
        "complete": [*read("complete", 5), read("other_complete", 9)[0]],
        "sizes": [read(f"lane_{lane}.size", 7)[0] for lane in lanes],
        "last": [read(f"lane_{lane}.last", 1)[0] for lane in lanes],
        "ends": [ENDS[read(f"lane_{lane}.end", 1).index(1)] for lane in lanes],
    }


def seen(play: ScriptedPosition, seat: int) -> dict[str, Any]:
    return stakes(play.position, seat)


def test_lanes_are_seen_through_the_own_bets() -> None:
    lanes = ("R1:0 F:1 R4:2", "R2:0 F:0 E:1 R3:1", "", "R9:1 F:2 (F:1) R1:0 F:0 (R2:2)")
    play = race(["R1 R3", "R4 F", "E"], lanes)
    own = seen(play, 0)  # backs 1, 2, 3
    assert own["complete"] == [2, 1, 0, 1]
    assert own["sizes"] == [3, 4, 0, 6]
    assert own["last"] == [0, 0, 0, 1]
    assert own["ends"] == ["other", "third", "none", "unknown"]
    second = seen(play, 1)  # backs 4, 5, 6
    assert second["complete"] == [0, 0, 0, 4]
    assert second["ends"] == ["first", "other", "none", "unknown"]
    assert seen(play, 2)["ends"] == ["other", "other", "none", "other"]  # it placed R2 itself


def test_hr_52_a_horse_that_is_out_completes_nothing() -> None:
    lanes = ("R2:0 F:1 R1:0 F:1", "R5:0 F:1 R2:1", "")
    play = race(["F", "F"], lanes, options={"falls": True}, horses_out=[2, 5], stage=3)
    own = seen(play, 0)  # backs 1, 2, 3
    assert own["complete"] == [1, 0, 0, 0]
    assert own["ends"] == ["front", "other", "none"]
    assert seen(play, 1)["complete"] == [0, 0, 0, 1]  # backs 4, 5, 6


def test_a_front_face_down_completes_a_horse_for_its_placer_only() -> None:
    play = race(["F", "F", "F"], ("R1:1 (F:0)", "E:1", "R1:0 F:2"))
    assert seen(play, 0)["complete"] == [2, 0, 0, 0]
    assert seen(play, 1)["complete"] == [0, 0, 0, 1]
    assert seen(play, 0)["ends"] == ["front", "empty", "front"]
    assert seen(play, 1)["ends"] == ["unknown", "empty", "front"]


def test_the_last_phase_has_shorter_lanes() -> None:
    play = race(["F", "F"], ("R1:1 F:0 R2:0 F:1", "E:1", ""), stage=3)
    assert seen(play, 0)["last"] == [1, 0, 0]


@pytest.mark.parametrize(
    ("scoring", "worth"), [("sum", 9), ("first", 4), ("sum_bonus", 9), ("sum_bonus", 17)]
)
def test_the_bets_are_worth_what_the_scoring_says(scoring: str, worth: int) -> None:
    best = 7 if worth == 9 else 4
    points = [4, 3, 2, best, 0, 0, 0, 0, 0]
    play = race(["F", "F"], options={"scoring": scoring}, points=points)
    own = seen(play, 0)
    assert own["worth"] == worth
    assert own["best_other"] == best


def test_at_the_end_the_bets_are_worth_the_score() -> None:
    for scoring in ("sum", "first", "sum_bonus"):
        bets = [[1, 2, 3], [4, 5, 6], [7, 1, 9]]
        play = ended([5, 1, 0, 5, 2, 0, 3, 0, 9], bets, scoring=scoring)
        assert [seen(play, p)["worth"] for p in range(3)] == play.position.scores()


def test_nothing_is_at_stake_before_the_first_bet() -> None:
    position = racegym.make("horse_race", seed=1, num_players=2)
    own = stakes(position, position.seat)
    assert (own["worth"], own["best_other"], own["complete"]) == (0, 0, [0, 0, 0, 0])
    position.apply(position.legal_actions()[0])
    assert stakes(position, position.seat)["worth"] == 0


def test_the_worth_is_the_score_at_the_end_of_random_games() -> None:
    compared = 0
    for scenario in scenarios(GAME, 12, seed=43):
        *_, last = walk(scenario)
        if last.is_truncated:
            continue
        for seat in range(last.num_players):
            assert stakes(last, seat)["worth"] == last.scores()[seat]
            compared += 1
    assert compared > 20


def test_horses_come_in_the_order_of_the_own_bets() -> None:
    bets = [[7, 2, 9], [1, 2, 3]]
    play = race(["R9 R7 F", "R1"], ("R2:0 F:1", "", ""), bets=bets, points=list(range(9)))
    mine, theirs = play.position.observe(0), play.position.observe(1)
    assert (FLAT.read(mine, "points") * 10).round().tolist() == [6, 1, 8, 0, 2, 3, 4, 5, 7]
    assert (FLAT.read(theirs, "points") * 10).round().tolist() == [*range(9)]
    assert np.flatnonzero(FLAT.read(mine, "hand")).tolist() == [0, 2, 9]
    assert FLAT.read(mine, "lane_1.slot_1.card").argmax() == 1
    assert np.allclose(FLAT.read(mine, "backed"), [1, 2 / 3, 1 / 3, 0, 0, 0, 0, 0, 0])


def test_actions_count_horses_in_the_order_of_the_own_bets() -> None:
    bets = [[7, 2, 9], [1, 2, 3]]
    play = race(["R9 R4 F", "R1"], ("R2:0 F:1", "", ""), bets=bets)
    table = dict(GAME.action_table)
    named = {table[a]: play.position.action_to_text(a) for a in play.position.legal_actions()}
    assert named["up own 3 lane 2"] == "up R9 lane 2"
    assert named["up other 3 lane 1"] == "up R4 lane 1"  # after 1 and 3
    assert named["down F lane 1"] == "down F lane 1"
    play.apply("up R4 lane 2")
    assert play["lanes"][1] == [{"card": "R4", "up": True, "by": 0}]
    assert play.legal()[-2:] == ["up R1 lane 1", "up R1 lane 3"]


def test_horses_come_by_number_while_there_are_bets_to_make() -> None:
    position = racegym.make("horse_race", seed=1, num_players=2)
    for horse in (5, 8):
        position.apply_text(f"back {horse}")
        assert position.action_to_text(0) == "back 1"
        backed = FLAT.read(position.observe(0), "backed")
        assert backed[horse - 1] > 0
    position.apply_text("back 1")
    assert np.allclose(FLAT.read(position.observe(0), "backed")[:4], [1, 2 / 3, 1 / 3, 0])
