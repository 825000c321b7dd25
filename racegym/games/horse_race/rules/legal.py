"""What a player of Horse Race may do, clause by clause."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.games.horse_race.rules.terms import is_out, own_kind, place_of
from racegym.games.horse_race.state import FRONT, HORSES, KINDS, PHASE, A


@compiled
def legal(s, mask):
    """Mark the legal actions of the player to act."""
    p = s.to_act
    if s.phase == PHASE.bet:  # HR-11: three different horses
        for h in range(1, HORSES + 1):
            if s.bets[p, 0] != h and s.bets[p, 1] != h:
                mask[A.back + h - 1] = 1
    elif s.phase == PHASE.fall:  # HR-52: not the same horse twice
        for h in range(1, HORSES + 1):
            if not is_out(s, h):
                mask[A.out + place_of(s, p, h)] = 1
    else:
        can_open = mark_face_up(s, p, mask)
        if not (can_open and s.must_open):  # HR-35
            can_else = mark_else(s, p, mask)
            if not (can_open or can_else):  # HR-29
                mask[A.pass_] = 1


@compiled
def mark_face_up(s, p, mask):
    """Mark what may be placed face up (HR-21 to HR-23); returns whether there is anything."""
    found = False
    for kind in range(KINDS):
        if s.hands[p, kind] == 0:
            continue
        first = A.up + own_kind(s, p, kind)
        for lane in range(s.num_lanes):
            if fits(s, lane, kind):
                mask[first + lane * KINDS] = 1
                found = True
    return found


@compiled
def fits(s, lane, kind):
    """Whether a kind of card may be placed face up at the end of a lane."""
    size = s.lane_size[lane]
    if size == 0:  # HR-23
        return kind != FRONT - 1
    top = s.lane_card[lane, size - 1]
    if kind == FRONT - 1:  # after a rear or a card face down
        return top < FRONT
    return top == 0 or top >= FRONT


@compiled
def mark_else(s, p, mask):
    """Mark what may be done but placing face up (HR-24 to HR-28); returns if there is anything."""
    found = False
    for kind in range(KINDS):
        if s.hands[p, kind] == 0:
            continue
        own = own_kind(s, p, kind)
        if s.counters[p] > 0:  # HR-24
            for lane in range(s.num_lanes):
                if s.lane_size[lane] > 0:
                    mask[A.down + lane * KINDS + own] = 1
                    found = True
        elif s.bank > 0:  # HR-28
            mask[A.sell + own] = 1
            found = True
        if s.pile_size > 0:  # HR-26
            mask[A.swap + own] = 1
            found = True
    if s.hand_size[p] == 0 and s.counters[p] > 0 and s.pile_size > 0:  # HR-27
        mask[A.draw] = 1
        found = True
    return found
