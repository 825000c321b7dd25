"""AC-30 to AC-34: leaders and sixes.

White course, clockwise: 12.1 and 16.1 are necks of one space, 17.1 and 17.2 lie side by side.
"""

from __future__ import annotations

import pytest

from racegym.errors import StateError
from racegym.games.ave_caesar.observation import FLAT
from racegym.testing import Order, Pick, scripted
from tests.rules.ave_caesar.positions import ALL_CARDS, ends, race

SIXES = [6, 6, 6]


def to_go(*space: str, **fields: object) -> list[int]:
    """Distances to go, as the engine has them."""
    play = race(space, **fields)
    return play.position.state.to_go[: len(space)].tolist()


def test_ac_30_distance_to_go() -> None:
    assert to_go("26.2", "26.3", "26.4", crossed=[0, 0, 0]) == [79, 79, 79]
    assert to_go("26.1", "1.1", "12.1", crossed=[3, 3, 3]) == [1, 26, 15]
    assert to_go("12.1", "16.1", "1.6", crossed=[1, 2, 2]) == [15 + 52, 11 + 26, 26 + 26]


def test_ac_30_the_shortest_way_counts() -> None:
    """The curve at 13 takes two steps on the inside, three on the outside."""
    assert to_go("13.i1", "13.o1", "13.o2", crossed=[3, 3, 3]) == [14, 15, 14]


def test_ac_30_the_coin_does_not_matter() -> None:
    assert to_go("12.1", "10.1", "9.1", coin=[True, True, False], crossed=[1, 1, 1]) == to_go(
        "12.1", "10.1", "9.1", coin=[False] * 3, crossed=[1, 1, 1]
    )


def test_ac_30_from_the_alley_along_the_alley() -> None:
    """alley.1 is a step before the line; alley.3 leads to 2.3, 25 steps before the line."""
    assert to_go("alley.1", "alley.3", "2.3", crossed=[1, 2, 2]) == [1 + 52, 26 + 26, 25 + 26]


def test_ac_30_lap_length_on_side_b() -> None:
    yellow = {"course": "yellow", "num_players": 3}
    assert to_go("25.1", "25.2", "25.3", crossed=[0, 0, 0], options=yellow) == [76, 76, 76]


def test_ac_30_finished_and_stranded_chariots_do_not_lead() -> None:
    """Player 1 is stranded far ahead: player 0 leads."""
    play = race(["9.1", "12.1", "1.1"], [[1, 6, 6]], stranded=[1], crossed=[1, 2, 1])
    assert ends(play, 6) == []


def test_ac_30_leaders_anew_at_each_turn() -> None:
    play = race(["9.1", "9.2", "1.1"], [[1], [1, 6, 6], [1]], crossed=[1, 1, 1])
    assert play.position.state.to_go[0] == play.position.state.to_go[1]
    play.apply("play 1 to 10.1")  # bars the neck, and leads alone
    assert play["to_act"] == 2
    play = race(["8.o1", "9.1", "1.1"], [[4], [1, 6, 6], [1]])
    play.apply("play 4 to 11.i1")  # past 10.1: player 1 leads no more
    assert play["to_act"] == 1
    assert ends(play, 6) != []


def test_ac_31_a_leader_may_not_play_a_six() -> None:
    play = race(["12.1", "1.1", "1.2"], [[1, 6]])
    assert ends(play, 6) == []
    assert ends(play, 1) == ["13.i1", "13.o1"]


def test_ac_31_who_does_not_lead_may() -> None:
    play = race(["12.1", "17.1", "1.2"], [[1, 6]])
    assert ends(play, 6) == ["17.2", "18.1", "18.2"]
    play = race(["12.1", "9.1", "1.2"], [[1, 6]], crossed=[1, 2, 1])
    assert ends(play, 6) == ["17.1", "17.2", "18.1", "18.2"]


def test_ac_31_all_who_are_level_lead() -> None:
    for to_act in (0, 1):
        play = race(["9.1", "9.2", "1.2"], [[1, 6], [1, 6]], to_act=to_act)
        assert ends(play, 6) == []
        assert ends(play, 1) == ["10.1"]


