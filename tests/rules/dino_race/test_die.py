"""DR-50 to DR-54: the event die."""

from __future__ import annotations

import pytest

import racegym
from tests.rules.dino_race.positions import (
    die,
    drawn,
    hand,
    kinds,
    random_card,
    scene,
)

ALL_KINDS = "plains desert swamp jungle wild push egg steal"


@pytest.mark.parametrize("face", ["plains", "desert", "swamp", "jungle"])
def test_dr_50_a_card_per_dinosaur_on_a_tile_of_the_terrain(face: str) -> None:
    at = 1 + ["plains", "desert", "swamp", "jungle"].index(face)
    other = at % 4 + 1  # a tile of another terrain
    play = scene([[at, at + 4], [other, other], [at, other]], pile="wild " * 8)
    play.apply("roll", chance=[die(face)])
    assert drawn(play) == [(0, "wild"), (0, "wild"), (2, "wild"), (1, "wild"), (1, "wild")]


def test_dr_50_lying_dinosaurs_count() -> None:
    play = scene([[3, 6], [1, 6]], pile="wild " * 8, lying=[[True, False], [False, False]])
    play.apply("roll", chance=[die("swamp")])
    assert drawn(play) == [(0, "wild"), (1, "wild"), (1, "wild")]


def test_dr_50_home_and_volcano_are_no_terrain() -> None:
    """Tile 12 is jungle, but who is there has left the track; tile 0 is none."""
    play = scene([[0, 12], [4, 5]], pile="wild " * 8)
    play.apply("roll", chance=[die("jungle")])
    assert drawn(play) == [(1, "wild"), (1, "wild"), (1, "wild")]


def test_dr_51_two_cards_for_everybody_on_the_track() -> None:
    play = scene([[3, 12], [12, 12], [5, 6]], egg=2, pile="wild " * 8)
    play.apply("roll", chance=[die("two"), die("jungle")])  # player 1 only rolls
    assert drawn(play)[:4] == [(0, "wild")] * 2 + [(2, "wild")] * 2
    assert drawn(play)[4:] == [(2, "wild")] * 2  # the next turn
    assert sum(play["hands"][1].values()) == 0


def test_dr_52_the_owner_of_the_egg_loses_the_hand_and_takes_a_drop() -> None:
    play = scene([[3, 5], [4, 6], [7, 8]], ["", ALL_KINDS + " plains"], egg=1)
    play.apply("roll", chance=[die("eruption")])
    names = ALL_KINDS.split()
    lost = [e["card"] for e in play.of_kind("discarded")]
    assert lost == ["plains", *names]
    assert {e["why"] for e in play.of_kind("discarded")} == {"eruption"}
    assert kinds(play) == ["die", *["discarded"] * 9, "drop"]
    assert play["drops"] == [0, 1, 0]
    assert hand(play, 1) == ""


def test_dr_52_the_owner_chooses_who_gets_the_egg_before_the_second_part() -> None:
    play = scene([[3, 5], [4, 6], [7, 8]], egg=1)
    play.apply("roll", chance=[die("eruption")])
    assert (play["phase"], play["to_act"], play["current"]) == ("give", 1, 0)
    assert not play["volcano_active"]
    assert play.legal() == ["give 0", "give 2"]
    play.apply("give 2", chance=[])
    assert kinds(play)[:2] == ["egg", "lava"]
    assert play.events[0] == {"kind": "egg", "from": 1, "to": 2}
    assert play["egg"] == 2
    assert (play["phase"], play["to_act"], play["current"]) == ("play", 1, 1)


def test_dr_52_only_players_on_the_track_get_it_and_a_single_one_is_asked() -> None:
    play = scene([[12, 12], [4, 6], [7, 12]], player=1, egg=1)
    play.apply("roll", chance=[die("eruption")])
    assert play.legal() == ["give 2"]


