"""Writing what a seat sees of Dino Race."""

from __future__ import annotations

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.seats import seat_at
from racegym.games.dino_race.observation.parts import (
    DINO,
    FLAT,
    FULL,
    KIND,
    PLAYER,
    PRIZE,
    ROW,
    TABLE,
    TILE,
    TOKEN,
    TYPE,
)
from racegym.games.dino_race.state import (
    CARDS,
    DINOS,
    EGG_COUNTERS,
    HOME,
    KINDS,
    LARGEST_VALUE,
    PRIZES,
    TERRAINS,
    TILES,
    dinos_each,
    slot_of,
)

P, D, L, K, C, T = PLAYER.at, DINO.at, TILE.at, KIND.at, PRIZE.at, TABLE.at
F, ALL, AT = FLAT.at, FULL.at, TOKEN.at
PER_P, PER_K, PER_T, PER_ALL = PLAYER.per, KIND.per, TABLE.per, FULL.per


def _shares(most: int, half: float) -> np.ndarray:
    """What saturating parts hold for 0 … ``most``, float32: looked up, not divided each time."""
    return (np.arange(most + 1) / (np.arange(most + 1) + half)).astype(np.float32)


HAND_SHARES = _shares(CARDS, PLAYER.scale.cards)
VALUE_SHARES = _shares(LARGEST_VALUE, PRIZE.scale.value)
HALF_POINTS = PLAYER.scale.points


@compiled
def write_player(s, seat, q, out, at):
    """The part of the player q seats clockwise from the observer, from index ``at`` on."""
    p = seat_at(s, seat, q)
    out[at] = 1.0
    out[at + P.cards] = HAND_SHARES[s.hand_size[p]]
    out[at + P.egg] = s.egg == p
    out[at + P.to_act] = s.to_act == p
    out[at + P.current] = s.current == p
    out[at + P.starter] = s.starter == p
    out[at + P.partner] = s.teams and q == s.sides
    out[at + P.prizes] = s.prizes_won[p] * PER_P.prizes
    out[at + P.since_look] = s.since_look[seat, p] * PER_P.since_look
    out[at + P.drops] = s.drops[p] * PER_P.drops
    if s.race > 1:
        out[at + P.points] = s.points[p] / (abs(s.points[p]) + HALF_POINTS)
        out[at + P.eggs_home] = s.eggs_home[p]
    if q == 0:
        for kind in range(KINDS):
            out[at + P.known + kind] = s.hands[p, kind] * PER_P.known
    else:
        for kind in range(KINDS):
            out[at + P.known + kind] = s.known[seat, p, kind] * PER_P.known
            out[at + P.shown + kind] = s.shown[seat, p, kind] * PER_P.shown


@compiled
def write_dino(s, seat, p, d, out, at):
    """A dinosaur."""
    place = s.position[p, d]
    out[at + D.place + place] = 1.0
    out[at + D.lying] = s.lying[p, d]
    out[at + D.beside] = place < HOME and (
        place == s.position[seat, 0] or place == s.position[seat, 1]
    )


@compiled
def write_kind(s, seat, kind, out, at):
    """A kind of card."""
    out[at + K.discards] = s.discards[kind] * PER_K.discards
    out[at + K.pile_limit] = s.pile_limit[seat, kind] * PER_K.pile_limit
    out[at + K.shuffled] = s.shuffled[kind] * PER_K.shuffled


@compiled
def write_prize(s, seat, i, out, at):
    """A prize counter; its flags are in the order of what a seat can know of it."""
    out[at + C.value] = VALUE_SHARES[s.prize_values[i]]
    if s.prize_known[seat, i] > 0:
        out[at + C.seen + s.prize_known[seat, i] - 1] = 1.0


