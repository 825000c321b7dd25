"""Where the cards of Ave Caesar lead, and when a leader may play a six (AC-20 to AC-50).

Spaces are numbered along the course by :mod:`racegym.games.ave_caesar.board.tracks`: a higher
number is nearer to the next crossing of the line.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.compile import compiled
from racegym.games.ave_caesar.board.tracks import LIMIT
from racegym.games.ave_caesar.state import CROSSINGS, DECK, END, SLOT, VALUES

# --- where cards lead ----------------------------------------------------------------------------


@compiled(inline=False)
def survey(s, p):
    """Note in ``ends`` where each card would lead player p, and whether the way is free.

    What another chariot blocks is noted as not free; what the alley's rules forbid is left out.
    Spaces are in descending order of progress, those of the alley apart (AC-20, AC-21).
    """
    s.ends[:, :] = END.none
    over = spread(s, p, 0, s.space[p] + END.free)
    note_finish(s, 0, over)
    for c in range(1, VALUES):
        for k in range(SLOT.alley, SLOT.stride):
            end = s.ends[c - 1, k]
            if end >= 0:
                over = max(over, spread(s, p, c, end))
            elif k >= SLOT.course:
                break
        note_finish(s, c, over)


@compiled
def spread(s, p, c, end):
    """Note the spaces one step beyond ``end`` as ends of card c + 1.

    Returns 0, 1 if the step can be over the line for good, 2 if the way there is also free.
    """
    u = end & END.space
    finish = 0
    began_in_alley = s.in_alley[s.space[p]]
    for k in range(LIMIT.ways):
        v = s.ways[u, k]
        if v < 0:
            break
        over = (end & END.over) // END.over
        times = s.crossed[p] + over
        if s.crosses[u] >> k & 1:
            over = 1
            times += 1
        if times == CROSSINGS and s.coin[p] == 0:  # AC-50: what lies beyond does not matter
            finish = max(finish, 2 if end >= END.free else 1)
            continue
        if s.in_alley[v]:
            if s.in_alley[u] == 0 and not may_enter(s, p, times):
                continue
        elif (s.in_alley[u] and not began_in_alley) or passes_by(s, p, v, times):
            continue  # AC-41: who enters must end in it
        free = END.free if end >= END.free and s.taken[v] == 0 else 0
        note_end(s, c, SLOT.alley if s.in_alley[v] else SLOT.course, v + over * END.over, free)
    return finish


@compiled
def may_enter(s, p, times):
    """The alley is open to who has a coin and has crossed the line once or twice (AC-41)."""
    return s.coin[p] == 1 and (times == 1 or times == 2)


@compiled
def passes_by(s, p, v, times):
    """With the coin unpaid in lap 2 the alley must stay ahead (AC-42)."""
    return s.coin[p] == 1 and (times > 2 or (times == 2 and s.alley_ahead[v] == 0))


@compiled
def note_end(s, c, first, place, free):
    """Put an end into its part of a card's row, in descending order, or mark it free."""
    k = first
    while s.ends[c, k] & END.place > place and s.ends[c, k] >= 0:
        k += 1
    if s.ends[c, k] >= 0 and s.ends[c, k] & END.place == place:
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
        s.ends[c, SLOT.finish] = END.finish + (END.free if over == 2 else 0)


@compiled
def leads_somewhere(s, c, least):
    """Whether card c + 1 has an end of at least ``least``: 0 for any, END.free for a free one."""
    for k in range(SLOT.stride):
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
    """Whether nobody still racing has less to go (AC-30, AC-31); p must be racing itself.

    Once a chariot has finished, nobody leads (AC-33).
    """
    if s.num_finished > 0:
        return False
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
        if s.hand[p, c] > 0 and leads_somewhere(s, c, END.free):
            return False
    if all_others_lost(s, p, False):  # AC-34 (b)
        return True
    only_sixes = s.hand[p, VALUES - 1] == s.hand_size[p]
    return only_sixes and all_others_lost(s, p, True) and is_neck_closed(s)  # AC-34 (a)


@compiled
def is_six_free(s, p):
    """Whether sixes are like other cards for player p."""
    if not is_leading(s, p):  # AC-31, AC-33
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
    gone = np.zeros(LIMIT.spaces, np.int64)
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
    for k in range(LIMIT.ways):
        if s.ways[u, k] >= 0 and gone[s.ways[u, k]] == 0:
            return False
    return True


# --- whether anything can be played --------------------------------------------------------------


@compiled
def can_play(s, p):
    """Whether the player whose turn it is has a legal action (AC-22)."""
    for c in range(VALUES - 1):
        if s.hand[p, c] > 0 and leads_somewhere(s, c, END.free):
            return True
    six = VALUES - 1
    return s.hand[p, six] > 0 and leads_somewhere(s, six, END.free) and may_play_six(s, p)


@compiled
def is_hopeless(s, p):
    """Whether no card of the hand could be played with all other chariots off (AC-51)."""
    for c in range(VALUES):
        if s.hand[p, c] > 0 and leads_somewhere(s, c, 0):
            return False
    return True
