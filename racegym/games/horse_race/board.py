"""The board of Horse Race: the names of its cards and a drawing in text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racegym.games.horse_race.state import BETS, CARDS, HORSES, LAST_SLOTS, SLOTS, STAGES

HIDDEN = "??"


def own_order(backed: Sequence[int]) -> tuple[int, ...]:
    """The horses in the own order of a player who backed these; see :mod:`rules.terms`."""
    first = backed if len(backed) == BETS else ()
    return (*first, *(horse for horse in range(1, HORSES + 1) if horse not in first))


def card_at(state: Any, lane: int, slot: int, seat: int | None) -> str:
    """The card in a slot as ``seat`` sees it (None: as it is); ``??`` for one it does not know."""
    card = state.lane_card[lane, slot]
    if card == 0:
        placer = state.placer[lane, slot]
        if seat in (None, placer):
            card = state.down[placer, lane, slot]
    return CARDS[card - 1] if card else HIDDEN


def draw(state: Any, seat: int | None = None) -> str:
    """The lanes of the current phase, from the start or the obstacle behind to the one ahead.

    A card is written with the seat number of the player who placed it; cards that lie face down
    are in brackets, ``??`` if ``seat`` may not know them (None: shown all the same).
    """
    slots = LAST_SLOTS if state.stage == STAGES else SLOTS
    behind = "start" if state.stage == 1 else "obstacle"
    ahead = "finish" if state.stage == STAGES else "obstacle"
    lines = [" " * 17 + "".join(f"{k:^6}" for k in range(1, slots + 1)).rstrip()]
    for lane in range(state.num_lanes):
        cells = []
        for slot in range(slots):
            text = "."
            if slot < state.lane_size[lane]:
                text = f"{card_at(state, lane, slot, seat)}·{state.placer[lane, slot]}"
                if state.lane_card[lane, slot] == 0:
                    text = f"({text})"
            cells.append(f"{text:^6}")
        lines.append(f"lane {lane + 1} {behind:>8} |{''.join(cells)}| {ahead}")
    return "\n".join(lines)
