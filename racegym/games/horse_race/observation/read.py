"""Reading the observations of Horse Race back, the proof that they tell everything.

All facts come from the declarations of the parts; what is left to do here is naming cards and
horses, which observations have in the observer's own order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racegym.games.horse_race.board import own_order
from racegym.games.horse_race.observation.parts import FLAT, FULL, HORSE_ROW, ROWS, SLOT, TOKEN
from racegym.games.horse_race.state import BETS, CARDS, HORSES, MAX_PLAYERS, SLOTS


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer."""
    pieces = FLAT.pieces(vector)
    return _decoded(pieces, SLOT.columns(pieces.pop("lane")))


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with hands, bets, placed cards and pile."""
    facts, told = decode_flat(vector), FULL.facts(vector)
    order = own_order(facts["bets"][0])
    for q in range(1, facts["num_players"]):
        facts["hands"][q] = _by_card(order, told[f"hand_{q}"])
        places = [told[f"backed_{i}_{q}"] for i in range(1, BETS + 1)]
        facts["bets"][q] = [order[place - 1] for place in places if place]
    cards = _cards(order)
    return {**facts, "pile": [cards[card - 1] for card in told["pile"] if card]}


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    pieces = {
        "player": TOKEN.read(rows[:MAX_PLAYERS], "player"),
        "kind": _kinds_as_in_flat(rows[ROWS.kinds : ROWS.slots]),
        "table": TOKEN.read(rows[ROWS.table], "table"),
    }
    return _decoded(pieces, TOKEN.columns(rows[ROWS.slots : ROWS.table]))


def _kinds_as_in_flat(rows: np.ndarray) -> np.ndarray:
    """The rows of kinds of cards in the order of ``KIND``; who is backed is told by players."""
    horses = TOKEN.read(rows[:HORSES], "horse")
    parts = [np.zeros((1, HORSES)), TOKEN.read(rows, "kind").T]
    parts += [HORSE_ROW.read(horses, name).T for name in ("points", "out", "rears")]
    return np.concatenate([part.ravel() for part in parts])


def _decoded(pieces: dict[str, np.ndarray], slots: dict[str, Any]) -> dict[str, Any]:
    facts = FLAT.told_by(pieces)
    facts["bets"] = [[h for h in horses if h] for horses in facts["bets"]]
    order = own_order(facts["bets"][0])
    facts["pile"] = [None] * facts.pop("pile_size")
    hand = _by_card(order, facts.pop("hand"))
    facts["hands"] = [hand, *({} for _ in range(1, facts["num_players"]))]
    for name in ("out_of_game", "under", "under_drawn"):
        facts[name] = _by_card(order, facts[name])
    for name in ("points", "rears"):
        facts[name] = [facts[name][order.index(h)] for h in range(1, HORSES + 1)]
    out = (facts.pop("out_1"), facts.pop("out_2"))
    facts["horses_out"] = [order[place - 1] for place in out if place]
    lanes = [slice(lane * SLOTS, (lane + 1) * SLOTS) for lane in facts["lanes"]]
    facts["lanes"] = [_lane(order, slots, lane) for lane in lanes]
    return facts


def _lane(order: Sequence[int], slots: dict[str, Any], lane: slice) -> list[dict[str, Any]]:
    """The cards placed in a lane, without its empty slots."""
    cards = (None, *_cards(order))
    placed = zip(slots["card"][lane], slots["up"][lane], slots["by"][lane], strict=True)
    return [{"card": cards[card], "up": up, "by": by - 1} for card, up, by in placed if by]


def _cards(order: Sequence[int]) -> tuple[str, ...]:
    """The kinds of cards in the observer's own order."""
    return (*(CARDS[h - 1] for h in order), *CARDS[HORSES:])


def _by_card(order: Sequence[int], counts: list[int]) -> dict[str, int]:
    return {card: k for card, k in zip(_cards(order), counts, strict=True) if k}
