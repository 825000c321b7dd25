"""The parts of an observation of Ave Caesar, declared once.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  All numbers lie in [0, 1].
"""

from __future__ import annotations

from dataclasses import replace

from racegym.engine import parts as part
from racegym.engine.parts import Parts
from racegym.games.ave_caesar.board.tracks import DIRECTIONS, LIMIT, NAMES
from racegym.games.ave_caesar.state import (
    CARDS,
    COPIES,
    CROSSINGS,
    DECK,
    HAND,
    MAX_PLAYERS,
    MAX_RACES,
    MOST_LOST,
    MOST_POINTS,
    SLOT,
    VALUES,
)

ALL_STEPS = COPIES * VALUES * (VALUES + 1) // 2  # 84 points of cards
NEAR, MARGIN, MOST_WASTE = 12, 16, 8
STATUS = ("racing", "finished", "stranded on the course", "taken off")

#: One player's part of ``flat``, and the features of a player's row in ``tokens``.
PLAYER = Parts(
    part.derived("present", "1 if the seat is taken"),
    part.one_hot("status", "", STATUS),
    part.seat("to_act", "1 for the player to act"),
    part.derived("leading", "1 for a leading chariot; nobody leads once one has finished"),
    part.seat("starter", "1 for the player who began the race"),
    part.scaled(
        "space", "(number of the space, by progress, + 1)", LIMIT.spaces, after="; 0 on none"
    ),
    replace(
        part.scaled("left_from", "", LIMIT.spaces),
        meaning="the same for the space the chariot was taken off; 0 if it was not",
    ),
    part.one_hot("crossed", "times over the line, 0-4", CROSSINGS + 1),
    part.flag("coin", "1 while the coin is not paid"),
    part.derived("to_line", "steps to the next crossing of the line / lap length, at most 1"),
    part.derived("to_go", "distance to go / (4 x lap length), at most 1"),
    part.derived(
        "behind",
        "distance to go less the observer's: 0.5 + steps",
        scale=2 * NEAR,
        after=", within 0-1",
    ),
    part.derived(
        "lane",
        "spaces level with it that lie further inside",
        scale=LIMIT.lane,
        after=" (1 in the alley)",
    ),
    part.derived("neck", "1 on a space that bars every way round"),
    part.scaled("unplayed", "cards of each value 1-6 in hand and deck", COPIES, VALUES),
    part.derived("steps_left", "steps of all these cards together", scale=ALL_STEPS),
    part.derived(
        "spare",
        "these steps less the distance to go: 0.5 + steps",
        scale=2 * MARGIN,
        after=", within 0-1",
    ),
    part.scaled("hand_size", "cards in hand", HAND),
    part.scaled("deck_size", "cards in the deck", DECK - HAND, fact="deck_left"),
    part.flag("lost_last", "1 if the player lost its latest turn"),
    part.scaled("place", "place of a player who has finished", MAX_PLAYERS, after=", else 0"),
    part.scaled(
        "stranded_as",
        "1 for the first to strand, 2 for the second …",
        MAX_PLAYERS,
        after=", else 0",
    ),
    part.scaled("points", "points of the races that are over", MOST_POINTS),
)

#: One card value of the observer: its part of ``flat`` and its row in ``tokens``.
CARD = Parts(
    part.scaled("in_hand", "cards of this value in the own hand", HAND),
    part.scaled("in_deck", "cards of this value in the own deck", COPIES),
    part.derived(
        "keeps",
        "if the observer is to act, for each action of the card whose way is free (in hand or "
        f"not): ({MOST_WASTE} - steps lost against the shortest way)",
        SLOT.stride,
        scale=MOST_WASTE,
        after=f", at least 1/{MOST_WASTE}; else 0",
    ),
    part.derived(
        "bars", "for the same actions: 1 if the space reached bars every way round", SLOT.stride
    ),
)

#: What concerns all players alike.
TABLE = Parts(
    part.one_hot("course", "", (*NAMES, "a course of the user's own")),
    part.flag("direction", "1 counter-clockwise", DIRECTIONS),
    part.one_hot("races", "races of the tournament", MAX_RACES, 1),
    part.one_hot("race", "number of the race", MAX_RACES, 1),
    part.flag("removing", "1 if stranded chariots are taken off"),
    part.scaled("lost_in_a_row", "turns lost in a row", MOST_LOST),
    part.portion("turns", "turn / max_turns", of="length", fact="turn"),
    part.inverse("length", "max_turns", fact="max_turns"),
    part.reward_scheme(),
)

FLAT = Parts(
    part.each("player", PLAYER, part.seat_names(MAX_PLAYERS)),
    part.each("card", CARD, [f"card {card}" for card in CARDS], labels=CARDS),
    part.inside("table", TABLE, prefix=""),
)
FULL = Parts(
    FLAT,
    *(
        part.scaled(f"hand_{q}", f"cards of each value 1-6 in the hand of seat +{q}", HAND, VALUES)
        for q in range(MAX_PLAYERS)
    ),
)
#: A row of ``tokens``: one of six players, of six card values, or the table.
TOKEN = Parts(
    part.one_hot("type", "player, card value, table; all zero for an empty row", 3),
    part.one_hot("seat", "relative seat (players)", MAX_PLAYERS),
    part.one_hot("value", "value (cards)", VALUES, 1),
    part.inside("player", PLAYER),
    part.inside("card", CARD),
    part.inside("table", TABLE),
)
TOKEN_ROWS = MAX_PLAYERS + VALUES + 1
