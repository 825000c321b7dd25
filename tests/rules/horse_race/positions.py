"""Hand-made positions of Horse Race for the clause tests.

Hands and lanes are written in words: ``"R1 F F"`` is a hand, ``"R1 F:2 (E:1)"`` a lane in which
player 0 placed a rear, player 2 a front and player 1 an empty face down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from racegym.engine.chance import DEALS
from racegym.games.horse_race.state import CARDS
from racegym.testing import Order, Pick, ScriptedPosition, scripted

BETS = ([1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7])
ALL_CARDS = Counter({"R1": 3, "R2": 3, **{f"R{h}": 2 for h in range(3, 10)}, "F": 30, "E": 10})

#: Draws at an obstacle (HR-50): the falls are the first two of the cards left, then come jumps.
FALL, JUMP = 0, 2


def obstacle(*cards: int) -> list[Pick]:
    """The jump and fall cards drawn, in order."""
    return [Pick(card, 6 - drawn, DEALS) for drawn, card in enumerate(cards)]


def under(cards: str) -> Order:
    """The cards put under the pile, in the order in which they will be drawn (HR-32)."""
    return Order([CARDS.index(card) + 1 for card in reversed(cards.split())], DEALS)


def lane(words: str) -> list[dict[str, Any]]:
    """The cards of a lane, from words."""
    cards = []
    for word in words.split():
        card, _, by = word.strip("()").partition(":")
        cards.append({"card": card, "up": not word.startswith("("), "by": int(by or 0)})
    return cards


def race(
    hands: Sequence[str],
    lanes: Sequence[str] = ("", "", ""),
    pile: str = "",
    counters: Sequence[int] = (),
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> ScriptedPosition:
    """A turn about to be played, by player 0 in phase 1 unless ``fields`` says else.

    Cards named nowhere are out of the game, counters named nowhere in the bank.
    """
    n = len(hands)
    held = [dict(Counter(hand.split())) for hand in hands]
    placed = [lane(words) for words in lanes]
    purses = list(counters) or [5] * n
    used = Counter(pile.split())
    used.update(card for hand in hands for card in hand.split())
    used.update(card["card"] for cards in placed for card in cards)
    assert not used - ALL_CARDS, "more cards than there are"
    state = {
        "phase": "race",
        "stage": 1,
        "to_act": 0,
        "hands": held,
        "counters": purses,
        "bank": 40 - sum(purses),
        "pile": pile.split(),
        "out_of_game": dict(ALL_CARDS - used),
        "lanes": placed,
        "bets": [list(bets) for bets in BETS[:n]],
        "starter": 0,
        "last_placer": None,
    }
    options = {"num_players": n, "lanes": len(lanes), **(options or {})}
    return scripted("horse_race", options, {**state, **fields})


def ended(points: Sequence[int], bets: Sequence[Sequence[int]], **options: Any) -> ScriptedPosition:
    """A game that is over, with the points of the nine horses."""
    fields = {
        "phase": "end",
        "stage": 3,
        "to_act": None,
        "points": list(points),
        "bets": [list(horses) for horses in bets],
        "starter": 0,
    }
    return scripted("horse_race", {"num_players": len(bets), **options}, fields)


def kinds(play: ScriptedPosition) -> list[str]:
    """The kinds of the latest action's events, in order."""
    return [event["kind"] for event in play.events]


def cards_in(play: ScriptedPosition, number: int) -> list[str]:
    """The cards in a lane (from 1)."""
    return [placed["card"] for placed in play["lanes"][number - 1]]


def total_cards(play: ScriptedPosition) -> int:
    """All race cards, wherever they are."""
    held = sum(sum(hand.values()) for hand in play["hands"])
    placed = sum(len(cards) for cards in play["lanes"])
    return held + placed + len(play["pile"]) + sum(play["out_of_game"].values())
