"""The games racegym knows: its own, loaded when asked for, and those registered by others."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from racegym.errors import RacegymError, nearest

if TYPE_CHECKING:
    from racegym.engine.game import Game
    from racegym.engine.position import Position

#: The games of the library, in the order they are listed.
BUILT_IN = ("cafe_race", "horse_race", "ave_caesar", "dino_race")

_games: dict[str, Game] = {}
_registered: list[str] = []


def games() -> list[str]:
    """Names of all games."""
    return [*BUILT_IN, *_registered]


def game(name: str | Game) -> Game:
    """A game's description by name (or the description itself); raises RacegymError."""
    if not isinstance(name, str):
        return _checked(name)
    if name not in _games:
        if name not in BUILT_IN:
            raise RacegymError(f"there is no game {name!r}{nearest(name, games())}")
        _games[name] = importlib.import_module(f"racegym.games.{name}").GAME
    return _games[name]


def _checked(description: Any) -> Game:
    from racegym.engine.game import Game

    if not isinstance(description, Game):
        raise RacegymError(f"a game is named by a text or a Game, not {description!r}")
    return description


def register(description: Game) -> None:
    """Make a game of your own known by its name; raises RacegymError if the name is taken."""
    description = _checked(description)
    if description.name in games():
        raise RacegymError(f"there is a game {description.name!r} already")
    _games[description.name] = description
    _registered.append(description.name)


def make(name: str | Game, seed: int | None = None, **options: Any) -> Position:
    """A new game in progress: ``racegym.make("cafe_race", seed=7, num_players=5)``.

    See :class:`racegym.Position` for arguments and errors.
    """
    from racegym.engine.position import Position

    return Position(name, seed=seed, **options)
