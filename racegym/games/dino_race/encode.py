"""Writing what a seat sees of Dino Race, as arrays (the tables are in :mod:`observation`).

Every encoder writes float32; only ``points`` (of the race before) can be negative.
"""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder
from racegym.games.dino_race.decode import decode_flat, decode_full, decode_tokens
from racegym.games.dino_race.observation import (
    AHEAD,
    CARD_SIZE,
    CARDS_AT,
    CARDS_IN_HAND,
    COMMON_AT,
    CURRENT,
    DINO_SIZE,
    DINOS_AT,
    DROP_SUPPLY,
    EGG_IS_SAFE,
    EGG_VALUE,
    EGG_VALUES,
    EGGS_HOME,
    FIRST_CARD,
    FIRST_COUNTER,
    FIRST_DINO,
    FIRST_TILE,
    FLAT,
    FULL,
    HALF,
    HALF_VALUE,
    HAND_SHARES,
    HANDS_AT,
    HAS_EGG,
    KNOWN,
    LAST_DIE,
    LAVA_AT,
    LEFT_AT,
    LENGTH,
    LYING,
    NUM_PRIZES,
    PARTNER,
    PASSED,
    PER_CARD,
    PER_DECK,
    PER_DROP,
    PER_TILE,
    PHASE,
    PILE_AT,
    PILE_SIZE,
    PLAYER_SIZE,
    POINTS,
    PRIZE_SIZE,
    PRIZES_AT,
    REWARD,
    SHOWN,
    SINCE_LOOK,
    STARTER,
    TABLE_ROW,
    TAKEN_DROPS,
    TILE_SIZE,
    TILES_AT,
    TO_ACT,
    TOKEN,
    TOKEN_CARD,
    TOKEN_COUNTER,
    TOKEN_KIND,
    TOKEN_LYING,
    TOKEN_NUMBER,
    TOKEN_PLACE,
    TOKEN_PLAYER,
    TOKEN_PRIZE,
    TOKEN_ROWS,
    TOKEN_SEAT,
    TOKEN_TABLE,
    TOKEN_TERRAIN,
    TRUNCATED,
    TURN,
    VALUE_SHARES,
    VOLCANO,
    WON,
    WON_AT,
)
from racegym.games.dino_race.state import (
    CARDS,
    DINOS,
    EGG_COUNTERS,
    HOME,
    KINDS,
    MAX_SOLO,
    PRIZES,
    TERRAINS,
    TILES,
    dinos_each,
    seat_at,
)


@compiled
def write_player(s, seat, q, out, at):
    """The part of the player q seats clockwise from the observer, from index ``at`` on."""
    p = seat_at(s, seat, q)
    out[at] = 1.0
    out[at + CARDS_IN_HAND] = HAND_SHARES[s.hand_size[p]]
    out[at + HAS_EGG] = s.egg == p
    out[at + TO_ACT] = s.to_act == p
    out[at + CURRENT] = s.current == p
    out[at + STARTER] = s.starter == p
    out[at + PARTNER] = s.teams and q == s.sides
    out[at + WON] = s.prizes_won[p] * HALF
    out[at + SINCE_LOOK] = s.since_look[seat, p] * HALF
    out[at + TAKEN_DROPS] = s.drops[p] * PER_DROP
    if s.race > 1:
        out[at + POINTS] = s.points[p] / (abs(s.points[p]) + HALF_VALUE)
        out[at + EGGS_HOME] = s.eggs_home[p]
    if q == 0:
        for kind in range(KINDS):
            out[at + KNOWN + kind] = s.hands[p, kind] * PER_CARD
    else:
        for kind in range(KINDS):
            out[at + KNOWN + kind] = s.known[seat, p, kind] * PER_CARD
            out[at + SHOWN + kind] = s.shown[seat, p, kind] * PER_CARD


@compiled
def write_dino(s, seat, p, d, out, place, rest):
    """A dinosaur: its tile one-hot from index ``place`` on, the rest from index ``rest`` on."""
    at = s.position[p, d]
    out[place + at] = 1.0
    out[rest] = s.lying[p, d]
    out[rest + 1] = at < HOME and (at == s.position[seat, 0] or at == s.position[seat, 1])


@compiled
def write_common(s, seat, out, at):
    """What concerns all alike, and the terrain ahead of the own dinosaurs."""
    out[at] = s.teams
    out[at + 1] = s.survive
    out[at + 2] = s.matches - 1
    out[at + 3] = s.race - 1
    out[at + PHASE + s.phase] = 1.0
    if s.last_die > 0:
        out[at + LAST_DIE + s.last_die - 1] = 1.0
    out[at + PASSED] = s.passed
    out[at + VOLCANO] = s.volcano_active
    out[at + LAVA_AT] = s.lava * PER_TILE
    out[at + PILE_SIZE] = s.pile_size * PER_DECK
    out[at + DROP_SUPPLY] = s.drop_supply * PER_DROP
    out[at + NUM_PRIZES] = s.num_prizes * PER_CARD
    for i in range(EGG_COUNTERS):
        out[at + EGG_VALUES + i] = VALUE_SHARES[s.egg_values[i]]
    out[at + EGG_IS_SAFE] = s.egg_safe
    out[at + EGG_VALUE] = VALUE_SHARES[s.egg_value]
    per_turn = 1.0 / s.max_turns
    out[at + TURN] = s.turn * per_turn
    out[at + LENGTH] = per_turn
    out[at + TRUNCATED] = s.truncated
    out[at + REWARD + s.reward] = 1.0
    for d in range(DINOS):
        if s.position[seat, d] < HOME:
            out[at + AHEAD + d * TERRAINS + s.tiles[s.position[seat, d]]] = 1.0


