"""AC-50 to AC-53: finishing, stranding, the end of a race."""

from __future__ import annotations

from typing import Any

import pytest

from racegym.errors import StateError
from tests.rules.ave_caesar.positions import DECK, ends, kinds, race, unscripted

LAST_LAP = {"crossed": [3, 1, 1]}


def test_ac_50_finishes_at_the_end_of_lap_3() -> None:
    play = race(["26.1", "9.1", "9.2"], [[1, 2, 3]], **LAST_LAP)
    assert play.legal() == ["play 1 to finish", "play 2 to finish", "play 3 to finish"]
    play.apply("play 2 to finish")
    assert play.events == [
        {"kind": "moved", "player": 0, "from": "26.1", "to": "finish", "card": 2},
        {"kind": "finished", "player": 0, "place": 1},
    ]
    assert play["space"][0] == "finished"
    assert play["crossed"][0] == 4
    assert play["finish_order"] == [0]


def test_ac_50_hand_and_deck_stay_as_they_are() -> None:
    play = race(["26.1", "9.1", "9.2"], [[1, 2, 3]], decks=[DECK] * 3, **LAST_LAP)
    play.apply("play 2 to finish")
    assert play["hands"][0] == {"1": 1, "2": 0, "3": 1, "4": 0, "5": 0, "6": 0}
    assert play["decks"][0] == dict.fromkeys("123456", 1)


def test_ac_50_the_space_beyond_the_line_need_not_be_free() -> None:
    play = race(["26.1", "1.1", "1.2"], [[1, 4]], **LAST_LAP)
    assert play.legal() == ["play 1 to finish", "play 4 to finish"]


def test_ac_50_the_spaces_before_the_line_must_be_free() -> None:
    """From 25.1 the line is reached over 26.1, 26.2 or 26.3."""
    space = ["25.1", "26.1", "26.2", "12.1"]
    play = race(space, [[2, 5]], crossed=[3, 1, 1, 1])
    assert play.legal() == ["play 2 to finish", "play 5 to finish"]
    with pytest.raises(StateError, match="no legal action"):
        race([*space[:3], "26.3"], [[2, 5]], crossed=[3, 1, 1, 1])


def test_ac_50_finishing_lets_the_race_go_on() -> None:
    play = race(["26.1", "9.1", "12.1"], [[1], [1]], **LAST_LAP)
    play.apply("play 1 to finish")
    assert play["to_act"] == 1
    play.apply("play 1 to 10.1")
    assert play["to_act"] == 2  # player 0 is not asked any more
    assert play["turn"] == 22
    play.apply("play 1 to 13.i1")
    assert play["to_act"] == 1


def test_ac_51_stranded_without_cards() -> None:
    play = race(["12.1", "9.1", "9.2"], [[3]], decks=[[], DECK, DECK])
    play.apply("play 3 to 15.1")
    assert kinds(play) == ["moved", "stranded"]
    assert play["stranded"] == [0]
    assert play["space"][0] == "15.1"
    assert play["left_from"] == [None] * 3
    assert play["to_act"] == 1


def test_ac_51_stranded_in_the_alley_pays_first() -> None:
    play = race(["25.3", "9.1", "9.2"], [[1]], coin=[True] * 3, decks=[[], DECK, DECK])
    play.apply("play 1 to alley.1")
    assert kinds(play) == ["moved", "coin", "stranded"]


def test_ac_51_finishing_with_the_last_card_is_finishing() -> None:
    play = race(["26.1", "9.1", "9.2"], [[1]], decks=[[], DECK, DECK], **LAST_LAP)
    play.apply("play 1 to finish")
    assert kinds(play) == ["moved", "finished"]
    assert play["stranded"] == []


def test_ac_51_a_stranded_chariot_occupies_its_space() -> None:
    play = race(["9.1", "12.1", "9.2"], [[3], [1]], decks=[DECK, [], DECK], to_act=1)
    play.apply("play 1 to 13.i1")
    assert play["stranded"] == [1]
    assert play["to_act"] == 2
    assert play["space"][1] == "13.i1"


def test_ac_51_option_removed() -> None:
    removed = {"stranded": "removed"}
    play = race(["12.1", "9.1", "9.2"], [[3]], removed, decks=[[], DECK, DECK])
    play.apply("play 3 to 15.1")
    assert play["space"][0] == "removed"
    assert play["left_from"] == ["15.1", None, None]
    play = race(
        ["removed", "13.i2", "9.2"],
        [[], [1]],
        removed,
        to_act=1,
        stranded=[0],
        left_from=["15.1", None, None],
        decks=[[], DECK, DECK],
    )
    assert ends(play, 1) == ["15.1", "15.2"]


#: Player 1 waits in lap 2 before the alley, with cards that will never fit.
HOPELESS: dict[str, Any] = {
    "crossed": [1, 2, 1],
    "coin": [True, True, True],
    "lost_last": [False, True, False],
    "lost_in_a_row": 0,
}


def test_ac_51_stranded_with_cards_that_will_never_fit() -> None:
    play = race(["9.1", "25.3", "9.2"], [[1], [4, 5, 6]], **HOPELESS)
    before = play.state()
    play.apply("play 1 to 10.1")
    assert kinds(play) == ["moved", "drew", "stranded", "lost_turn"]
    assert play["stranded"] == [1]
    assert play["turn"] == before["turn"] + 3
    assert play["lost_last"] == [False, True, True]  # as it was; only player 2 lost a turn
    assert play["lost_in_a_row"] == 1
    assert play["hands"][1] == before["hands"][1]
    assert play["decks"][1] == before["decks"][1]