def test_ac_31_not_to_finish_either() -> None:
    play = race(["26.1", "1.1", "1.2"], [[5, 6]], crossed=[3, 1, 1])
    assert play.legal() == ["play 5 to finish"]


def test_ac_31_not_into_the_alley_either() -> None:
    fields = {"crossed": [2, 1, 1], "coin": [True, True, True]}
    play = race(["22.1", "1.1", "1.2"], [[5, 6]], **fields)
    assert ends(play, 6) == []
    assert "alley.1" in ends(play, 5)


def test_ac_31_a_leader_with_sixes_only_waits() -> None:
    """On two lanes with nobody beside it: it can be overtaken."""
    play = race(["18.2", "17.1", "1.2"], [[1], SIXES, [1, 2]], crossed=[1, 2, 1])
    play.apply("play 1 to 19.1")
    assert play.events[-1] == {"kind": "lost_turn", "player": 1}
    assert play["to_act"] == 2


def test_ac_32_the_first_card_may_be_a_six() -> None:
    cards = [6, 6, 1, *[c for c in ALL_CARDS if c not in (1, 6)], 1, 1, 1, 6, 6]
    play = scripted("ave_caesar", setup=[Pick(0, 4), *[Order(cards)] * 4])
    assert ends(play, 6) == ["6.1"]
    play.apply("play 1 to 1.1", "play 1 to 1.2", "play 1 to 1.3", "play 1 to 1.4")
    assert play["to_act"] == 0
    assert ends(play, 6) == []  # level with all others, and no longer the first card


def test_ac_32_only_the_starting_player() -> None:
    cards = [6, 6, 1, *[c for c in ALL_CARDS if c not in (1, 6)], 1, 1, 1, 6, 6]
    play = scripted("ave_caesar", setup=[Pick(0, 4), *[Order(cards)] * 4])
    play.apply("play 1 to 1.1")
    assert ends(play, 6) == ["6.1"]  # behind player 0
    fields = {"space": ["26.2", "26.3", "26.4", "26.5"], "to_act": 1}
    play = scripted("ave_caesar", None, fields, setup=[Pick(0, 4), *[Order(cards)] * 4])
    assert ends(play, 6) == []


def test_ac_33_nobody_leads_once_a_chariot_has_finished() -> None:
    space = ["12.1", "finished", "1.2"]
    play = race(space, [[1, 6]], crossed=[1, 4, 1], finish_order=[1])
    assert ends(play, 6) == ["17.1", "17.2", "18.1", "18.2"]
    play = race(["12.1", "13.o3", "1.2"], [[1, 6]], stranded=[1], crossed=[1, 1, 1])
    assert ends(play, 6) == []


@pytest.mark.parametrize(("finished", "flags"), [(False, [0, 1, 0]), (True, [0, 0, 0])])
def test_ac_33_observations_show_no_leader_then(finished: bool, flags: list[int]) -> None:
    """The flag ``leading`` of the three players, as player 2 sees them."""
    last = {"finish_order": [1]} if finished else {}
    space = ["12.1", "finished" if finished else "2.1", "1.2"]
    play = race(space, [[1, 6]], crossed=[1, 4 if finished else 1, 1], **last)
    seen = play.position.observe(2)
    assert [int(FLAT.read(seen, f"player_{q}.leading")[0]) for q in range(3)] == flags


# --- AC-34 (a) -----------------------------------------------------------------------------------


def test_ac_34_a_alone_on_a_neck_with_sixes_only() -> None:
    play = race(["12.1", "1.1", "1.2"], [SIXES])
    assert "17.1" in ends(play, 6)
    play.apply("play 6 to 17.1")
    assert play.events[0]["card"] == 6


def test_ac_34_a_not_with_another_card() -> None:
    play = race(["12.1", "1.1", "1.2"], [[6, 6, 5]])
    assert ends(play, 6) == []


def test_ac_34_a_fewer_cards_are_sixes_only_too() -> None:
    play = race(["12.1", "1.1", "1.2"], [[6]], decks=[[], [1], [1]])
    assert ends(play, 6) != []


