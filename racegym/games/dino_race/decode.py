"""Reading observations of Dino Race back: the proof that they say all that a seat may know."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.games.dino_race.board import CARD_NAMES, FACE_NAMES
from racegym.games.dino_race.observation import (
    BESIDE,
    CARD,
    CARD_SIZE,
    CARDS_AT,
    COMMON,
    COMMON_AT,
    DINO_SIZE,
    DINOS_AT,
    FIRST_CARD,
    FIRST_COUNTER,
    FIRST_DINO,
    FIRST_TILE,
    FLAT,
    HALF_HAND,
    HALF_VALUE,
    HANDS_AT,
    LEFT_AT,
    LYING,
    PILE_AT,
    PLAYER,
    PLAYER_SIZE,
    PRIZE_SIZE,
    PRIZES_AT,
    SLOTS,
    TABLE_ROW,
    TILE_SIZE,
    TILES_AT,
    TOKEN_CARD,
    TOKEN_PLACE,
    TOKEN_PLAYER,
    TOKEN_PRIZE,
    TOKEN_TABLE,
    TOKEN_TERRAIN,
    WON_AT,
    slot_of,
)
from racegym.games.dino_race.state import (
    CARDS,
    DINOS,
    DROPS,
    HOME,
    KINDS,
    MAX_PLAYERS,
    PRIZES,
    TERRAINS,
    TILES,
)

PHASES = ("play", "pay", "prize", "give", "end")


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says, per seat relative to the observer; hidden hands are zero."""
    return _decode(
        vector[:DINOS_AT].reshape(MAX_PLAYERS, PLAYER_SIZE),
        vector[DINOS_AT:TILES_AT].reshape(SLOTS, DINO_SIZE),
        vector[TILES_AT:CARDS_AT].reshape(TILES, TILE_SIZE),
        vector[CARDS_AT:PRIZES_AT].reshape(KINDS, CARD_SIZE),
        vector[PRIZES_AT:COMMON_AT].reshape(PRIZES, PRIZE_SIZE),
        vector[COMMON_AT : FLAT.size],
    )


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with hands, pile, and prizes (ascending)."""
    facts = decode_flat(vector[: FLAT.size])
    n = facts["num_players"]
    hands = vector[HANDS_AT:PILE_AT].reshape(MAX_PLAYERS, KINDS)[:n]
    order = np.rint(vector[PILE_AT:LEFT_AT] * 8).astype(int)
    won = vector[WON_AT:].reshape(MAX_PLAYERS, PRIZES)[:n]
    facts["hands"] = _cards(hands)
    facts["pile"] = [CARD_NAMES[kind - 1] for kind in order if kind > 0]
    facts["prizes_left"] = vector[LEFT_AT:WON_AT].nonzero()[0].tolist()
    facts["prizes"] = [row.nonzero()[0].tolist() for row in won]
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    return _decode(
        rows[:MAX_PLAYERS, TOKEN_PLAYER:TOKEN_CARD],
        rows[FIRST_DINO:FIRST_TILE, TOKEN_PLACE : TOKEN_PLACE + DINO_SIZE],
        rows[FIRST_TILE + 1 : FIRST_CARD, TOKEN_TERRAIN : TOKEN_TERRAIN + TILE_SIZE],
        rows[FIRST_CARD:FIRST_COUNTER, TOKEN_CARD:TOKEN_PRIZE],
        rows[FIRST_COUNTER:TABLE_ROW, TOKEN_PRIZE:TOKEN_TABLE],
        rows[TABLE_ROW, TOKEN_TABLE:],
    )


def _cards(rows: np.ndarray) -> list[dict[str, int]]:
    counts = np.rint(rows * 8).astype(int).tolist()
    return [dict(zip(CARD_NAMES, row, strict=True)) for row in counts]


def _value(share: float) -> int:
    """v of v / (|v| + 12)."""
    return round(HALF_VALUE * share / (1 - abs(share)))


def _seat(flags: np.ndarray) -> int | None:
    return int(flags.argmax()) if flags.any() else None


def _decode(
    players: np.ndarray,
    dinos: np.ndarray,
    tiles: np.ndarray,
    cards: np.ndarray,
    prizes: np.ndarray,
    common: np.ndarray,
) -> dict[str, Any]:
    players, dinos, prizes, common = (a.astype(float) for a in (players, dinos, prizes, common))
    n = int(players[:, 0].sum())
    return {
        "num_players": n,
        **_decode_common(common),
        **_decode_players(
            players[:n], safe=bool(COMMON.read(common, "egg_safe")[0]), common=common
        ),
        **_decode_dinos(dinos, n, teams=bool(common[0])),
        **dict(zip(CARD.slices, _cards(cards.T), strict=True)),
        "tiles": [CARD_NAMES[int(row[:TERRAINS].argmax())] for row in tiles],
        "lava": int(tiles[:, TERRAINS].sum()),
        "prize_values": [_value(v) for v in prizes[:, 0]],
        "prizes_seen": prizes[:, 1].nonzero()[0].tolist(),
        "prizes_own": prizes[:, 2].nonzero()[0].tolist(),
        "prizes_partners": prizes[:, 3].nonzero()[0].tolist(),
    }


def _decode_common(common: np.ndarray) -> dict[str, Any]:
    def number(name: str, scale: float = 1.0) -> int:
        return round(COMMON.read(common, name)[0] * scale)

    def index(name: str) -> int | None:
        return _seat(COMMON.read(common, name))

    max_turns = round(1 / COMMON.read(common, "length")[0])
    face = index("last_die")
    return {
        "teams": bool(number("teams")),
        "variant": ("standard", "survive")[number("survive")],
        "matches": 1 + number("two_races"),
        "race": 1 + number("second_race"),
        "phase": PHASES[index("phase") or 0],
        "last_die": None if face is None else FACE_NAMES[face],
        "passed": bool(number("passed")),
        "volcano_active": bool(number("volcano_active")),
        "pile_size": number("pile", CARDS),
        "drop_supply": number("drop_supply", DROPS),
        "num_prizes": number("num_prizes", 8),
        "egg_values": [_value(v) for v in COMMON.read(common, "egg_values")],
        "max_turns": max_turns,
        "turn": number("turn", max_turns),
        "truncated": bool(number("truncated")),
        "reward": ("win", "rank", "score")[index("reward") or 0],
    }


def _decode_players(players: np.ndarray, safe: bool, common: np.ndarray) -> dict[str, Any]:
    def column(name: str) -> np.ndarray:
        return PLAYER.read(players, name)[:, 0]

    known, shown = PLAYER.read(players, "known"), PLAYER.read(players, "shown")
    nothing = dict.fromkeys(CARD_NAMES, 0)
    egg = _seat(column("egg"))
    value = _value(COMMON.read(common, "egg_value")[0])
    return {
        "hands": [*_cards(known[:1]), *(dict(nothing) for _ in players[1:])],
        "known": [nothing, *_cards(known[1:])],
        "shown": _cards(shown),
        "hand_size": [round(HALF_HAND * x / (1 - x)) for x in column("cards")],
        "egg": egg,
        "egg_counter": {"value": value, "player": egg} if safe else None,
        "to_act": _seat(column("to_act")),
        "current": _seat(column("current")),
        "starter": _seat(column("starter")),
        "partner": _seat(column("partner")),
        "prizes_won": [round(x * 2) for x in column("prizes")],
        "since_look": [round(x * 2) for x in column("since_look")],
        "drops": [round(x * DROPS) for x in column("drops")],
        "points": [_value(x) for x in column("points")],
        "eggs_home": [round(x) for x in column("eggs_home")],
    }


def _decode_dinos(dinos: np.ndarray, n: int, teams: bool) -> dict[str, Any]:
    slots = [[slot_of(q, d) for d in range(1 if teams else DINOS)] for q in range(n)]
    return {
        "position": [[int(dinos[k, : HOME + 1].argmax()) for k in row] for row in slots],
        "lying": [[bool(dinos[k, LYING]) for k in row] for row in slots],
        "beside": [[bool(dinos[k, BESIDE]) for k in row] for row in slots],
    }
