"""What all positions of one game, options and encoder share."""

from __future__ import annotations

from typing import Any

from racegym.engine.game import Encoder, Game
from racegym.engine.instances import Kernels, kernels_of


class Setup:
    """What all positions of one game, options and encoder share.

    Attributes:
        game: the game's description.
        options: all options, resolved.
        encoder: what ``observe`` means.
        codes: the options as the rules read them, int32.
        kernels: compiled for the game and the encoder.
        num_actions, shape, size: of the game, the observation and a state in bytes.
    """

    __slots__ = ("codes", "encoder", "game", "kernels", "num_actions", "options", "shape", "size")

    def __init__(self, game: Game, options: dict[str, Any], encoder: Encoder) -> None:
        self.game = game
        self.options = options
        self.encoder = encoder
        self.codes = game.options.encode(options)
        self.kernels: Kernels = kernels_of(game, encoder)
        self.num_actions = game.num_actions
        self.shape = encoder.shape
        self.size = game.layout.size


_SIMPLE = (int, str, bool, float, type(None))
_latest: dict[tuple[int, str], tuple[dict[str, Any], Setup]] = {}


def setup_for(game: Game, given: dict[str, Any], encoder: str) -> Setup:
    """The setup for some options; that of the latest position if they are the same.

    Raises OptionError or RacegymError as the options and the encoder deserve.
    """
    before, setup = _latest.get((id(game), encoder), ({}, None))
    if setup is not None and _same(before, given):
        return setup
    setup = Setup(game, game.options.resolve(given), game.encoder(encoder))
    settled = setup.options
    if all(isinstance(v, _SIMPLE) for name in given for v in (given[name], settled[name])):
        _latest[id(game), encoder] = (dict(given), setup)
    return setup


def _same(before: dict[str, Any], given: dict[str, Any]) -> bool:
    """Equal options of equal types (1 is not True here)."""
    return before == given and all(type(before[k]) is type(v) for k, v in given.items())
