"""What a seat sees of Horse Race, as arrays; :mod:`observation` says what the numbers mean."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder
from racegym.games.horse_race.decode import decode_flat, decode_full, decode_tokens
from racegym.games.horse_race.observation import (
    BACKED,
    BANK,
    BEST_OTHER,
    BETS_AT,
    COMMON,
    DOWN,
    END_BACKED,
    END_EMPTY,
    END_FRONT,
    END_NOTHING,
    END_OTHER,
    END_UNKNOWN,
    FALLS_AT,
    FIRST_KIND_ROW,
    FIRST_SLOT,
    FIRST_SLOT_ROW,
    FLAT,
    FULL,
    HAND_SIZE,
    HANDS,
    HIGH,
    KNOWN_FRONTS,
    LANE_END,
    LANE_LAST,
    LANES_AT,
    LAST_PLACER,
    LENGTH,
    MUST_OPEN,
    NUM_BETS,
    OTHER_COMPLETE,
    OTHERS_BACKED,
    OUT,
    OUT_OF_GAME,
    OWN_HAND,
    OWN_STAKES,
    PASSES,
    PER_BET,
    PER_CARD,
    PER_COUNTER,
    PER_HELD,
    PER_HORSE,
    PER_KIND,
    PER_POINT,
    PER_SEAT,
    PER_SLOT,
    PER_WORTH,
    PHASE,
    PILE,
    PILE_SIZE,
    PLACER,
    PLAYER_SIZE,
    POINTS,
    PURSE,
    REARS_AT,
    REWARD,
    SCORING_AT,
    SLOT_SIZE,
    STAGE_AT,
    STAKE_COMPLETE,
    STAKE_LANE,
    STAKE_LANE_SIZE,
    STAKE_WORTH,
    STARTER,
    TABLE_ROW,
    TO_ACT,
    TOKEN,
    TOKEN_BACKED,
    TOKEN_CARD,
    TOKEN_DOWN,
    TOKEN_KIND,
    TOKEN_LANE,
    TOKEN_OUT,
    TOKEN_PLAYER,
    TOKEN_POINTS,
    TOKEN_REARS,
    TOKEN_ROWS,
    TOKEN_SEAT,
    TOKEN_SLOT,
    TOKEN_TABLE,
    TURNS,
    UNDER,
    UNDER_DRAWN,
    UNDER_LEFT,
)
from racegym.games.horse_race.state import (
    BETS,
    COUNTERS,
    END,
    FIRST,
    FRONT,
    HORSES,
    KINDS,
    MOST_OUT,
    SLOTS,
    SUM_BONUS,
    WINNER_BONUS,
    horse_backed,
    is_out,
    own_kind,
    place_of,
    slots_of,
)

# --- parts ---------------------------------------------------------------------------------------


@compiled
def write_player(s, p, own, out, at):
    """One player's part, from ``out[at]`` on; ``own`` if the observer is this player."""
    out[at] = 1.0
    out[at + TO_ACT] = s.to_act == p
    out[at + STARTER] = s.starter == p
    out[at + LAST_PLACER] = s.last_placer == p
    out[at + PURSE] = s.counters[p] * PER_COUNTER
    out[at + HAND_SIZE] = s.hand_size[p] * PER_HELD
    out[at + KNOWN_FRONTS] = s.fronts[p] * PER_HELD
    out[at + NUM_BETS] = s.num_bets[p] / BETS
    if own or s.phase == END:
        for i in range(BETS):
            out[at + BETS_AT + i] = horse_backed(s, p, i) * PER_HORSE


@compiled
def write_bets(s, seat, p, out, at):
    """The horses backed by a player, one-hot in the observer's order, from ``out[at]`` on."""
    for i in range(BETS):
        horse = horse_backed(s, p, i)
        if horse > 0:
            out[at + i * HORSES + place_of(s, seat, horse)] = 1.0


@compiled
def known_card(s, seat, lane, slot):
    """The card in a slot that holds one, 0 if the observer cannot know it."""
    card = s.lane_card[lane, slot]
    if card == 0 and s.placer[lane, slot] == seat:
        card = s.down[seat, lane, slot]
    return card


@compiled
def write_slot(s, seat, lane, slot, out, at):
    """A slot that holds a card, as the observer sees it, from ``out[at]`` on."""
    p = s.placer[lane, slot]
    out[at + DOWN] = s.lane_card[lane, slot] == 0
    card = known_card(s, seat, lane, slot)
    if card > 0:
        out[at + own_kind(s, seat, card - 1)] = 1.0
    q = p - seat
    out[at + PLACER] = (q + 1 if q >= 0 else q + 1 + s.num_players) * PER_SEAT


