"""What the numbers in an observation of Horse Race mean: the tables, and where things are.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Horses and kinds of cards are in the observer's own order, as in the actions:
once the observer has backed three horses these come first.  Numbers lie between 0 and 8.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.game import Table
from racegym.games.horse_race.state import (
    BETS,
    EMPTIES,
    FRONTS,
    HAND,
    HORSES,
    KINDS,
    LANES,
    LARGEST_PURSE,
    MAX_PLAYERS,
    MOST_OUT,
    MOST_REARS,
    SLOTS,
)
from racegym.games.horse_race.state import CARDS as DECK

PER_BET = 1.0 / BETS
HIGH = 8.0  # points / 10 of a horse: at most 72
PER_HORSE, PER_POINT, PER_COUNTER = 1.0 / HORSES, 0.1, 1.0 / LARGEST_PURSE
PER_HELD, PER_CARD, PER_SEAT = 1.0 / HAND, 1.0 / DECK, 1.0 / MAX_PLAYERS
PER_WORTH, PER_SLOT = 1.0 / 30, 1.0 / SLOTS
PER_KIND = np.array([1.0 / MOST_REARS] * HORSES + [1.0 / FRONTS, 1.0 / EMPTIES])

#: One player's part of ``flat``, and the features of a player's row in ``tokens``.
PLAYER = Table(
    [
        ("present", 1, "1 if the seat is taken"),
        ("to_act", 1, "1 for the player to act"),
        ("starter", 1, "1 for the player who began the phase of the race"),
        ("last_placer", 1, "1 for the player who placed the latest card of the phase"),
        ("counters", 1, "counters / 10"),
        ("hand_size", 1, "cards in hand / 5"),
        ("fronts", 1, "fronts known to be in hand or face down, at least / 5"),
        ("num_bets", 1, "horses backed so far / 3"),
        ("bets", BETS, "horses backed, in order / 9 (the observer's own; at the end everybody's)"),
    ]
)

#: One slot of a lane in ``flat``, and the features of a slot's row in ``tokens``.
SLOT = Table(
    [
        ("card", KINDS, "one-hot: card that lies there, if the observer knows it: rears, F, E"),
        ("down", 1, "1 for a card that lies face down"),
        ("placer", 1, "who placed it: (relative seat + 1) / 4, 0 for an empty slot"),
    ]
)

#: What there is of every kind of card.
KIND_PARTS = (
    ("hand", "cards of each kind in the observer's hand / 5"),
    ("out_of_game", "cards of each kind out of the game / 12 (rears), 30 (F), 10 (E)"),
    ("under", "cards of each kind that were put under the pile after phase 1 / 12, 30, 10"),
    ("under_drawn", "those that the observer drew since / 12, 30, 10"),
)

#: What concerns all players alike.
TABLE = Table(
    [
        ("phase", 4, "one-hot: bet, race, fall, end"),
        ("stage", 3, "one-hot: phase of the race"),
        ("must_open", 1, "1 while the player who began the phase owes a card placed face up"),
        ("passes", 1, "passes in a row / 4"),
        ("bank", 1, "counters in the bank / 40"),
        ("pile_size", 1, "cards in the draw pile / 60"),
        ("under_left", 1, "how many of those put under the pile are still there / 60"),
        ("lanes", LANES, "1 for each lane of the track"),
        ("falls", 1, "1 if horses can fall"),
        ("scoring", 3, "one-hot: scoring sum, first, sum_bonus"),
        ("reward", 3, "one-hot: reward scheme win, rank, score"),
        ("turns", 1, "turn / max_turns"),
        ("length", 1, "1 / max_turns"),
    ]
)

#: What ends a lane, from the view of the observer: one-hot ``end`` of ``STAKES``.
END_NOTHING, END_BACKED, END_OTHER, END_FRONT, END_EMPTY, END_UNKNOWN = 0, 1, 4, 5, 6, 7
ENDS = 8

#: The track as it matters to the observer's bets.  It all follows from the other parts, but by
#: products (bet times points) that networks are slow to find.
STAKES = Table(
    [
        ("worth", 1, "worth of the points that the horses backed have so far, by the scoring / 30"),
        ("best_other", 1, "most points of a horse that the observer has not backed / 10"),
        ("complete", BETS, "complete horses in the lanes, as far as known, of those backed / 5"),
        ("other_complete", 1, "those of all other horses in the race / 9"),
    ]
    + [
        part
        for lane in range(1, LANES + 1)
        for part in (
            (f"lane_{lane}.size", 1, f"lane {lane}: cards in it / 7"),
            (f"lane_{lane}.last", 1, f"lane {lane}: 1 if its next card ends the phase"),
            (
                f"lane_{lane}.end",
                ENDS,
                f"lane {lane}: one-hot: last card: none, rear of the horse backed first, second, "
                "third, another rear, front, empty, unknown",
            ),
        )
    ]
)


def _flat_table() -> Table:
    parts = []
    for q in range(MAX_PLAYERS):
        who = "own" if q == 0 else f"seat +{q}"
        for part in PLAYER.slices.values():
            parts.append((f"player_{q}.{part.name}", part.length, f"{who}: {part.meaning}"))
    meaning = "1, 2/3, 1/3 for the horse that the observer backed first, second, third"
    parts.append(("backed", HORSES, meaning))
    parts += [(name, KINDS, meaning) for name, meaning in KIND_PARTS]
    parts.append(("points", HORSES, "points of each horse / 10"))
    for i in range(MOST_OUT):
        meaning = f"one-hot: horse that went out {('first', 'second')[i]}"
        parts.append((f"out_{i + 1}", HORSES, meaning))
    parts.append(("rears", HORSES, "rear cards of each horse in the game / 12"))
    parts += [(p.name, p.length, p.meaning) for p in TABLE.slices.values()]
    for lane in range(1, LANES + 1):
        for slot in range(1, SLOTS + 1):
            where = f"lane {lane}, slot {slot}"
            for part in SLOT.slices.values():
                name = f"lane_{lane}.slot_{slot}.{part.name}"
                parts.append((name, part.length, f"{where}: {part.meaning}"))
    parts += [(f"stakes.{p.name}", p.length, p.meaning) for p in STAKES.slices.values()]
    return Table(parts)


FLAT = _flat_table()
_SEATS = range(1, MAX_PLAYERS)
FULL = Table(
    [(p.name, p.length, p.meaning) for p in FLAT.slices.values()]
    + [(f"hand_{q}", KINDS, f"seat +{q}: cards of each kind in hand / 5") for q in _SEATS]
    + [
        (f"backed_{i + 1}_{q}", HORSES, f"seat +{q}: one-hot: horse backed, number {i + 1}")
        for q in _SEATS
        for i in range(BETS)
    ]
    + [("pile", DECK, "kind of each card in the draw pile, 1-11, next card first / 11")]
)

PLAYER_SIZE, SLOT_SIZE = PLAYER.size, SLOT.size
TO_ACT, STARTER = PLAYER.start("to_act"), PLAYER.start("starter")
LAST_PLACER, PURSE = PLAYER.start("last_placer"), PLAYER.start("counters")
HAND_SIZE, KNOWN_FRONTS = PLAYER.start("hand_size"), PLAYER.start("fronts")
NUM_BETS, BETS_AT = PLAYER.start("num_bets"), PLAYER.start("bets")
DOWN, PLACER = SLOT.start("down"), SLOT.start("placer")

BACKED, OWN_HAND, OUT_OF_GAME = (
    FLAT.start("backed"),
    FLAT.start("hand"),
    FLAT.start("out_of_game"),
)
UNDER, UNDER_DRAWN = FLAT.start("under"), FLAT.start("under_drawn")
POINTS, OUT, REARS_AT = FLAT.start("points"), FLAT.start("out_1"), FLAT.start("rears")
COMMON, FIRST_SLOT = FLAT.start("phase"), FLAT.start("lane_1.slot_1.card")
OWN_STAKES = FLAT.start("stakes.worth")

PHASE, STAGE_AT, MUST_OPEN = TABLE.start("phase"), TABLE.start("stage"), TABLE.start("must_open")
PASSES, BANK, PILE_SIZE = TABLE.start("passes"), TABLE.start("bank"), TABLE.start("pile_size")
UNDER_LEFT, LANES_AT, FALLS_AT = (
    TABLE.start("under_left"),
    TABLE.start("lanes"),
    TABLE.start("falls"),
)
SCORING_AT, REWARD = TABLE.start("scoring"), TABLE.start("reward")
TURNS, LENGTH = TABLE.start("turns"), TABLE.start("length")

STAKE_WORTH, BEST_OTHER = STAKES.start("worth"), STAKES.start("best_other")
STAKE_COMPLETE, OTHER_COMPLETE = STAKES.start("complete"), STAKES.start("other_complete")
STAKE_LANE, LANE_LAST, LANE_END = (
    STAKES.start("lane_1.size"),
    STAKES.start("lane_1.last") - STAKES.start("lane_1.size"),
    STAKES.start("lane_1.end") - STAKES.start("lane_1.size"),
)
STAKE_LANE_SIZE = STAKES.start("lane_2.size") - STAKE_LANE

HANDS, OTHERS_BACKED, PILE = FULL.start("hand_1"), FULL.start("backed_1_1"), FULL.start("pile")

# Rows of ``tokens``: four players, eleven kinds of cards, the slots of the lanes, the table.
FIRST_KIND_ROW, FIRST_SLOT_ROW = MAX_PLAYERS, MAX_PLAYERS + KINDS
TABLE_ROW = FIRST_SLOT_ROW + LANES * SLOTS
TOKEN_ROWS = TABLE_ROW + 1
TOKEN = Table(
    [
        ("type", 4, "one-hot: player, kind of card, placed card, table; zero for an empty row"),
        ("seat", MAX_PLAYERS, "one-hot: relative seat (players; who placed a card)"),
        ("card", KINDS, "one-hot: rears, F, E (kinds; placed cards the observer knows)"),
        ("down", 1, "1 for a placed card that lies face down"),
        ("lane", LANES, "one-hot: lane of a placed card"),
        ("slot", SLOTS, "one-hot: slot of a placed card"),
        *(
            (f"kind.{name}", 1, meaning.replace("cards of each kind", "cards of this kind"))
            for name, meaning in KIND_PARTS
        ),
        ("horse.rears", 1, "rear cards of this horse in the game / 12"),
        ("horse.points", 1, "points of this horse / 10"),
        ("horse.backed", BETS, "one-hot: backed by the observer first, second, third"),
        ("horse.out", MOST_OUT, "one-hot: went out first, second"),
    ]
    + [(f"player.{p.name}", p.length, p.meaning) for p in PLAYER.slices.values()]
    + [(f"table.{p.name}", p.length, p.meaning) for p in TABLE.slices.values()]
)
TOKEN_SIZE = TOKEN.size
TOKEN_SEAT, TOKEN_CARD, TOKEN_DOWN = TOKEN.start("seat"), TOKEN.start("card"), TOKEN.start("down")
TOKEN_LANE, TOKEN_SLOT, TOKEN_KIND = (
    TOKEN.start("lane"),
    TOKEN.start("slot"),
    TOKEN.start("kind.hand"),
)
TOKEN_REARS, TOKEN_POINTS = TOKEN.start("horse.rears"), TOKEN.start("horse.points")
TOKEN_BACKED, TOKEN_OUT = TOKEN.start("horse.backed"), TOKEN.start("horse.out")
TOKEN_PLAYER, TOKEN_TABLE = TOKEN.start("player.present"), TOKEN.start("table.phase")
