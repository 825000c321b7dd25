"""racegym: racing board games as fast, exact, hidden-information multi-player environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from racegym import games
from racegym.engine.registry import game, game_names, register
from racegym.envs.registration import register_all
from racegym.errors import (
    GameOver,
    IllegalAction,
    OptionError,
    RacegymError,
    SeedError,
    StateError,
)

if TYPE_CHECKING:
    from racegym.engine.game import Game
    from racegym.engine.position import Position, make

__version__ = "0.1.0"

__all__ = [
    "Game",
    "GameOver",
    "IllegalAction",
    "OptionError",
    "Position",
    "RacegymError",
    "SeedError",
    "StateError",
    "__version__",
    "game",
    "game_names",
    "games",
    "make",
    "register",
]

register_all()

_LAZY = {
    "Game": "racegym.engine.game",
    "Position": "racegym.engine.position",
    "make": "racegym.engine.position",
}


def __getattr__(name: str) -> Any:
    """Load what needs NumPy and Numba only when it is asked for."""
    if name in _LAZY:
        import importlib

        globals()[name] = found = getattr(importlib.import_module(_LAZY[name]), name)
        return found
    raise AttributeError(f"module 'racegym' has no attribute {name!r}")
