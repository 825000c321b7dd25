"""What the numbers in an observation of Horse Race mean, declared once.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Horses and kinds of cards are in the observer's own order, as in the actions:
once the observer has backed three horses these come first.  Numbers lie between 0 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from racegym.engine import parts as part
from racegym.engine.names import named, numbered
from racegym.engine.parts import Part, Parts
from racegym.games.horse_race.state import (
    BETS,
    COUNTERS,
    DECK,
    HAND,
    HORSES,
    KINDS,
    LANES,
    LARGEST_PURSE,
    MAX_PLAYERS,
    MOST_OF_KIND,
    MOST_OUT,
    MOST_REARS,
    PHASE,
    SCORING,
    SLOTS,
    STAGES,
)

#: What counts of cards in the game are multiplied by, by kind.
PER_KIND = 1.0 / np.array(MOST_OF_KIND)
_LANE_NAMES, _LANE_NUMBERS = [f"lane {k}" for k in range(1, LANES + 1)], range(1, LANES + 1)


def points(name: str, meaning: str, length: int | None = None) -> Part:
    """Points of horses: at most 72."""
    return part.scaled(name, meaning, 10, length, high=8)


def of_kinds(name: str, meaning: str, kinds: Sequence[str] = ("", "", "")) -> Part:
    """How many cards there are of each kind, each divided by how many there can be.

    ``kinds`` is what the table says behind these numbers of rears, fronts and empties.
    """

    def decode(x: np.ndarray) -> list[int]:
        return [int(k) for k in np.rint(x / PER_KIND)]

    scales = ", ".join(f"{most}{kind}" for most, kind in zip(MOST_OF_KIND[-3:], kinds, strict=True))
    return Part(name, KINDS, f"{meaning} / {scales}", decode)


def of_seat(q: int, told: Part) -> Part:
    """A part that is about another seat."""
    return replace(told, name=f"{told.name}_{q}", meaning=f"seat +{q}: {told.meaning}")


#: One player's part of ``flat``, and the features of a player's row in ``tokens``.
PLAYER = Parts(
    part.derived("present", "1 if the seat is taken"),
    part.seat("to_act", "1 for the player to act"),
    part.seat("starter", "1 for the player who began the phase of the race"),
    part.seat("last_placer", "1 for the player who placed the latest card of the phase"),
    part.scaled("counters", "counters", LARGEST_PURSE),
    part.scaled("hand_size", "cards in hand", HAND),
    part.scaled("fronts", "fronts known to be in hand or face down, at least", HAND),
    part.scaled("num_bets", "horses backed so far", BETS),
    part.scaled(
        "bets",
        "horses backed, in order",
        HORSES,
        BETS,
        after=" (the observer's own; at the end everybody's)",
    ),
)

#: What there is of every kind of card and of every horse.
KIND = Parts(
    part.derived(
        "backed", "1, 2/3, 1/3 for the horse that the observer backed first, second, third", HORSES
    ),
    part.scaled("hand", "cards of each kind in the observer's hand", HAND, KINDS),
    of_kinds("out_of_game", "cards of each kind out of the game", (" (rears)", " (F)", " (E)")),
    of_kinds("under", "cards of each kind that were put under the pile after phase 1"),
    of_kinds("under_drawn", "those that the observer drew since"),
    points("points", "points of each horse", HORSES),
    part.one_hot("out_1", "horse that went out first", HORSES, 1, 0),
    part.one_hot("out_2", "horse that went out second", HORSES, 1, 0),
    part.scaled("rears", "rear cards of each horse in the game", MOST_REARS, HORSES),
)

#: What concerns all players alike.
TABLE = Parts(
    part.one_hot("phase", "", PHASE._fields),
    part.one_hot("stage", "phase of the race", STAGES, 1),
    part.flag("must_open", "1 while the player who began the phase owes a card placed face up"),
    part.scaled("passes", "passes in a row", MAX_PLAYERS),
    part.scaled("bank", "counters in the bank", COUNTERS),
    part.scaled("pile_size", "cards in the draw pile", DECK),
    part.scaled("under_left", "how many of those put under the pile are still there", DECK),
    part.flags("lanes", "1 for each lane of the track", LANES),
    part.flag("falls", "1 if horses can fall"),
    replace(
        part.one_hot("scoring", "", SCORING._fields),
        meaning=f"one-hot: scoring {', '.join(SCORING._fields)}",
    ),
    part.reward_scheme(),
    part.portion("turns", "turn / max_turns", of="length", fact="turn"),
    part.inverse("length", "max_turns", fact="max_turns"),
)

#: One slot of a lane.
SLOT = Parts(
    part.one_hot(
        "card", "card that lies there, if the observer knows it: rears, F, E", KINDS, 1, 0
    ),
    part.flag("down", "1 for a card that lies face down", (True, False), fact="up"),
    part.scaled(
        "placer",
        "who placed it: (relative seat + 1)",
        MAX_PLAYERS,
        after=", 0 for an empty slot",
        fact="by",
    ),
)

#: What ends a lane, from the view of the observer; three horses backed begin at ``backed``.
END = numbered(
    "End",
    ("nothing", "backed", "backed_second", "backed_third", "other", "front", "empty", "unknown"),
)
_ENDS = (
    "one-hot: last card: none, rear of the horse backed first, second, third, another rear, front, "
    "empty, unknown"
)
#: A lane as it matters to the observer's bets.
LANE = Parts(
    part.derived("size", "cards in it", scale=SLOTS),
    part.derived("last", "1 if its next card ends the phase"),
    part.derived("end", _ENDS, len(END)),
)
#: The track as it matters to the observer's bets.  It all follows from the other parts, but by
#: products (bet times points) that networks are slow to find.
STAKES = Parts(
    part.derived(
        "worth", "worth of the points that the horses backed have so far, by the scoring", scale=30
    ),
    part.derived(
        "best_other", "most points of a horse that the observer has not backed", scale=10, high=8
    ),
    part.derived(
        "complete",
        "complete horses in the lanes, as far as known, of those backed",
        length=BETS,
        scale=HAND,
    ),
    part.derived("other_complete", "those of all other horses in the race", scale=HORSES),
    part.each("lane", LANE, _LANE_NAMES, _LANE_NUMBERS),
)

_PLACES = [(lane, slot) for lane in _LANE_NUMBERS for slot in range(1, SLOTS + 1)]
FLAT = Parts(
    part.each("player", PLAYER, part.seat_names(MAX_PLAYERS)),
    part.inside("kind", KIND, prefix=""),
    part.inside("table", TABLE, prefix=""),
    part.each(
        "lane",
        SLOT,
        [f"lane {lane}, slot {slot}" for lane, slot in _PLACES],
        [f"{lane}.slot_{slot}" for lane, slot in _PLACES],
    ),
    part.inside("stakes", STAKES),
)

_OTHERS = range(1, MAX_PLAYERS)
FULL = Parts(
    FLAT,
    *(of_seat(q, part.scaled("hand", "cards of each kind in hand", HAND, KINDS)) for q in _OTHERS),
    *(
        of_seat(q, part.one_hot(f"backed_{i}", f"horse backed, number {i}", HORSES, 1, 0))
        for q in _OTHERS
        for i in range(1, BETS + 1)
    ),
    part.scaled("pile", "kind of each card in the draw pile, 1-11, next card first", KINDS, DECK),
)

#: What a row of ``tokens`` says of a kind of card; each number divided as in ``KIND``.
KIND_ROW = Parts(
    *(
        part.derived(of_all.name, of_all.meaning.replace("of each kind", "of this kind"))
        for of_all in KIND.parts
        if of_all.length == KINDS
    )
)
#: What it says of the horse, if the kind is a rear.
HORSE_ROW = Parts(
    part.scaled("rears", "rear cards of this horse in the game", MOST_REARS),
    points("points", "points of this horse"),
    part.derived("backed", "one-hot: backed by the observer first, second, third", BETS),
    part.derived("out", "one-hot: went out first, second", MOST_OUT),
)
TOKEN = Parts(
    part.one_hot("type", "player, kind of card, placed card, table; zero for an empty row", 4),
    part.one_hot(
        "seat", "relative seat (players; who placed a card)", MAX_PLAYERS, 1, 0, fact="by"
    ),
    part.one_hot("card", "rears, F, E (kinds; placed cards the observer knows)", KINDS, 1, 0),
    part.flag("down", "1 for a placed card that lies face down", (True, False), fact="up"),
    part.one_hot("lane", "lane of a placed card", LANES, 1),
    part.one_hot("slot", "slot of a placed card", SLOTS, 1),
    part.inside("kind", KIND_ROW),
    part.inside("horse", HORSE_ROW),
    part.inside("player", PLAYER),
    part.inside("table", TABLE),
)
#: Rows of ``tokens``: players, then kinds of cards, the slots of the lanes, and the table.
ROWS = named(
    "Rows",
    {
        "kinds": MAX_PLAYERS,
        "slots": MAX_PLAYERS + KINDS,
        "table": MAX_PLAYERS + KINDS + LANES * SLOTS,
        "count": MAX_PLAYERS + KINDS + LANES * SLOTS + 1,
    },
)
