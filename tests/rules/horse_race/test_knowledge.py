"""What a seat knows of hidden cards, and guesses that agree with it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

import racegym
from racegym.testing import ScriptedPosition
from racegym.testing.play import Scenario, scenarios, walk
from racegym.testing.sight import with_hidden_from
from tests.rules.horse_race.positions import race, under

GAME = racegym.game("horse_race")


def guesses(play: ScriptedPosition, seat: int, count: int) -> list[dict[str, Any]]:
    """The states that a seat guesses, with real luck."""
    options = play.position.options
    position = racegym.make("horse_race", seed=0, **options)
    position = position.with_bytes(play.position.raw.tobytes())
    return [position.redeal(seat, seed).to_dict() for seed in range(count)]


def test_a_guess_depends_on_nothing_that_the_seat_does_not_know() -> None:
    """States that differ only in what a seat may not know are guessed alike."""
    compared = 0
    for scenario in scenarios(GAME, 12, seed=41):
        rng = random.Random(scenario.seed)
        other = [p.state for p in walk(Scenario(GAME, scenario.options, scenario.seed ^ 1))]
        for position in walk(scenario):
            seat = rng.randrange(position.num_players)
            twin = with_hidden_from(position, seat, rng.choice(other))
            assert twin.redeal(seat, 5).to_dict() == position.redeal(seat, 5).to_dict()
            compared += twin != position
    assert compared > 300


def test_what_lies_under_the_pile_is_remembered() -> None:
    """After phase 1 the placed cards are known to lie under the pile, in an unknown order."""
    play = race(["E F", "F E", "E"], ["E R4 F E E E", "R2", ""], pile="R9 R8 R7")
    play.apply("up E lane 1", chance=[under("R4 E F E R2 E E E")])
    orders = set()
    for state in guesses(play, 1, 30):
        pile = state["pile"]
        assert Counter(pile[3:]) == Counter(["R4", "R2", "F", "E", "E", "E", "E", "E"])
        orders.add(tuple(pile[3:]))
    assert len(orders) > 5
    facts = GAME.encoder().decode(play.position.observe(1))
    assert facts["under"] == {"R2": 1, "R4": 1, "F": 1, "E": 5}
    assert facts["under_left"] == 8


def test_a_card_drawn_from_under_the_pile_is_remembered_by_its_drawer() -> None:
    play = race(["", "F", ""], ["R4 F R5", "", ""], counters=[1, 0, 0], last_placer=2)
    play.apply("pass", "sell F", "pass", "pass", "pass", chance=[under("R5 R4 F")])
    assert (play["stage"], play["to_act"]) == (2, 0)
    play.apply("draw")
    own, other = (GAME.encoder().decode(play.position.observe(seat)) for seat in (0, 1))
    assert (own["under_drawn"], other["under_drawn"]) == ({"R5": 1}, {})
    assert own["under_left"] == other["under_left"] == 2
    assert {tuple(sorted(state["pile"])) for state in guesses(play, 0, 20)} == {("F", "R4")}
    held = {tuple(state["hands"][0]) for state in guesses(play, 1, 40)}
    assert held == {("R4",), ("R5",), ("F",)}


def test_fronts_that_must_be_there() -> None:
    """Who is bound to open and swaps instead holds nothing but fronts."""
    play = race(["E E", "F F F", "R1 E"], ["E R4 F E E E", "", ""], pile="R9 E R8 F")
    play.apply("up E lane 1", chance=[under("R4 E F E E E E")])
    assert play["to_act"] == 1
    play.apply("swap F")  # two fronts left, and the card drawn
    facts = GAME.encoder().decode(play.position.observe(0))
    assert facts["fronts"] == [0, 2, 0]
    assert all(state["hands"][1].get("F", 0) >= 2 for state in guesses(play, 0, 30))
    play.apply("up R1 lane 1", "swap E")
    assert play.position.state.fronts[1] == 2
    play.apply("up F lane 1")
    assert play.position.state.fronts[1] == 1
    assert "known to hold 1 F" in play.position.text(2)


def test_fronts_shown_by_a_pass() -> None:
    play = race(["F F", "E", "F"], stage=2, counters=[2, 2, 2])
    assert play.legal() == ["pass"]
    play.apply("pass")
    assert play.position.state.fronts[:3].tolist() == [2, 0, 0]


def test_a_front_placed_face_down_is_still_counted_until_it_is_seen() -> None:
    play = race(["F F", "E F", "R1"], stage=2, counters=[2, 2, 2], last_placer=None)
    play.apply("pass", "up E lane 1", "up R1 lane 1", "down F lane 1")
    assert play.position.state.fronts[0] == 2
    for twin in guesses(play, 1, 20):
        shown = [twin["lanes"][0][2]["card"], *Counter(twin["hands"][0]).elements()]
        assert shown == ["F", "F"]


def test_guesses_cover_all_that_is_possible() -> None:
    """Another player's face-down card is guessed to be any card that the seat does not see."""
    play = race(["E F", "R1 F", ""], ["R2", "", ""], pile="R9 E F R8 R2")
    play.apply("down E lane 1")
    guessed = {state["lanes"][0][1]["card"] for state in guesses(play, 1, 200)}
    assert guessed == {"E", "F", "R2", "R8", "R9"}
    assert {state["lanes"][0][1]["card"] for state in guesses(play, 0, 20)} == {"E"}


def test_bets_of_others_are_guessed() -> None:
    position = racegym.make("horse_race", seed=1, num_players=3)
    for horse in (1, 2, 3, 4, 5):
        position.apply_text(f"back {horse}")
    bets = [position.redeal(2, seed).to_dict()["bets"] for seed in range(40)]
    assert all(len(set(row[0])) == 3 and len(set(row[1])) == 2 and row[2] == [] for row in bets)
    assert {horse for row in bets for horse in row[0]} == set(range(1, 10))
    assert all(position.redeal(0, s).to_dict()["bets"][0] == [1, 2, 3] for s in range(5))


def test_true_deals_agree_with_what_is_remembered() -> None:
    """In real games: what is remembered is so, whoever asks."""
    deep = 0
    for scenario in scenarios(GAME, 40, seed=42):
        for position in walk(scenario):
            state = position.state
            left = int(state.under_left)
            in_pile = np.bincount(state.pile[:left], minlength=12)[1:]
            for p in range(position.num_players):
                down = Counter(state.down[p].ravel().tolist())[10]
                assert state.hands[p, 9] + down >= state.fronts[p]
                assert (state.under - state.under_drawn[p] >= in_pile).all()
            drawn = state.under_drawn.sum(axis=0)
            assert (in_pile + drawn == state.under).all()
            deep += bool(drawn.any())
    assert deep > 20
