"""The parts of an observation of Dino Race.

Seats +0 to +3 have two dinosaurs, in team play and for the others the first only, so there are
twelve places for dinosaurs (:data:`~racegym.games.dino_race.state.SLOTS`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np

from racegym.engine import parts as part
from racegym.engine.names import named, numbered
from racegym.engine.parts import Part, Parts
from racegym.games.dino_race.state import (
    CARD_NAMES,
    CARDS,
    DINOS,
    DROPS,
    EGG_COUNTERS,
    FACE,
    HOME,
    KINDS,
    MAX_PLAYERS,
    PHASE,
    PRIZES,
    SLOTS,
    TERRAINS,
    TILES,
    VARIANTS,
)

_MOST = 8  # cards of a kind, and prize counters in the pile
_HALF_HAND, _HALF_VALUE = 8, 12  # what is written as 1/2: usual hands and values differ visibly
_TERRAIN_NAMES = CARD_NAMES[:TERRAINS]


def _cards(name: str, meaning: str) -> Part:
    """Cards by kind / 8, told as a mapping."""

    def decode(x: np.ndarray) -> dict[str, Any]:
        return dict(zip(CARD_NAMES, np.rint(x * _MOST).astype(int).tolist(), strict=True))

    return Part(name, KINDS, meaning, decode, scale=_MOST)


PLAYER = Parts(
    part.derived("present", "1 if the seat is taken"),
    part.saturating("cards", "n cards in hand", _HALF_HAND, fact="hand_size", letter="n"),
    part.seat("egg", "1 for who has the egg"),
    part.seat("to_act", "1 for the player to act"),
    part.seat("current", "1 for the player whose turn it is"),
    part.seat("starter", "1 for who began the first race"),
    part.seat("partner", "1 for the observer's partner"),
    part.scaled("prizes", "prize counters won", DINOS, fact="prizes_won"),
    part.scaled("since_look", "prize counters won since the observer's latest look", DINOS),
    part.scaled("drops", "lava drops", DROPS),
    part.saturating("points", "p points in the race before", _HALF_VALUE, letter="p", signed=True),
    part.flag("eggs_home", "1 if the egg was brought home in the race before", words=(0, 1)),
    _cards("known", "cards of each kind the player holds for certain / 8 (own: the hand)"),
    _cards("shown", "own cards of each kind that the player knows of, at least / 8"),
)

DINO = Parts(
    part.one_hot("place", "tile 0-12, 12 is home", HOME + 1, fact="position"),
    part.flag("lying", "1 if it lies on its side"),
    part.flag("beside", "1 if it is on a tile with a dinosaur of the observer"),
)

TILE = Parts(
    part.one_hot("terrain", "", _TERRAIN_NAMES, fact="tiles"),
    part.derived("lava", "1 if covered by lava"),
)

#: A kind of card.
KIND = Parts(
    part.scaled("discards", "discarded", _MOST),
    part.scaled(
        "pile_limit", "most that can be in the draw pile, as far as the observer knows", _MOST
    ),
    part.scaled("shuffled", "in the draw pile when it was made", _MOST),
)

PRIZE = Parts(
    part.saturating("value", "the counter's value v", _HALF_VALUE, fact="prize_values"),
    part.flag("seen", "1 if it was in the pile at the latest look of the observer's side"),
    part.flag("own", "1 if the observer has won it"),
    part.flag("partners", "1 if the observer's partner has won it"),
)

#: What concerns all alike, and the terrain ahead of the own dinosaurs.
TABLE = Parts(
    part.flag("teams", "1 in team play"),
    part.flag("survive", 'variant: 1 if "survive"', VARIANTS, fact="variant"),
    part.flag("two_races", "1 if two races are run", (1, 2), fact="matches"),
    part.flag("second_race", "1 in the second race", (1, 2), fact="race"),
    part.one_hot("phase", "", PHASE._fields),
    part.one_hot("last_die", "", FACE._fields),
    part.flag("passed", "1 if a card was passed to the partner this turn"),
    part.flag("volcano_active", "1 after the first eruption"),
    part.scaled("lava", "tiles covered by lava", TILES),
    part.scaled("pile", "cards in the draw pile", CARDS, fact="pile_size"),
    part.scaled("drop_supply", "lava drops left", DROPS),
    part.scaled("num_prizes", "prize counters left", _MOST),
    part.saturating("egg_values", "each egg counter's value v", _HALF_VALUE, EGG_COUNTERS),
    part.flag("egg_safe", "1 when the egg is home"),
    part.saturating("egg_value", "the value v of the egg counter drawn", _HALF_VALUE),
    part.portion("turn", "turn / max_turns", of="length"),
    part.inverse("length", "max_turns", fact="max_turns"),
    part.flag("truncated", "1 if the game was cut"),
    part.reward_scheme(),
    part.derived(
        "ahead", "one-hot for each own dinosaur on the track: the next terrain", DINOS * TERRAINS
    ),
)

_SEATS = part.seat_names(MAX_PLAYERS)

FLAT = Parts(
    part.each("player", PLAYER, _SEATS),
    part.each("dino", DINO, [f"{_SEATS[q]}, dinosaur {d + 1}" for q, d in SLOTS]),
    part.each("tile", TILE, [f"tile {i}" for i in range(1, TILES + 1)], range(1, TILES + 1)),
    part.each("card", KIND, [f"{card} cards" for card in CARD_NAMES], CARD_NAMES),
    part.each("prize", PRIZE, [f"prize counter {i}" for i in range(PRIZES)]),
    part.inside("table", TABLE, prefix=""),
)
FULL = Parts(
    FLAT,
    *(_cards(f"hand_{q}", f"{who}: hand, by kind / 8") for q, who in enumerate(_SEATS)),
    replace(
        part.scaled("pile_order", "", _MOST, CARDS),
        meaning="(1 + kind) / 8 of each card of the draw pile, next first",
    ),
    part.flags("prizes_left", "1 for each prize counter in the pile", PRIZES),
    *(
        part.flags(f"prizes_{q}", f"{who}: 1 for each prize counter won", PRIZES)
        for q, who in enumerate(_SEATS)
    ),
)

# --- ``tokens`` ---------------------------------------------------------------------------------

_TYPE_NAMES = ("player", "dinosaur", "tile", "kind of card", "prize counter", "table")
_ROWS = {
    "player": MAX_PLAYERS,
    "dino": len(SLOTS),
    "tile": 1 + TILES,
    "card": KINDS,
    "prize": PRIZES,
    "table": 1,
}
#: Numbers of the types of rows, and the first row of each type (and ``end``, how many there are).
TYPE = numbered("Type", _ROWS)
ROW = named("Rows", dict(zip((*_ROWS, "end"), accumulate(_ROWS.values(), initial=0), strict=True)))

#: A row of ``tokens``; in rows of dinosaurs DINO begins at ``place``, in rows of tiles TILE at
#: ``terrain``.
TOKEN = Parts(
    part.one_hot("type", f"{', '.join(_TYPE_NAMES)}; zero: no row", len(TYPE)),
    part.one_hot("seat", "relative seat (players; dinosaurs: of the owner)", MAX_PLAYERS),
    part.one_hot("number", "dinosaur 1 or 2 (dinosaurs)", DINOS, first=1),
    part.derived("place", "one-hot: tile 0-12 (dinosaurs, tiles)", HOME + 1),
    part.derived("lying", "1 if it lies on its side (dinosaurs)"),
    part.derived("beside", "1 if it is on a tile with a dinosaur of the observer (dinosaurs)"),
    part.derived("terrain", f"one-hot: {', '.join(_TERRAIN_NAMES)} (tiles)", TERRAINS),
    part.derived("covered", "1 if covered by lava, or the active volcano (tiles)"),
    part.derived("kind", f"one-hot: {', '.join(CARD_NAMES)} (kinds of cards)", KINDS),
    part.derived("counter", "one-hot: id of the counter, 0-11 (prize counters)", PRIZES),
    part.inside("player", PLAYER),
    part.inside("card", KIND),
    part.inside("prize", PRIZE),
    part.inside("table", TABLE),
)
