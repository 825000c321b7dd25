"""What the rules of Horse Race speak of, and the order in which a player counts the horses."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.games.horse_race.state import (
    BETS,
    EMPTIES,
    FRONT,
    FRONTS,
    HORSES,
    LAST_SLOTS,
    PHASE,
    SLOTS,
    STAGES,
)


@compiled
def number_of(s, kind):
    """How many cards of a kind there are (HR-03, HR-04)."""
    if kind < HORSES:
        return s.rears[kind]
    return FRONTS if kind == FRONT - 1 else EMPTIES


@compiled
def slots_of(s):
    """Slots of a lane in the current phase of the race (HR-06)."""
    return LAST_SLOTS if s.stage == STAGES else SLOTS


@compiled
def is_out(s, horse):
    """True if a horse is out of the race (HR-51)."""
    return s.horses_out[0] == horse or s.horses_out[1] == horse


# --- a player's own order of the horses ----------------------------------------------------------


@compiled
def horse_backed(s, p, i):
    """The horse that a player backed in place ``i``, 0 if none."""
    return s.revealed[p, i] if s.phase == PHASE.end else s.bets[p, i]


@compiled
def place_of(s, p, horse):
    """Place (from 0) of a horse in a player's own order.

    By number as long as the player has bets to make; from then on the three horses backed come
    first, in the order of the bets, and the others follow by number.
    """
    place = horse - 1
    if s.num_bets[p] == BETS:
        place += BETS
        for i in range(BETS):
            backed = horse_backed(s, p, i)
            if backed == horse:
                return i
            place -= backed < horse
    return place


@compiled
def horse_at(s, p, place):
    """The horse at a place (from 0) of a player's own order."""
    for horse in range(1, HORSES + 1):
        if place_of(s, p, horse) == place:
            return horse
    return 0


@compiled
def own_kind(s, p, kind):
    """Index of a kind of card when the rears are in a player's own order."""
    return place_of(s, p, kind + 1) if kind < HORSES else kind


@compiled
def card_at(s, p, own):
    """The card whose kind has the index ``own`` in a player's own order."""
    return horse_at(s, p, own) if own < HORSES else own + 1
