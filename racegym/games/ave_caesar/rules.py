"""The rules of Ave Caesar, clause by clause (ids like AC-21 name the clauses).

Spaces are numbered along the course by :mod:`racegym.games.ave_caesar.courses`: a higher number is
nearer to the next crossing of the line.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import DEALS, REDEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.layout import Field, Layout, Visible
from racegym.engine.options import (
    Choice,
    OptionSet,
    WholeNumber,
    num_players_option,
    reward_option,
)
from racegym.games.ave_caesar import courses
from racegym.games.ave_caesar.courses import (
    ALLEY_AHEAD,
    ALLEY_ENDS,
    BUILT_IN_CODES,
    CROSSES,
    HEADER_SIZE,
    IN_ALLEY,
    LANE,
    LAP,
    MAX_SPACES,
    MAX_WAYS,
    NECK,
    NUM_SPACES,
    PLACES,
    ROW_SIZE,
    TO_LINE,
    TRACK_ENDS,
    TRACK_SIZE,
    CourseOption,
)

MAX_PLAYERS = 6
VALUES = 6  # cards are worth 1 to 6 steps
COPIES = 4  # of each card
DECK = VALUES * COPIES  # AC-10
HAND = 3  # AC-12
CROSSINGS = 4  # the fourth time over the line ends lap 3
MAX_RACES = 4

# Where a chariot is when it is on no space.
FINISHED, REMOVED, NOWHERE = -1, -2, -1

# Actions: for each card the finish, the spaces of the alley, the spaces of the course.
FINISH_SLOT, FIRST_ALLEY, FIRST_TRACK = 0, 1, 1 + ALLEY_ENDS
SLOTS = FIRST_TRACK + TRACK_ENDS
NUM_ACTIONS = VALUES * SLOTS

# How ``ends`` writes where a card leads: the space, plus flags.
SPACE_PART, PLACE_PART = 127, 255
OVER_LINE = 128  # the move crosses the line
FREE = 256  # no other chariot is in the way
NO_END, THE_FINISH = -1, OVER_LINE + SPACE_PART

# Kinds of events.
MOVED, COIN, DREW, STRANDED, FINISHES, LOST_TURN, RACE_OVER, RACE = 1, 2, 3, 4, 5, 6, 7, 8

# Places in the vector of options that ``start`` reads; the course comes last.
DIRECTION_OPTION, RACES_OPTION, STRANDED_OPTION, MAX_TURNS_OPTION, COURSE_OPTION = 2, 3, 4, 5, 6
OWN_TRACKS = COURSE_OPTION + 1  # a course of the user's own: its two tracks

POINTS = np.array([6, 4, 3, 2, 1, 0], np.int64)  # AC-53


def _default_course(settled: dict[str, int]) -> str:
    return "white" if settled["num_players"] <= 4 else "yellow"


OPTIONS = OptionSet(
    (
        num_players_option(4, 3, MAX_PLAYERS),  # AC-01
        reward_option(),
        Choice("direction", "cw", "direction of driving", choices=courses.DIRECTIONS),
        WholeNumber("races", 1, "races of a tournament", low=1, high=MAX_RACES),
        Choice(
            "stranded",
            "stays",
            "what becomes of a stranded chariot",
            choices=("stays", "removed"),
        ),
        WholeNumber("max_turns", 2000, "turns after which a race is cut", low=1, high=1_000_000),
        CourseOption("course", _default_course, "course of a single race"),
    ),
    together=courses.check_together,
)

LAYOUT = Layout(
    (
        Field("turn", "i4", (), Visible.EVERYBODY, "turn of the race, from 1; lost turns count"),
        Field("max_turns", "i4", (), Visible.EVERYBODY, "turns after which a race is cut"),
        Field("races", "i1", (), Visible.EVERYBODY, "races of the tournament"),
        Field("race", "i1", (), Visible.EVERYBODY, "the race, from 1"),
        Field("removing", "i1", (), Visible.EVERYBODY, "1 if stranded chariots are taken off"),
        Field("course", "i4", (), Visible.EVERYBODY, "0-3 white, blue, yellow, red; else a key"),
        Field("direction", "i1", (), Visible.EVERYBODY, "0 clockwise, 1 counter-clockwise"),
        Field("starter", "i1", (), Visible.EVERYBODY, "seat that began the race", "values"),
        Field("space", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "space, -1 finished, -2 removed"),
        Field("left_from", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "taken off there, -1 not"),
        Field("crossed", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "times over the line, 0-4"),
        Field("coin", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "1 while the coin is not paid"),
        Field("racing", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "1: not finished, not stranded"),
        Field("to_go", "i2", (MAX_PLAYERS,), Visible.EVERYBODY, "distance to go (AC-30)"),
        Field("hand", "i1", (MAX_PLAYERS, VALUES), Visible.OWNER, "cards in hand, by value"),
        Field("hand_size", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "cards in hand"),
        Field(
            "deck",
            "i1",
            (MAX_PLAYERS, DECK),
            Visible.NOBODY,
            "order of the cards drawn and to come",
        ),
        Field("deck_left", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "cards in the deck"),
        Field(
            "unplayed", "i1", (MAX_PLAYERS, VALUES), Visible.EVERYBODY, "hand and deck, by value"
        ),
        Field("absent", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "values known not in hand (bits)"),
        Field(
            "lost_last", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "1 if the latest turn was lost"
        ),
        Field("lost_in_a_row", "i2", (), Visible.EVERYBODY, "turns lost in a row, by anybody"),
        Field("finish_order", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "who finished", "values"),
        Field("num_finished", "i1", (), Visible.EVERYBODY, "how many have finished"),
        Field("strand_order", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "who stranded", "values"),
        Field("num_stranded", "i1", (), Visible.EVERYBODY, "how many have stranded"),
        Field("points", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "points of the races over"),
        Field(
            "ends", "i2", (VALUES, SLOTS), Visible.EVERYBODY, "where cards lead (derived)", "none"
        ),
        Field("taken", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1 if a chariot is there (derived)"),
        Field("num_spaces", "i2", (), Visible.EVERYBODY, "spaces of the course"),
        Field("lap", "i2", (), Visible.EVERYBODY, "lap length"),
        Field("ways", "i1", (MAX_SPACES, MAX_WAYS), Visible.EVERYBODY, "spaces one step ahead"),
        Field("crosses", "i1", (MAX_SPACES,), Visible.EVERYBODY, "steps over the line (bits)"),
        Field("to_line", "i1", (MAX_SPACES,), Visible.EVERYBODY, "steps to the next crossing"),
        Field("in_alley", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1 for the Imperial Alley"),
        Field("alley_ahead", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1: alley before the line"),
        Field(
            "lane", "i1", (MAX_SPACES,), Visible.EVERYBODY, "spaces level with it further inside"
        ),
        Field("neck", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1 if it bars every way round"),
    )
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
    if s.course < len(courses.NAMES):
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


# --- where cards lead ----------------------------------------------------------------------------


@compiled(inline=False)
def survey(s, p):
    """Note in ``ends`` where each card would lead player p, and whether the way is free.

    What another chariot blocks is noted as not free; what the alley's rules forbid is left out.
    Spaces are in descending order of progress, those of the alley apart (AC-20, AC-21).
    """
    s.ends[:, :] = NO_END
    over = spread(s, p, 0, s.space[p] + FREE)
    note_finish(s, 0, over)
    for c in range(1, VALUES):
        for k in range(FIRST_ALLEY, SLOTS):
            end = s.ends[c - 1, k]
            if end >= 0:
                over = max(over, spread(s, p, c, end))
            elif k >= FIRST_TRACK:
                break
        note_finish(s, c, over)


@compiled
def spread(s, p, c, end):
    """Note the spaces one step beyond ``end`` as ends of card c + 1.

    Returns 0, 1 if the step can be over the line for good, 2 if the way there is also free.
    """
    u = end & SPACE_PART
    finish = 0
    began_in_alley = s.in_alley[s.space[p]]
    for k in range(MAX_WAYS):
        v = s.ways[u, k]
        if v < 0:
            break
        over = (end & OVER_LINE) // OVER_LINE
        times = s.crossed[p] + over
        if s.crosses[u] >> k & 1:
            over = 1
            times += 1
        if times == CROSSINGS and s.coin[p] == 0:  # AC-50: what lies beyond does not matter
            finish = max(finish, 2 if end >= FREE else 1)
            continue
        if s.in_alley[v]:
            if s.in_alley[u] == 0 and not may_enter(s, p, times):
                continue
        elif s.in_alley[u] and not began_in_alley:  # AC-41: who enters must end in it
            continue
        elif s.coin[p] and passes_by(s, v, times):
            continue
        free = FREE if end >= FREE and s.taken[v] == 0 else 0
        note_end(s, c, FIRST_ALLEY if s.in_alley[v] else FIRST_TRACK, v + over * OVER_LINE, free)
    return finish


@compiled
def may_enter(s, p, times):
    """The alley is open to who has a coin and has crossed the line once or twice (AC-41)."""
    return s.coin[p] == 1 and (times == 1 or times == 2)


@compiled
def passes_by(s, v, times):
    """With the coin unpaid in lap 2 the alley must stay ahead (AC-42)."""
    return times > 2 or (times == 2 and s.alley_ahead[v] == 0)


@compiled
def note_end(s, c, first, place, free):
    """Put an end into its part of a card's row, in descending order, or mark it free."""
    k = first
    while s.ends[c, k] & PLACE_PART > place and s.ends[c, k] >= 0:
        k += 1
    if s.ends[c, k] >= 0 and s.ends[c, k] & PLACE_PART == place:
        s.ends[c, k] |= free
        return
    moved = place + free
    while moved >= 0:
        kept = s.ends[c, k]
        s.ends[c, k] = moved
        moved = kept
        k += 1