def test_dr_52_with_nobody_else_the_owner_keeps_it() -> None:
    play = scene([[12, 12], [4, 6]], ["", "wild wild"], player=1, egg=1)
    play.apply("roll", chance=[die("eruption"), die("plains")])
    assert play["egg"] == 1
    assert play["drops"] == [0, 1]
    assert play["volcano_active"]
    assert kinds(play)[:5] == ["die", "discarded", "discarded", "drop", "lava"]
    assert "egg" not in kinds(play)


def test_dr_53_the_first_eruption_wakes_the_volcano() -> None:
    play = scene([[0, 5], [4, 0]], ["wild swamp", "plains"], player=1, egg=0)
    play.apply("roll", chance=[die("eruption")])
    play.apply("give 1", chance=[random_card(0, 1)])
    assert play["volcano_active"]
    assert play["lava"] == 0
    assert play["position"] == [[1, 5], [4, 1]]
    assert play.events[1:6] == [
        {"kind": "lava", "tile": 0},
        {"kind": "moved", "player": 1, "dino": 2, "to": 1, "why": "lava"},
        {"kind": "discarded", "player": 1, "card": "plains", "why": "random"},
        {"kind": "drop", "player": 1},
        {"kind": "moved", "player": 0, "dino": 1, "to": 1, "why": "lava"},
    ]
    assert play.events[6] == {"kind": "drop", "player": 0}  # the hand is gone already (DR-52)
    assert play["drops"] == [2, 1]


@pytest.mark.parametrize("lava", range(10))
def test_dr_53_each_later_one_covers_the_next_tile(lava: int) -> None:
    play = scene([[lava + 1, 11], [lava + 2, 11]], volcano_active=True, lava=lava)
    play.apply("roll", "give 1", chance=[die("eruption")])
    assert play["lava"] == lava + 1
    assert play["position"] == [[lava + 2, 11], [lava + 2, 11]]
    assert play.of_kind("lava") == [{"kind": "lava", "tile": lava + 1}]


def test_dr_53_card_and_drop_for_every_dinosaur() -> None:
    play = scene(
        [[2, 2], [5, 2], [2, 9]],
        ["plains wild", "plains", "desert"],
        player=2,
        egg=1,
        volcano_active=True,
        lava=1,
    )
    play.apply("roll", chance=[die("eruption")])
    play.apply("give 0", chance=[random_card(0, 1), random_card(1, 2), random_card(0, 1)])
    moved = [(e["player"], e["dino"]) for e in play.of_kind("moved")]
    assert moved == [(2, 1), (0, 1), (0, 2), (1, 2)]  # clockwise from the roller, 1 before 2
    assert play["drops"] == [2, 2, 1]
    assert [e["player"] for e in play.of_kind("discarded")] == [2, 0, 0]
    order = ["lava", *["moved", "discarded", "drop"] * 3, "moved", "drop"]
    assert kinds(play)[1 : 1 + len(order)] == order


def test_dr_53_tile_11_brings_everybody_home_and_ends_the_race() -> None:
    play = scene([[11, 12], [11, 11]], volcano_active=True, lava=10, egg=0)
    play.apply("roll", chance=[die("eruption")])
    play.apply("give 1", chance=[])
    assert play["position"] == [[12, 12], [12, 12]]
    assert play["lava"] == 11
    assert [(e["player"], e["dino"]) for e in play.of_kind("home")] == [(0, 1), (1, 1), (1, 2)]
    assert kinds(play) == ["egg", "lava", *["moved", "drop"] * 3, *["home"] * 3]


@pytest.mark.parametrize("variant", ["standard", "survive"])
@pytest.mark.parametrize("seed", range(5))
def test_dr_53_at_most_twelve_eruptions(variant: str, seed: int) -> None:
    """Whoever only rolls is driven home by lava."""
    position = racegym.make("dino_race", seed=seed, variant=variant)
    eruptions = 0
    while not position.is_over:
        legal = position.legal_texts()
        text = "roll" if "roll" in legal else legal[0]
        events = position.apply_with_events(position.action_from_text(text))
        eruptions += sum(event["kind"] == "lava" for event in events)
    assert eruptions == 12
    assert position.to_dict()["position"] == [[12, 12]] * 4
