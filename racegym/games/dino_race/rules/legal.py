"""What may be done in Dino Race: the legal actions."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.seats import seat_at
from racegym.games.dino_race.state import (
    BY_THREE,
    CARD,
    COUNTER,
    DINOS,
    HOME,
    KINDS,
    MOVES,
    PHASE,
    PRIZES,
    A,
    on_track,
    partner_of,
    slot_of,
)


@compiled(inline=False)
def legal(s, mask):
    """Mark the legal actions of the player to act."""
    if s.phase == PHASE.play:
        mark_play(s, s.to_act, mask)
    if s.phase <= PHASE.pay:
        mark_pairs(s, s.to_act, mask, A.pay if s.phase == PHASE.pay else A.exchange)
    elif s.phase == PHASE.prize:  # DR-60
        for i in range(PRIZES):
            mask[A.prize + i] = s.prize_known[s.to_act, i] == COUNTER.seen
    elif s.phase == PHASE.give:  # DR-52
        for q in range(1, s.num_players):
            mask[A.give + q - 1] = on_track(s, seat_at(s, s.to_act, q)) > 0


@compiled
def mark_play(s, p, mask):
    """The play part (DR-22), but for exchanges."""
    mask[A.roll] = 1
    for d in range(DINOS):
        if s.position[p, d] < HOME:
            if not s.lying[p, d]:  # DR-24
                mark_moves(s, p, s.tiles[s.position[p, d]], mask, A.move + d * MOVES)
            elif s.hand_size[p] >= 2:  # DR-34
                mask[A.stand + d] = 1
    if s.hands[p, CARD.push] + s.hands[p, CARD.egg] + s.hands[p, CARD.steal] > 0:
        mark_specials(s, p, mask)
    if s.teams and not s.passed and on_track(s, partner_of(s, p)) > 0:  # DR-82
        for kind in range(KINDS):
            mask[A.hand + kind] = s.hands[p, kind] > 0


@compiled
def mark_moves(s, p, terrain, mask, first):
    """Moves onto a tile: its terrain, a wild, or three cards of one kind (DR-23)."""
    mask[first + terrain] = s.hands[p, terrain] > 0
    mask[first + CARD.wild] = s.hands[p, CARD.wild] > 0
    for kind in range(KINDS):
        mask[first + BY_THREE + kind] = s.hands[p, kind] >= 3


@compiled
def mark_pairs(s, p, mask, first):
    """Every two cards of the hand, to pay (DR-34) or exchange (DR-40)."""
    at = first
    for a in range(KINDS):
        if s.hands[p, a] > 0:
            mask[at] = s.hands[p, a] >= 2
            for b in range(a + 1, KINDS):
                mask[at + b - a] = s.hands[p, b] > 0
        at += KINDS - a


@compiled
def mark_specials(s, p, mask):
    """Tricks against opponents' dinosaurs that share a tile with an own one (DR-30)."""
    push, egg = s.hands[p, CARD.push] > 0, s.hands[p, CARD.egg] > 0
    steal = s.hands[p, CARD.steal] > 0
    for steps in range(1, s.num_players):
        q = seat_at(s, p, steps)
        if s.teams and steps == s.sides:  # DR-81: partners are no opponents
            continue
        meets = False
        for d in range(DINOS):
            at = s.position[q, d]
            if at < HOME and (at == s.position[p, 0] or at == s.position[p, 1]):
                meets = True
                target = slot_of(steps, d) - DINOS
                mask[A.push + target] = push and at > 0  # DR-31
                mask[A.trip + target] = egg and s.egg != p and not s.lying[q, d]  # DR-33
        if meets:
            mask[A.egg + steps - 1] = egg and s.egg == p  # DR-32
            mask[A.steal + steps - 1] = steal and s.hand_size[q] > 0  # DR-35
