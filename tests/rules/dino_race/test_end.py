"""DR-70 to DR-76: end, scores, ranks, the variants."""

from __future__ import annotations

from typing import Any

import pytest

import racegym
from racegym.engine.chance import DEALS
from racegym.testing import Order
from tests.rules.dino_race.positions import (
    CARDS,
    DECK,
    die,
    egg_counter,
    finished,
    hand,
    kinds,
    scene,
)

SURVIVE = {"variant": "survive"}
TWICE = {"matches": 2}


def test_dr_70_the_game_ends_when_the_egg_is_safe() -> None:
    play = scene([[11, 12], [11, 11], [12, 5]], ["jungle", "wild wild"], egg=0)
    play.apply("move 1 jungle", "prize 5", chance=[egg_counter(0)])
    assert play["phase"] == "end"
    assert play["prizes"] == [[0, 5], [], [1]]  # nothing for those on the track
    assert hand(play, 1) == "wild wild"  # everything is as it was
    assert play["position"] == [[12, 12], [11, 11], [12, 5]]


def test_dr_70_prizes_of_the_same_eruption_come_first() -> None:
    play = scene([[11, 12], [11, 11]], volcano_active=True, lava=10, egg=0)
    play.apply("roll", "give 1", "prize 1", "prize 2", chance=[die("eruption")])
    assert play["egg_counter"] is None
    play.apply("prize 3", chance=[egg_counter(2)])
    assert play["prizes"] == [[0, 1], [2, 3]]
    assert play["phase"] == "end"


def test_dr_71_the_score() -> None:
    play = finished([[0, 4], [11], [2, 3], []], drops=[4, 1, 0, 5], egg=0, value=6)
    assert play.position.scores() == [1 + 5 + 6 - 4 + 3, 12 - 1, 3 + 4, -5]


@pytest.mark.parametrize("won", [[], [6]])
def test_dr_71_no_bonus_without_two_prizes(won: list[int]) -> None:
    play = finished([won, [0]], value=None)
    assert play.position.scores()[0] == sum(i + 1 for i in won)


def test_dr_72_the_highest_score_wins_and_equal_ones_share() -> None:
    play = finished([[0], [5, 2], [4], [8]], value=None)  # 1, 9, 5, 9
    assert play.position.scores() == [1, 9, 5, 9]
    assert play.position.ranks() == [4, 1, 3, 1]
    assert play.position.rewards() == pytest.approx([-1 / 3, 1 / 3, -1 / 3, 1 / 3])


def test_dr_72_who_brought_the_egg_home_comes_first_of_equals() -> None:
    play = finished([[1], [5, 2], [0, 4], [8]], drops=[0, 0, 6, 0], egg=2, value=6)
    assert play.position.scores() == [2, 9, 9, 9]
    assert play.position.ranks() == [4, 2, 1, 2]


def test_dr_72_at_whatever_place() -> None:
    play = finished([[11], [0, 1], [4, 6], [8]], drops=[0, 3, 21, 3], egg=1, value=6)
    assert play.position.scores() == [12, 6, -6, 6]
    assert play.position.ranks() == [1, 2, 4, 3]


def test_dr_73_turn_max_turns_is_the_last() -> None:
    play = scene(
        [[3, 3], [4, 4]], options={"max_turns": 7}, turn=7, drops=[2, 0], egg=0, passed=False
    )
    play.apply("roll", chance=[die("two")])
    assert kinds(play) == ["die", *["drew"] * 4]  # the die is resolved, but nobody draws
    assert (play["turn"], play["current"], play["phase"], play["to_act"]) == (7, 0, "end", None)
    assert play.position.is_truncated
    assert play.position.scores() == [-2, 0]
    assert play.position.ranks() == [2, 1]


def test_dr_73_prizes_and_bonus_count_as_they_stand() -> None:
    play = scene(
        [[12, 12], [12, 4]], options={"max_turns": 7}, player=1, egg=1, turn=7, prizes=[[0, 2], [8]]
    )
    play.apply("roll", chance=[die("desert")])
    assert play.position.is_truncated
    assert play.position.scores() == [1 + 3 + 3, 9]


def test_dr_73_the_choices_of_the_last_turn_are_made() -> None:
    play = scene([[3, 3], [4, 4]], options={"max_turns": 7}, turn=7)
    play.apply("roll", chance=[die("eruption")])
    assert play["phase"] == "give"
    play.apply("give 1", chance=[])
    assert play.position.is_truncated


def test_dr_73_turns_of_players_at_home_count() -> None:
    play = scene([[3, 3], [12, 12], [4, 4]], options={"max_turns": 7}, turn=6, egg=0)
    play.apply("roll", chance=[die("desert"), die("desert")])
    assert play.position.is_truncated
    assert (play["turn"], play["current"]) == (7, 1)


