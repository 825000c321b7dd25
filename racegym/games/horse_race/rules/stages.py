"""The phases of the race, clause by clause: how one ends, what it scores, how the next begins."""

from __future__ import annotations

from racegym.engine.chance import DEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import after
from racegym.games.horse_race.rules.knowledge import note_shown
from racegym.games.horse_race.rules.terms import is_out
from racegym.games.horse_race.state import (
    BETS,
    FALL_CARDS,
    FALLS,
    FRONT,
    HAND,
    HORSES,
    LAST_SLOTS,
    PHASE,
    STAGES,
    E,
)


@compiled
def draw_card(s, p):
    """The top of the pile goes to a player's hand; returns the card."""
    s.pile_size -= 1
    card = s.pile[s.pile_size]
    s.pile[s.pile_size] = 0
    s.hands[p, card - 1] += 1
    s.hand_size[p] += 1
    if s.under_left > s.pile_size:
        s.under_left = s.pile_size
        s.under_drawn[p, card - 1] += 1
    return card


# --- the end of a phase --------------------------------------------------------------------------


@compiled(inline=False)
def end_stage(s, reached, log):
    """Score a phase and go on to the next; ``reached`` if a lane was filled (HR-30, HR-36)."""
    turn_up(s, log)
    score_pairs(s, log)
    if s.stage == STAGES:
        score_places(s, log)
        end_game(s, 0)
        return
    if s.falls and reached and draw_falls(s, log):
        s.phase = PHASE.fall
        return
    begin_next_stage(s, log)


@compiled
def turn_up(s, log):
    """Turn up all cards that lie face down (HR-31)."""
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            if s.lane_card[lane, slot] == 0:
                p = s.placer[lane, slot]
                card = s.down[p, lane, slot]
                s.down[p, lane, slot] = 0
                s.lane_card[lane, slot] = card
                note_shown(s, p, card)
                emit(log, E.reveal, lane + 1, slot + 1, card)


@compiled
def score_pairs(s, log):
    """A point for every complete horse (HR-31)."""
    for lane in range(s.num_lanes):
        for slot in range(1, s.lane_size[lane]):
            horse = pair_at(s, lane, slot)
            if horse > 0:
                s.points[horse - 1] += 1
                emit(log, E.pair, lane + 1, slot + 1, horse)


@compiled
def pair_at(s, lane, slot):
    """The horse whose rear is followed by a front in this slot, 0 for none (HR-31, HR-52)."""
    if slot >= s.lane_size[lane] or s.lane_card[lane, slot] != FRONT:
        return 0
    horse = s.lane_card[lane, slot - 1]
    if horse > HORSES or is_out(s, horse):
        return 0
    return horse


@compiled
def score_places(s, log):
    """The places in phase 3: 6, 4 and 2 points, nearest to the finish first (HR-40)."""
    taken = 0
    for slot in range(LAST_SLOTS - 1, 0, -1):
        place_here = taken + 1
        for lane in range(s.num_lanes):
            horse = pair_at(s, lane, slot)
            if horse > 0 and place_here <= 3:
                taken = place_here
                bonus = 8 - 2 * place_here
                s.points[horse - 1] += bonus
                emit(log, E.place, horse, lane + 1, place_here, bonus)


@compiled(inline=False)
def begin_next_stage(s, log):
    """Clear the lanes, deal, and begin the next phase (HR-32 to HR-36)."""
    last = s.last_placer if s.last_placer >= 0 else s.starter
    clear_lanes(s)
    s.stage += 1
    s.phase = PHASE.race
    s.starter = after(s, last)
    s.to_act = s.starter
    s.last_placer = -1
    s.passes = 0
    s.must_open = 1
    if s.stage == STAGES:
        deal_up(s, log)
    emit(log, E.stage, s.stage, s.starter)
    count_turn(s)


@compiled
def clear_lanes(s):
    """The cards placed go under the pile after phase 1, out of the game later (HR-32, HR-33)."""
    if s.stage == 1:
        placed = 0
        for lane in range(s.num_lanes):
            placed += s.lane_size[lane]
        for i in range(s.pile_size - 1, -1, -1):
            s.pile[i + placed] = s.pile[i]
        s.pile_size += placed
        s.under_left = placed
    at = 0
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            card = s.lane_card[lane, slot]
            s.lane_card[lane, slot] = 0
            s.placer[lane, slot] = -1
            if s.stage == 1:
                s.pile[at] = card
                s.under[card - 1] += 1
                at += 1
            else:
                s.out_of_game[card - 1] += 1
        s.lane_size[lane] = 0
    if s.stage == 1:
        shuffle(s, DEALS, s.pile, 0, at)


@compiled
def deal_up(s, log):
    """Deal everybody up to five cards, in rounds from the starter (HR-33)."""
    for _ in range(HAND):
        p = s.starter
        for _ in range(s.num_players):
            if s.hand_size[p] < HAND and s.pile_size > 0:
                emit(log, E.drew, p, draw_card(s, p))
            p = after(s, p)


# --- falls ---------------------------------------------------------------------------------------


@compiled
def draw_falls(s, log):
    """Draw jump and fall cards (HR-50); on a fall settle who chooses, and return True (HR-51)."""
    p = s.last_placer
    for drawn in range(s.num_players):
        if below(s, DEALS, FALL_CARDS - drawn) < FALLS:
            emit(log, E.fall, p)
            s.to_act = s.last_placer if p != s.last_placer else after(s, p)
            return True
        emit(log, E.jump, p)
        p = after(s, p)
    return False


@compiled
def take_out(s, horse, log):
    """A horse is out of the race and loses its points (HR-51, HR-52)."""
    s.horses_out[0 if s.horses_out[0] == 0 else 1] = horse
    s.points[horse - 1] = 0
    emit(log, E.out, horse, s.to_act)
    begin_next_stage(s, log)


# --- the end of a turn and of the game -----------------------------------------------------------


@compiled
def count_turn(s):
    """A turn is over with all that it set off (HR-47)."""
    if s.turn >= s.max_turns:
        end_game(s, 1)
    else:
        s.turn += 1


@compiled
def end_game(s, truncated):
    """Nobody is to act any more, and the bets are revealed (HR-42, HR-47)."""
    s.phase = PHASE.end
    s.to_act = -1
    s.must_open = 0
    s.truncated = truncated
    for p in range(s.num_players):
        for i in range(BETS):
            s.revealed[p, i] = s.bets[p, i]
            s.bets[p, i] = 0
