"""HR-01 to HR-12: components, options, deal and bets."""

from __future__ import annotations

from collections import Counter

import pytest

import racegym
from racegym.engine.chance import DEALS
from racegym.errors import OptionError
from racegym.testing import Pick, ScriptedPosition, scripted
from tests.rules.horse_race.positions import race, under


def new(seed: int = 3, **options: object) -> racegym.Position:
    return racegym.make("horse_race", seed=seed, **options)


def bets_of(play: ScriptedPosition, *horses: int) -> ScriptedPosition:
    return play.apply(*(f"back {horse}" for horse in horses))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hr_01_two_to_four_players(players: int) -> None:
    game = new(num_players=players)
    assert len(game.to_dict()["hands"]) == players


@pytest.mark.parametrize("players", [1, 5, 0, "4", 3.0, True])
def test_hr_01_other_numbers_are_refused(players: object) -> None:
    with pytest.raises(OptionError, match="num_players"):
        new(num_players=players)


def test_hr_01_four_players_by_default() -> None:
    assert new().options["num_players"] == 4


def test_hr_02_nine_horses() -> None:
    game = new()
    assert game.legal_texts() == [f"back {horse}" for horse in range(1, 10)]
    assert game.to_dict()["points"] == [0] * 9


def test_hr_03_sixty_cards() -> None:
    state = new().to_dict()
    cards = Counter(state["pile"])
    for hand in state["hands"]:
        cards.update(hand)
    assert cards.total() == 60
    assert (cards["F"], cards["E"]) == (30, 10)
    assert sum(cards[f"R{horse}"] for horse in range(1, 10)) == 20


def test_hr_04_rears_by_default_three_of_horses_1_and_2() -> None:
    game = new()
    assert game.options["rears"] == [3, 3, 2, 2, 2, 2, 2, 2, 2]


def test_hr_04_option_rears() -> None:
    rears = [1, 1, 1, 1, 1, 1, 1, 1, 12]
    state = new(rears=rears).to_dict()
    cards = Counter(state["pile"])
    for hand in state["hands"]:
        cards.update(hand)
    assert [cards[f"R{horse}"] for horse in range(1, 10)] == rears


@pytest.mark.parametrize(
    "rears",
    [[3, 3, 2, 2, 2, 2, 2, 2, 3], [0, 4, 3, 3, 2, 2, 2, 2, 2], [4, 4, 4, 4, 4], 20, [2.0] * 9],
)
def test_hr_04_other_spreads_are_refused(rears: object) -> None:
    with pytest.raises(OptionError, match="rears"):
        new(rears=rears)


@pytest.mark.parametrize("counters", [1, 7, 10])
@pytest.mark.parametrize("players", [2, 4])
def test_hr_05_counters_and_bank(counters: int, players: int) -> None:
    state = new(num_players=players, counters=counters).to_dict()
    assert state["counters"] == [counters] * players
    assert state["bank"] == 40 - counters * players


@pytest.mark.parametrize("counters", [0, 11, None])
def test_hr_05_other_numbers_are_refused(counters: object) -> None:
    with pytest.raises(OptionError, match="counters"):
        new(counters=counters)


def test_hr_05_counters_paid_go_to_the_bank_and_come_from_it() -> None:
    play = race(["F", "F"], ["R1", "", ""], counters=[4, 0])
    play.apply("down F lane 1")
    assert (play["counters"], play["bank"]) == ([3, 0], 37)
    play.apply("sell F")
    assert (play["counters"], play["bank"]) == ([3, 1], 36)


@pytest.mark.parametrize("lanes", [3, 4])
def test_hr_06_three_or_four_lanes(lanes: int) -> None:
    game = new(lanes=lanes)
    assert game.to_dict()["lanes"] == [[]] * lanes
    assert new().options["lanes"] == 3


@pytest.mark.parametrize("lanes", [2, 5])
def test_hr_06_other_numbers_are_refused(lanes: int) -> None:
    with pytest.raises(OptionError, match="lanes"):
        new(lanes=lanes)


@pytest.mark.parametrize(("stage", "slots"), [(1, 7), (2, 7), (3, 5)])
def test_hr_06_slots_of_the_phases(stage: int, slots: int) -> None:
    for placed, going_on in ((slots - 2, True), (slots - 1, False)):
        play = race(["E", ""], [" ".join(["E"] * placed), "", ""], stage=stage, last_placer=1)
        ends = [under(" ".join(["E"] * slots))] if stage == 1 and not going_on else []
        play.apply("up E lane 1", chance=ends)
        assert (play["stage"] == stage and play["phase"] == "race") == going_on


def test_hr_10_five_cards_each_the_rest_is_the_pile() -> None:
    for players in (2, 3, 4):
        state = new(num_players=players).to_dict()
        assert [sum(hand.values()) for hand in state["hands"]] == [5] * players
        assert len(state["pile"]) == 60 - 5 * players
        assert state["out_of_game"] == {}


def test_hr_10_the_cards_are_shuffled() -> None:
    assert len({tuple(new(seed).to_dict()["pile"]) for seed in range(20)}) == 20


def test_hr_11_three_different_horses_in_order_player_by_player() -> None:
    play = scripted("horse_race", {"num_players": 3})
    for seat in range(3):
        assert (play["to_act"], play["phase"]) == (seat, "bet")
        assert len(play.legal()) == 9
        bets_of(play, 5)
        assert play["to_act"] == seat
        assert play.legal() == [f"back {h}" for h in (1, 2, 3, 4, 6, 7, 8, 9)]
        bets_of(play, 9)
        assert play.legal() == [f"back {h}" for h in (1, 2, 3, 4, 6, 7, 8)]
        assert play["bets"][seat] == [5, 9]
        play.apply("back 1", chance=[Pick(0, 3, DEALS)] if seat == 2 else [])
    assert play["bets"] == [[5, 9, 1]] * 3
    assert play["turn"] == 1


def test_hr_11_bets_are_hidden_from_the_others() -> None:
    for text in ("back 2", "back 7"):
        play = scripted("horse_race", {"num_players": 2}, seed=4).apply(text)
        seen = [play.position.observe(seat).tobytes() for seat in (0, 1)]
        told = play.position.text(1)
        if text == "back 2":
            before, before_told = seen, told
    assert seen[0] != before[0]
    assert seen[1] == before[1]
    assert told == before_told


@pytest.mark.parametrize("players", [2, 4])
def test_hr_12_the_starter_is_drawn_after_the_last_bet(players: int) -> None:
    for starter in range(players):
        play = scripted("horse_race", {"num_players": players})
        for _ in range(players - 1):
            bets_of(play, 1, 2, 3)
            assert play["starter"] is None
        bets_of(play, 1, 2)
        play.apply("back 3", chance=[Pick(starter, players, DEALS)])
        assert play.events == [{"kind": "stage", "stage": 1, "starter": starter}]
        assert (play["starter"], play["to_act"], play["phase"]) == (starter, starter, "race")
        assert not play["must_open"]


def test_hr_12_each_with_the_same_chance() -> None:
    starters: Counter[int] = Counter()
    for seed in range(300):
        game = new(seed, num_players=3)
        for _ in range(9):
            game.apply(game.legal_actions()[0])
        starters[game.to_dict()["starter"]] += 1
    assert min(starters.values()) > 70