def test_dr_73_finishing_in_the_last_turn_is_finishing() -> None:
    play = scene([[11, 12], [4, 4]], ["jungle"], options={"max_turns": 7}, turn=7, egg=0)
    play.apply("move 1 jungle", "prize 1", chance=[egg_counter(0)])
    assert play.position.is_over
    assert not play.position.is_truncated


def test_dr_73_survive_is_zero_for_all_when_cut() -> None:
    play = scene([[3, 12], [4, 4]], options={"max_turns": 7, **SURVIVE}, turn=7)
    play.apply("roll", chance=[die("desert")])
    assert play.position.is_truncated
    assert play.position.scores() == [0, 0]
    assert play.position.ranks() == [1, 1]


def test_dr_73_the_second_race_is_not_begun_after_the_last_turn() -> None:
    play = scene([[11, 12], [4, 4]], ["jungle"], options={"max_turns": 7, **TWICE}, turn=7)
    play.apply("move 1 jungle", "prize 1", chance=[egg_counter(0)])
    assert kinds(play) == ["egg_safe", "race_over"]
    assert play.position.is_truncated
    assert (play["race"], play["points"], play["eggs_home"]) == (1, [0, 0], [0, 0])
    assert play.position.scores() == [1 + 2 + 5, 0]
    assert play.position.ranks() == [1, 2]


def test_dr_73_five_hundred_turns_by_default() -> None:
    assert racegym.make("dino_race", seed=0).options["max_turns"] == 500


@pytest.mark.parametrize(("variant", "scale"), [("standard", 10), ("survive", 1)])
def test_dr_74_score_scale(variant: str, scale: int) -> None:
    options = {"variant": variant, "reward": "score"}
    assert racegym.make("dino_race", seed=1, **options).state.score_scale == scale
    if variant == "standard":
        play = finished([[9], [4]], value=None, options=options)
        assert play.position.rewards() == pytest.approx([0.5, -0.5])


# --- survive -------------------------------------------------------------------------------------


def test_dr_75_no_counters_and_no_drops() -> None:
    play = scene([[3, 5], [3, 6]], ["push"], options=SURVIVE, volcano_active=True, lava=2)
    assert (play["prizes"], play["prizes_left"]) == ([[], []], [])
    assert (play["drop_supply"], play["drops"], play["egg_counter"]) == (0, [0, 0], None)
    play.apply("push 1 1", chance=[])
    assert kinds(play) == ["burned"]
    play.apply("roll", chance=[die("eruption")])
    assert kinds(play) == ["die"]  # no drop, and no cards to lose
    assert play["phase"] == "give"


def test_dr_75_the_first_with_both_dinosaurs_home_wins() -> None:
    play = scene([[11, 12], [12, 4], [3, 3]], ["jungle wild"], options=SURVIVE, egg=1)
    play.apply("move 1 jungle", chance=[])
    assert kinds(play) == ["moved", "home", "discarded"]  # DR-62 comes first
    assert play["phase"] == "end"
    assert play.position.scores() == [1, 0, 0]
    assert play.position.ranks() == [1, 2, 2]
    assert play["egg_counter"] is None


def test_dr_75_one_dinosaur_home_without_a_prize() -> None:
    play = scene([[11, 5], [4, 4]], ["jungle wild"], options=SURVIVE)
    play.apply("move 1 jungle", chance=[])
    assert (play["phase"], play["to_act"]) == ("play", 0)


def test_dr_75_brought_home_by_one_eruption_all_win() -> None:
    play = scene([[11, 12], [11, 11], [11, 12]], options=SURVIVE, volcano_active=True, lava=10)
    play.apply("roll", "give 1", chance=[die("eruption")])
    assert play["phase"] == "end"
    assert play.position.scores() == [1, 1, 1]
    assert play.position.ranks() == [1, 1, 1]
    assert play.position.rewards() == [0, 0, 0]


# --- two races -----------------------------------------------------------------------------------

TRACK = [3, 2, 1, 0] * 3
ORDER = [k for k, card in enumerate(CARDS) for _ in range(DECK[card])]
SECOND = [Order(TRACK, DEALS), Order(ORDER, DEALS)]
SECOND_PRIZES = [*SECOND, Order([1, 1, 1, 1, *[0] * 8], DEALS)]


def first_race(**fields: Any) -> Any:
    options = {**TWICE, **fields.pop("options", {})}
    play = scene([[11, 12], [12, 4]], ["jungle"], options=options, turn=9, starter=1, **fields)
    return play.apply("move 1 jungle", chance=[])