def test_ac_51_a_six_that_would_fit_is_no_reason_to_strand() -> None:
    """Six steps before the alley's end a leader may not play its six, but could have."""
    fields = {**HOPELESS, "lost_last": [False] * 3}
    play = race(["9.1", "22.1", "9.2"], [[1], [6, 6, 6]], **fields)
    play.apply("play 1 to 10.1")
    assert play.events[-1] != {"kind": "stranded", "player": 1}
    assert {"kind": "lost_turn", "player": 1} in play.events


def test_ac_51_others_in_the_way_are_no_reason_to_strand() -> None:
    fields = {**HOPELESS, "crossed": [2, 2, 1], "coin": [False, True, True]}
    play = race(["alley.1", "25.3", "9.2"], [[1], [1, 5, 6]], decks=[DECK] * 3, **fields)
    play.apply("play 1 to alley.2")
    assert play["to_act"] == 1
    play = race(["9.1", "25.3", "alley.1"], [[1], [1, 5, 6]], **{**fields, "crossed": [1, 2, 2]})
    play.apply("play 1 to 10.1")
    assert play.events[-1] == {"kind": "lost_turn", "player": 1}


def test_ac_51_a_hopeless_chariot_can_be_taken_off() -> None:
    play = race(["9.1", "25.3", "12.1"], [[1], [4, 5, 6]], {"stranded": "removed"}, **HOPELESS)
    play.apply("play 1 to 10.1")
    assert play["space"][1] == "removed"
    assert play["left_from"][1] == "25.3"


def test_ac_52_over_when_nobody_is_racing() -> None:
    play = race(
        ["26.1", "finished", "9.2"],
        [[1]],
        crossed=[3, 4, 1],
        finish_order=[1],
        stranded=[2],
    )
    play.apply("play 1 to finish")
    assert kinds(play) == ["moved", "finished", "race_over"]
    assert play["to_act"] is None
    assert play["turn"] == 20
    assert not play.position.is_truncated


def test_ac_52_over_after_twice_as_many_lost_turns_as_chariots() -> None:
    """12.1 and 16.1 are closed by stranded chariots; nobody gets anywhere."""
    play = race(
        ["10.1", "11.i1", "12.1", "16.1"],
        [[1], [1, 2, 3], [], [1]],
        stranded=[2, 3],
        decks=[DECK, DECK, [], []],
    )
    play.apply("play 1 to 11.o1")  # next to 11.i1: a 1 still leads to 11.o2
    assert kinds(play)[-1] == "lost_turn"
    assert play["to_act"] == 0
    play = race(
        ["11.o1", "11.i1", "12.1", "16.1"],
        [[1], [1, 2, 3], [], [1]],
        stranded=[2, 3],
        decks=[[2, 3], DECK, [], []],
    )
    play.apply("play 1 to 11.o2")
    assert kinds(play) == ["moved", "drew", *["lost_turn"] * 4, "race_over"]
    assert play["lost_in_a_row"] == 4
    assert play["lost_last"][:2] == [True, True]
    assert play["turn"] == 24
    assert not play.position.is_truncated
    assert play.position.scores() == [0, 0, 0, 0]
    assert play.position.ranks() == [1, 1, 1, 1]


def test_ac_52_playing_a_card_begins_the_count_anew() -> None:
    play = race(["9.1", "12.1", "17.1"], [[1]], lost_in_a_row=4, lost_last=[True] * 3)
    play.apply("play 1 to 10.1")
    assert play["lost_in_a_row"] == 0
    assert play["lost_last"] == [False, True, True]


def test_ac_52_the_number_still_racing_counts() -> None:
    """Player 1 strands; four turns lost in a row by the other two are then enough."""
    play = race(
        ["11.o1", "25.3", "11.i1", "12.1"],
        [[1], [4, 5, 6], [1, 2, 3], []],
        crossed=[1, 2, 1, 1],
        coin=[False, True, False, False],
        stranded=[3],
        decks=[DECK, DECK, DECK, []],
    )
    play.apply("play 1 to 11.o2")
    assert kinds(play) == ["moved", "drew", "stranded", *["lost_turn"] * 4, "race_over"]


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_ac_53_points_by_order_of_finishing(n: int) -> None:
    course = {"course": "yellow"}
    space = ["25.1", *["finished"] * (n - 1)]
    order = list(range(n - 1, 0, -1))
    position = unscripted(
        space, [[1]], course, crossed=[3, *[4] * (n - 1)], finish_order=order, stranded=[]
    )
    events = position.apply_with_events(position.legal_actions()[0])
    points = [0] * n
    for place, p in enumerate([*order, 0]):
        points[p] = (6, 4, 3, 2, 1, 0)[place]
    assert events[-1] == {"kind": "race_over", "points": points}
    assert position.scores() == points
    assert position.ranks() == [n, *range(n - 1, 0, -1)]


def test_ac_53_who_did_not_finish_is_last() -> None:
    position = unscripted(
        ["26.1", "9.1", "9.2", "finished"],
        [[1]],
        crossed=[3, 2, 1, 4],
        finish_order=[3],
        stranded=[2, 1],
    )
    position.apply_text("play 1 to finish")
    assert position.scores() == [4, 0, 0, 6]
    assert position.ranks() == [2, 3, 3, 1]