@compiled
def note_finish(s, c, over):
    """Note that card c + 1 brings the chariot over the line for good (AC-50)."""
    if over > 0:
        s.ends[c, FINISH_SLOT] = THE_FINISH + (FREE if over == 2 else 0)


@compiled
def leads_somewhere(s, c, least):
    """Whether card c + 1 has an end of at least ``least``: 0 for any, FREE for a free one."""
    for k in range(SLOTS):
        if s.ends[c, k] >= least:
            return True
    return False


# --- leaders and sixes ---------------------------------------------------------------------------


@compiled
def distance_to_go(s, p):
    """AC-30; for a chariot on the course."""
    return (CROSSINGS - 1 - s.crossed[p]) * s.lap + s.to_line[s.space[p]]


@compiled
def is_leading(s, p):
    """Whether nobody still racing has less to go (AC-30, AC-31); p must be racing itself."""
    for q in range(s.num_players):
        if s.racing[q] and s.to_go[q] < s.to_go[p]:
            return False
    return True


@compiled(inline=False)
def may_play_six(s, p):
    """AC-31 to AC-34, for the player whose turn it is."""
    if is_six_free(s, p):
        return True
    for c in range(VALUES - 1):
        if s.hand[p, c] > 0 and leads_somewhere(s, c, FREE):
            return False
    if all_others_lost(s, p, False):  # AC-34 (b)
        return True
    only_sixes = s.hand[p, VALUES - 1] == s.hand_size[p]
    return only_sixes and all_others_lost(s, p, True) and is_neck_closed(s)  # AC-34 (a)


