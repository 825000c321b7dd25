"""What the tests of the environments share: games, players, ways to play."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.options import Flag
from racegym.engine.registry import game_names
from racegym.errors import OptionError


def with_players(name: str, count: int) -> dict[str, Any] | None:
    """Arguments for a game with so many players, with the flag set that the game needs for it.

    None if so many cannot play (an odd number in teams, say).
    """
    options = racegym.game(name).options
    flags = [option.name for option in options.declared if isinstance(option, Flag)]
    for extra in ({}, *({flag: True} for flag in flags)):
        with contextlib.suppress(OptionError):
            options.resolve({"num_players": count, **extra})
            return {"game": name, "num_players": count, **extra}
    return None


#: Every game with its smallest and largest number of players.
TABLES = [
    with_players(name, count)
    for name in game_names()
    for count in (racegym.game(name).min_players, racegym.game(name).max_players)
]


@pytest.fixture(params=game_names())
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return request.param


@pytest.fixture(params=TABLES, ids=[f"{t['game']}-{t['num_players']}" for t in TABLES if t])
def table(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Arguments for an environment of each game with few and with many players."""
    assert request.param is not None, "the smallest and largest number of players can play"
    return dict(request.param)


@pytest.fixture
def players() -> Callable[[str, int], dict[str, Any] | None]:
    """The function :func:`with_players`."""
    return with_players


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
