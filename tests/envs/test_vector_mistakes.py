"""What the vector environment refuses: nothing out of range reaches compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from racegym.envs import VectorEnv
from racegym.errors import RacegymError


@pytest.fixture
def games() -> VectorEnv:
    env = VectorEnv("cafe_race", 3, seed=1, max_turns=1)
    env.reset()
    return env


@pytest.mark.parametrize("index", [3, -4, 10**6, 2**70, 1.0, True, None, "0", [0]], ids=repr)
@pytest.mark.parametrize("method", ["final_observations", "position"])
def test_places_out_of_range(games: VectorEnv, method: str, index: Any) -> None:
    with pytest.raises(RacegymError, match="games are 0 to 2"):
        getattr(games, method)(index)


def test_no_game_has_ended_yet(games: VectorEnv) -> None:
    with pytest.raises(RacegymError, match="no game has ended in place 1"):
        games.final_observations(1)


def test_negative_places_count_from_the_end(games: VectorEnv) -> None:
    while not games.step(games.sample()).ended.all():
        pass
    assert np.array_equal(games.final_observations(-1), games.final_observations(2))
    assert games.position(-1) == games.position(2)


@pytest.mark.parametrize(
    "seats",
    [-1, 4, 2**62, 10**30, 1.5, True, None, "a", [0, 1], [0, 1, 9], [0.5, 1, 2], [[0, 1, 2]] * 2],
    ids=repr,
)
def test_seats_out_of_range(games: VectorEnv, seats: Any) -> None:
    before = games.state_dict()["raw"].tobytes()
    with pytest.raises(RacegymError, match="seats are whole numbers 0 to 3"):
        games.observe(seats)
    if seats is not None:  # None means the seats to act
        with pytest.raises(RacegymError, match="seats are whole numbers 0 to 3"):
            games.redeal(1, seats)
    assert games.state_dict()["raw"].tobytes() == before
