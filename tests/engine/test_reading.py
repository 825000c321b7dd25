"""The quick view of a state shows what the state holds."""

from __future__ import annotations

import numpy as np
import pytest

import racegym
from racegym.engine.reading import StateFields
from racegym.engine.seeds import derived_seed
from racegym.envs.vector import VectorEnv


def test_fields_are_those_of_the_record(game_name: str) -> None:
    """Every field, all through a game; numbers as Python ints, arrays read only."""
    position = racegym.make(game_name, seed=5)
    fields = StateFields(position.game.layout, position.raw)
    while not position.is_over:
        position.apply(position.legal_actions()[position.decisions % 2 - 1])
        fields.read_again()
        state = position.state
        for field in position.game.layout:
            found = getattr(fields, field.name)
            assert np.array_equal(found, state[field.name])
            assert found is fields[field.name]
            assert type(found) is (np.ndarray if field.shape else int)
    with pytest.raises(ValueError, match="read-only"):
        fields.chance_key[0] = 1
    with pytest.raises(AttributeError, match="no field 'colour'"):
        _ = fields.colour


def test_a_position_never_shows_an_old_state() -> None:
    """Its texts and dicts follow every change, copies have their own."""
    position = racegym.make("cafe_race", seed=1)
    assert position.to_dict()["to_act"] == 0
    twin = position.clone()
    position.apply(3)
    assert position.to_dict()["impulse"] == [4, 0, 0, 0]
    assert twin.to_dict()["impulse"] == [0, 0, 0, 0]
    twin.restore(position)
    assert twin.to_dict() == position.to_dict()
    assert twin.with_state(coffee=[1, 2, 3, 4]).to_dict()["coffee"] == [1, 2, 3, 4]
    assert twin.decisions == 1


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1])
def test_derived_seeds_are_those_of_a_batch(seed: int) -> None:
    """Game i of a series is the first game in place i of a vector environment."""
    batch = VectorEnv("cafe_race", 5, seed=seed).reset()
    assert batch.seeds.tolist() == [derived_seed(seed, i) for i in range(5)]
    assert len({derived_seed(seed, i, k) for i in range(30) for k in range(3)}) == 90