@compiled
def write_table(s, seat, out, at):
    """What concerns all alike, and the terrain ahead of the own dinosaurs."""
    out[at + T.teams] = s.teams
    out[at + T.survive] = s.survive
    out[at + T.two_races] = s.matches - 1
    out[at + T.second_race] = s.race - 1
    out[at + T.phase + s.phase] = 1.0
    if s.last_die > 0:
        out[at + T.last_die + s.last_die - 1] = 1.0
    out[at + T.passed] = s.passed
    out[at + T.volcano_active] = s.volcano_active
    out[at + T.lava] = s.lava * PER_T.lava
    out[at + T.pile] = s.pile_size * PER_T.pile
    out[at + T.drop_supply] = s.drop_supply * PER_T.drop_supply
    out[at + T.num_prizes] = s.num_prizes * PER_T.num_prizes
    for i in range(EGG_COUNTERS):
        out[at + T.egg_values + i] = VALUE_SHARES[s.egg_values[i]]
    out[at + T.egg_safe] = s.egg_safe
    out[at + T.egg_value] = VALUE_SHARES[s.egg_value]
    per_turn = 1.0 / s.max_turns
    out[at + T.turn] = s.turn * per_turn
    out[at + T.length] = per_turn
    out[at + T.truncated] = s.truncated
    out[at + T.reward + s.reward] = 1.0
    for d in range(DINOS):
        if s.position[seat, d] < HOME:
            out[at + T.ahead + d * TERRAINS + s.tiles[s.position[seat, d]]] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: players, dinosaurs, tiles, cards, prize counters, the table."""
    out[:] = 0.0
    for q in range(s.num_players):
        write_player(s, seat, q, out, q * P.stride)
    for q in range(s.num_players):
        p = seat_at(s, seat, q)
        for d in range(dinos_each(s)):
            write_dino(s, seat, p, d, out, F.dino + slot_of(q, d) * D.stride)
    for i in range(TILES):
        out[F.tile + i * L.stride + L.terrain + s.tiles[i]] = 1.0
        out[F.tile + i * L.stride + L.lava] = i < s.lava
    for kind in range(KINDS):
        write_kind(s, seat, kind, out, F.card + kind * K.stride)
    for i in range(PRIZES):
        write_prize(s, seat, i, out, F.prize + i * C.stride)
    write_table(s, seat, out, F.table)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then all hands, the draw pile and where every counter is."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        p = seat_at(s, seat, q)
        for kind in range(KINDS):
            out[ALL.hand_0 + q * KINDS + kind] = s.hands[p, kind] * PER_ALL.hand_0
        for k in range(s.prizes_won[p]):
            out[ALL.prizes_0 + q * PRIZES + s.prizes[p, k]] = 1.0
    for i in range(s.pile_size):
        kind = s.pile[CARDS - s.pile_size + i]
        out[ALL.pile_order + i] = (1 + kind) * PER_ALL.pile_order
    for i in range(PRIZES):
        out[ALL.prizes_left + i] = s.prize_left[i]


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, dinosaur, tile, kind of card and prize counter."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        out[q, TYPE.player] = 1.0
        out[q, AT.seat + q] = 1.0
        write_player(s, seat, q, out[q], AT.player)
        for d in range(dinos_each(s)):
            row = out[ROW.dino + slot_of(q, d)]
            row[TYPE.dino] = 1.0
            row[AT.seat + q] = 1.0
            row[AT.number + d] = 1.0
            write_dino(s, seat, seat_at(s, seat, q), d, row, AT.place)
    for tile in range(1 + TILES):
        row = out[ROW.tile + tile]
        row[TYPE.tile] = 1.0
        row[AT.place + tile] = 1.0
        row[AT.covered] = s.volcano_active and tile <= s.lava
        if tile > 0:
            row[AT.terrain + s.tiles[tile - 1]] = 1.0
    for kind in range(KINDS):
        row = out[ROW.card + kind]
        row[TYPE.card] = 1.0
        row[AT.kind + kind] = 1.0
        write_kind(s, seat, kind, row, AT.card)
    for i in range(PRIZES):
        row = out[ROW.prize + i]
        row[TYPE.prize] = 1.0
        row[AT.counter + i] = 1.0
        write_prize(s, seat, i, row, AT.prize)
    out[ROW.table, TYPE.table] = 1.0
    write_table(s, seat, out[ROW.table], AT.table)
