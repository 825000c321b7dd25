"""Fleets: saved ones that are damaged are refused before anything is changed."""

from __future__ import annotations

import numpy as np
import pytest

import racegym
from racegym.errors import RacegymError
from training.fleet import Fleet


def test_a_fleet_damaged_in_one_part_changes_nothing() -> None:
    combinations = [{"num_players": 3}, {"num_players": 5}]
    fleet = Fleet(racegym.game("cafe_race"), combinations, 4, 7)
    fleet.reset()
    arrays = fleet.state_dict()
    other = Fleet(racegym.game("cafe_race"), combinations, 4, 8)
    other.reset()
    damaged = other.state_dict()
    damaged["1.raw"][1] ^= 0x55
    with pytest.raises(RacegymError, match="game 1 is no state of Café Race"):
        fleet.load_state_dict(damaged)
    for name, array in fleet.state_dict().items():
        assert np.array_equal(array, arrays[name]), name
    fleet.load_state_dict(other.state_dict())
    assert np.array_equal(fleet.now().observation, other.now().observation)
