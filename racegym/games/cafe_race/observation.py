"""What a seat sees of Café Race, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Every encoder writes float32 in [0, 1].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine import parts as part
from racegym.engine.compile import compiled
from racegym.engine.game import Encoder
from racegym.engine.parts import Parts
from racegym.engine.seats import seat_at
from racegym.games.cafe_race.state import DIE, LAST_FINISH, MAX_PLAYERS, PHASE, RULES, TOKENS

#: One player's part of ``flat``, and the features of a player's row in ``tokens``.
PLAYER = Parts(
    part.derived("present", "1 if the seat is taken"),
    part.one_hot("space", "space of the worker, 0-29", LAST_FINISH + 1, fact="position"),
    part.derived("position", "space of the worker", scale=LAST_FINISH),
    part.scaled("coffee", "coffee tokens", TOKENS),
    part.one_hot("impulse", "impulse of this round (revealed, or the observer's own)", DIE, 1, 0),
    part.one_hot("speed", "speed die of this round", DIE, 1, 0),
    part.one_hot("last_impulse", "impulse of the round before", DIE, 1, 0),
    part.one_hot("last_speed", "speed die of the round before", DIE, 1, 0),
    part.seat("to_act", "1 for the player to act"),
    part.seat("auctioneer", "1 for the auctioneer"),
    part.seat("high_bidder", "1 for the highest bidder so far"),
)

#: What concerns all players alike.
TABLE = Parts(
    part.flag("advanced", "1 under the advanced rules", RULES, fact="rules"),
    part.one_hot("phase", "", PHASE._fields),
    part.scaled("dice", "speed dice left of each value 1-6,", DIE, DIE),
    part.one_hot("auctioned", "die under auction", DIE, 1),
    part.one_hot("high_bid", "highest bid so far", DIE, 1),
    part.flag("last_round", "1 once a worker has reached the finish"),
    part.portion("rounds", "round / max_turns", of="length", fact="round"),
    part.inverse("length", "max_turns", fact="max_turns"),
    part.reward_scheme(),
)

FLAT = Parts(
    part.each("player", PLAYER, part.seat_names(MAX_PLAYERS)),
    part.inside("table", TABLE, prefix=""),
)
FULL = Parts(
    FLAT,
    *(
        part.one_hot(f"secret_{q}", f"impulse that seat +{q} has chosen in secret", DIE, 1, 0)
        for q in range(MAX_PLAYERS)
    ),
)
#: A row of ``tokens``: one of six players, of six dice, or the table.
TOKEN = Parts(
    part.one_hot("type", "player, speed die, table; all zero for an empty row", 3),
    part.one_hot("seat", "relative seat (players)", MAX_PLAYERS),
    part.one_hot("value", "value (speed dice)", DIE, 1),
    part.flag("under_auction", "1 for the die under auction"),
    part.inside("player", PLAYER),
    part.inside("table", TABLE),
)
TOKEN_ROWS = MAX_PLAYERS + MAX_PLAYERS + 1

# Offsets and scales, for writers and bots.
P, T, F, ROW = PLAYER.at, TABLE.at, FLAT.at, TOKEN.at
PER_P, PER_T = PLAYER.per, TABLE.per
SECRETS = FULL.at.secret_0


@compiled
def write_player(s, p, own, out, at):
    """One player's part, from ``out[at]`` on; ``own`` if the observer is this player.

    (Handing on slices instead would cost reference counting on every call.)
    """
    out[at] = 1.0
    out[at + P.space + s.position[p]] = 1.0
    out[at + P.position] = s.position[p] * PER_P.position
    out[at + P.coffee] = s.coffee[p] * PER_P.coffee
    impulse = s.impulse[p]
    if own and s.secret[p] > 0:
        impulse = s.secret[p]
    if impulse > 0:
        out[at + P.impulse + impulse - 1] = 1.0
    if s.speed[p] > 0:
        out[at + P.speed + s.speed[p] - 1] = 1.0
    if s.last_impulse[p] > 0:
        out[at + P.last_impulse + s.last_impulse[p] - 1] = 1.0
    if s.last_speed[p] > 0:
        out[at + P.last_speed + s.last_speed[p] - 1] = 1.0
    out[at + P.to_act] = s.to_act == p
    out[at + P.auctioneer] = s.auctioneer == p
    out[at + P.high_bidder] = s.high_bidder == p


@compiled
def write_table(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + T.advanced] = s.advanced
    out[at + T.phase + s.phase] = 1.0
    for i in range(s.num_dice):
        out[at + T.dice + s.dice[i] - 1] += PER_T.dice
    if s.auctioned > 0:
        out[at + T.auctioned + s.auctioned - 1] = 1.0
    if s.high_bid > 0:
        out[at + T.high_bid + s.high_bid - 1] = 1.0
    out[at + T.last_round] = s.last_round
    out[at + T.rounds] = s.round_number / s.max_turns
    out[at + T.length] = 1.0 / s.max_turns
    out[at + T.reward + s.reward] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: the six players' parts, then the common part."""
    out[:] = 0.0
    for q in range(s.num_players):
        write_player(s, seat_at(s, seat, q), q == 0, out, q * P.stride)
    write_table(s, out, F.table)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then what every player has chosen in secret."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        secret = s.secret[seat_at(s, seat, q)]
        if secret > 0:
            out[SECRETS + q * DIE + secret - 1] = 1.0


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, per speed die left, and one for the table."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        row = out[q]
        row[0] = 1.0
        row[ROW.seat + q] = 1.0
        write_player(s, seat_at(s, seat, q), q == 0, row, ROW.player)
    marked = False
    for i in range(s.num_dice):
        row = out[MAX_PLAYERS + i]
        row[1] = 1.0
        row[ROW.value + s.dice[i] - 1] = 1.0
        if not marked and s.dice[i] == s.auctioned:
            row[ROW.under_auction] = 1.0
            marked = True
    row = out[TOKEN_ROWS - 1]
    row[2] = 1.0
    write_table(s, row, ROW.table)


# --- reading them back ---------------------------------------------------------------------------


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer."""
    return _decoded(FLAT.pieces(vector))


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, and ``secret`` per seat."""
    facts, told = decode_flat(vector), FULL.facts(vector)
    return {**facts, "secret": [told[f"secret_{q}"] for q in range(facts["num_players"])]}


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    players, table = TOKEN.read(rows[:MAX_PLAYERS], "player"), TOKEN.read(rows[-1], "table")
    return _decoded({"player": players, "table": table})


def _decoded(pieces: dict[str, np.ndarray]) -> dict[str, Any]:
    facts = FLAT.told_by(pieces)
    counts = list(enumerate(facts["dice"], 1))
    return {**facts, "dice": [value for value, k in reversed(counts) for _ in range(k)]}


ENCODERS = (
    Encoder("flat", 1, write_flat, FLAT, decode_flat),
    Encoder("full", 1, write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 1, write_tokens, TOKEN, decode_tokens, rows=TOKEN_ROWS),
)
