"""What the tests of the environments share: games, players, ways to play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.registry import games

#: Every game with its smallest and largest number of players.
TABLES = [
    (name, count)
    for name in games()
    for count in (racegym.game(name).min_players, racegym.game(name).max_players)
]


@pytest.fixture(params=games())
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return request.param


@pytest.fixture(params=TABLES, ids=[f"{name}-{count}" for name, count in TABLES])
def table(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Arguments for an environment of each game with few and with many players."""
    name, count = request.param
    return {"game": name, "num_players": count}


class Picker:
    """Legal actions by a fixed rule that depends on the seed and the count of choices only."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, mask: np.ndarray) -> int:
        return int(self.rng.choice(np.flatnonzero(mask)))


@pytest.fixture
def picker() -> type[Picker]:
    """The class :class:`Picker`."""
    return Picker


class FirstLegal:
    """An agent that always takes its lowest legal action; without ``choose``."""

    name = "first legal"
    encoder = "flat"

    def reset(self, seed: int) -> None:
        """It has no luck."""

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The lowest legal action in each row."""
        return masks.argmax(axis=1)


@pytest.fixture
def first_legal() -> FirstLegal:
    """An agent object of one's own."""
    return FirstLegal()
