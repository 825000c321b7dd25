"""Gymnasium spaces for any game."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from racegym.engine.game import Encoder, Game

#: Characters of the encoder ``text``: printable Latin, punctuation, arrows, lines and boxes.
_RANGES = ((0x20, 0x7E), (0xA0, 0x17F), (0x2010, 0x205E), (0x2190, 0x21FF), (0x2500, 0x25FF))
_CHARACTERS = frozenset("\n").union(*(map(chr, range(a, b + 1)) for a, b in _RANGES))
_LONGEST_TEXT = 20_000


def action_space(game: Game) -> spaces.Discrete:
    """``Discrete(num_actions)``; the same for all options."""
    return spaces.Discrete(game.num_actions)


def mask_space(game: Game) -> spaces.Box:
    """int8 (num_actions,), 1 = legal."""
    return spaces.Box(0, 1, (game.num_actions,), np.int8)


def array_space(encoder: Encoder) -> spaces.Box:
    """float32, the encoder's shape and bounds."""
    return spaces.Box(encoder.low, encoder.high, encoder.shape, np.float32)


def text_space() -> spaces.Text:
    """What the encoder ``text`` writes."""
    return spaces.Text(_LONGEST_TEXT, charset=_CHARACTERS)


def masked_space(game: Game, observation: spaces.Space) -> spaces.Dict:
    """``{"observation": …, "action_mask": …}``."""
    return spaces.Dict({"observation": observation, "action_mask": mask_space(game)})
