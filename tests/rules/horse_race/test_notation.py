"""What Horse Race writes and reads in JSON types."""

from __future__ import annotations

import json
from typing import Any

import pytest

import racegym
from racegym.errors import StateError
from racegym.testing.play import scenarios, walk

GAME = racegym.game("horse_race")
CARD = {"card": "R1", "up": True, "by": 0}


@pytest.mark.parametrize("encoder", [encoder.id for encoder in GAME.encoders])
def test_decoded_observations_are_json(encoder: str) -> None:
    lying = 0
    for scenario in scenarios(GAME, 6, seed=5):
        for position in walk(scenario):
            decode = GAME.encoder(encoder).decode
            facts = decode(position.with_encoder(encoder).observe(0))
            assert json.loads(json.dumps(facts)) == facts
            lying += any(facts["lanes"])
    assert lying


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"horses_out": [1, 2, 3]}, "horses_out takes at most 2 values, not 3"),
        ({"horses_out": 1}, "horses_out is a list, not 1"),
        ({"points": [0] * 8}, "points needs 9 values, not 8"),
        ({"counters": "ten"}, "counters is a list of 4 values, not 'ten'"),
        ({"bets": [[1, 2, 3, 4], [], [], []]}, "bets[0] takes at most 3 values, not 4"),
        ({"bets": [["a"], [], [], []]}, "bets[0] holds whole numbers, not ['a']"),
        ({"lanes": [[CARD] * 8, [], []]}, "lanes[0] takes at most 7 values, not 8"),
        ({"lanes": [["R1"], [], []]}, "a card in lanes says card, up and by, not 'R1'"),
        ({"lanes": [[{**CARD, "by": 4}], [], []]}, "a card in lanes is by a player, not 4"),
        ({"phase": "rice"}, "phase is one of bet, race, fall, end, not 'rice'; did you mean"),
    ],
)
def test_fields_that_do_not_fit_are_told_in_a_line(fields: dict[str, Any], message: str) -> None:
    position = racegym.make("horse_race", seed=1)
    with pytest.raises(StateError) as caught:
        position.with_state(**fields)
    assert str(caught.value).startswith(f"this is no state of Horse Race: {message}")
    assert "\n" not in str(caught.value)
