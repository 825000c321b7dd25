"""What environments are made with, checked: encoder, render mode, the game's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racegym.engine.game import Encoder, Game
from racegym.errors import OptionError, RacegymError, nearest

#: How environments can show themselves.
RENDER_MODES = ("ansi",)
#: What happens after an action that is not legal now.
ON_ILLEGAL = ("raise", "lose", "resample")
#: ``pettingzoo.test.api_test`` passes this entry in ``options`` to see that it is taken.
_PROBE = "options"


class RenderModeError(OptionError, TypeError):
    """A render mode that there is not.

    A TypeError as well: stable-baselines3's ``make_vec_env`` asks for ``rgb_array`` first and does
    without after a TypeError.
    """


def checked_encoder(game: Game, name: str) -> Encoder:
    """An encoder for what players see; raises RacegymError for one that shows hidden things."""
    encoder = game.encoder(name)
    if not encoder.hides:
        raise RacegymError(
            f"encoder {encoder.name!r} shows what players may not know: use it for critics only "
            "(the PettingZoo environment's state())"
        )
    return encoder


def checked_choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of several words; raises OptionError."""
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value


def checked_render_mode(value: Any) -> str | None:
    """None or one of RENDER_MODES; raises RenderModeError."""
    try:
        return value if value is None else checked_choice("render_mode", value, RENDER_MODES)
    except OptionError as error:
        raise RenderModeError(str(error)) from None


def settled_options(game: Game, given: Mapping[str, Any], own: tuple[str, ...]) -> dict[str, Any]:
    """The game's options, all of them; ``own`` are the environment's arguments, for the message.

    Raises:
        OptionError: an unknown name, or a value that an option does not take.
    """
    known = [option.name for option in game.options.declared]
    for name in given:
        if name not in known:
            raise OptionError(f"unknown option {name!r}{nearest(name, [*known, *own])}")
    return game.options.resolve(dict(given))


def options_at_reset(
    game: Game, given: dict[str, Any], num_players: int, new: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options from now on, when ``reset(options=new)`` is called: those given so far and all.

    Raises:
        OptionError: an unknown name, a value that an option does not take, or another
            ``num_players`` (the agents of an environment stay the same).
    """
    if new is None:
        new = {}
    if not isinstance(new, Mapping):
        raise OptionError(f"options are a dict of the game's options, not {new!r}")
    given = {**given, **{name: value for name, value in new.items() if name != _PROBE}}
    if new.get("num_players", num_players) != num_players:
        raise OptionError("num_players is settled when an environment is made: make another one")
    return given, settled_options(game, given, ())
