"""What environments are made with, checked: encoder, render mode, the game's options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from racegym.engine.game import Encoder, Game
from racegym.engine.position import Position
from racegym.engine.setup import Setup
from racegym.errors import OptionError, RacegymError, nearest, quoted

#: How environments can show themselves.
RENDER_MODES = ("ansi",)
#: What happens after an action that is not legal now.
ON_ILLEGAL = ("raise", "lose", "resample")
#: Entries of ``reset(options=…)`` that are no option of a game: a position to start from, and
#: what ``pettingzoo.test.api_test`` passes to see that it is taken.
_NO_OPTIONS = ("position", "options")


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


@dataclass(frozen=True)
class GivenOptions:
    """The options an environment was given, settled: what a file said is kept, not its name.

    Attributes:
        given: those that were given, as :meth:`OptionSet.resolve` settled them.
        all: all options of the game.
    """

    given: dict[str, Any]
    all: dict[str, Any]

    @classmethod
    def of(cls, game: Game, given: Mapping[str, Any], own: tuple[str, ...]) -> GivenOptions:
        """Those an environment is made with; see :func:`settled_options`."""
        settled = settled_options(game, given, own)
        return cls({name: settled[name] for name in given}, settled)

    def at_reset(self, game: Game, new: Mapping[str, Any] | None) -> GivenOptions:
        """Those from now on, when ``reset(options=new)`` is called.

        Raises:
            OptionError: an unknown name, a value that an option does not take, or another
                ``num_players`` (the agents of an environment stay the same).
        """
        if new is None:
            return self
        if not isinstance(new, Mapping):
            raise OptionError(f"options are a dict of the game's options, not {new!r}")
        changed = {name: value for name, value in new.items() if name not in _NO_OPTIONS}
        if not changed:
            return self
        num_players = self.all["num_players"]
        if changed.get("num_players", num_players) != num_players:
            raise OptionError(
                "num_players is settled when an environment is made: make another one"
            )
        kept = self.given.keys() - changed.keys()
        settled = game.options.resolve({**self.given, **changed}, checked=kept)
        given = {name: settled[name] for name in (*self.given, *changed)}
        return GivenOptions(given, settled)


def positions_at_reset(
    setup: Setup, count: int, seed: Any, new: Mapping[str, Any] | None
) -> list[Position] | None:
    """The positions that ``reset(options={"position": …})`` is to start from, one for each game.

    None if new games are to be started.

    Raises:
        RacegymError: a position of another game or other options, or whose game is over.
        OptionError: no position, another number of them, or a seed or options given beside it.
    """
    if new is None or "position" not in new:
        return None
    if seed is not None or len(new) > 1:
        raise OptionError("a position has its seed and options: give nothing else beside it")
    given = new["position"]
    if isinstance(given, Position):
        given = [given] * count
    fits = isinstance(given, Sequence) and len(given) == count
    if not fits or not all(isinstance(position, Position) for position in given):
        several = "" if count == 1 else f" for all games or a list of {count}"
        raise OptionError(f"position is a racegym.Position{several}, not {quoted(given)}")
    return [checked_position(setup, position) for position in given]


def checked_position(setup: Setup, position: Position) -> Position:
    """A copy of a position, for an environment of that setup to go on from.

    Raises:
        RacegymError: it is of another game or other options, or its game is over.
    """
    if position.game is not setup.game or position.options != setup.options:
        raise RacegymError(
            "only a position of the same game and options can be continued: "
            f"{_difference(setup, position)}"
        )
    if position.is_over:
        raise RacegymError("the game of this position is over: only a running one can be continued")
    return position.with_encoder(setup.encoder.id)


def _difference(setup: Setup, position: Position) -> str:
    """Where a position differs from what is played, in words."""
    if position.game is not setup.game:
        return f"this is one of {position.game.name}, not of {setup.game.name}"
    theirs = position.options
    name = next(name for name, value in setup.options.items() if theirs.get(name) != value)
    return f"its option {name} is {quoted(theirs[name])}, not {quoted(setup.options[name])}"
