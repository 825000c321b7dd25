"""DR-01 to DR-13: components and set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import racegym
from racegym.engine.chance import DEALS
from racegym.testing import Order, Pick, scripted
from tests.rules.dino_race.positions import (
    CARDS,
    DECK,
    FACES,
    die,
    egg_counter,
    finished,
    hand,
    kinds,
    random_card,
    scene,
)

SOLO = [2, 3, 4]
TEAMS = [4, 6, 8]


@pytest.mark.parametrize(("n", "teams"), [*((n, False) for n in SOLO), *((n, True) for n in TEAMS)])
def test_dr_01_player_counts(n: int, teams: bool) -> None:
    position = racegym.make("dino_race", seed=1, num_players=n, teams=teams)
    assert position.num_players == n
    assert len(position.to_dict()["position"][0]) == (1 if teams else 2)


def test_dr_01_defaults() -> None:
    assert racegym.make("dino_race", seed=1).options == {
        "num_players": 4,
        "reward": "win",
        "teams": False,
        "variant": "standard",
        "matches": 1,
        "prize_values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        "egg_values": [5, 6, 7, 8],
        "max_turns": 500,
    }


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 1},
        {"num_players": 9},
        {"num_players": 5},
        {"num_players": 6},
        {"num_players": 8},
        {"num_players": 2, "teams": True},
        {"num_players": 3, "teams": True},
        {"num_players": 5, "teams": True},
        {"num_players": 7, "teams": True},
        {"teams": 1},
        {"teams": None},
        {"variant": "fast"},
        {"matches": 0},
        {"matches": 3},
        {"matches": True},
        {"prize_values": list(range(11))},
        {"prize_values": [*range(11), 1.5]},
        {"prize_values": 3},
        {"prize_values": [-1, *range(11)]},
        {"egg_values": [1, 2, 3]},
        {"egg_values": "5678"},
        {"max_turns": 0},
        {"max_turns": 3.0},
    ],
)
def test_dr_01_other_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(racegym.OptionError) as error:
        racegym.make("dino_race", seed=1, **options)
    assert "\n" not in str(error.value)


def test_dr_01_the_refusal_says_what_to_do() -> None:
    with pytest.raises(racegym.OptionError, match=r"set num_players or teams=True"):
        racegym.make("dino_race", seed=1, num_players=6)
    with pytest.raises(racegym.OptionError, match="4, 6 or 8 players, not 2"):
        racegym.make("dino_race", seed=1, num_players=2, teams=True)


@pytest.mark.parametrize("seed", range(5))
def test_dr_02_twelve_tiles_three_of_each_terrain(seed: int) -> None:
    state = racegym.make("dino_race", seed=seed).to_dict()
    assert Counter(state["tiles"]) == dict.fromkeys(CARDS[:4], 3)
    assert (state["volcano_active"], state["lava"]) == (False, 0)


def test_dr_02_the_order_is_random() -> None:
    orders = {tuple(racegym.make("dino_race", seed=i).to_dict()["tiles"]) for i in range(50)}
    assert len(orders) == 50


@pytest.mark.parametrize("n", SOLO)
def test_dr_03_the_cards(n: int) -> None:
    state = racegym.make("dino_race", seed=3, num_players=n).to_dict()
    total = Counter(state["pile"]) + Counter()
    for held in state["hands"]:
        total.update(held)
    assert total == DECK
    assert sum(DECK.values()) == 52


@pytest.mark.parametrize("face", FACES)
def test_dr_04_the_faces_of_the_event_die(face: str) -> None:
    play = scene([[3, 3], [4, 4]], player=0, egg=0)
    play.apply("roll", chance=[die(face)])
    assert play.events[0] == {"kind": "die", "player": 0, "face": face}
    assert play["last_die"] == face


def test_dr_04_every_face_falls_equally_often() -> None:
    faces: Counter[str] = Counter()
    for seed in range(600):
        position = racegym.make("dino_race", seed=seed)
        position.apply_text("roll")
        faces[position.to_dict()["last_die"]] += 1
    assert set(faces) == set(FACES)
    assert all(60 < count < 140 for count in faces.values())


def test_dr_05_values_of_prizes_and_egg() -> None:
    assert finished([[0], [11]], value=None).position.scores() == [1, 12]
    options = {"prize_values": [*range(20, 32)], "egg_values": [1, 2, 3, 40]}
    play = finished([[0], [11]], value=None, options=options)
    assert play.position.scores() == [20, 31]


@pytest.mark.parametrize(("index", "value"), [(0, 9), (1, 0), (2, 4), (3, 1000)])
def test_dr_05_one_of_the_four_egg_counters_is_drawn(index: int, value: int) -> None:
    play = scene([[11, 12], [4, 4]], ["jungle"], options={"egg_values": [9, 0, 4, 1000]})
    play.apply("move 1 jungle", "prize 1", chance=[egg_counter(index)])
    assert play["egg_counter"] == {"value": value, "player": 0}


@pytest.mark.parametrize(("ids", "bonus"), [((0, 2), 3), ((1, 11), 3), ((0, 1), 0), ((10, 3), 0)])
def test_dr_05_the_colour_belongs_to_the_id(ids: tuple[int, int], bonus: int) -> None:
    options = {"prize_values": [7] * 12}
    play = finished([ids, []], value=None, options=options)
    assert play.position.scores()[0] == 14 + bonus


def test_dr_05_lava_drops() -> None:
    state = racegym.make("dino_race", seed=1).to_dict()
    assert state["drop_supply"] == 22
    assert state["drops"] == [0, 0, 0, 0]


def test_dr_06_no_drop_is_left() -> None:
    play = scene(
        [[3, 4], [2, 5]], ["", "plains wild"], egg=1, lava=1, volcano_active=True, drop_supply=1
    )
    play.apply("roll", "give 0", chance=[die("eruption")])
    assert play["drops"] == [0, 1]
    assert play["drop_supply"] == 0
    assert "drop" not in kinds(play)  # the dinosaur on tile 2 moves, but there is no drop for it
    assert play["position"][1] == [3, 5]


# --- set-up --------------------------------------------------------------------------------------

DECK_ORDER = [k for k, card in enumerate(CARDS) for _ in range(DECK[card])]
TRACK = [0, 1, 2, 3] * 3
PRIZES = [1, 0] * 6


def set_up(starter: int, n: int = 3, prizes: list[int] | None = None, **options: Any) -> Any:
    order = [
        Pick(starter, n, DEALS),
        Order(TRACK, DEALS),
        Order(DECK_ORDER, DEALS),
        Order(prizes or PRIZES, DEALS),
    ]
    return scripted("dino_race", {"num_players": n, **options}, setup=order)


def test_dr_10_the_track_and_the_dinosaurs() -> None:
    play = set_up(1)
    assert play["tiles"] == ["plains", "desert", "swamp", "jungle"] * 3
    assert play["position"] == [[1, 2]] * 3
    assert play["lying"] == [[False, False]] * 3


def test_dr_11_five_cards_each_from_one_pile() -> None:
    play = set_up(1)
    # In the order plains x 8, desert x 8 …: five each from player 1 on, then the draw of DR-21.
    assert hand(play, 1) == "plains plains plains plains plains desert swamp"
    assert hand(play, 2) == "plains plains plains desert desert"
    assert hand(play, 0) == "desert desert desert desert desert"
    assert [sum(h.values()) for h in play["hands"]] == [5, 7, 5]
    assert len(play["pile"]) == 52 - 17
    assert set(play["discards"].values()) == {0}


def test_dr_12_a_prize_for_every_dinosaur() -> None:
    assert set_up(0)["prizes_left"] == [0, 2, 4, 6, 8, 10]
    flags = [0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1]
    assert set_up(0, prizes=flags)["prizes_left"] == [2, 3, 4, 7, 9, 11]
    for n in SOLO:
        assert (
            len(racegym.make("dino_race", seed=1, num_players=n).to_dict()["prizes_left"]) == 2 * n
        )


@pytest.mark.parametrize("starter", range(3))
def test_dr_13_a_random_player_begins_with_the_egg(starter: int) -> None:
    play = set_up(starter)
    for field in ("starter", "current", "to_act", "egg"):
        assert play[field] == starter
    assert (play["turn"], play["race"], play["phase"]) == (1, 1, "play")


def test_dr_13_everybody_begins_equally_often() -> None:
    starts = Counter(racegym.make("dino_race", seed=i).seat for i in range(800))
    assert all(150 < starts[p] < 250 for p in range(4))


def test_dr_06_nobody_takes_a_drop_that_is_not_there() -> None:
    play = scene([[3, 4], [3, 5]], ["push"], lava=2, volcano_active=True, drop_supply=0)
    play.apply("push 1 1", chance=[])
    assert kinds(play) == ["burned"]
    assert play["drops"] == [0, 0]


def test_dr_06_the_last_drop() -> None:
    play = scene([[3, 4], [3, 5]], ["push", "wild"], lava=2, volcano_active=True, drop_supply=1)
    play.apply("push 1 1", chance=[random_card(0, 1)])
    assert play["drops"] == [0, 1]
    assert play["drop_supply"] == 0
