"""Turns of Horse Race, clause by clause."""

from __future__ import annotations

from racegym.engine.chance import DEALS, below
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import after
from racegym.games.horse_race.rules.knowledge import note_no_opening, note_shown
from racegym.games.horse_race.rules.stages import count_turn, draw_card, end_stage, take_out
from racegym.games.horse_race.rules.terms import card_at, horse_at, slots_of
from racegym.games.horse_race.state import BETS, KINDS, PHASE, A, E


@compiled
def apply(s, action, log):
    """Play a legal action and everything that follows from it, up to the next decision."""
    if s.phase == PHASE.bet:
        back(s, action - A.back + 1, log)
    elif s.phase == PHASE.fall:
        take_out(s, horse_at(s, s.to_act, action - A.out), log)
    else:
        take_turn(s, action, log)


@compiled
def back(s, horse, log):
    """Back a horse in secret (HR-11); after the last bet the starter is drawn (HR-12)."""
    p = s.to_act
    s.bets[p, s.num_bets[p]] = horse
    s.num_bets[p] += 1
    if s.num_bets[p] < BETS:
        return
    if p + 1 < s.num_players:
        s.to_act = p + 1
        return
    s.starter = below(s, DEALS, s.num_players)
    s.to_act = s.starter
    s.phase = PHASE.race
    emit(log, E.stage, s.stage, s.starter)


# --- a turn --------------------------------------------------------------------------------------


@compiled
def take_turn(s, action, log):
    """One action of a turn (HR-20), and the end of the turn or of the phase."""
    p = s.to_act
    if action == A.pass_ or (s.must_open and action >= A.down):
        note_no_opening(s, p)
    s.must_open = 0
    if action == A.pass_:  # HR-29
        s.passes += 1
        if s.passes == s.num_players:  # HR-36
            end_stage(s, False, log)
        else:
            end_turn(s)
        return
    s.passes = 0
    if action < A.swap:
        if place(s, p, action):  # HR-30
            end_stage(s, True, log)
        else:
            end_turn(s)
        return
    if action < A.draw:  # HR-26
        discard(s, p, card_at(s, p, action - A.swap))
        emit(log, E.drew, p, draw_card(s, p))
    elif action == A.draw:  # HR-27
        pay(s, p, 1)
        emit(log, E.drew, p, draw_card(s, p))
    else:  # HR-28
        discard(s, p, card_at(s, p, action - A.sell))
        pay(s, p, -1)
    end_turn(s)


@compiled
def place(s, p, action):
    """Place a card in a lane (HR-21, HR-24, HR-25); returns whether it filled the lane."""
    face_up = action < A.down
    number = action - (A.up if face_up else A.down)
    lane, card = number // KINDS, card_at(s, p, number % KINDS)
    slot = s.lane_size[lane]
    s.lane_size[lane] = slot + 1
    s.placer[lane, slot] = p
    s.last_placer = p
    if face_up:
        s.lane_card[lane, slot] = card
        note_shown(s, p, card)
    else:
        s.down[p, lane, slot] = card
        pay(s, p, 1)
    lose_card(s, p, card)
    return slot + 1 == slots_of(s)


@compiled
def pay(s, p, amount):
    """A player pays counters to the bank, or takes them from it if ``amount`` is negative."""
    s.counters[p] -= amount
    s.bank += amount


@compiled
def lose_card(s, p, card):
    """A card leaves a player's hand."""
    s.hands[p, card - 1] -= 1
    s.hand_size[p] -= 1


@compiled
def discard(s, p, card):
    """A card of a player leaves the game, seen by all (HR-26, HR-28)."""
    lose_card(s, p, card)
    s.out_of_game[card - 1] += 1
    note_shown(s, p, card)


@compiled
def end_turn(s):
    """The turn goes to the left, unless the game is cut (HR-20, HR-47)."""
    s.to_act = after(s, s.to_act)
    count_turn(s)
