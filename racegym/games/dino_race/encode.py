"""What a seat sees of Dino Race, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Seats +0 to +3 have two dinosaurs, in team play and for the others the first
only, so there are twelve places for dinosaurs: the two own ones, then those of the action table.
Every encoder writes float32; only ``points`` (of the race before) can be negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Table
from racegym.games.dino_race.board import CARD_NAMES, FACE_NAMES
from racegym.games.dino_race.state import (
    CARDS,
    DINOS,
    DROPS,
    EGG_COUNTERS,
    FACES,
    HOME,
    KINDS,
    MAX_PLAYERS,
    MAX_SOLO,
    PRIZES,
    TARGETS,
    TERRAINS,
    TILES,
    dinos_each,
    seat_at,
)

PHASES = ("play", "pay", "prize", "give", "end")
SLOTS = DINOS + TARGETS
PER_CARD, PER_DECK, PER_DROP = 1.0 / 8, 1.0 / CARDS, 1.0 / DROPS
HALF_HAND = 8  # a hand of n cards is written n / (n + 8), so that usual hands differ visibly
HALF_VALUE = 12  # a value v likewise as v / (v + 12)

PLAYER = Table(
    [
        ("present", 1, "1 if the seat is taken"),
        ("cards", 1, "n / (n + 8) for n cards in hand"),
        ("egg", 1, "1 for who has the egg"),
        ("to_act", 1, "1 for the player to act"),
        ("current", 1, "1 for the player whose turn it is"),
        ("starter", 1, "1 for who began the first race"),
        ("partner", 1, "1 for the observer's partner"),
        ("prizes", 1, "prize counters won / 2"),
        ("since_look", 1, "prize counters won since the observer's latest look / 2"),
        ("drops", 1, "lava drops / 22"),
        ("points", 1, "p / (|p| + 12) for p points in the race before"),
        ("eggs_home", 1, "1 if the egg was brought home in the race before"),
        ("known", KINDS, "cards of each kind the player holds for certain / 8 (own: the hand)"),
        ("shown", KINDS, "own cards of each kind that the player knows of, at least / 8"),
    ]
)

DINO = Table(
    [
        ("place", HOME + 1, "one-hot: tile 0-12, 12 is home"),
        ("lying", 1, "1 if it lies on its side"),
        ("beside", 1, "1 if it is on a tile with a dinosaur of the observer"),
    ]
)

TILE = Table(
    [
        ("terrain", TERRAINS, "one-hot: plains, desert, swamp, jungle"),
        ("lava", 1, "1 if covered by lava"),
    ]
)

CARD = Table(
    [
        ("discards", 1, "discarded / 8"),
        ("pile_limit", 1, "most that can be in the draw pile, as far as the observer knows / 8"),
        ("shuffled", 1, "in the draw pile when it was made / 8"),
    ]
)

PRIZE = Table(
    [
        ("value", 1, "v / (v + 12) for the counter's value v"),
        ("seen", 1, "1 if it was in the pile at the latest look of the observer's side"),
        ("own", 1, "1 if the observer has won it"),
        ("partners", 1, "1 if the observer's partner has won it"),
    ]
)

COMMON = Table(
    [
        ("teams", 1, "1 in team play"),
        ("survive", 1, 'variant: 1 if "survive"'),
        ("two_races", 1, "1 if two races are run"),
        ("second_race", 1, "1 in the second race"),
        ("phase", 5, "one-hot: play, pay, prize, give, end"),
        ("last_die", FACES, "one-hot: plains, desert, swamp, jungle, two, eruption"),
        ("passed", 1, "1 if a card was passed to the partner this turn"),
        ("volcano_active", 1, "1 after the first eruption"),
        ("lava", 1, "tiles covered by lava / 12"),
        ("pile", 1, "cards in the draw pile / 52"),
        ("drop_supply", 1, "lava drops left / 22"),
        ("num_prizes", 1, "prize counters left / 8"),
        ("egg_values", EGG_COUNTERS, "v / (v + 12) for each egg counter's value v"),
        ("egg_safe", 1, "1 when the egg is home"),
        ("egg_value", 1, "v / (v + 12) for the value v of the egg counter drawn"),
        ("turn", 1, "turn / max_turns"),
        ("length", 1, "1 / max_turns"),
        ("truncated", 1, "1 if the game was cut"),
        ("reward", 3, "one-hot: reward scheme win, rank, score"),
        ("ahead", DINOS * TERRAINS, "one-hot for each own dinosaur on the track: the next terrain"),
    ]
)


def slot_of(steps: int, dino: int) -> int:
    """Place of a dinosaur (0 or 1) of the seat that many steps clockwise from the observer."""
    return DINOS * steps + dino if steps < MAX_SOLO else steps + MAX_SOLO


def _owner_of(slot: int) -> tuple[int, int]:
    return divmod(slot, DINOS) if slot < DINOS * MAX_SOLO else (slot - MAX_SOLO, 0)


def _seat_name(q: int) -> str:
    return "own" if q == 0 else f"seat +{q}"


def _named(prefix: str, who: str, table: Table) -> list[tuple[str, int, str]]:
    parts = table.slices.values()
    return [
        (f"{prefix}.{p.name}", p.length, f"{who}: {p.meaning}" if who else p.meaning) for p in parts
    ]


def _flat_parts() -> list[tuple[str, int, str]]:
    parts = []
    for q in range(MAX_PLAYERS):
        parts += _named(f"player_{q}", _seat_name(q), PLAYER)
    for slot in range(SLOTS):
        q, d = _owner_of(slot)
        parts += _named(f"dino_{slot}", f"{_seat_name(q)}, dinosaur {d + 1}", DINO)
    for tile in range(1, TILES + 1):
        parts += _named(f"tile_{tile}", f"tile {tile}", TILE)
    for card in CARD_NAMES:
        parts += _named(f"card_{card}", f"{card} cards", CARD)
    for i in range(PRIZES):
        parts += _named(f"prize_{i}", f"prize counter {i}", PRIZE)
    return parts + [(p.name, p.length, p.meaning) for p in COMMON.slices.values()]


FLAT = Table(_flat_parts())
FULL = Table(
    [(p.name, p.length, p.meaning) for p in FLAT.slices.values()]
    + [(f"hand_{q}", KINDS, f"{_seat_name(q)}: hand, by kind / 8") for q in range(MAX_PLAYERS)]
    + [("pile_order", CARDS, "(1 + kind) / 8 of each card of the draw pile, next first")]
    + [("prizes_left", PRIZES, "1 for each prize counter in the pile")]
    + [
        (f"prizes_{q}", PRIZES, f"{_seat_name(q)}: 1 for each prize counter won")
        for q in range(MAX_PLAYERS)
    ]
)

# Where things are in ``flat``; one dinosaur's, tile's … part begins at the first plus a multiple.
PLAYER_SIZE, DINO_SIZE, TILE_SIZE = PLAYER.size, DINO.size, TILE.size
CARD_SIZE, PRIZE_SIZE = CARD.size, PRIZE.size
DINOS_AT = MAX_PLAYERS * PLAYER_SIZE
TILES_AT = DINOS_AT + SLOTS * DINO_SIZE
CARDS_AT = TILES_AT + TILES * TILE_SIZE
PRIZES_AT = CARDS_AT + KINDS * CARD_SIZE
COMMON_AT = PRIZES_AT + PRIZES * PRIZE_SIZE
HANDS_AT = FLAT.size
PILE_AT = HANDS_AT + MAX_PLAYERS * KINDS
LEFT_AT = PILE_AT + CARDS
WON_AT = LEFT_AT + PRIZES

CARDS_IN_HAND, HAS_EGG, TO_ACT = PLAYER.start("cards"), PLAYER.start("egg"), PLAYER.start("to_act")
CURRENT, STARTER, PARTNER = (
    PLAYER.start("current"),
    PLAYER.start("starter"),
    PLAYER.start("partner"),
)
WON, SINCE_LOOK, TAKEN_DROPS = (
    PLAYER.start("prizes"),
    PLAYER.start("since_look"),
    PLAYER.start("drops"),
)
POINTS, EGGS_HOME = PLAYER.start("points"), PLAYER.start("eggs_home")
KNOWN, SHOWN = PLAYER.start("known"), PLAYER.start("shown")
LYING, BESIDE = DINO.start("lying"), DINO.start("beside")
PHASE, LAST_DIE, PASSED = COMMON.start("phase"), COMMON.start("last_die"), COMMON.start("passed")
VOLCANO, LAVA_AT, PILE_SIZE = (
    COMMON.start("volcano_active"),
    COMMON.start("lava"),
    COMMON.start("pile"),
)
DROP_SUPPLY, NUM_PRIZES = COMMON.start("drop_supply"), COMMON.start("num_prizes")
EGG_VALUES, EGG_IS_SAFE = COMMON.start("egg_values"), COMMON.start("egg_safe")
EGG_VALUE, TURN, LENGTH = COMMON.start("egg_value"), COMMON.start("turn"), COMMON.start("length")
TRUNCATED, REWARD, AHEAD = COMMON.start("truncated"), COMMON.start("reward"), COMMON.start("ahead")


@compiled
def write_player(s, seat, q, out, at):
    """The part of the player q seats clockwise from the observer, from index ``at`` on."""
    p = seat_at(s, seat, q)
    out[at] = 1.0
    out[at + CARDS_IN_HAND] = s.hand_size[p] / (s.hand_size[p] + HALF_HAND)
    out[at + HAS_EGG] = s.egg == p
    out[at + TO_ACT] = s.to_act == p
    out[at + CURRENT] = s.current == p
    out[at + STARTER] = s.starter == p
    out[at + PARTNER] = s.teams and q == s.sides
    out[at + WON] = s.prizes_won[p] * 0.5
    out[at + SINCE_LOOK] = s.since_look[seat, p] * 0.5
    out[at + TAKEN_DROPS] = s.drops[p] * PER_DROP
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
    out[at + LAVA_AT] = s.lava / TILES
    out[at + PILE_SIZE] = s.pile_size * PER_DECK
    out[at + DROP_SUPPLY] = s.drop_supply * PER_DROP
    out[at + NUM_PRIZES] = s.num_prizes * 0.125
    for i in range(EGG_COUNTERS):
        out[at + EGG_VALUES + i] = s.egg_values[i] / (s.egg_values[i] + HALF_VALUE)
    out[at + EGG_IS_SAFE] = s.egg_safe
    out[at + EGG_VALUE] = s.egg_value / (s.egg_value + HALF_VALUE)
    out[at + TURN] = s.turn / s.max_turns
    out[at + LENGTH] = 1.0 / s.max_turns
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
    out[at] = s.prize_values[i] / (s.prize_values[i] + HALF_VALUE)
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


# Rows of ``tokens``: players, dinosaurs, the volcano and the tiles, kinds of cards, counters, table.
FIRST_DINO = MAX_PLAYERS
FIRST_TILE = FIRST_DINO + SLOTS
FIRST_CARD = FIRST_TILE + 1 + TILES
FIRST_COUNTER = FIRST_CARD + KINDS
TABLE_ROW = FIRST_COUNTER + PRIZES
TOKEN_ROWS = TABLE_ROW + 1
TOKEN = Table(
    [
        (
            "type",
            6,
            "one-hot: player, dinosaur, tile, kind of card, prize counter, table; zero: no row",
        ),
        ("seat", MAX_PLAYERS, "one-hot: relative seat (players; dinosaurs: of the owner)"),
        ("number", DINOS, "one-hot: dinosaur 1 or 2 (dinosaurs)"),
        ("place", HOME + 1, "one-hot: tile 0-12 (dinosaurs, tiles)"),
        ("lying", 1, "1 if it lies on its side (dinosaurs)"),
        ("beside", 1, "1 if it is on a tile with a dinosaur of the observer (dinosaurs)"),
        ("terrain", TERRAINS, "one-hot: plains, desert, swamp, jungle (tiles)"),
        ("covered", 1, "1 if covered by lava, or the active volcano (tiles)"),
        ("kind", KINDS, f"one-hot: {', '.join(CARD_NAMES)} (kinds of cards)"),
        ("counter", PRIZES, "one-hot: id of the counter, 0-11 (prize counters)"),
    ]
    + _named("player", "", PLAYER)
    + _named("card", "", CARD)
    + _named("prize", "", PRIZE)
    + _named("table", "", COMMON)
)
TOKEN_SEAT, TOKEN_NUMBER, TOKEN_PLACE = (
    TOKEN.start("seat"),
    TOKEN.start("number"),
    TOKEN.start("place"),
)
TOKEN_LYING, TOKEN_TERRAIN = TOKEN.start("lying"), TOKEN.start("terrain")
TOKEN_KIND, TOKEN_COUNTER = TOKEN.start("kind"), TOKEN.start("counter")
TOKEN_PLAYER, TOKEN_CARD = TOKEN.start("player.present"), TOKEN.start("card.discards")
TOKEN_PRIZE, TOKEN_TABLE = TOKEN.start("prize.value"), TOKEN.start("table.teams")


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


# --- reading them back ---------------------------------------------------------------------------


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
    facts["hands"] = [_cards(row) for row in hands]
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


def _cards(row: np.ndarray) -> dict[str, int]:
    return dict(zip(CARD_NAMES, np.rint(row * 8).astype(int).tolist(), strict=True))


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
        **{name: _cards(cards[:, i]) for i, name in enumerate(CARD.slices)},
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
        "hands": [_cards(known[0]), *(dict(nothing) for _ in players[1:])],
        "known": [nothing, *(_cards(row) for row in known[1:])],
        "shown": [_cards(row) for row in shown],
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


ENCODERS = (
    Encoder("flat", 1, (FLAT.size,), write_flat, FLAT, decode_flat, low=-1.0),
    Encoder("full", 1, (FULL.size,), write_full, FULL, decode_full, low=-1.0, hides=False),
    Encoder("tokens", 1, (TOKEN_ROWS, TOKEN.size), write_tokens, TOKEN, decode_tokens, low=-1.0),
)