@compiled
def write_common(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + PHASE + s.phase] = 1.0
    out[at + STAGE_AT + s.stage - 1] = 1.0
    out[at + MUST_OPEN] = s.must_open
    out[at + PASSES] = s.passes * PER_SEAT
    out[at + BANK] = s.bank / COUNTERS
    out[at + PILE_SIZE] = s.pile_size * PER_CARD
    out[at + UNDER_LEFT] = s.under_left * PER_CARD
    for lane in range(s.num_lanes):
        out[at + LANES_AT + lane] = 1.0
    out[at + FALLS_AT] = s.falls
    out[at + SCORING_AT + s.scoring] = 1.0
    out[at + REWARD + s.reward] = 1.0
    out[at + TURNS] = s.turn / s.max_turns
    out[at + LENGTH] = 1.0 / s.max_turns


# --- the track as it matters to the observer's bets -----------------------------------------------


@compiled
def write_stakes(s, seat, out, at):
    """The part ``stakes``, from ``out[at]`` on."""
    most, best_other = 0, 0
    for h in range(1, HORSES + 1):
        points = s.points[h - 1]
        most = max(most, points)
        if place_backed(s, seat, h) < 0:
            best_other = max(best_other, points)
    out[at + BEST_OTHER] = best_other * PER_POINT
    out[at + STAKE_WORTH] = worth_of_bets(s, seat, most) * PER_WORTH
    for lane in range(s.num_lanes):
        write_lane(s, seat, lane, out, at)


@compiled
def place_backed(s, seat, horse):
    """0, 1 or 2 for the horse that the observer backed first, second or third; -1 for others.

    A horse that is out is worth as little as others.
    """
    if is_out(s, horse):
        return -1
    for i in range(BETS):
        if horse_backed(s, seat, i) == horse:
            return i
    return -1


@compiled
def worth_of_bets(s, seat, most):
    """What the horses backed are worth with the points they have (HR-43 to HR-45)."""
    worth = 0
    for i in range(s.num_bets[seat] if s.scoring != FIRST else min(s.num_bets[seat], 1)):
        worth += s.points[horse_backed(s, seat, i) - 1]
    first = horse_backed(s, seat, 0)
    if s.scoring == SUM_BONUS and first > 0 and s.points[first - 1] == most:
        worth += WINNER_BONUS
    return worth


@compiled
def write_lane(s, seat, lane, out, at):
    """A lane: its complete horses, and what a card placed now would follow."""
    before, end = 0, END_NOTHING
    for slot in range(s.lane_size[lane]):
        card = known_card(s, seat, lane, slot)
        if card == FRONT and 0 < before <= HORSES and not is_out(s, before):  # HR-52
            if END_BACKED <= end < END_OTHER:
                out[at + STAKE_COMPLETE + end - END_BACKED] += PER_HELD
            else:
                out[at + OTHER_COMPLETE] += PER_HORSE
        end = end_of(s, seat, card)
        before = card
    first = at + STAKE_LANE + lane * STAKE_LANE_SIZE
    out[first] = s.lane_size[lane] * PER_SLOT
    out[first + LANE_LAST] = s.lane_size[lane] + 1 == slots_of(s)
    out[first + LANE_END + end] = 1.0


@compiled
def end_of(s, seat, card):
    """What a card at the end of a lane is to the observer."""
    if card == 0:
        return END_UNKNOWN
    if card > HORSES:
        return END_FRONT if card == FRONT else END_EMPTY
    i = place_backed(s, seat, card)
    return END_BACKED + i if i >= 0 else END_OTHER


