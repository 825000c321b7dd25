"""Writing what a seat sees of Horse Race, part by part as declared."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.seats import seat_at, steps_to
from racegym.games.horse_race.observation.parts import (
    FLAT,
    FULL,
    HORSE_ROW,
    KIND,
    KIND_ROW,
    PER_KIND,
    PLAYER,
    ROWS,
    SLOT,
    TABLE,
    TOKEN,
)
from racegym.games.horse_race.observation.stakes import write_stakes
from racegym.games.horse_race.rules.knowledge import known_card
from racegym.games.horse_race.rules.terms import horse_backed, own_kind, place_of
from racegym.games.horse_race.state import BETS, HORSES, KINDS, MOST_OUT, PHASE, SLOTS

# Offsets and scales, for the whole encoders and for each of their parts.
FLAT_AT, ROW = FLAT.at, TOKEN.at
HANDS, BACKED, PILE = FULL.at.hand_1, FULL.at.backed_1_1, FULL.at.pile
P, K, T, S, R, H = PLAYER.at, KIND.at, TABLE.at, SLOT.at, KIND_ROW.at, HORSE_ROW.at
PER_P, PER_K, PER_T, PER_S = PLAYER.per, KIND.per, TABLE.per, SLOT.per
PER_BET, PER_PILE = 1.0 / BETS, FULL.per.pile

# --- parts ---------------------------------------------------------------------------------------


@compiled
def write_player(s, p, own, out, at):
    """One player's part, from ``out[at]`` on; ``own`` if the observer is this player."""
    out[at] = 1.0
    out[at + P.to_act] = s.to_act == p
    out[at + P.starter] = s.starter == p
    out[at + P.last_placer] = s.last_placer == p
    out[at + P.counters] = s.counters[p] * PER_P.counters
    out[at + P.hand_size] = s.hand_size[p] * PER_P.hand_size
    out[at + P.fronts] = s.fronts[p] * PER_P.fronts
    out[at + P.num_bets] = s.num_bets[p] * PER_P.num_bets
    if own or s.phase == PHASE.end:
        for i in range(BETS):
            out[at + P.bets + i] = horse_backed(s, p, i) * PER_P.bets


@compiled
def write_bets(s, seat, p, out, at):
    """The horses backed by a player, one-hot in the observer's order, from ``out[at]`` on."""
    for i in range(BETS):
        horse = horse_backed(s, p, i)
        if horse > 0:
            out[at + i * HORSES + place_of(s, seat, horse)] = 1.0


@compiled
def write_kinds(s, seat, out, at):
    """What there is of every kind of card and of every horse, from ``out[at]`` on."""
    for kind in range(KINDS):
        own = own_kind(s, seat, kind)
        out[at + K.hand + own] = s.hands[seat, kind] * PER_K.hand
        out[at + K.out_of_game + own] = s.out_of_game[kind] * PER_KIND[kind]
        out[at + K.under + own] = s.under[kind] * PER_KIND[kind]
        out[at + K.under_drawn + own] = s.under_drawn[seat, kind] * PER_KIND[kind]
        if kind < HORSES:
            out[at + K.points + own] = s.points[kind] * PER_K.points
            out[at + K.rears + own] = s.rears[kind] * PER_K.rears
    for i in range(BETS):
        horse = horse_backed(s, seat, i)
        if horse > 0:
            out[at + K.backed + place_of(s, seat, horse)] = (BETS - i) * PER_BET
    for i in range(MOST_OUT):
        if s.horses_out[i] > 0:
            out[at + K.out_1 + i * HORSES + place_of(s, seat, s.horses_out[i])] = 1.0


@compiled
def write_slot(s, seat, lane, slot, out, at):
    """A slot that holds a card, as the observer sees it, from ``out[at]`` on."""
    p = s.placer[lane, slot]
    out[at + S.down] = s.lane_card[lane, slot] == 0
    card = known_card(s, seat, lane, slot)
    if card > 0:
        out[at + S.card + own_kind(s, seat, card - 1)] = 1.0
    out[at + S.placer] = (steps_to(s, seat, p) + 1) * PER_S.placer


