"""The rules of Ave Caesar, clause by clause (ids like AC-21 name the clauses): races and turns.

Where cards lead and what leaders may do stands in :mod:`racegym.games.ave_caesar.moves`.  Spaces
are numbered along the course by :mod:`racegym.games.ave_caesar.tracks`: a higher number is nearer
to the next crossing of the line.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import DEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.games.ave_caesar.moves import (
    all_others_lost,
    can_play,
    distance_to_go,
    is_hopeless,
    is_six_free,
    leads_somewhere,
    may_play_six,
    survey,
)
from racegym.games.ave_caesar.state import (
    COIN,
    COPIES,
    COURSE_OPTION,
    CROSSINGS,
    DECK,
    DIRECTION_OPTION,
    DREW,
    FINISHED,
    FINISHES,
    FREE,
    HAND,
    LOST_TURN,
    MAX_PLAYERS,
    MAX_TURNS_OPTION,
    MOVED,
    NO_END,
    NOWHERE,
    OVER_LINE,
    OWN_TRACKS,
    PLACE_PART,
    POINTS,
    RACE,
    RACE_OVER,
    RACES_OPTION,
    REMOVED,
    SLOTS,
    SPACE_PART,
    STRANDED,
    STRANDED_OPTION,
    THE_FINISH,
    VALUES,
)
from racegym.games.ave_caesar.tracks import (
    ALLEY_AHEAD,
    BUILT_IN_CODES,
    CROSSES,
    HEADER_SIZE,
    IN_ALLEY,
    LANE,
    LAP,
    MAX_WAYS,
    NECK,
    NUM_BUILT_IN,
    NUM_SPACES,
    PLACES,
    ROW_SIZE,
    TO_LINE,
    TRACK_SIZE,
)

# --- set-up --------------------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game (AC-02, AC-10 to AC-12)."""
    s.races = options[RACES_OPTION]
    s.removing = options[STRANDED_OPTION]
    s.max_turns = options[MAX_TURNS_OPTION]
    s.score_scale = 6 * s.races  # AC-64
    s.race = 1
    starter = below(s, DEALS, s.num_players)  # AC-11
    if s.races > 1:
        begin_tournament_race(s, starter)
        return
    s.course = options[COURSE_OPTION]
    s.direction = options[DIRECTION_OPTION]
    if s.course < NUM_BUILT_IN:
        first = (s.course * 2 + s.direction) * TRACK_SIZE
        begin_race(s, starter, BUILT_IN_CODES[first : first + TRACK_SIZE])
    else:
        first = OWN_TRACKS + s.direction * TRACK_SIZE
        begin_race(s, starter, options[first : first + TRACK_SIZE])


@compiled
def begin_tournament_race(s, starter):
    """Two courses take turns, first both clockwise, then both the other way (AC-60)."""
    side_b = s.num_players > 4
    s.course = 2 * side_b + (s.race - 1) % 2
    s.direction = (s.race - 1) // 2
    first = (s.course * 2 + s.direction) * TRACK_SIZE
    begin_race(s, starter, BUILT_IN_CODES[first : first + TRACK_SIZE])


@compiled(inline=False)
def begin_race(s, starter, track):
    """Chariots to their places, cards to the players; the starter is to act (AC-10 to AC-12).

    On every course the starter can play any card, so the first turn is never lost.
    """
    load_track(s, track)
    s.taken[:] = 0
    s.turn = 1
    s.lost_in_a_row = 0
    s.num_finished = 0
    s.num_stranded = 0
    s.finish_order[:] = NOWHERE
    s.strand_order[:] = NOWHERE
    s.starter = starter
    for p in range(s.num_players):
        place = (p - starter + s.num_players) % s.num_players
        s.space[p] = track[PLACES + place]
        s.taken[s.space[p]] = 1
        s.left_from[p] = NOWHERE
        s.crossed[p] = 0
        s.coin[p] = 1
        s.racing[p] = 1
        s.lost_last[p] = 0
        s.absent[p] = 0
        s.to_go[p] = distance_to_go(s, p)
        deal(s, p)
    s.to_act = starter
    survey(s, starter)


@compiled
def load_track(s, track):
    """Take over the graph of a course (AC-03)."""
    s.num_spaces = track[NUM_SPACES]
    s.lap = track[LAP]
    for u in range(s.num_spaces):
        row = HEADER_SIZE + u * ROW_SIZE
        for k in range(MAX_WAYS):
            s.ways[u, k] = track[row + k]
        s.crosses[u] = track[row + CROSSES]
        s.to_line[u] = track[row + TO_LINE]
        s.in_alley[u] = track[row + IN_ALLEY]
        s.alley_ahead[u] = track[row + ALLEY_AHEAD]
        s.lane[u] = track[row + LANE]
        s.neck[u] = track[row + NECK]


@compiled
def deal(s, p):
    """Shuffle the 24 cards of a player and deal a hand (AC-10, AC-12)."""
    for i in range(DECK):
        s.deck[p, i] = i // COPIES + 1
    shuffle(s, DEALS, s.deck[p], 0, DECK)
    s.deck_left[p] = DECK
    s.hand_size[p] = 0
    for c in range(VALUES):
        s.hand[p, c] = 0
        s.unplayed[p, c] = COPIES
    for _ in range(HAND):
        draw(s, p)


