"""Hand-made positions of Dino Race for the clause tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from racegym.engine.chance import DEALS, DICE, TIES
from racegym.testing import Die, Order, Pick, ScriptedPosition, scripted

CARDS = ("plains", "desert", "swamp", "jungle", "wild", "push", "egg", "steal")
DECK = {card: 4 if card in ("push", "egg", "steal") else 8 for card in CARDS}
#: The track of the tests: tile 1 plains, 2 desert, 3 swamp, 4 jungle, 5 plains … 12 jungle.
TILES = list(CARDS[:4]) * 3
FACES = ("plains", "desert", "swamp", "jungle", "two", "eruption")


def cards(text: str) -> dict[str, int]:
    """``"plains wild wild"`` as counts by kind, all kinds."""
    counts = Counter(text.split())
    assert counts.keys() <= set(CARDS)
    return {card: counts[card] for card in CARDS}


def die(face: str) -> Die:
    """The event die shows a face."""
    return Die(1 + FACES.index(face), DICE)


def random_card(index: int, among: int) -> Pick:
    """The ``index``-th card of a hand sorted by kind is drawn at random."""
    return Pick(index, among, TIES)


def shuffled(text: str) -> Order:
    """The discards are shuffled into this draw pile, next card first."""
    return Order([CARDS.index(card) for card in text.split()], DEALS)


def egg_counter(index: int) -> Pick:
    """The ``index``-th of the four egg counters is drawn."""
    return Pick(index, 4, DEALS)


def scene(
    position: Sequence[Sequence[int]],
    hands: Sequence[str] = (),
    pile: str = "jungle jungle jungle jungle jungle jungle",
    discards: str | None = None,
    player: int = 0,
    egg: int = 0,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> ScriptedPosition:
    """A turn of ``player``; cards that are nowhere else are discarded, or put away if told so.

    With one dinosaur per player it is team play.  Prizes are won and left from id 0 on.
    """
    n, each = len(position), len(position[0])
    given = {"num_players": n, "teams": each == 1, **(options or {})}
    held = [cards(text) for text in (*hands, *[""] * (n - len(hands)))]
    used = Counter(pile.split())
    for hand in held:
        used.update(hand)
    rest = {card: DECK[card] - used[card] for card in CARDS}
    assert min(rest.values()) >= 0, f"more cards than there are: {rest}"
    state = {
        "tiles": TILES,
        "position": [list(row) for row in position],
        "hands": held,
        "pile": pile.split(),
        "discards": rest if discards is None else cards(discards),
        "egg": egg,
        "current": player,
        "to_act": player,
    }
    if given.get("variant") != "survive":
        home = sum(row.count(12) for row in position)
        ids = iter(range(12))
        won = [[next(ids) for at in row if at == 12] for row in position]
        left = list(range(home, n * each))
        state |= {"prizes": won, "prizes_left": left}
    return scripted("dino_race", given, state | fields)


def moves(play: ScriptedPosition, kind: str = "") -> list[str]:
    """The legal actions that begin with a word."""
    return [text for text in play.legal() if text.startswith(kind)]


def hand(play: ScriptedPosition, p: int) -> str:
    """The cards of a player in order, as a text."""
    held = play["hands"][p]
    return " ".join(card for card in CARDS for _ in range(held[card]))


def kinds(play: ScriptedPosition) -> list[str]:
    """The kinds of the latest events, in order."""
    return [event["kind"] for event in play.events]


def drawn(play: ScriptedPosition) -> list[tuple[int, str]]:
    """Who drew which card in the latest step, in order."""
    return [(event["player"], event["card"]) for event in play.of_kind("drew")]


def finished(
    prizes: Sequence[Sequence[int]],
    drops: Sequence[int] = (),
    egg: int = 0,
    value: int | None = 6,
    teams: bool = False,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> ScriptedPosition:
    """A game that is over, with these prizes; ``value`` of the egg counter None: it was cut."""
    n = len(prizes)
    each = 1 if teams else 2
    state = {
        "position": [[12] * len(won) + [11] * (each - len(won)) for won in prizes],
        "prizes": [list(won) for won in prizes],
        "drops": list(drops) or [0] * n,
        "egg": egg,
        "egg_counter": None if value is None else {"value": value, "player": egg},
        "phase": "end",
        "to_act": None,
    }
    given = {"num_players": n, "teams": teams, **(options or {})}
    return scripted("dino_race", given, state | fields)
