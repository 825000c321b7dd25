"""What a seat sees of Café Race, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Every encoder writes float32 in [0, 1].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Table
from racegym.games.cafe_race.rules import (
    DIE,
    LAST_FINISH,
    MAX_PLAYERS,
    PHASES,
    TOKENS,
)

SPACES = LAST_FINISH + 1
PER_SPACE, PER_TOKEN, PER_DIE = 1.0 / LAST_FINISH, 1.0 / TOKENS, 1.0 / DIE

#: One player's part of ``flat``, and the features of a player's row in ``tokens``.
PLAYER = Table(
    [
        ("present", 1, "1 if the seat is taken"),
        ("space", SPACES, "one-hot: space of the worker, 0-29"),
        ("position", 1, "space of the worker / 29"),
        ("coffee", 1, "coffee tokens / 5"),
        ("impulse", DIE, "one-hot: impulse of this round (revealed, or the observer's own)"),
        ("speed", DIE, "one-hot: speed die of this round"),
        ("last_impulse", DIE, "one-hot: impulse of the round before"),
        ("last_speed", DIE, "one-hot: speed die of the round before"),
        ("to_act", 1, "1 for the player to act"),
        ("auctioneer", 1, "1 for the auctioneer"),
        ("high_bidder", 1, "1 for the highest bidder so far"),
    ]
)

#: What concerns all players alike.
TABLE = Table(
    [
        ("advanced", 1, "1 under the advanced rules"),
        ("phase", 4, "one-hot: impulse, auction, bid, end"),
        ("dice", DIE, "speed dice left of each value 1-6, / 6"),
        ("auctioned", DIE, "one-hot: die under auction"),
        ("high_bid", DIE, "one-hot: highest bid so far"),
        ("last_round", 1, "1 once a worker has reached the finish"),
        ("rounds", 1, "round / max_turns"),
        ("length", 1, "1 / max_turns"),
        ("reward", 3, "one-hot: reward scheme win, rank, score"),
    ]
)


def _flat_table() -> Table:
    parts = []
    for q in range(MAX_PLAYERS):
        who = "own" if q == 0 else f"seat +{q}"
        for part in PLAYER.slices.values():
            parts.append((f"player_{q}.{part.name}", part.length, f"{who}: {part.meaning}"))
    parts += [(p.name, p.length, p.meaning) for p in TABLE.slices.values()]
    return Table(parts)


FLAT = _flat_table()
FULL = Table(
    [(p.name, p.length, p.meaning) for p in FLAT.slices.values()]
    + [
        (f"secret_{q}", DIE, f"one-hot: impulse that seat +{q} has chosen in secret")
        for q in range(MAX_PLAYERS)
    ]
)

PLAYER_SIZE = PLAYER.size
SPACE, POSITION, COFFEE = PLAYER.start("space"), PLAYER.start("position"), PLAYER.start("coffee")
IMPULSE_AT, SPEED_AT = PLAYER.start("impulse"), PLAYER.start("speed")
LAST_IMPULSE, LAST_SPEED = PLAYER.start("last_impulse"), PLAYER.start("last_speed")
TO_ACT, AUCTIONEER = PLAYER.start("to_act"), PLAYER.start("auctioneer")
HIGH_BIDDER = PLAYER.start("high_bidder")

COMMON = MAX_PLAYERS * PLAYER_SIZE
PHASE, DICE, AUCTIONED = TABLE.start("phase"), TABLE.start("dice"), TABLE.start("auctioned")
HIGH_BID, LAST_ROUND = TABLE.start("high_bid"), TABLE.start("last_round")
ROUNDS, LENGTH, REWARD = TABLE.start("rounds"), TABLE.start("length"), TABLE.start("reward")
SECRETS = FLAT.size


@compiled
def write_player(s, p, own, out, at):
    """One player's part, from ``out[at]`` on; ``own`` if the observer is this player.

    (Handing on slices instead would cost reference counting on every call.)
    """
    out[at] = 1.0
    out[at + SPACE + s.position[p]] = 1.0
    out[at + POSITION] = s.position[p] * PER_SPACE
    out[at + COFFEE] = s.coffee[p] * PER_TOKEN
    impulse = s.impulse[p]
    if own and s.secret[p] > 0:
        impulse = s.secret[p]
    if impulse > 0:
        out[at + IMPULSE_AT + impulse - 1] = 1.0
    if s.speed[p] > 0:
        out[at + SPEED_AT + s.speed[p] - 1] = 1.0
    if s.last_impulse[p] > 0:
        out[at + LAST_IMPULSE + s.last_impulse[p] - 1] = 1.0
    if s.last_speed[p] > 0:
        out[at + LAST_SPEED + s.last_speed[p] - 1] = 1.0
    out[at + TO_ACT] = s.to_act == p
    out[at + AUCTIONEER] = s.auctioneer == p
    out[at + HIGH_BIDDER] = s.high_bidder == p


@compiled
def write_common(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at] = s.advanced
    out[at + PHASE + s.phase] = 1.0
    for i in range(s.num_dice):
        out[at + DICE + s.dice[i] - 1] += PER_DIE
    if s.auctioned > 0:
        out[at + AUCTIONED + s.auctioned - 1] = 1.0
    if s.high_bid > 0:
        out[at + HIGH_BID + s.high_bid - 1] = 1.0
    out[at + LAST_ROUND] = s.last_round
    out[at + ROUNDS] = s.round_number / s.max_turns
    out[at + LENGTH] = 1.0 / s.max_turns
    out[at + REWARD + s.reward] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: the six players' parts, then the common part."""
    out[:] = 0.0
    p = seat
    for q in range(s.num_players):
        write_player(s, p, q == 0, out, q * PLAYER_SIZE)
        p = p + 1 if p + 1 < s.num_players else 0
    write_common(s, out, COMMON)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then what every player has chosen in secret."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        secret = s.secret[(seat + q) % s.num_players]
        if secret > 0:
            out[SECRETS + q * DIE + secret - 1] = 1.0