@compiled
def is_six_free(s, p):
    """Whether sixes are like other cards for player p."""
    if s.num_finished > 0 or not is_leading(s, p):  # AC-33, AC-31
        return True
    return p == s.starter and is_first_card(s)  # AC-32


@compiled
def is_first_card(s):
    """Whether no card has been played in this race."""
    for q in range(s.num_players):
        if s.hand_size[q] + s.deck_left[q] < DECK:
            return False
    return True


@compiled
def all_others_lost(s, p, leading):
    """Whether every other chariot still racing (or only the leading ones) lost its latest turn."""
    for q in range(s.num_players):
        if q != p and s.racing[q] and s.lost_last[q] == 0 and (not leading or is_leading(s, q)):
            return False
    return True


@compiled(inline=False)
def is_neck_closed(s):
    """Whether it is the leading chariots that leave no closed way on the course (AC-34 a)."""
    gone = np.zeros(MAX_SPACES, np.int64)
    for q in range(s.num_players):
        if s.space[q] >= 0 and s.racing[q] == 0:
            gone[s.space[q]] = 1
    if not has_closed_way(s, gone):
        return False
    gone[:] = 0
    for q in range(s.num_players):
        if s.space[q] >= 0 and (s.racing[q] == 0 or is_leading(s, q)):
            gone[s.space[q]] = 1
    return not has_closed_way(s, gone)


