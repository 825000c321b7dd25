"""Tools for proving that a game is right: scripted chance, and a battery for any game.

>>> from racegym.testing import check_game
>>> check_game("cafe_race")
"""

from __future__ import annotations

from racegym.testing.battery import CHECKS, check_game
from racegym.testing.copies import check_processes
from racegym.testing.play import CheckFailed
from racegym.testing.scripted import (
    Die,
    Order,
    Pick,
    Script,
    ScriptedPosition,
    ScriptError,
    scripted,
)

__all__ = [
    "CHECKS",
    "CheckFailed",
    "Die",
    "Order",
    "Pick",
    "Script",
    "ScriptError",
    "ScriptedPosition",
    "check_game",
    "check_processes",
    "scripted",
]
