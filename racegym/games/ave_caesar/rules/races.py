"""The races of Ave Caesar: set-up, deal, points, tournament (AC-02 to AC-12, AC-52 to AC-64)."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.chance import DEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import seat_at, steps_to
from racegym.games.ave_caesar.board import OFF
from racegym.games.ave_caesar.board.tracks import BUILT_IN_CODES, CODE, LIMIT, NUM_BUILT_IN, ROW
from racegym.games.ave_caesar.rules.moves import distance_to_go, survey
from racegym.games.ave_caesar.state import (
    COPIES,
    DECK,
    END,
    HAND,
    MAX_PLAYERS,
    OPTION,
    POINTS,
    VALUES,
    E,
)

# --- set-up --------------------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game (AC-02, AC-10 to AC-12)."""
    s.races = options[OPTION.races]
    s.removing = options[OPTION.stranded]
    s.max_turns = options[OPTION.max_turns]
    s.score_scale = 6 * s.races  # AC-64
    s.race = 1
    starter = below(s, DEALS, s.num_players)  # AC-11
    if s.races > 1:
        begin_tournament_race(s, starter)
        return
    s.course = options[OPTION.course]
    s.direction = options[OPTION.direction]
    if s.course < NUM_BUILT_IN:
        first = (s.course * 2 + s.direction) * CODE.stride
        begin_race(s, starter, BUILT_IN_CODES[first : first + CODE.stride])
    else:
        first = OPTION.course + 1 + s.direction * CODE.stride
        begin_race(s, starter, options[first : first + CODE.stride])


@compiled
def begin_tournament_race(s, starter):
    """Two courses take turns, first both clockwise, then both the other way (AC-60)."""
    side_b = s.num_players > 4
    s.course = 2 * side_b + (s.race - 1) % 2
    s.direction = (s.race - 1) // 2
    first = (s.course * 2 + s.direction) * CODE.stride
    begin_race(s, starter, BUILT_IN_CODES[first : first + CODE.stride])


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
    s.finish_order[:] = OFF.nowhere
    s.strand_order[:] = OFF.nowhere
    s.starter = starter
    for p in range(s.num_players):
        s.space[p] = track[CODE.places + steps_to(s, starter, p)]
        s.taken[s.space[p]] = 1
        s.left_from[p] = OFF.nowhere
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
    s.num_spaces = track[CODE.num_spaces]
    s.lap = track[CODE.lap]
    for u in range(s.num_spaces):
        row = CODE.rows + u * ROW.stride
        for k in range(LIMIT.ways):
            s.ways[u, k] = track[row + k]
        s.crosses[u] = track[row + ROW.crosses]
        s.to_line[u] = track[row + ROW.to_line]
        s.in_alley[u] = track[row + ROW.in_alley]
        s.alley_ahead[u] = track[row + ROW.alley_ahead]
        s.lane[u] = track[row + ROW.lane]
        s.neck[u] = track[row + ROW.neck]


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


# --- the end of a race ---------------------------------------------------------------------------


@compiled(inline=False)
def score_race(s, log):
    """Points by order of finishing (AC-53)."""
    won = np.zeros(MAX_PLAYERS, np.int64)
    for i in range(s.num_finished):
        p = s.finish_order[i]
        won[p] = POINTS[i]
        s.points[p] += POINTS[i]
    emit(log, E.race_over, won[0], won[1], won[2], won[3], won[4], won[5])


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
    emit(log, E.race, s.race, s.course, s.direction, starter)


@compiled
def last_of_race(s):
    """Who came last: greatest distance to go, ties by the later seat from the starter (AC-61)."""
    if s.num_finished == s.num_players:
        return s.finish_order[s.num_players - 1]
    last, farthest = -1, -1
    for i in range(s.num_players):
        p = seat_at(s, s.starter, i)
        if s.space[p] != OFF.finished and s.to_go[p] >= farthest:
            last, farthest = p, s.to_go[p]
    return last


@compiled
def end_game(s, truncated):
    """Nobody is to act any more (AC-52, AC-63)."""
    s.to_act = -1
    s.truncated = truncated
    s.ends[:, :] = END.none


@compiled
def outcome(s, scores, ranks):
    """The points of all races; equal totals share a rank (AC-53, AC-62)."""
    for p in range(s.num_players):
        scores[p] = s.points[p]
        ranks[p] = 1
        for q in range(s.num_players):
            ranks[p] += s.points[q] > s.points[p]


def max_decisions(options: dict[str, Any]) -> int:
    """How many decisions a game can have at most: a card each."""
    return int(options["races"] * options["num_players"] * DECK)
