"""Plain words that the texts of all games share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def counted(number: int, what: str, several: str | None = None) -> str:
    """A count in words that agree with it: ``1 game``, ``20 games``.

    Args:
        number: how many.
        what: the word for one.
        several: the word for any other number, if it is not ``what`` with an s.
    """
    return f"{number} {what if number == 1 else several or what + 's'}"


def player_line(p: int, seat: int, facts: Iterable[str], notes: str = "") -> str:
    """A player's line of a description: ``Player 1 (you): 3 cards; has the egg.``

    Args:
        p: the player.
        seat: whom the situation is described to.
        facts: what there is to say.
        notes: what stands behind the player's name.
    """
    you = " (you)" if p == seat else ""
    return f"Player {p}{you}{notes}: {'; '.join(facts)}."


def over_line(state: Any) -> str:
    """What is said of a game that is over."""
    return "The game was cut." if state.truncated else "The game is over."


def turn_line(state: Any, seat: int) -> str:
    """Whose turn it is, or that the game is over."""
    if state.to_act < 0:
        return over_line(state)
    return "You are to act." if state.to_act == seat else f"Player {state.to_act} acts."
