"""DR-60 to DR-63: coming home, prizes, the egg."""

from __future__ import annotations

from tests.rules.dino_race.positions import (
    die,
    drawn,
    egg_counter,
    hand,
    kinds,
    moves,
    random_card,
    scene,
)


def test_dr_60_home_by_a_card_and_a_prize_to_choose() -> None:
    play = scene([[11, 5], [4, 4]], ["jungle wild"], prizes_left=[0, 3, 7, 9])
    play.apply("move 1 jungle", chance=[])
    assert play.events == [
        {"kind": "moved", "player": 0, "dino": 1, "to": 12, "why": "card"},
        {"kind": "home", "player": 0, "dino": 1},
    ]
    assert (play["phase"], play["to_act"]) == ("prize", 0)
    assert play.legal() == ["prize 0", "prize 3", "prize 7", "prize 9"]
    play.apply("prize 7", chance=[])
    assert play["prizes"] == [[7], []]
    assert play["prizes_left"] == [0, 3, 9]
    assert (play["phase"], play["to_act"]) == ("play", 0)
    assert hand(play, 0) == "wild"
    assert "move 2 wild" in play.legal()


def test_dr_60_a_lying_dinosaur_at_home_stands() -> None:
    play = scene(
        [[11, 12], [11, 11]], volcano_active=True, lava=10, lying=[[True, False], [True, False]]
    )
    play.apply("roll", "give 1", chance=[die("eruption")])
    assert play["lying"] == [[False, False], [False, False]]


def test_dr_60_the_last_prize_is_chosen_too() -> None:
    play = scene([[11, 12], [12, 12]], ["jungle"], prizes_left=[5], prizes=[[0], [1, 2]])
    play.apply("move 1 jungle", chance=[])
    assert play.legal() == ["prize 5"]


def test_dr_60_home_by_lava_first_all_move_then_all_arrive_then_all_choose() -> None:
    play = scene(
        [[11, 12], [12, 12], [11, 11]],
        ["plains wild", "", "push"],
        player=2,
        egg=0,
        volcano_active=True,
        lava=10,
    )
    play.apply("roll", chance=[die("eruption")])
    assert play.legal() == ["give 2"]
    play.apply("give 2", chance=[random_card(0, 1)])
    assert kinds(play) == [
        *("egg", "lava"),
        *("moved", "discarded", "drop"),  # player 2, dinosaur 1
        *("moved", "drop"),  # player 2, dinosaur 2
        *("moved", "drop"),  # player 0
        *("home", "home", "home"),
    ]
    assert (play["phase"], play["to_act"]) == ("prize", 2)
    assert play.legal() == ["prize 3", "prize 4", "prize 5"]
    play.apply("prize 4", chance=[])
    assert play["to_act"] == 2
    play.apply("prize 3", chance=[])
    assert play["to_act"] == 0
    assert play.legal() == ["prize 5"]
    play.apply("prize 5", chance=[egg_counter(3)])
    assert play["prizes"] == [[0, 5], [1, 2], [4, 3]]
    assert play.events == [{"kind": "egg_safe", "player": 2, "value": 8}]
    assert play["phase"] == "end"


def test_dr_60_the_hand_goes_before_the_prize_is_chosen() -> None:
    play = scene([[11, 12], [4, 4]], ["jungle jungle wild"], egg=1)
    play.apply("move 1 jungle", chance=[])
    assert play["phase"] == "prize"
    assert hand(play, 0) == ""
    assert [e["card"] for e in play.of_kind("discarded")] == ["jungle", "wild"]
    assert {e["why"] for e in play.of_kind("discarded")} == {"home"}
    assert kinds(play) == ["moved", "home", "discarded", "discarded"]


def test_dr_61_the_number_of_prizes_is_open() -> None:
    play = scene([[12, 5], [12, 12]], prizes=[[4], [0, 1]], prizes_left=[9])
    facts = play.position.game.encoder("flat").decode(play.position.observe(0))
    assert facts["prizes_won"] == [1, 2]
    assert facts["num_prizes"] == 1
    assert facts["prizes_own"] == [4]


def test_dr_62_who_is_home_only_rolls_by_itself() -> None:
    play = scene([[4, 4], [12, 12], [5, 5]], pile="wild " * 8, egg=2, turn=3)
    play.apply("roll", chance=[die("swamp"), die("swamp")])
    assert kinds(play) == ["die", "die", "drew", "drew"]
    assert [e["player"] for e in play.of_kind("die")] == [0, 1]
    assert drawn(play) == [(2, "wild"), (2, "wild")]  # the next player's turn
    assert (play["to_act"], play["turn"]) == (2, 5)  # such a turn counts


def test_dr_62_also_for_the_rest_of_the_current_turn() -> None:
    play = scene([[11, 12], [4, 4]], ["jungle wild wild"], egg=1)
    play.apply("move 1 jungle", "prize 3", chance=[die("swamp")])
    assert play.events[0] == {"kind": "die", "player": 0, "face": "swamp"}
    assert (play["current"], play["to_act"]) == (1, 1)


def test_dr_62_several_players_at_home_one_after_the_other() -> None:
    play = scene([[4, 4], [12, 12], [12, 12], [12, 12]], pile="wild " * 8, egg=0)
    play.apply("roll", chance=[die("swamp")] * 4)
    assert [e["player"] for e in play.of_kind("die")] == [0, 1, 2, 3]
    assert (play["current"], play["to_act"]) == (0, 0)


def test_dr_62_an_eruption_in_a_turn_of_somebody_at_home() -> None:
    play = scene([[4, 4], [12, 12], [5, 5]], pile="wild " * 8, egg=0)
    play.apply("roll", chance=[die("swamp"), die("eruption")])
    assert (play["phase"], play["to_act"], play["current"]) == ("give", 0, 1)
    play.apply("give 2", chance=[])
    assert (play["phase"], play["to_act"], play["current"]) == ("play", 2, 2)


def test_dr_63_the_owner_of_the_egg_comes_home() -> None:
    play = scene([[11, 12], [4, 4]], ["jungle wild"], egg=0, prizes_left=[3, 5, 8])
    play.apply("move 1 jungle", "prize 8", chance=[egg_counter(1)])
    assert play.events == [{"kind": "egg_safe", "player": 0, "value": 6}]
    assert play["egg_counter"] == {"value": 6, "player": 0}
    assert play["last_die"] is None  # the die is not rolled any more
    assert (play["phase"], play["to_act"]) == ("end", None)
    assert play["position"][1] == [4, 4]
    assert play.position.scores() == [1 + 9 + 6 + 3, 0]


def test_dr_63_the_egg_counter_comes_after_the_last_prize() -> None:
    play = scene([[11, 12], [4, 4]], ["jungle wild"], egg=0)
    play.apply("move 1 jungle", chance=[])
    assert play["egg_counter"] is None


def test_dr_63_one_dinosaur_home_is_not_enough() -> None:
    play = scene([[11, 5], [4, 4]], ["jungle wild"], egg=0)
    play.apply("move 1 jungle", "prize 3", chance=[])
    assert play["egg_counter"] is None
    assert moves(play, "roll") == ["roll"]


def test_dr_63_given_away_in_the_eruption_it_is_safe_with_the_new_owner() -> None:
    play = scene([[11, 11], [11, 12]], volcano_active=True, lava=10, egg=0)
    play.apply("roll", chance=[die("eruption")])
    play.apply("give 1", "prize 1", "prize 2", "prize 3", chance=[egg_counter(0)])
    assert play["egg_counter"] == {"value": 5, "player": 1}
