"""Tools for proving that a game is right: scripted chance, and a battery for any game."""

from __future__ import annotations

from racegym.testing.scripted import (
    Die,
    Order,
    Pick,
    Script,
    ScriptedPosition,
    ScriptError,
    scripted,
)

__all__ = ["Die", "Order", "Pick", "Script", "ScriptError", "ScriptedPosition", "scripted"]
