"""AC-40 to AC-43: the Imperial Alley.

White course, clockwise: the alley is entered from 25.3 and left to 2.3; it has three spaces, and
the line lies between the first and the second.
"""

from __future__ import annotations

import pytest

from racegym.errors import StateError
from tests.rules.ave_caesar.positions import DECK, ends, kinds, race

COINS = {"coin": [True, True, True]}


@pytest.mark.parametrize("crossed", [1, 2])
@pytest.mark.parametrize(("card", "space"), [(1, "alley.1"), (2, "alley.2"), (3, "alley.3")])
def test_ac_40_pays_the_coin_at_rest_in_the_alley(crossed: int, card: int, space: str) -> None:
    play = race(["25.3", "9.1", "9.2"], [[card]], crossed=[crossed, 1, 1], **COINS)
    play.apply(f"play {card} to {space}")
    assert kinds(play)[:3] == ["moved", "coin", "drew"]
    assert play.events[1] == {"kind": "coin", "player": 0}
    assert play["coin"] == [False, True, True]


def test_ac_40_not_on_the_way_to_the_first_or_the_last_crossing() -> None:
    play = race(["25.3", "9.1", "9.2"], [[1, 2, 3]], crossed=[0, 1, 1], coin=[True] * 3)
    assert not any("alley" in text for text in play.legal())
    with pytest.raises(StateError, match="no legal action"):  # nor to the finish with a coin
        race(["25.3", "9.1", "9.2"], [[1, 2, 3]], crossed=[3, 1, 1], coin=[True] * 3)


def test_ac_40_passing_by_in_lap_1_is_allowed() -> None:
    play = race(["25.3", "9.1", "9.2"], [[4]], crossed=[1, 1, 1], **COINS)
    play.apply("play 4 to 3.3")
    assert play["coin"][0] is True
    assert play["crossed"][0] == 2


def test_ac_41_who_enters_must_stop_there() -> None:
    play = race(["25.3", "9.1", "9.2"], [[4, 5, 6]], crossed=[1, 1, 1], **COINS)
    assert not any("alley" in text for text in play.legal())
    assert "2.3" not in ends(play, 4)  # four steps through the alley end there
    play = race(["24.3", "9.1", "9.2"], [[1, 4]], crossed=[1, 1, 1], **COINS)
    assert "alley.3" in ends(play, 4)


def test_ac_41_only_with_a_coin() -> None:
    play = race(["25.3", "9.1", "9.2"], [[1, 2, 3]], crossed=[1, 1, 1], coin=[False, True, True])
    assert not any("alley" in text for text in play.legal())


def test_ac_41_leaves_forward_in_single_file() -> None:
    play = race(["alley.1", "alley.3", "9.2"], [[1, 2, 3]], crossed=[1, 2, 1])
    assert play.legal() == ["play 1 to alley.2"]
    play = race(["alley.1", "9.1", "9.2"], [[1, 3, 4]], crossed=[1, 2, 1])
    assert play.legal() == ["play 1 to alley.2", "play 3 to 2.3", "play 4 to 3.3", "play 4 to 3.4"]


def test_ac_41_nobody_overtakes_on_entering() -> None:
    play = race(
        ["25.3", "alley.2", "9.2"], [[1, 2, 3]], crossed=[1, 2, 1], coin=[True, False, True]
    )
    assert ends(play, 1)[-1] == "alley.1"
    assert not any("alley" in text for text in ends(play, 2) + ends(play, 3))


def test_ac_42_must_not_pass_the_alley_by_in_lap_2() -> None:
    """From column 24 only 25.3 leads to the alley; beyond it nothing is open."""
    play = race(["24.2", "9.1", "9.2"], [[1, 2, 5]], crossed=[2, 1, 1], **COINS)
    assert play.legal() == ["play 1 to 25.3", "play 2 to alley.1"]
    play = race(["24.2", "9.1", "9.2"], [[1, 2, 5]], crossed=[1, 1, 1], **COINS)
    assert ends(play, 1) == ["25.1", "25.2", "25.3"]


def test_ac_42_not_even_on_the_way() -> None:
    """24.1 leads to 25.1 and 25.2 only, from which the alley cannot be reached."""
    play = race(["23.i1", "9.1", "9.2"], [[1, 2, 3]], crossed=[2, 1, 1], **COINS)
    assert ends(play, 1) == ["24.2", "24.3"]
    assert ends(play, 2) == ["25.3"]
    assert ends(play, 3) == ["alley.1"]


def test_ac_42_the_rule_looks_at_the_empty_course() -> None:
    """A full alley does not close the way up to it."""
    play = race(["24.2", "alley.1", "9.2"], [[1, 2]], crossed=[2, 2, 1], coin=[True, False, True])
    assert play.legal() == ["play 1 to 25.3"]


def test_ac_42_waits_before_the_full_alley() -> None:
    play = race(
        ["9.1", "25.3", "alley.1"],
        [[1], [1, 2, 3], [1]],
        crossed=[2, 2, 2],
        coin=[False, True, False],
    )
    play.apply("play 1 to 10.1")
    assert play.events[-1] == {"kind": "lost_turn", "player": 1}
    assert play["space"][1] == "25.3"


def test_ac_42_from_the_second_crossing_on() -> None:
    """A move that makes the second crossing may go where the alley lies ahead."""
    play = race(["26.3", "9.1", "9.2"], [[2]], crossed=[1, 1, 1], **COINS)
    play.apply("play 2 to 2.1")
    assert play["crossed"][0] == 2


def test_ac_43_the_line_runs_through_the_alley() -> None:
    play = race(["25.3", "9.1", "9.2"], [[1, 2]], crossed=[1, 1, 1], **COINS)
    play.apply("play 1 to alley.1")
    assert play["crossed"][0] == 1
    play = race(["25.3", "9.1", "9.2"], [[1, 2]], crossed=[1, 1, 1], **COINS)
    play.apply("play 2 to alley.2")
    assert play["crossed"][0] == 2
    play = race(["alley.1", "9.1", "9.2"], [[1, 2]], crossed=[2, 1, 1])
    play.apply("play 1 to alley.2")
    assert play["crossed"][0] == 3


def test_ac_43_counter_clockwise_the_alley_is_driven_backwards() -> None:
    ccw = {"direction": "ccw"}
    play = race(["2.3", "9.1", "9.2"], [[1, 2, 3]], ccw, crossed=[1, 1, 1], **COINS)
    into = [text.split()[-1] for text in play.legal() if "alley" in text]
    assert into == ["alley.3", "alley.2", "alley.1"]
    play.apply("play 3 to alley.1")
    assert play["crossed"][0] == 2
    play = race(["alley.2", "9.1", "9.2"], [[1]], ccw, crossed=[1, 1, 1], decks=[DECK] * 3)
    play.apply("play 1 to alley.1")
    assert play["crossed"][0] == 2
