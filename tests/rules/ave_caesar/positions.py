"""Hand-made positions of Ave Caesar for the clause tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import racegym
from racegym.engine.position import Position
from racegym.testing import ScriptedPosition, scripted
from racegym.testing.scripted import Entry

ALL_CARDS = [1, 2, 3, 4, 5, 6] * 4
SORTED_CARDS = sorted(ALL_CARDS)
DECK = [1, 2, 3, 4, 5, 6]  # what comes next for everybody, unless a test says otherwise


def fields_of(
    space: Sequence[str],
    hands: Sequence[Sequence[int]],
    *,
    to_act: int = 0,
    crossed: Sequence[int] = (),
    coin: Sequence[bool] = (),
    decks: Sequence[Sequence[int]] = (),
    turn: int = 20,
    **more: Any,
) -> dict[str, Any]:
    """State fields in the middle of a race: everybody in lap 1 with the coin paid."""
    n = len(space)
    return {
        "space": list(space),
        "hands": [list(hand) for hand in hands] + [[1, 2, 3]] * (n - len(hands)),
        "decks": [list(deck) for deck in decks] or [list(DECK)] * n,
        "to_act": to_act,
        "crossed": list(crossed) or [1] * n,
        "coin": list(coin) or [False] * n,
        "turn": turn,
        "starter": 0,
        **more,
    }


def race(
    space: Sequence[str],
    hands: Sequence[Sequence[int]] = (),
    options: dict[str, Any] | None = None,
    chance: Sequence[Entry] = (),
    **fields: Any,
) -> ScriptedPosition:
    """A race under way; player 0 is to act unless ``to_act`` says otherwise."""
    chosen = {"num_players": len(space), **(options or {})}
    return scripted("ave_caesar", chosen, fields_of(space, hands, **fields), chance)


def unscripted(
    space: Sequence[str],
    hands: Sequence[Sequence[int]] = (),
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Position:
    """The same with the chance of the seed, compiled."""
    chosen = {"num_players": len(space), **(options or {})}
    position = racegym.make("ave_caesar", seed=1, **chosen)
    return position.with_state(**fields_of(space, hands, **fields))


def ends(play: ScriptedPosition, card: int) -> list[str]:
    """Where a card can lead the player to act, sorted."""
    start = f"play {card} to "
    return [text.removeprefix(start) for text in play.legal() if text.startswith(start)]


def kinds(play: ScriptedPosition) -> list[str]:
    """The kinds of the latest action's events, in order."""
    return [event["kind"] for event in play.events]
