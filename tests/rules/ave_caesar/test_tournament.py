"""AC-60 to AC-65: several races, guards, what is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.layout import Visible
from racegym.engine.position import Position
from tests.rules.ave_caesar.positions import unscripted

SMALL = [("white", "cw"), ("blue", "cw"), ("white", "ccw"), ("blue", "ccw")]
LARGE = [("yellow", "cw"), ("red", "cw"), ("yellow", "ccw"), ("red", "ccw")]


def played(position: Position) -> list[dict[str, Any]]:
    """All events of a game in which the first legal action is always taken."""
    events = []
    while not position.is_over:
        events += position.apply_with_events(position.legal_actions()[0])
    return events


def last_move(n: int, races: int = 2, **fields: Any) -> Position:
    """A race in which the move of player 0 is the last; all others are out."""
    space = ["26.1" if n <= 4 else "25.1", *["finished"] * (n - 1)]
    chosen: dict[str, Any] = {
        "crossed": [3, *[4] * (n - 1)],
        "finish_order": list(range(1, n)),
        "space": space,
        **fields,
    }
    return unscripted(chosen.pop("space"), [[1]], {"num_players": n, "races": races}, **chosen)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
@pytest.mark.parametrize("races", [2, 3, 4])
def test_ac_60_courses_of_a_tournament(n: int, races: int) -> None:
    position = racegym.make("ave_caesar", seed=n, num_players=n, races=races)
    tour = (SMALL if n <= 4 else LARGE)[:races]
    assert (position.to_dict()["course"], position.to_dict()["direction"]) == tour[0]
    begun = [event for event in played(position) if event["kind"] == "race"]
    assert [event["number"] for event in begun] == list(range(2, races + 1))
    assert [(event["course"], event["direction"]) for event in begun] == tour[1:]


def test_ac_60_course_and_direction_have_no_effect_in_a_tournament() -> None:
    given = {"num_players": 5, "races": 2, "course": "white", "direction": "ccw"}
    state = racegym.make("ave_caesar", seed=1, **given).to_dict()
    assert (state["course"], state["direction"]) == ("yellow", "cw")


def test_ac_60_one_race_by_default() -> None:
    position = racegym.make("ave_caesar", seed=1)
    assert position.options["races"] == 1
    assert played(position)[-1]["kind"] == "race_over"


def test_ac_60_points_are_summed_and_the_next_race_starts_afresh() -> None:
    position = last_move(4, points=[1, 0, 2, 3])
    events = position.apply_with_events(position.legal_actions()[0])
    assert [event["kind"] for event in events] == ["moved", "finished", "race_over", "race"]
    state = position.to_dict()
    assert events[-2] == {"kind": "race_over", "points": [2, 6, 4, 3]}
    assert state["points"] == [3, 6, 6, 6]
    assert (state["race"], state["turn"], state["lost_in_a_row"]) == (2, 1, 0)
    assert state["coin"] == [True] * 4
    assert state["crossed"] == [0] * 4
    assert state["finish_order"] == state["stranded"] == []
    for hand, deck in zip(state["hands"], state["decks"], strict=True):
        assert sum(hand.values()) == 3
        assert {card: hand[card] + deck[card] for card in hand} == dict.fromkeys("123456", 4)


def test_ac_61_the_last_of_the_race_begins_the_next() -> None:
    position = last_move(4)
    events = position.apply_with_events(position.legal_actions()[0])
    assert events[-1]["starter"] == 0
    state = position.to_dict()
    assert (state["starter"], state["to_act"]) == (0, 0)
    assert state["space"] == ["26.2", "26.3", "26.4", "26.5"]


def test_ac_61_who_did_not_finish_comes_last() -> None:
    space = ["26.1", "9.1", "finished", "finished"]
    position = last_move(4, space=space, crossed=[3, 1, 4, 4], finish_order=[3, 2], stranded=[1])
    position.apply_text("play 1 to finish")
    state = position.to_dict()
    assert state["starter"] == 1
    assert state["space"] == ["26.5", "26.2", "26.3", "26.4"]


def test_ac_61_of_several_the_one_with_most_to_go() -> None:
    space = ["26.1", "9.1", "12.1", "1.1"]
    position = last_move(4, space=space, crossed=[3, 2, 1, 3], finish_order=[], stranded=[1, 2, 3])
    position.apply_text("play 1 to finish")
    assert position.to_dict()["starter"] == 2


@pytest.mark.parametrize(("starter", "last"), [(0, 3), (1, 3), (2, 1), (3, 2)])
def test_ac_61_level_ones_by_the_later_seat_from_the_starter(starter: int, last: int) -> None:
    """Players 1, 2 and 3 are level; the later one clockwise from the starter begins."""
    space = ["26.1", "4.1", "4.2", "4.3"]
    position = last_move(
        4,
        space=space,
        crossed=[3, 1, 1, 1],
        finish_order=[],
        stranded=[3, 1, 2],
        starter=starter,
    )
    position.apply_text("play 1 to finish")
    assert position.to_dict()["starter"] == last


def test_ac_61_a_chariot_taken_off_counts_from_where_it_was() -> None:
    position = unscripted(
        ["26.1", "removed", "removed"],
        [[1]],
        {"races": 2, "stranded": "removed"},
        crossed=[3, 2, 1],
        stranded=[1, 2],
        left_from=[None, "9.1", "12.1"],
    )
    position.apply_text("play 1 to finish")
    assert position.to_dict()["starter"] == 2


def test_ac_62_highest_total_wins_and_equal_totals_share() -> None:
    position = last_move(4, points=[4, 0, 2, 3], race=2)
    position.apply(position.legal_actions()[0])
    assert position.is_over
    assert position.scores() == [6, 6, 6, 6]
    assert position.ranks() == [1, 1, 1, 1]
    position = last_move(4, points=[5, 0, 2, 2], race=2)
    position.apply(position.legal_actions()[0])
    assert position.scores() == [7, 6, 6, 5]
    assert position.ranks() == [1, 2, 2, 4]


def test_ac_63_cut_after_max_turns() -> None:
    position = racegym.make("ave_caesar", seed=1, max_turns=7, races=2)
    events = played(position)
    assert position.is_truncated
    assert position.to_dict()["turn"] == 7
    assert position.to_dict()["to_act"] is None
    assert events[-1] == {"kind": "race_over", "points": [0, 0, 0, 0]}
    assert [event["kind"] for event in events].count("race_over") == 1


def test_ac_63_lost_turns_count() -> None:
    """Turn 21 is lost by itself, and it was the last."""
    options = {"max_turns": 21}
    position = unscripted(["9.1", "9.2", "1.1"], [[1], [1, 2, 3]], options)
    events = position.apply_with_events(position.action_from_text("play 1 to 10.1"))
    assert [event["kind"] for event in events[2:]] == ["lost_turn", "race_over"]
    assert position.is_truncated


def test_ac_63_a_race_that_ends_with_its_last_turn_is_not_cut() -> None:
    position = unscripted(
        ["26.1", "finished", "finished"],
        [[1]],
        {"max_turns": 20},
        crossed=[3, 4, 4],
        finish_order=[1, 2],
    )
    position.apply_text("play 1 to finish")
    assert position.is_over
    assert not position.is_truncated


def test_ac_63_a_cut_race_is_scored_as_it_stands() -> None:
    position = unscripted(
        ["9.1", "finished", "1.1"], [[1]], {"max_turns": 20}, crossed=[1, 4, 1], finish_order=[1]
    )
    position.apply_text("play 1 to 10.1")
    assert position.is_truncated
    assert position.scores() == [0, 6, 0]
    assert position.ranks() == [2, 1, 2]


def test_ac_63_turns_begin_at_one_in_each_race() -> None:
    position = last_move(3, turn=50)
    position.apply(position.legal_actions()[0])
    assert position.to_dict()["turn"] == 1


@pytest.mark.parametrize("races", [1, 2, 3, 4])
def test_ac_64_score_rewards(races: int) -> None:
    position = racegym.make("ave_caesar", seed=3, races=races, reward="score", max_turns=400)
    played(position)
    scores = position.scores()
    wanted = [(a - (sum(scores) - a) / 3) / (6 * races) for a in scores]
    assert np.allclose(position.rewards(), wanted, atol=1e-6)


def test_ac_65_hands_and_decks_are_hidden() -> None:
    layout = racegym.game("ave_caesar").layout
    hidden = {f.name: f.visible for f in layout if f.visible is not Visible.EVERYBODY}
    assert hidden.pop("hand") is Visible.OWNER
    assert set(hidden) == {"deck", "chance_key", "chance_count"}


def test_ac_65_hand_and_deck_together_are_public() -> None:
    position = unscripted(["9.1", "9.2", "1.1"], [[1], [1, 2, 3], [4, 4, 5]], decks=[[6], [5], [6]])
    facts = position.game.encoder().decode(position.observe(0))
    assert facts["decks"][1] == {"1": 1, "2": 1, "3": 1, "4": 0, "5": 1, "6": 0}
    assert facts["hands"][1] == dict.fromkeys("123456", 0)
    assert facts["hands"][0] == {"1": 1, "2": 0, "3": 0, "4": 0, "5": 0, "6": 0}
    twin = position.with_state(hands=[[1], [5, 2, 3], [4, 4, 6]], decks=[[6], [1], [5]])
    assert np.array_equal(position.observe(0), twin.observe(0))
    assert position.text(0) == twin.text(0)
    assert not np.array_equal(position.observe(1), twin.observe(1))


def test_ac_65_redealt_hands_fit_what_was_seen() -> None:
    """Player 1 leads and lost its turn though every card had a way: it holds sixes only."""
    position = unscripted(
        ["9.1", "17.1", "9.2"],
        [[1], [6, 6, 6], [1]],
        crossed=[1, 2, 1],
        decks=[[1], [1, 2, 3, 4, 5, 6], [1]],
    )
    position.apply_text("play 1 to 10.1")
    assert position.to_dict()["lost_last"][1]
    for seed in range(20):
        hand = position.redeal(0, seed).to_dict()["hands"][1]
        assert hand == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0, "6": 3}


def test_ac_65_the_player_to_act_has_a_card_to_play() -> None:
    """Up to 13.o3 the outside is free: every guess must hold a card that leads there."""
    position = unscripted(
        ["9.1", "12.1", "15.1", "15.2"],
        [[1], [3, 6, 6], [1], [1]],
        to_act=1,
        decks=[[1], [4, 4, 4, 5, 5, 5, 6, 6], [1], [1]],
    )
    assert position.legal_texts() == ["play 3 to 13.o3"]
    for seed in range(20):
        twin = position.redeal(0, seed)
        assert twin.to_dict()["hands"][1]["3"] == 1  # there is no 1 or 2 among its cards
        assert twin.mask.any()