# Rows of ``tokens``: six players, six dice, one for the table.
TOKEN_ROWS = MAX_PLAYERS + MAX_PLAYERS + 1
TOKEN = Table(
    [
        ("type", 3, "one-hot: player, speed die, table; all zero for an empty row"),
        ("seat", MAX_PLAYERS, "one-hot: relative seat (players)"),
        ("value", DIE, "one-hot: value (speed dice)"),
        ("under_auction", 1, "1 for the die under auction"),
    ]
    + [(f"player.{p.name}", p.length, p.meaning) for p in PLAYER.slices.values()]
    + [(f"table.{p.name}", p.length, p.meaning) for p in TABLE.slices.values()]
)
TOKEN_SEAT, TOKEN_VALUE = TOKEN.start("seat"), TOKEN.start("value")
UNDER_AUCTION = TOKEN.start("under_auction")
TOKEN_PLAYER, TOKEN_TABLE = TOKEN.start("player.present"), TOKEN.start("table.advanced")
TOKEN_SIZE = TOKEN.size


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, per speed die left, and one for the table."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        row = out[q]
        row[0] = 1.0
        row[TOKEN_SEAT + q] = 1.0
        p = (seat + q) % s.num_players
        write_player(s, p, q == 0, row, TOKEN_PLAYER)
    marked = False
    for i in range(s.num_dice):
        row = out[MAX_PLAYERS + i]
        row[1] = 1.0
        row[TOKEN_VALUE + s.dice[i] - 1] = 1.0
        if not marked and s.dice[i] == s.auctioned:
            row[UNDER_AUCTION] = 1.0
            marked = True
    row = out[TOKEN_ROWS - 1]
    row[2] = 1.0
    write_common(s, row, TOKEN_TABLE)


# --- reading them back ---------------------------------------------------------------------------


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer."""
    players = vector[:COMMON].reshape(MAX_PLAYERS, PLAYER_SIZE)
    return _decode(players, vector[COMMON:SECRETS])


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, and ``secret`` per seat."""
    facts = decode_flat(vector)
    secrets = vector[SECRETS:].reshape(MAX_PLAYERS, DIE)
    facts["secret"] = [_number(row) for row in secrets[: facts["num_players"]]]
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    players = rows[:MAX_PLAYERS, TOKEN_PLAYER:TOKEN_TABLE]
    return _decode(players, rows[TOKEN_ROWS - 1, TOKEN_TABLE:])


def _number(one_hot: np.ndarray) -> int:
    """1 … n of a one-hot part, 0 if it is all zero."""
    return int(one_hot.argmax()) + 1 if one_hot.any() else 0


def _seat(flags: np.ndarray) -> int | None:
    return int(flags.argmax()) if flags.any() else None


def _decode(players: np.ndarray, common: np.ndarray) -> dict[str, Any]:
    n = int(players[:, 0].sum())
    seated = players[:n]
    max_turns = round(1 / float(TABLE.read(common, "length")[0]))
    counts = np.rint(TABLE.read(common, "dice") * DIE).astype(int)
    facts: dict[str, Any] = {
        "num_players": n,
        "rules": ("basic", "advanced")[int(common[0])],
        "phase": PHASES[_number(TABLE.read(common, "phase")) - 1],
        "position": [_number(PLAYER.read(row, "space")) - 1 for row in seated],
        "coffee": [round(float(PLAYER.read(row, "coffee")[0]) * TOKENS) for row in seated],
        "dice": [v for v in range(DIE, 0, -1) for _ in range(counts[v - 1])],
        "auctioned": _number(TABLE.read(common, "auctioned")) or None,
        "high_bid": _number(TABLE.read(common, "high_bid")) or None,
        "last_round": bool(TABLE.read(common, "last_round")[0]),
        "max_turns": max_turns,
        "round": round(float(TABLE.read(common, "rounds")[0]) * max_turns),
        "reward": ("win", "rank", "score")[_number(TABLE.read(common, "reward")) - 1],
    }
    for name in ("impulse", "speed", "last_impulse", "last_speed"):
        facts[name] = [_number(PLAYER.read(row, name)) for row in seated]
    for name in ("to_act", "auctioneer", "high_bidder"):
        facts[name] = _seat(PLAYER.read(seated, name)[:, 0])
    return facts


ENCODERS = (
    Encoder("flat", 1, (FLAT.size,), write_flat, FLAT, decode_flat),
    Encoder("full", 1, (FULL.size,), write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 1, (TOKEN_ROWS, TOKEN.size), write_tokens, TOKEN, decode_tokens),
)