def test_dr_76_the_second_race_is_set_up_anew() -> None:
    play = first_race(drops=[3, 1], drop_supply=18)
    play.apply("prize 3", chance=[egg_counter(2), *SECOND_PRIZES])
    assert play.events == [
        {"kind": "egg_safe", "player": 0, "value": 7},
        {"kind": "race_over", "points": [1 + 4 + 7 - 3, 2 - 1]},
        {"kind": "race", "number": 2, "starter": 0},
    ]
    assert (play["race"], play["turn"], play["phase"]) == (2, 10, "play")
    assert play["points"] == [9, 1]
    assert play["eggs_home"] == [1, 0]
    assert (play["starter"], play["current"], play["to_act"], play["egg"]) == (1, 0, 0, 0)
    assert play["position"] == [[1, 2], [1, 2]]
    assert play["tiles"] == ["jungle", "swamp", "desert", "plains"] * 3
    assert (play["volcano_active"], play["lava"], play["last_die"]) == (False, 0, None)
    assert (play["drops"], play["drop_supply"]) == ([0, 0], 22)
    assert (play["prizes"], play["prizes_left"]) == ([[], []], [0, 1, 2, 3])
    assert play["egg_counter"] is None
    assert [sum(h.values()) for h in play["hands"]] == [7, 5]
    assert set(play["discards"].values()) == {0}


def test_dr_76_begun_by_the_player_to_the_left_of_the_first_starter() -> None:
    play = scene([[11, 12], [4, 4], [5, 5]], ["jungle"], options=TWICE, starter=1)
    play.apply("move 1 jungle", "prize 3", chance=[egg_counter(0), *SECOND, _six_prizes()])
    assert (play["current"], play["egg"], play["starter"]) == (2, 2, 1)


def _six_prizes() -> Order:
    return Order([*[0] * 6, *[1] * 6], DEALS)


def test_dr_76_the_sums_are_ranked() -> None:
    play = finished(
        [[0], [3]], drops=[0, 1], value=None, options=TWICE, race=2, points=[5, 2], eggs_home=[0, 1]
    )
    assert play.position.scores() == [6, 5]
    assert play.position.ranks() == [1, 2]


def test_dr_76_ties_by_the_eggs_of_both_races() -> None:
    fields = {"race": 2, "points": [5, 2, 5], "options": TWICE}
    play = finished([[0], [3], [1]], [0, 0, 1], value=None, eggs_home=[0, 1, 0], **fields)
    assert play.position.scores() == [6, 6, 6]
    assert play.position.ranks() == [2, 1, 2]
    play = finished([[0], [3], [2, 1]], [0, 0, 10], 2, 6, eggs_home=[0, 1, 0], **fields)
    assert play.position.scores() == [6, 6, 6]
    assert play.position.ranks() == [3, 1, 1]  # an egg each


def test_dr_76_the_game_ends_after_the_second_race() -> None:
    play = first_race(race=2, points=[4, 20], eggs_home=[0, 1])
    play.apply("prize 2", chance=[egg_counter(0)])
    assert kinds(play) == ["egg_safe", "race_over"]
    assert play.events[1] == {"kind": "race_over", "points": [1 + 3 + 5 + 3, 2]}
    assert play["phase"] == "end"
    assert not play.position.is_truncated
    assert play["points"] == [4, 20]
    assert play.position.scores() == [16, 22]


def test_dr_76_a_cut_second_race_counts_as_it_stands() -> None:
    options = {"max_turns": 9, **TWICE}
    play = scene(
        [[3, 12], [4, 4]], options=options, turn=9, race=2, points=[5, 7], eggs_home=[0, 1],
        prizes=[[1], []], prizes_left=[0, 2, 3], drops=[0, 1],
    )  # fmt: skip
    play.apply("roll", chance=[die("desert")])
    assert kinds(play) == ["die"]  # no race_over
    assert play.position.is_truncated
    assert play.position.scores() == [7, 6]


def test_dr_76_survive_twice_counts_wins() -> None:
    options = {**TWICE, **SURVIVE}
    play = scene([[11, 12], [4, 4]], ["jungle"], options=options, starter=0, turn=4)
    play.apply("move 1 jungle", chance=SECOND)
    assert kinds(play) == ["moved", "home", "race_over", "race"]
    assert play.events[2] == {"kind": "race_over", "points": [1, 0]}
    assert (play["points"], play["eggs_home"], play["race"]) == ([1, 0], [0, 0], 2)
    assert (play["current"], play["turn"]) == (1, 5)
    play = scene(
        [[4, 4], [11, 12]], ["", "jungle"], player=1, options=options, race=2, points=[1, 0]
    )
    play.apply("move 1 jungle", chance=[])
    assert play.position.scores() == [1, 1]
    assert play.position.ranks() == [1, 1]