@compiled
def write_card(s, seat, kind, out, at):
    """A kind of card."""
    out[at] = s.discards[kind] * PER_CARD
    out[at + 1] = s.pile_limit[seat, kind] * PER_CARD
    out[at + 2] = s.shuffled[kind] * PER_CARD


@compiled
def write_prize(s, seat, i, out, at):
    """A prize counter."""
    out[at] = VALUE_SHARES[s.prize_values[i]]
    if s.prize_known[seat, i] > 0:
        out[at + s.prize_known[seat, i]] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: players, dinosaurs, tiles, cards, prize counters, the common part."""
    out[:] = 0.0
    for q in range(s.num_players):
        write_player(s, seat, q, out, q * PLAYER_SIZE)
    for q in range(s.num_players):
        p = seat_at(s, seat, q)
        for d in range(dinos_each(s)):
            slot = DINOS * q + d if q < MAX_SOLO else q + MAX_SOLO
            at = DINOS_AT + slot * DINO_SIZE
            write_dino(s, seat, p, d, out, at, at + LYING)
    for i in range(TILES):
        out[TILES_AT + i * TILE_SIZE + s.tiles[i]] = 1.0
        out[TILES_AT + i * TILE_SIZE + TERRAINS] = i < s.lava
    for kind in range(KINDS):
        write_card(s, seat, kind, out, CARDS_AT + kind * CARD_SIZE)
    for i in range(PRIZES):
        write_prize(s, seat, i, out, PRIZES_AT + i * PRIZE_SIZE)
    write_common(s, seat, out, COMMON_AT)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then all hands, the draw pile and where every counter is."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        p = seat_at(s, seat, q)
        for kind in range(KINDS):
            out[HANDS_AT + q * KINDS + kind] = s.hands[p, kind] * PER_CARD
        for k in range(s.prizes_won[p]):
            out[WON_AT + q * PRIZES + s.prizes[p, k]] = 1.0
    for i in range(s.pile_size):
        out[PILE_AT + i] = (1 + s.pile[CARDS - s.pile_size + i]) * PER_CARD
    for i in range(PRIZES):
        out[LEFT_AT + i] = s.prize_left[i]


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, dinosaur, tile, kind of card and prize counter."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        out[q, 0] = 1.0
        out[q, TOKEN_SEAT + q] = 1.0
        write_player(s, seat, q, out[q], TOKEN_PLAYER)
        for d in range(dinos_each(s)):
            row = out[FIRST_DINO + (DINOS * q + d if q < MAX_SOLO else q + MAX_SOLO)]
            row[1] = 1.0
            row[TOKEN_SEAT + q] = 1.0
            row[TOKEN_NUMBER + d] = 1.0
            write_dino(s, seat, seat_at(s, seat, q), d, row, TOKEN_PLACE, TOKEN_LYING)
    for tile in range(1 + TILES):
        row = out[FIRST_TILE + tile]
        row[2] = 1.0
        row[TOKEN_PLACE + tile] = 1.0
        row[TOKEN_TERRAIN + TERRAINS] = s.volcano_active and tile <= s.lava
        if tile > 0:
            row[TOKEN_TERRAIN + s.tiles[tile - 1]] = 1.0
    for kind in range(KINDS):
        row = out[FIRST_CARD + kind]
        row[3] = 1.0
        row[TOKEN_KIND + kind] = 1.0
        write_card(s, seat, kind, row, TOKEN_CARD)
    for i in range(PRIZES):
        row = out[FIRST_COUNTER + i]
        row[4] = 1.0
        row[TOKEN_COUNTER + i] = 1.0
        write_prize(s, seat, i, row, TOKEN_PRIZE)
    out[TABLE_ROW, 5] = 1.0
    write_common(s, seat, out[TABLE_ROW], TOKEN_TABLE)


ENCODERS = (
    Encoder("flat", 1, (FLAT.size,), write_flat, FLAT, decode_flat, low=-1.0),
    Encoder("full", 1, (FULL.size,), write_full, FULL, decode_full, low=-1.0, hides=False),
    Encoder("tokens", 1, (TOKEN_ROWS, TOKEN.size), write_tokens, TOKEN, decode_tokens, low=-1.0),
)