@compiled
def write_common(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + T.phase + s.phase] = 1.0
    out[at + T.stage + s.stage - 1] = 1.0
    out[at + T.must_open] = s.must_open
    out[at + T.passes] = s.passes * PER_T.passes
    out[at + T.bank] = s.bank * PER_T.bank
    out[at + T.pile_size] = s.pile_size * PER_T.pile_size
    out[at + T.under_left] = s.under_left * PER_T.under_left
    for lane in range(s.num_lanes):
        out[at + T.lanes + lane] = 1.0
    out[at + T.falls] = s.falls
    out[at + T.scoring + s.scoring] = 1.0
    out[at + T.reward + s.reward] = 1.0
    out[at + T.turns] = s.turn / s.max_turns
    out[at + T.length] = 1.0 / s.max_turns


# --- encoders ------------------------------------------------------------------------------------


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: players, cards and horses by kind, the common part, lanes, stakes."""
    out[:] = 0.0
    for q in range(s.num_players):
        write_player(s, seat_at(s, seat, q), q == 0, out, q * P.stride)
    write_kinds(s, seat, out, FLAT_AT.kind)
    write_common(s, out, FLAT_AT.table)
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            write_slot(s, seat, lane, slot, out, FLAT_AT.lane + (lane * SLOTS + slot) * S.stride)
    write_stakes(s, seat, out, FLAT_AT.stakes)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat`` with all cards face up, then hands, bets and pile."""
    write_flat(s, seat, out)
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            if s.lane_card[lane, slot] == 0:
                card = s.down[s.placer[lane, slot], lane, slot]
                at = FLAT_AT.lane + (lane * SLOTS + slot) * S.stride
                out[at + S.card + own_kind(s, seat, card - 1)] = 1.0
    for q in range(1, s.num_players):
        p = seat_at(s, seat, q)
        for kind in range(KINDS):
            own = own_kind(s, seat, kind)
            out[HANDS + (q - 1) * KINDS + own] = s.hands[p, kind] * PER_K.hand
        write_bets(s, seat, p, out, BACKED + (q - 1) * BETS * HORSES)
    for i in range(s.pile_size):
        out[PILE + i] = (own_kind(s, seat, s.pile[s.pile_size - 1 - i] - 1) + 1) * PER_PILE


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, kind of card and placed card, and one for the table."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        row = out[q]
        row[0] = 1.0
        row[ROW.seat + q] = 1.0
        write_player(s, seat_at(s, seat, q), q == 0, row, ROW.player)
    for kind in range(KINDS):
        write_kind_row(s, seat, kind, out[ROWS.kinds + own_kind(s, seat, kind)])
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            write_slot_row(s, seat, lane, slot, out[ROWS.slots + lane * SLOTS + slot])
    row = out[ROWS.table]
    row[3] = 1.0
    write_common(s, row, ROW.table)


@compiled
def write_kind_row(s, seat, kind, row):
    """A kind of card; for rears its horse as well."""
    row[1] = 1.0
    row[ROW.card + own_kind(s, seat, kind)] = 1.0
    row[ROW.kind + R.hand] = s.hands[seat, kind] * PER_K.hand
    row[ROW.kind + R.out_of_game] = s.out_of_game[kind] * PER_KIND[kind]
    row[ROW.kind + R.under] = s.under[kind] * PER_KIND[kind]
    row[ROW.kind + R.under_drawn] = s.under_drawn[seat, kind] * PER_KIND[kind]
    if kind < HORSES:
        row[ROW.horse + H.rears] = s.rears[kind] * PER_K.rears
        row[ROW.horse + H.points] = s.points[kind] * PER_K.points
        for i in range(BETS):
            row[ROW.horse + H.backed + i] = horse_backed(s, seat, i) == kind + 1
        for i in range(MOST_OUT):
            row[ROW.horse + H.out + i] = s.horses_out[i] == kind + 1


@compiled
def write_slot_row(s, seat, lane, slot, row):
    """A placed card, as the observer sees it."""
    row[2] = 1.0
    p = s.placer[lane, slot]
    row[ROW.seat + steps_to(s, seat, p)] = 1.0
    row[ROW.down] = s.lane_card[lane, slot] == 0
    card = known_card(s, seat, lane, slot)
    if card > 0:
        row[ROW.card + own_kind(s, seat, card - 1)] = 1.0
    row[ROW.lane + lane] = 1.0
    row[ROW.slot + slot] = 1.0
