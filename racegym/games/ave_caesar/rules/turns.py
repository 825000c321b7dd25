"""The turns of a race of Ave Caesar: cards, strandings, lost turns (AC-20 to AC-52)."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import after
from racegym.games.ave_caesar.board import OFF
from racegym.games.ave_caesar.rules.moves import (
    all_others_lost,
    can_play,
    distance_to_go,
    is_hopeless,
    is_six_free,
    leads_somewhere,
    may_play_six,
    survey,
)
from racegym.games.ave_caesar.rules.races import close_race, draw, end_game, score_race
from racegym.games.ave_caesar.state import CROSSINGS, END, SLOT, VALUES, E


@compiled
def legal(s, mask):
    """Mark the legal actions of the player to act (AC-20 to AC-23)."""
    p = s.to_act
    for c in range(VALUES):
        if s.hand[p, c] > 0 and (c < VALUES - 1 or may_play_six(s, p)):
            for k in range(SLOT.stride):
                mask[c * SLOT.stride + k] = s.ends[c, k] >= END.free


@compiled
def apply(s, action, log):
    """Play a card and all turns that are lost after it, up to the next decision."""
    p = s.to_act
    c, end = action // SLOT.stride, s.ends[action // SLOT.stride, action % SLOT.stride]
    s.absent[p] = 0
    s.hand[p, c] -= 1
    s.hand_size[p] -= 1
    s.unplayed[p, c] -= 1
    s.lost_last[p] = 0
    s.lost_in_a_row = 0
    s.taken[s.space[p]] = 0
    if end & END.place == END.finish:
        finish(s, p, c + 1, log)
    else:
        move(s, p, c + 1, end, log)
    pass_turn(s, log)


@compiled
def finish(s, p, card, log):
    """Over the line for good (AC-50)."""
    emit(log, E.moved, p, s.space[p], OFF.finished, card, s.course, s.direction)
    s.space[p] = OFF.finished
    s.crossed[p] = CROSSINGS
    s.to_go[p] = 0
    s.racing[p] = 0
    s.finish_order[s.num_finished] = p
    s.num_finished += 1
    emit(log, E.finished, p, s.num_finished)


@compiled
def move(s, p, card, end, log):
    """Drive, pay the coin in the alley, draw (AC-20, AC-40, AC-51)."""
    to = end & END.space
    emit(log, E.moved, p, s.space[p], to, card, s.course, s.direction)
    s.space[p] = to
    s.taken[to] = 1
    if end & END.over:
        s.crossed[p] += 1
    s.to_go[p] = distance_to_go(s, p)
    if s.in_alley[to] and s.coin[p]:
        s.coin[p] = 0
        emit(log, E.coin, p)
    if s.deck_left[p] > 0:
        emit(log, E.drew, p, draw(s, p))
    if s.hand_size[p] == 0:
        strand(s, p, log)


@compiled
def strand(s, p, log):
    """Out of the race; the chariot stays or is taken off (AC-51)."""
    emit(log, E.stranded, p)
    s.racing[p] = 0
    s.strand_order[s.num_stranded] = p
    s.num_stranded += 1
    if s.removing:
        s.taken[s.space[p]] = 0
        s.left_from[p] = s.space[p]
        s.space[p] = OFF.removed


@compiled(inline=False)
def pass_turn(s, log):
    """Go on to the next player who can act, or to the end of the race (AC-22, AC-51, AC-52)."""
    p = s.to_act
    while True:
        if is_race_over(s):
            close_race(s, log)
            return
        if s.turn >= s.max_turns:  # AC-63
            score_race(s, log)
            end_game(s, 1)
            return
        s.turn += 1
        p = next_racing(s, p)
        s.to_act = p
        survey(s, p)
        if can_play(s, p):
            return
        if is_hopeless(s, p):
            strand(s, p, log)
        else:
            lose_turn(s, p, log)


@compiled
def next_racing(s, p):
    """The next player clockwise who is still racing."""
    q = after(s, p)
    while s.racing[q] == 0:
        q = after(s, q)
    return q


@compiled
def lose_turn(s, p, log):
    """A turn without a card (AC-22); all see which values the player cannot hold."""
    emit(log, E.lost_turn, p)
    s.lost_last[p] = 1
    s.lost_in_a_row += 1
    values = VALUES - 1
    if is_six_free(s, p) or all_others_lost(s, p, False):
        values = VALUES
    for c in range(values):
        if leads_somewhere(s, c, END.free):
            s.absent[p] |= 1 << c


@compiled
def is_race_over(s):
    """AC-52."""
    still = 0
    for p in range(s.num_players):
        still += s.racing[p]
    return still == 0 or s.lost_in_a_row >= 2 * still
