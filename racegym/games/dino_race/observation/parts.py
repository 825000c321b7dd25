"""The parts of an observation of Dino Race.

Seats +0 to +3 have two dinosaurs, in team play and for the others the first only, so there are
twelve places for dinosaurs (:data:`~racegym.games.dino_race.state.SLOTS`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np

from racegym.engine.names import named, numbered
from racegym.engine.parts import (
    Part,
    Parts,
    derived,
    each,
    flag,
    flags,
    inside,
    inverse,
    one_hot,
    portion,
    reward_scheme,
    saturating,
    scaled,
    seat,
    seat_names,
)
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

_MOST = 8  # cards of a kind; prize counters in the pile at most
_HALF_HAND, _HALF_VALUE = 8, 12
_TERRAIN_NAMES = CARD_NAMES[:TERRAINS]


def _cards(name: str, meaning: str) -> Part:
    """Cards by kind / 8, told as a mapping."""

    def decode(x: np.ndarray) -> dict[str, Any]:
        return dict(zip(CARD_NAMES, np.rint(x * _MOST).astype(int).tolist(), strict=True))

    return Part(name, KINDS, meaning, decode, scale=_MOST)


PLAYER = Parts(
    derived("present", "1 if the seat is taken"),
    saturating("cards", "n cards in hand", _HALF_HAND, fact="hand_size", letter="n"),
    seat("egg", "1 for who has the egg"),
    seat("to_act", "1 for the player to act"),
    seat("current", "1 for the player whose turn it is"),
    seat("starter", "1 for who began the first race"),
    seat("partner", "1 for the observer's partner"),
    scaled("prizes", "prize counters won", DINOS, fact="prizes_won"),
    scaled("since_look", "prize counters won since the observer's latest look", DINOS),
    scaled("drops", "lava drops", DROPS),
    saturating("points", "p points in the race before", _HALF_VALUE, letter="p", signed=True),
    flag("eggs_home", "1 if the egg was brought home in the race before", words=(0, 1)),
    _cards("known", "cards of each kind the player holds for certain / 8 (own: the hand)"),
    _cards("shown", "own cards of each kind that the player knows of, at least / 8"),
)

DINO = Parts(
    one_hot("place", "tile 0-12, 12 is home", HOME + 1, fact="position"),
    flag("lying", "1 if it lies on its side"),
    flag("beside", "1 if it is on a tile with a dinosaur of the observer"),
)

TILE = Parts(
    one_hot("terrain", "", _TERRAIN_NAMES, fact="tiles"),
    derived("lava", "1 if covered by lava"),
)

#: A kind of card.
KIND = Parts(
    scaled("discards", "discarded", _MOST),
    scaled("pile_limit", "most that can be in the draw pile, as far as the observer knows", _MOST),
    scaled("shuffled", "in the draw pile when it was made", _MOST),
)

PRIZE = Parts(
    saturating("value", "the counter's value v", _HALF_VALUE, fact="prize_values"),
    flag("seen", "1 if it was in the pile at the latest look of the observer's side"),
    flag("own", "1 if the observer has won it"),
    flag("partners", "1 if the observer's partner has won it"),
)

#: What concerns all alike, and the terrain ahead of the own dinosaurs.
TABLE = Parts(
    flag("teams", "1 in team play"),
    flag("survive", 'variant: 1 if "survive"', VARIANTS, fact="variant"),
    flag("two_races", "1 if two races are run", (1, 2), fact="matches"),
    flag("second_race", "1 in the second race", (1, 2), fact="race"),
    one_hot("phase", "", PHASE._fields),
    one_hot("last_die", "", FACE._fields),
    flag("passed", "1 if a card was passed to the partner this turn"),
    flag("volcano_active", "1 after the first eruption"),
    scaled("lava", "tiles covered by lava", TILES),
    scaled("pile", "cards in the draw pile", CARDS, fact="pile_size"),
    scaled("drop_supply", "lava drops left", DROPS),
    scaled("num_prizes", "prize counters left", _MOST),
    saturating("egg_values", "each egg counter's value v", _HALF_VALUE, EGG_COUNTERS),
    flag("egg_safe", "1 when the egg is home"),
    saturating("egg_value", "the value v of the egg counter drawn", _HALF_VALUE),
    portion("turn", "turn / max_turns", of="length"),
    inverse("length", "max_turns", fact="max_turns"),
    flag("truncated", "1 if the game was cut"),
    reward_scheme(),
    derived(
        "ahead",
        "one-hot for each own dinosaur on the track: the next terrain",
        DINOS * TERRAINS,
    ),
)

_SEATS = seat_names(MAX_PLAYERS)

FLAT = Parts(
    each("player", PLAYER, _SEATS),
    each("dino", DINO, [f"{_SEATS[q]}, dinosaur {d + 1}" for q, d in SLOTS]),
    each("tile", TILE, [f"tile {i}" for i in range(1, TILES + 1)], range(1, TILES + 1)),
    each("card", KIND, [f"{card} cards" for card in CARD_NAMES], CARD_NAMES),
    each("prize", PRIZE, [f"prize counter {i}" for i in range(PRIZES)]),
    inside("table", TABLE, prefix=""),
)
FULL = Parts(
    FLAT,
    *(_cards(f"hand_{q}", f"{who}: hand, by kind / 8") for q, who in enumerate(_SEATS)),
    replace(
        scaled("pile_order", "", _MOST, CARDS),
        meaning="(1 + kind) / 8 of each card of the draw pile, next first",
    ),
    flags("prizes_left", "1 for each prize counter in the pile", PRIZES),
    *(
        flags(f"prizes_{q}", f"{who}: 1 for each prize counter won", PRIZES)
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
    one_hot("type", f"{', '.join(_TYPE_NAMES)}; zero: no row", len(TYPE)),
    one_hot("seat", "relative seat (players; dinosaurs: of the owner)", MAX_PLAYERS),
    one_hot("number", "dinosaur 1 or 2 (dinosaurs)", DINOS, first=1),
    derived("place", "one-hot: tile 0-12 (dinosaurs, tiles)", HOME + 1),
    derived("lying", "1 if it lies on its side (dinosaurs)"),
    derived("beside", "1 if it is on a tile with a dinosaur of the observer (dinosaurs)"),
    derived("terrain", f"one-hot: {', '.join(_TERRAIN_NAMES)} (tiles)", TERRAINS),
    derived("covered", "1 if covered by lava, or the active volcano (tiles)"),
    derived("kind", f"one-hot: {', '.join(CARD_NAMES)} (kinds of cards)", KINDS),
    derived("counter", "one-hot: id of the counter, 0-11 (prize counters)", PRIZES),
    inside("player", PLAYER),
    inside("card", KIND),
    inside("prize", PRIZE),
    inside("table", TABLE),
)