@compiled(inline=False)
def has_closed_way(s, gone):
    """Whether a closed way is left without the spaces ``gone`` (changed here).

    Spaces from which no step leads on are taken out until nothing changes.
    """
    left = s.num_spaces
    for u in range(s.num_spaces):
        left -= gone[u]
    changed = True
    while changed:
        changed = False
        for u in range(s.num_spaces - 1, -1, -1):
            if gone[u] == 0 and leads_nowhere(s, u, gone):
                gone[u] = 1
                left -= 1
                changed = True
    return left > 0


@compiled
def leads_nowhere(s, u, gone):
    """Whether every step from u leads to a space that is gone."""
    for k in range(MAX_WAYS):
        if s.ways[u, k] >= 0 and gone[s.ways[u, k]] == 0:
            return False
    return True


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
def can_play(s, p):
    """Whether the player whose turn it is has a legal action (AC-22)."""
    for c in range(VALUES - 1):
        if s.hand[p, c] > 0 and leads_somewhere(s, c, FREE):
            return True
    six = VALUES - 1
    return s.hand[p, six] > 0 and leads_somewhere(s, six, FREE) and may_play_six(s, p)


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
def is_hopeless(s, p):
    """Whether no card of the hand could be played with all other chariots off (AC-51)."""
    for c in range(VALUES):
        if s.hand[p, c] > 0 and leads_somewhere(s, c, 0):
            return False
    return True


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


# --- hidden things -------------------------------------------------------------------------------

GUESSES = 20_000  #: hands tried for the player to act before the guess is given up


@compiled
def redeal(s, seat):
    """Guess the order of every deck and the hands of the others, by what everybody has seen."""
    for p in range(s.num_players):
        if p == seat:
            shuffle(s, REDEALS, s.deck[p], DECK - s.deck_left[p], s.deck_left[p])
        else:
            guess_cards(s, p)


@compiled(inline=False)
def guess_cards(s, p):
    """A hand and a deck for player p, all alike likely that fit what p has shown.

    The player to act has a card to play; who lost a turn holds none that would have fitted then.
    """
    known = np.zeros(VALUES, np.int64)
    for c in range(VALUES):
        known[c] = s.hand[p, c]
    tries = 0
    while True:
        guess_hand(s, p)
        if p != s.to_act or can_play(s, p):
            break
        tries += 1
        if tries == GUESSES:  # a made-up position that fits no hand: leave it as it is
            for c in range(VALUES):
                s.hand[p, c] = known[c]
            break
    fill_deck(s, p)


@compiled
def guess_hand(s, p):
    """A random hand of the right size from the cards unplayed, without the values ``absent``."""
    count = 0
    for c in range(VALUES):
        s.hand[p, c] = 0
        if not s.absent[p] >> c & 1:
            for _ in range(s.unplayed[p, c]):
                s.deck[p, count] = c + 1
                count += 1
    shuffle(s, REDEALS, s.deck[p], 0, count)
    for i in range(s.hand_size[p]):
        s.hand[p, s.deck[p, i] - 1] += 1


@compiled
def fill_deck(s, p):
    """Put the cards unplayed that are not in hand into the deck, in a random order."""
    at = DECK - s.deck_left[p]
    for c in range(VALUES):
        for _ in range(s.unplayed[p, c] - s.hand[p, c]):
            s.deck[p, at] = c + 1
            at += 1
    shuffle(s, REDEALS, s.deck[p], DECK - s.deck_left[p], s.deck_left[p])