def test_ac_34_a_a_chariot_that_does_not_lead_closes_nothing() -> None:
    """17.1 and 17.2 are taken, but the one on 17.2 is a lap behind."""
    play = race(["18.2", "17.1", "17.2"], [[1], SIXES, [1, 2]], crossed=[1, 3, 2])
    play.apply("play 1 to 19.1")
    assert play.events[-1] == {"kind": "lost_turn", "player": 1}


@pytest.mark.parametrize("lost", [False, True])
def test_ac_34_a_two_side_by_side(lost: bool) -> None:
    """Player 0 only if player 1 lost its own latest turn; else 0 waits, and 1 is let go."""
    fields = {"crossed": [2, 2, 1], "lost_last": [False, lost, False]}
    play = race(["17.1", "17.2", "1.1"], [SIXES, SIXES, [1]], to_act=2, **fields)
    play.apply("play 1 to 2.1")
    assert ({"kind": "lost_turn", "player": 0} in play.events) != lost
    assert play["to_act"] == (0 if lost else 1)
    assert ends(play, 6) != []


def test_ac_34_a_beside_a_stranded_chariot() -> None:
    play = race(["17.1", "17.2", "1.1"], [SIXES], stranded=[1], crossed=[1, 1, 1])
    assert ends(play, 6) != []


def test_ac_34_a_not_if_the_stranded_close_the_course_alone() -> None:
    """12.1 is closed by a stranded chariot: it is not the leader that lets nobody by."""
    play = race(
        ["5.1", "12.1", "16.1", "1.1"],
        [[1], [], SIXES, [1]],
        stranded=[1],
        crossed=[1, 1, 2, 1],
        decks=[[1], [], [1], [1]],
    )
    play.apply("play 1 to 6.1")
    assert play.events[-1] == {"kind": "lost_turn", "player": 2}


def test_ac_34_a_a_removed_chariot_closes_nothing() -> None:
    play = race(
        ["18.2", "17.1", "removed"],
        [[1], SIXES, []],
        {"stranded": "removed"},
        stranded=[2],
        left_from=[None, None, "17.2"],
        crossed=[1, 2, 1],
        decks=[[1, 1], [1], []],
    )
    play.apply("play 1 to 19.1")
    assert play.events[-1] == {"kind": "lost_turn", "player": 1}


def test_ac_34_a_the_alley_is_a_way_round() -> None:
    """Five leaders side by side on column 24 leave the alley open: no closed course."""
    yellow = {"course": "yellow"}
    space = ["24.1", "24.2", "24.3", "24.4", "24.5", "3.1"]
    fields = {"crossed": [2, 2, 2, 2, 2, 1], "lost_last": [True] * 5 + [False], "to_act": 5}
    play = race(space, [SIXES] * 5 + [[1]], yellow, **fields)
    play.apply(play.legal()[0])
    lost = [event["player"] for event in play.of_kind("lost_turn")]
    assert lost == [0, 1, 2, 3, 4]


# --- AC-34 (b) -----------------------------------------------------------------------------------


def test_ac_34_b_all_others_lost_their_latest_turn() -> None:
    """On two lanes, nobody else can move: the six must be let go."""
    play = race(["17.1", "12.1", "16.1"], [SIXES], lost_last=[False, True, True])
    assert ends(play, 6) != []
    with pytest.raises(StateError, match="no legal action"):
        race(["17.1", "12.1", "16.1"], [SIXES], lost_last=[False, True, False])


def test_ac_34_b_the_own_lost_turn_does_not_matter() -> None:
    play = race(["17.1", "12.1", "16.1"], [SIXES], lost_last=[True, True, True])
    assert ends(play, 6) != []


def test_ac_34_b_nobody_else_is_racing() -> None:
    play = race(["17.1", "12.1", "16.1"], [SIXES], stranded=[1, 2])
    assert ends(play, 6) != []


def test_ac_34_b_not_while_another_card_can_be_played() -> None:
    play = race(["17.1", "12.1", "16.1"], [[1, 6, 6]], lost_last=[False, True, True])
    assert play.legal() == ["play 1 to 18.1", "play 1 to 18.2"]


def test_ac_34_b_stranded_chariots_are_not_asked() -> None:
    play = race(["17.1", "12.1", "16.1"], [SIXES], lost_last=[False, False, True], stranded=[1])
    assert ends(play, 6) != []