# --- encoders ------------------------------------------------------------------------------------


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: players, cards and horses by kind, the common part, lanes, stakes."""
    out[:] = 0.0
    p = seat
    for q in range(s.num_players):
        write_player(s, p, q == 0, out, q * PLAYER_SIZE)
        p = p + 1 if p + 1 < s.num_players else 0
    for kind in range(KINDS):
        own = own_kind(s, seat, kind)
        out[OWN_HAND + own] = s.hands[seat, kind] * PER_HELD
        out[OUT_OF_GAME + own] = s.out_of_game[kind] * PER_KIND[kind]
        out[UNDER + own] = s.under[kind] * PER_KIND[kind]
        out[UNDER_DRAWN + own] = s.under_drawn[seat, kind] * PER_KIND[kind]
        if kind < HORSES:
            out[POINTS + own] = s.points[kind] * PER_POINT
            out[REARS_AT + own] = s.rears[kind] * PER_KIND[kind]
    for i in range(BETS):
        if horse_backed(s, seat, i) > 0:
            out[BACKED + place_of(s, seat, horse_backed(s, seat, i))] = (BETS - i) * PER_BET
    for i in range(MOST_OUT):
        if s.horses_out[i] > 0:
            out[OUT + i * HORSES + place_of(s, seat, s.horses_out[i])] = 1.0
    write_common(s, out, COMMON)
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            write_slot(s, seat, lane, slot, out, FIRST_SLOT + (lane * SLOTS + slot) * SLOT_SIZE)
    write_stakes(s, seat, out, OWN_STAKES)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat`` with all cards face up, then hands, bets and pile."""
    write_flat(s, seat, out)
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            if s.lane_card[lane, slot] == 0:
                card = s.down[s.placer[lane, slot], lane, slot]
                at = FIRST_SLOT + (lane * SLOTS + slot) * SLOT_SIZE
                out[at + own_kind(s, seat, card - 1)] = 1.0
    for q in range(1, s.num_players):
        p = (seat + q) % s.num_players
        for kind in range(KINDS):
            own = own_kind(s, seat, kind)
            out[HANDS + (q - 1) * KINDS + own] = s.hands[p, kind] * PER_HELD
        write_bets(s, seat, p, out, OTHERS_BACKED + (q - 1) * BETS * HORSES)
    for i in range(s.pile_size):
        out[PILE + i] = (own_kind(s, seat, s.pile[s.pile_size - 1 - i] - 1) + 1) / KINDS


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, kind of card and placed card, and one for the table."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        row = out[q]
        row[0] = 1.0
        row[TOKEN_SEAT + q] = 1.0
        write_player(s, (seat + q) % s.num_players, q == 0, row, TOKEN_PLAYER)
    for kind in range(KINDS):
        write_kind_row(s, seat, kind, out[FIRST_KIND_ROW + own_kind(s, seat, kind)])
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            write_slot_row(s, seat, lane, slot, out[FIRST_SLOT_ROW + lane * SLOTS + slot])
    row = out[TABLE_ROW]
    row[3] = 1.0
    write_common(s, row, TOKEN_TABLE)


@compiled
def write_kind_row(s, seat, kind, row):
    """A kind of card; for rears its horse as well."""
    row[1] = 1.0
    row[TOKEN_CARD + own_kind(s, seat, kind)] = 1.0
    row[TOKEN_KIND] = s.hands[seat, kind] * PER_HELD
    row[TOKEN_KIND + 1] = s.out_of_game[kind] * PER_KIND[kind]
    row[TOKEN_KIND + 2] = s.under[kind] * PER_KIND[kind]
    row[TOKEN_KIND + 3] = s.under_drawn[seat, kind] * PER_KIND[kind]
    if kind < HORSES:
        row[TOKEN_REARS] = s.rears[kind] * PER_KIND[kind]
        row[TOKEN_POINTS] = s.points[kind] * PER_POINT
        for i in range(BETS):
            row[TOKEN_BACKED + i] = horse_backed(s, seat, i) == kind + 1
        for i in range(MOST_OUT):
            row[TOKEN_OUT + i] = s.horses_out[i] == kind + 1


@compiled
def write_slot_row(s, seat, lane, slot, row):
    """A placed card, as the observer sees it."""
    row[2] = 1.0
    p = s.placer[lane, slot]
    row[TOKEN_SEAT + (p - seat if p >= seat else p - seat + s.num_players)] = 1.0
    row[TOKEN_DOWN] = s.lane_card[lane, slot] == 0
    card = known_card(s, seat, lane, slot)
    if card > 0:
        row[TOKEN_CARD + own_kind(s, seat, card - 1)] = 1.0
    row[TOKEN_LANE + lane] = 1.0
    row[TOKEN_SLOT + slot] = 1.0


ENCODERS = (
    Encoder("flat", 2, (FLAT.size,), write_flat, FLAT, decode_flat, high=HIGH),
    Encoder("full", 2, (FULL.size,), write_full, FULL, decode_full, high=HIGH, hides=False),
    Encoder("tokens", 2, (TOKEN_ROWS, TOKEN.size), write_tokens, TOKEN, decode_tokens, high=HIGH),
)