@compiled
def draw(s, p):
    """Take the top card of the own deck into the hand; returns its value."""
    card = s.deck[p, DECK - s.deck_left[p]]
    s.deck_left[p] -= 1
    s.hand[p, card - 1] += 1
    s.hand_size[p] += 1
    return card


# --- a turn --------------------------------------------------------------------------------------


@compiled
def legal(s, mask):
    """Mark the legal actions of the player to act (AC-20 to AC-23)."""
    p = s.to_act
    for c in range(VALUES):
        if s.hand[p, c] > 0 and (c < VALUES - 1 or may_play_six(s, p)):
            for k in range(SLOTS):
                mask[c * SLOTS + k] = s.ends[c, k] >= FREE


@compiled
def apply(s, action, log):
    """Play a card and all turns that are lost after it, up to the next decision."""
    p = s.to_act
    c, end = action // SLOTS, s.ends[action // SLOTS, action % SLOTS]
    s.absent[p] = 0
    s.hand[p, c] -= 1
    s.hand_size[p] -= 1
    s.unplayed[p, c] -= 1
    s.lost_last[p] = 0
    s.lost_in_a_row = 0
    s.taken[s.space[p]] = 0
    if end & PLACE_PART == THE_FINISH:
        finish(s, p, c + 1, log)
    else:
        move(s, p, c + 1, end, log)
    pass_turn(s, log)


@compiled
def finish(s, p, card, log):
    """Over the line for good (AC-50)."""
    emit(log, MOVED, p, s.space[p], FINISHED, card, s.course, s.direction)
    s.space[p] = FINISHED
    s.crossed[p] = CROSSINGS
    s.to_go[p] = 0
    s.racing[p] = 0
    s.finish_order[s.num_finished] = p
    s.num_finished += 1
    emit(log, FINISHES, p, s.num_finished)


@compiled
def move(s, p, card, end, log):
    """Drive, pay the coin in the alley, draw (AC-20, AC-40, AC-51)."""
    to = end & SPACE_PART
    emit(log, MOVED, p, s.space[p], to, card, s.course, s.direction)
    s.space[p] = to
    s.taken[to] = 1
    if end & OVER_LINE:
        s.crossed[p] += 1
    s.to_go[p] = distance_to_go(s, p)
    if s.in_alley[to] and s.coin[p]:
        s.coin[p] = 0
        emit(log, COIN, p)
    if s.deck_left[p] > 0:
        emit(log, DREW, p, draw(s, p))
    if s.hand_size[p] == 0:
        strand(s, p, log)


@compiled
def strand(s, p, log):
    """Out of the race; the chariot stays or is taken off (AC-51)."""
    emit(log, STRANDED, p)
    s.racing[p] = 0
    s.strand_order[s.num_stranded] = p
    s.num_stranded += 1
    if s.removing:
        s.taken[s.space[p]] = 0
        s.left_from[p] = s.space[p]
        s.space[p] = REMOVED


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
    q = (p + 1) % s.num_players
    while s.racing[q] == 0:
        q = (q + 1) % s.num_players
    return q


@compiled
def lose_turn(s, p, log):
    """A turn without a card (AC-22); all see which values the player cannot hold."""
    emit(log, LOST_TURN, p)
    s.lost_last[p] = 1
    s.lost_in_a_row += 1
    values = VALUES - 1
    if is_six_free(s, p) or all_others_lost(s, p, False):
        values = VALUES
    for c in range(values):
        if leads_somewhere(s, c, FREE):
            s.absent[p] |= 1 << c


# --- the end of a race ---------------------------------------------------------------------------


@compiled
def is_race_over(s):
    """AC-52."""
    still = 0
    for p in range(s.num_players):
        still += s.racing[p]
    return still == 0 or s.lost_in_a_row >= 2 * still


@compiled(inline=False)
def score_race(s, log):
    """Points by order of finishing (AC-53)."""
    won = np.zeros(MAX_PLAYERS, np.int64)
    for i in range(s.num_finished):
        p = s.finish_order[i]
        won[p] = POINTS[i]
        s.points[p] += POINTS[i]
    emit(log, RACE_OVER, won[0], won[1], won[2], won[3], won[4], won[5])


@compiled
def close_race(s, log):
    """Score the race; begin the next or end the game (AC-53, AC-60, AC-61)."""
    score_race(s, log)
    if s.race == s.races:
        end_game(s, 0)
        return
    starter = last_of_race(s)
    s.race += 1
    begin_tournament_race(s, starter)
    emit(log, RACE, s.race, s.course, s.direction, starter)


@compiled
def last_of_race(s):
    """Who came last: greatest distance to go, ties by the later seat from the starter (AC-61)."""
    if s.num_finished == s.num_players:
        return s.finish_order[s.num_players - 1]
    last, farthest = -1, -1
    for i in range(s.num_players):
        p = (s.starter + i) % s.num_players
        if s.space[p] != FINISHED and s.to_go[p] >= farthest:
            last, farthest = p, s.to_go[p]
    return last


@compiled
def end_game(s, truncated):
    """Nobody is to act any more (AC-52, AC-63)."""
    s.to_act = -1
    s.truncated = truncated
    s.ends[:, :] = NO_END


@compiled
def outcome(s, scores, ranks):
    """The points of all races; equal totals share a rank (AC-53, AC-62)."""
    for p in range(s.num_players):
        scores[p] = s.points[p]
        ranks[p] = 1
        for q in range(s.num_players):
            ranks[p] += s.points[q] > s.points[p]
