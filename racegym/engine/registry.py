"""The games racegym knows: its own, loaded when asked for, and those of others.

A game of your own is named ``package.module:GAME``, or by its name once it has been registered.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from racegym.errors import RacegymError, nearest
from racegym.importing import imported, is_reference

if TYPE_CHECKING:
    from racegym.engine.game import Game

#: The games of the library, in the order they are listed.
BUILT_IN = ("cafe_race", "horse_race", "ave_caesar", "dino_race")

#: Games by name, and by reference those that were asked for so.
_games: dict[str, Game] = {}
_registered: list[str] = []
#: References by the ids of games, as they were found (games stay in memory with their modules).
_references: dict[int, str] = {}


def game_names() -> list[str]:
    """Names of all games: those of the library, then those registered."""
    return [*BUILT_IN, *_registered]


def game(name: str | Game) -> Game:
    """A game's description.

    Args:
        name: a game's name; ``package.module:GAME`` for one of your own, which is imported (modules
            are also looked for in the current folder) and then known by its name as well; or a
            description itself.

    Raises:
        RacegymError: there is no such game.
    """
    if not isinstance(name, str):
        return _checked(name)
    if name not in _games and is_reference(name):
        return _imported(name)
    return known_game(name)


def known_game(name: str) -> Game:
    """A game by a name that may come from anywhere: nothing but the library's own is imported.

    Raises RacegymError if racegym does not know it yet.
    """
    if name not in _games:
        if name not in BUILT_IN:
            raise RacegymError(f"there is no game {name!r}{nearest(name, game_names())}")
        _games[name] = importlib.import_module(f"racegym.games.{name}").GAME
    return _games[name]


def _imported(reference: str) -> Game:
    from racegym.engine.game import Game

    found: Game = imported(reference, "game", lambda value: isinstance(value, Game))
    _games[reference] = found
    _references[id(found)] = reference
    if found.name not in game_names():
        _games[found.name] = found
    return found


def _checked(description: Any) -> Game:
    from racegym.engine.game import Game

    if not isinstance(description, Game):
        raise RacegymError(f"a game is named by a text or a Game, not {description!r}")
    return description


def reference(description: Game) -> str:
    """The text by which :func:`game` finds a game again, in another process too if that can be.

    The name of a game of the library; ``package.module:GAME`` for another one that stands in a
    module under a name of its own; else its name, under which it must be registered first.
    """
    if description.name in BUILT_IN and known_game(description.name) is description:
        return description.name
    if id(description) not in _references:
        place = _place_of(description)
        if place is None:
            return description.name
        _references[id(description)] = place
        _games[place] = description
    return _references[id(description)]


def _place_of(description: Game) -> str | None:
    for module_name, module in list(sys.modules.items()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is description and is_reference(f"{module_name}:{name}"):
                return f"{module_name}:{name}"
    return None


def register(description: Game) -> None:
    """Make a game of your own known by its name; raises RacegymError if the name is taken."""
    description = _checked(description)
    if description.name in game_names():
        raise RacegymError(f"there is a game {description.name!r} already")
    _games[description.name] = description
    _registered.append(description.name)
