"""DR-61, DR-82, DR-83: who knows what, and guessing afresh what a seat may not know."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.testing import ScriptedPosition
from tests.rules.dino_race.positions import CARDS, DECK, die, random_card, scene, shuffled


def seen(play: ScriptedPosition, p: int) -> dict[str, Any]:
    """What seat p reads off its observation, other seats relative to it."""
    position = play.position
    return dict(position.game.encoder("flat").decode(position.observe(p)))


def some(counts: dict[str, int]) -> dict[str, int]:
    """The kinds that there are."""
    return {card: count for card, count in counts.items() if count}


def stolen() -> ScriptedPosition:
    play = scene([[3, 5], [3, 6], [8, 8]], ["steal plains", "wild desert egg"], egg=2)
    return play.apply("steal 1", chance=[random_card(1, 3)])  # the wild


def test_dr_61_thief_and_victim_know_the_stolen_card() -> None:
    play = stolen()
    assert some(seen(play, 1)["known"][2]) == {"wild": 1}  # seat +2 of player 1 is player 0
    assert some(seen(play, 0)["hands"][0]) == {"plains": 1, "wild": 1}
    assert some(seen(play, 0)["shown"][1]) == {"wild": 1}
    assert [some(known) for known in seen(play, 2)["known"]] == [{}, {}, {}]


def test_dr_61_a_stolen_card_is_forgotten_when_it_is_played() -> None:
    play = stolen().apply("move 1 wild", chance=[])
    assert some(seen(play, 1)["known"][2]) == {}
    assert some(seen(play, 0)["shown"][1]) == {}


def test_dr_61_a_card_of_another_kind_changes_nothing() -> None:
    play = stolen()
    play.apply("roll", chance=[die("swamp")])
    assert some(seen(play, 1)["known"][2]) == {"wild": 1}


def test_dr_61_hands_set_by_hand_are_remembered_by_nobody() -> None:
    play = stolen()
    hands = play["hands"]
    play.position = play.position.with_state(hands=hands)
    assert some(seen(play, 1)["known"][2]) == {"wild": 1}  # nothing was changed
    hands[2]["steal"] += 1
    discards = {**play["discards"], "steal": play["discards"]["steal"] - 1}
    play.position = play.position.with_state(hands=hands, discards=discards)
    assert some(seen(play, 1)["known"][2]) == {}


def test_dr_61_unseen_leaving_lowers_the_bound() -> None:
    """Player 1 knows a wild with player 0; player 2 steals an unknown card from player 0."""
    play = scene([[3, 5], [3, 6], [3, 8]], ["steal plains", "wild", "steal"], egg=2)
    play.apply("steal 1", chance=[random_card(0, 1)])
    play.apply("roll", "roll", chance=[die("jungle"), die("jungle")])
    assert some(seen(play, 1)["known"][2]) == {"wild": 1}
    play.apply("steal 0", chance=[random_card(0, 2)])  # the plains, but only 0 and 2 see that
    assert some(seen(play, 1)["known"][2]) == {}
    assert some(seen(play, 0)["known"][2]) == {"plains": 1}
    assert play["hands"][0]["wild"] == 1


def test_dr_82_partners_know_the_passed_card() -> None:
    play = scene([[3], [3], [5], [6]], ["wild egg", "", "plains"])
    play.apply("hand wild", chance=[])
    assert some(seen(play, 0)["known"][2]) == {"wild": 1}
    assert some(seen(play, 2)["shown"][2]) == {"wild": 1}
    for p in (1, 3):
        assert all(not some(known) for known in seen(play, p)["known"])


def test_dr_61_an_eruption_shows_the_whole_hand() -> None:
    play = stolen()
    play.position = play.position.with_state(egg=0)
    play.apply("roll", chance=[die("eruption")])
    assert some(seen(play, 1)["known"][2]) == {}


# --- the draw pile -------------------------------------------------------------------------------


def test_dr_61_own_draws_lower_what_the_pile_can_hold() -> None:
    play = scene([[3, 5], [7, 6]], ["swamp steal"], pile="", discards="push egg egg")
    play.apply("exchange swamp steal", chance=[shuffled("egg steal push swamp egg")])
    assert play["pile"] == ["steal", "push", "swamp", "egg"]
    mine, theirs = seen(play, 0), seen(play, 1)
    assert some(mine["shuffled"]) == {"swamp": 1, "push": 1, "egg": 2, "steal": 1}
    assert mine["shuffled"] == theirs["shuffled"] == theirs["pile_limit"]
    assert some(mine["pile_limit"]) == {"swamp": 1, "push": 1, "egg": 1, "steal": 1}


# --- prizes --------------------------------------------------------------------------------------


def test_dr_61_a_look_at_the_pile_is_remembered_without_the_one_kept() -> None:
    play = scene([[11, 5], [11, 4]], ["jungle", "jungle"], egg=1, prizes_left=[0, 3, 7, 9])
    assert seen(play, 0)["prizes_seen"] == []
    play.apply("move 1 jungle", chance=[])
    assert seen(play, 0)["prizes_seen"] == [0, 3, 7, 9]
    assert seen(play, 1)["prizes_seen"] == []
    play.apply("prize 7", chance=[])
    mine, theirs = seen(play, 0), seen(play, 1)
    assert (mine["prizes_own"], mine["prizes_seen"]) == ([7], [0, 3, 9])
    assert (theirs["prizes_own"], theirs["prizes_seen"]) == ([], [])
    assert theirs["prizes_won"] == [0, 1]


def test_dr_61_it_is_the_latest_look_that_counts() -> None:
    play = scene(
        [[11, 10], [11, 4]], ["jungle wild wild", "jungle"], egg=1, prizes_left=[0, 3, 7, 9]
    )
    play.apply("move 1 jungle", "prize 7", "roll", chance=[die("plains")])
    play.apply("move 1 jungle", "prize 3", "roll", chance=[die("plains")])
    mine = seen(play, 0)
    assert (mine["prizes_own"], mine["prizes_seen"]) == ([7], [0, 3, 9])  # 3 is gone, unknown to 0
    assert mine["since_look"] == [0, 1]
    theirs = seen(play, 1)
    assert (theirs["prizes_own"], theirs["prizes_seen"]) == ([3], [0, 9])
    assert theirs["since_look"] == [0, 0]
    play.apply("move 2 wild", "move 2 wild", chance=[])
    mine = seen(play, 0)
    assert (mine["prizes_own"], mine["prizes_seen"]) == ([7], [0, 9])
    assert mine["since_look"] == [0, 0]


def test_dr_61_a_new_race_is_new_to_everybody() -> None:
    position = racegym.make("dino_race", seed=4, matches=2)
    while position.to_dict()["race"] == 1:
        legal = position.legal_actions()
        position.apply(next((a for a in legal if a < 26), legal[-1]))
    for p in range(4):
        facts = position.game.encoder("flat").decode(position.observe(p))
        assert facts["prizes_seen"] == facts["prizes_own"] == []
        assert facts["prizes_won"] == facts["since_look"] == [0] * 4
        assert all(not some(known) for known in facts["known"])


# --- redeal --------------------------------------------------------------------------------------


def guesses(play: ScriptedPosition, seat: int, count: int = 60) -> list[dict[str, Any]]:
    """The states of many redealt copies."""
    scripted = play.position
    position = racegym.make("dino_race", seed=0, **scripted.options)
    position = position.with_bytes(scripted.raw.tobytes())
    return [position.redeal(seat, seed).to_dict() for seed in range(count)]


def test_dr_61_redealt_hands_keep_known_cards() -> None:
    play = stolen()
    for state in guesses(play, 1):
        assert state["hands"][0]["wild"] >= 1
    assert any(state["hands"][0]["plains"] == 0 for state in guesses(play, 1))
    assert any(state["hands"][0]["wild"] == 0 for state in guesses(play, 2))


def test_dr_61_redealt_piles_are_made_of_what_was_shuffled() -> None:
    away = Counter(["swamp", "steal", "push", "egg", "egg"])
    rest = " ".join(card for card in CARDS for _ in range(DECK[card] - away[card]))
    play = scene([[3, 5], [7, 6]], ["swamp steal", rest], pile="", discards="push egg egg")
    play.apply("exchange swamp steal", chance=[shuffled("egg steal push swamp egg")])
    for state in guesses(play, 0):
        assert Counter(state["pile"]) == Counter(["steal", "push", "swamp", "egg"])
        assert state["hands"][1] == play["hands"][1]  # with two players that settles the other hand
    orders = {tuple(state["pile"]) for state in guesses(play, 0)}
    assert len(orders) > 10


@pytest.mark.parametrize("look", [False, True])
def test_dr_61_redealt_prizes_fit_what_was_seen(look: bool) -> None:
    play = scene([[11, 5], [11, 4]], ["jungle", "jungle"], egg=1, prizes_left=[0, 3, 7, 9])
    play.apply("move 1 jungle", "prize 7", "roll", chance=[die("plains")])
    play.apply("move 1 jungle", "prize 3", chance=[])
    seat = 0 if look else 1
    states = guesses(play, seat)
    if look:  # seat 0 saw 0, 3, 9 left, of which seat 1 took one
        assert {tuple(s["prizes"][0]) for s in states} == {(7,)}
        assert {s["prizes"][1][0] for s in states} == {0, 3, 9}
        assert all(set(s["prizes"][1] + s["prizes_left"]) == {0, 3, 9} for s in states)
    else:  # seat 1 looked after seat 0 took one of those it never saw
        assert {tuple(s["prizes"][1]) for s in states} == {(3,)}
        assert all(s["prizes_left"] == [0, 9] for s in states)
        assert {s["prizes"][0][0] for s in states} == set(range(12)) - {0, 3, 9}


def test_dr_61_redealt_prizes_before_any_look() -> None:
    play = scene([[11, 5], [4, 4], [4, 4]], ["jungle"], egg=1)
    play.apply("move 1 jungle", "prize 5", chance=[])
    states = guesses(play, 2)
    assert {s["prizes"][0][0] for s in states} == set(range(12))
    for state in states:
        assert len(set(state["prizes"][0] + state["prizes_left"])) == 6


@pytest.mark.parametrize("options", [{"num_players": 3}, {"num_players": 6, "teams": True}])
def test_dr_61_redealing_does_not_depend_on_what_is_hidden(options: dict[str, Any]) -> None:
    """From two positions that look the same to a seat come the same guesses."""
    position = racegym.make("dino_race", seed=9, **options)
    for number in range(120):
        if position.is_over:
            break
        for seat in range(position.num_players):
            twin = position.redeal(seat, number)
            assert twin.redeal(seat, 5).raw.tobytes() == position.redeal(seat, 5).raw.tobytes()
        position.apply(position.legal_actions()[number * 7919 % len(position.legal_actions())])


def test_dr_61_all_that_seats_know_is_true() -> None:
    """The bounds hold in long random games, and in redealt positions."""
    for seed in range(6):
        options = {"num_players": 6, "teams": True} if seed % 2 else {"num_players": 3}
        position = racegym.make("dino_race", seed=seed, **options)
        while not position.is_over:
            check_knowledge(position)
            if position.decisions % 4 == 0:
                check_knowledge(position.redeal(position.seat, 1))
            legal = position.legal_actions()
            tricks = [a for a in legal if 26 <= a < 60 or 134 <= a < 142]
            choice = tricks or legal
            position.apply(choice[position.decisions * 31 % len(choice)])


def check_knowledge(position: racegym.Position) -> None:
    """Everything that is known about a hand or the pile is so."""
    state, n = position.state, position.num_players
    pile = np.bincount(state.pile[52 - state.pile_size :], minlength=len(CARDS))
    assert (pile <= state.pile_limit[:n]).all()
    assert (state.pile_limit[:n] <= list(DECK.values())).all()
    assert (state.known == state.shown.transpose(1, 0, 2)).all()
    assert (state.known[:n, :n] <= state.hands[np.newaxis, :n]).all()
