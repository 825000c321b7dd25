"""What the numbers in an observation of Dino Race mean: the tables, and where things are.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Seats +0 to +3 have two dinosaurs, in team play and for the others the first
only, so there are twelve places for dinosaurs: the two own ones, then those of the action table.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.game import Table
from racegym.games.dino_race.board import CARD_NAMES
from racegym.games.dino_race.state import (
    CARDS,
    DINOS,
    DROPS,
    EGG_COUNTERS,
    FACES,
    HOME,
    KINDS,
    LARGEST_VALUE,
    MAX_PLAYERS,
    MAX_SOLO,
    PRIZES,
    TARGETS,
    TERRAINS,
    TILES,
)

SLOTS = DINOS + TARGETS
# Single precision throughout where that is exact: converting costs a quarter of the time.
PER_CARD, HALF = np.float32(1.0 / 8), np.float32(0.5)
PER_DECK, PER_DROP, PER_TILE = 1.0 / CARDS, 1.0 / DROPS, 1.0 / TILES
HALF_HAND = 8  # a hand of n cards is written n / (n + 8), so that usual hands differ visibly
HALF_VALUE = 12  # a value v likewise as v / (v + 12)


def _shares(most: int, half: int) -> np.ndarray:
    return (np.arange(most + 1) / (np.arange(most + 1) + half)).astype(np.float32)


HAND_SHARES, VALUE_SHARES = _shares(CARDS, HALF_HAND), _shares(LARGEST_VALUE, HALF_VALUE)

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


# Rows of ``tokens``: players, dinosaurs, volcano and tiles, kinds of cards, counters, the table.
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
        *_named("player", "", PLAYER),
        *_named("card", "", CARD),
        *_named("prize", "", PRIZE),
        *_named("table", "", COMMON),
    ]
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
