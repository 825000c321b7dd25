"""Writing what a seat sees of Ave Caesar."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.seats import seat_at, steps_to
from racegym.games.ave_caesar.board.tracks import NUM_BUILT_IN
from racegym.games.ave_caesar.observation.parts import (
    CARD,
    FLAT,
    FULL,
    MOST_WASTE,
    PLAYER,
    TABLE,
    TOKEN,
    TOKEN_ROWS,
)
from racegym.games.ave_caesar.rules.moves import is_leading
from racegym.games.ave_caesar.state import CROSSINGS, END, MAX_PLAYERS, SLOT, VALUES

P, C, T, F, ROW = PLAYER.at, CARD.at, TABLE.at, FLAT.at, TOKEN.at
PER_P, PER_C = PLAYER.per, CARD.per
SCALE_P, SCALE_T = PLAYER.scale, TABLE.scale
HANDS = FULL.at.hand_0


@compiled
def within(x):
    """x, or the nearer bound of 0-1."""
    return min(max(x, 0.0), 1.0)


@compiled
def write_player(s, p, observer, out, at):
    """One player's part, from ``out[at]`` on."""
    out[at] = 1.0
    out[at + P.to_act] = s.to_act == p
    out[at + P.starter] = s.starter == p
    out[at + P.crossed + s.crossed[p]] = 1.0
    out[at + P.coin] = s.coin[p]
    out[at + P.hand_size] = s.hand_size[p] * PER_P.hand_size
    out[at + P.deck_size] = s.deck_left[p] * PER_P.deck_size
    out[at + P.lost_last] = s.lost_last[p]
    out[at + P.points] = s.points[p] * PER_P.points
    here = s.space[p]
    if s.racing[p]:
        out[at + P.status] = 1.0
        out[at + P.leading] = is_leading(s, p)
    elif here >= 0:
        out[at + P.status + 2] = 1.0
    else:
        out[at + P.status + (1 if s.crossed[p] == CROSSINGS else 3)] = 1.0
        out[at + P.left_from] = (s.left_from[p] + 1) * PER_P.left_from
    if here >= 0:
        out[at + P.space] = (here + 1) * PER_P.space
        out[at + P.to_line] = within(s.to_line[here] / s.lap)
        out[at + P.lane] = s.lane[here] * PER_P.lane
        out[at + P.neck] = s.neck[here]
    steps = 0
    for c in range(VALUES):
        out[at + P.unplayed + c] = s.unplayed[p, c] * PER_P.unplayed
        steps += s.unplayed[p, c] * (c + 1)
    out[at + P.steps_left] = steps * PER_P.steps_left
    out[at + P.to_go] = within(s.to_go[p] / (CROSSINGS * s.lap))
    out[at + P.behind] = within(0.5 + (s.to_go[p] - s.to_go[observer]) / SCALE_P.behind)
    out[at + P.spare] = within(0.5 + (steps - s.to_go[p]) / SCALE_P.spare)


@compiled
def write_orders(s, observer, out, at, size):
    """In which order players finished and stranded; player q's part begins at at + q * size."""
    for i in range(s.num_finished):
        q = steps_to(s, observer, s.finish_order[i])
        out[at + q * size + P.place] = (i + 1) * PER_P.place
    for i in range(s.num_stranded):
        q = steps_to(s, observer, s.strand_order[i])
        out[at + q * size + P.stranded_as] = (i + 1) * PER_P.stranded_as


@compiled
def write_card(s, p, c, out, at):
    """The observer's cards of one value and where they lead, from ``out[at]`` on."""
    out[at + C.in_hand] = s.hand[p, c] * PER_C.in_hand
    out[at + C.in_deck] = (s.unplayed[p, c] - s.hand[p, c]) * PER_C.in_deck
    if s.to_act != p:
        return
    for k in range(SLOT.stride):
        end = s.ends[c, k]
        if end < END.free:
            continue
        if k == SLOT.finish:
            out[at + C.keeps] = 1.0
            continue
        space = end & END.space
        waste = c + 1 + s.to_line[space] - s.to_line[s.space[p]]
        if end & END.over:
            waste -= s.lap
        out[at + C.keeps + k] = within(max(MOST_WASTE - waste, 1) / MOST_WASTE)
        out[at + C.bars + k] = s.neck[space]


@compiled
def write_table(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + min(s.course, NUM_BUILT_IN)] = 1.0
    out[at + T.direction] = s.direction
    out[at + T.races + s.races - 1] = 1.0
    out[at + T.race + s.race - 1] = 1.0
    out[at + T.removing] = s.removing
    out[at + T.lost_in_a_row] = within(s.lost_in_a_row / SCALE_T.lost_in_a_row)
    out[at + T.turns] = s.turn / s.max_turns
    out[at + T.length] = 1.0 / s.max_turns
    out[at + T.reward + s.reward] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: the six players' parts, the observer's cards, the common part."""
    out[:] = 0.0
    for q in range(s.num_players):
        write_player(s, seat_at(s, seat, q), seat, out, q * P.stride)
    write_orders(s, seat, out, 0, P.stride)
    for c in range(VALUES):
        write_card(s, seat, c, out, F.card + c * C.stride)
    write_table(s, out, F.table)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then the hands of all players."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        p = seat_at(s, seat, q)
        for c in range(VALUES):
            out[HANDS + q * VALUES + c] = s.hand[p, c] * PER_C.in_hand


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, per card value, and one for the table."""
    entries = out.reshape(-1)
    entries[:] = 0.0
    for q in range(s.num_players):
        at = q * ROW.stride
        entries[at] = 1.0
        entries[at + ROW.seat + q] = 1.0
        write_player(s, seat_at(s, seat, q), seat, entries, at + ROW.player)
    write_orders(s, seat, entries, ROW.player, ROW.stride)
    for c in range(VALUES):
        at = (MAX_PLAYERS + c) * ROW.stride
        entries[at + 1] = 1.0
        entries[at + ROW.value + c] = 1.0
        write_card(s, seat, c, entries, at + ROW.card)
    at = (TOKEN_ROWS - 1) * ROW.stride
    entries[at + 2] = 1.0
    write_table(s, entries, at + ROW.table)
