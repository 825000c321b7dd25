"""The one view of a state shows what the state holds, and writes to it."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import racegym
from racegym.engine.seeds import derived_seed
from racegym.engine.state import FieldArray, State, States
from racegym.envs.vector import VectorEnv
from tests.engine.toy import LAYOUT


def test_fields_are_those_of_the_record(game_name: str) -> None:
    """Every field, all through a game; numbers as Python ints, arrays read only."""
    position = racegym.make(game_name, seed=5)
    layout = position.game.layout
    fields = State(layout, position.raw, read_only=True)
    while not position.is_over:
        position.apply(position.legal_actions()[position.decisions % 2 - 1])
        fields.read_again()
        record = position.raw.view(layout.dtype)[0]
        for field in layout:
            found = getattr(fields, field.name)
            assert np.array_equal(found, record[field.name])
            assert np.array_equal(position.state[field.name], found)
            assert found is fields[field.name]
            assert type(found) is (FieldArray if field.shape else int)
    with pytest.raises(ValueError, match="read-only"):
        fields.chance_key[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        fields.to_act = 1
    with pytest.raises(AttributeError, match="no field 'colour'"):
        _ = fields.colour


def test_items_are_python_numbers_and_writes_reach_the_bytes() -> None:
    """So plain-Python rules never overflow where compiled ones do not."""
    raw = np.zeros(LAYOUT.size, np.uint8)
    state = State(LAYOUT, raw)
    state.card[1] = 127
    state.turn = -3
    state["to_act"] = -1
    assert type(state.card[1]) is int and state.card[1] + 1 == 128
    assert type(state.turn) is int and (state.turn, state.to_act) == (-3, -1)
    assert all(type(card) is int for card in state.card)
    assert isinstance(state.card[:2], FieldArray) and len(state.card[:2]) == 2
    record = raw.view(LAYOUT.dtype)[0]
    assert record["card"][1] == 127 and record["turn"] == -3
    with pytest.raises(OverflowError):
        state.card[0] = 200
    with pytest.raises(OverflowError):
        state.to_act = 200
    with pytest.raises(AttributeError, match="no field 'colour'"):
        state.colour = 1
    state.chance_key[3] = 2**64 - 1
    assert state.chance_key[3] == 2**64 - 1
    assert "turn=-3" in repr(state)


def test_the_rows_of_many_states_are_views() -> None:
    raw = np.zeros((3, LAYOUT.size), np.uint8)
    states = States(LAYOUT, raw)
    states[1].turn = 5
    states[2, 0].turn = 6
    assert [states[i].turn for i in range(3)] == [0, 5, 6]


def test_pickled_states_are_copies() -> None:
    state = racegym.make("cafe_race", seed=3).state
    twin = pickle.loads(pickle.dumps(state))
    assert twin.raw.tobytes() == state.raw.tobytes()
    twin.coffee[0] = 1
    assert state.coffee[0] == 5


def test_the_state_of_a_position_is_a_copy() -> None:
    position = racegym.make("cafe_race", seed=3)
    position.state.coffee[0] = 1
    assert position.state.coffee[0] == 5


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
