"""The ids of the games for ``gymnasium.make`` and ``make_vec``: ``racegym/CafeRace-v0`` …

``racegym/Solo-v0`` is any game: ``gymnasium.make("racegym/Solo-v0", game="package.module:GAME")``.
"""

from __future__ import annotations

import gymnasium

from racegym.engine.registry import BUILT_IN

#: Ids end in this; it is the ``version`` of all built-in games.
VERSION = 0
#: The id under which the game is an argument.
ANY_GAME = f"racegym/Solo-v{VERSION}"


def gymnasium_id(name: str) -> str:
    """The Gymnasium id of a game: ``racegym/CafeRace-v0`` for ``cafe_race``."""
    words = "".join(word.capitalize() for word in name.split("_"))
    return f"racegym/{words}-v{VERSION}"


def register_all() -> None:
    """Make all built-in games known to Gymnasium; nothing is imported before an id is used."""
    _register(ANY_GAME)
    for name in BUILT_IN:
        _register(gymnasium_id(name), game=name)


def _register(name: str, **arguments: str) -> None:
    if name not in gymnasium.registry:
        gymnasium.register(
            id=name,
            entry_point="racegym.envs.solo:SoloEnv",
            vector_entry_point="racegym.envs.solo_vector:SoloVectorEnv",
            kwargs=arguments,
        )
