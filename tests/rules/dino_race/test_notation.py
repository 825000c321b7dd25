"""What Dino Race writes and reads in JSON types."""

from __future__ import annotations

import json
from typing import Any

import pytest

import racegym
from racegym.errors import StateError
from racegym.testing.play import scenarios, walk
from tests.rules.dino_race.positions import die, scene

GAME = racegym.game("dino_race")


@pytest.mark.parametrize("encoder", [encoder.id for encoder in GAME.encoders])
def test_decoded_observations_are_json(encoder: str) -> None:
    for scenario in scenarios(GAME, 4, seed=5):
        for position in walk(scenario):
            facts = GAME.encoder(encoder).decode(position.with_encoder(encoder).observe(0))
            assert json.loads(json.dumps(facts)) == facts


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tiles": ["plains"] * 11}, "tiles needs 12 values, not 11"),
        ({"tiles": ["ocean"] * 12}, "there is no 'ocean': known are plains, desert"),
        ({"pile": ["wild"] * 53}, "pile takes at most 52 values, not 53"),
        ({"position": [[1, 2]]}, "position needs 2 values, not 1"),
        ({"position": [[1, 2], [1]]}, "position[1] needs 2 values, not 1"),
        ({"lying": [True, False]}, "lying[0] is a list of 2 values, not True"),
        ({"prizes": [[0]]}, "prizes needs 2 values, not 1"),
        ({"prizes": [[0, 1, 2], []]}, "prizes[0] takes at most 2 values, not 3"),
        ({"prizes": [[12], []]}, "prizes[0] holds ids from 0 to 11, not 12"),
        ({"prizes_left": [0, -1]}, "prizes_left holds ids from 0 to 11, not -1"),
        ({"prizes_left": 3}, "prizes_left is a list, not 3"),
        ({"egg_counter": 6}, "egg_counter says value and player, not 6"),
        ({"egg_counter": {"value": 6}}, "egg_counter says value and player, not {'value': 6}"),
        ({"last_die": "sun"}, "last_die is one of null, plains, desert"),
        ({"weather": 1}, "a state of Dino Race has no field 'weather'"),
    ],
)
def test_fields_that_do_not_fit_are_told_in_a_line(fields: dict[str, Any], message: str) -> None:
    position = racegym.make("dino_race", seed=1, num_players=2)
    with pytest.raises(StateError) as caught:
        position.with_state(**fields)
    assert str(caught.value).startswith(f"this is no state of Dino Race: {message}")
    assert "\n" not in str(caught.value)


def test_dr_61_drawn_cards_are_told_to_who_drew_them() -> None:
    play = scene([[1, 2], [1, 2]], hands=["wild", "steal steal"])
    play.apply("roll", chance=[die("two")])
    for seat in (0, 1):
        seen = play.position.events_seen(play.events, seat)
        drawn = [(e["player"], e["card"]) for e in seen if e["kind"] == "drew"]
        assert drawn and all((card is None) == (player != seat) for player, card in drawn)
