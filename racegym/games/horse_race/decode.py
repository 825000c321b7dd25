"""Reading the observations of Horse Race back, the proof that they tell everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from racegym.games.horse_race.board import CARDS, own_order
from racegym.games.horse_race.observation import (
    BANK,
    COMMON,
    DOWN,
    FALLS_AT,
    FIRST_KIND_ROW,
    FIRST_SLOT,
    FIRST_SLOT_ROW,
    FLAT,
    FULL,
    HAND_SIZE,
    KIND_PARTS,
    KNOWN_FRONTS,
    LENGTH,
    MUST_OPEN,
    NUM_BETS,
    OWN_STAKES,
    PASSES,
    PER_KIND,
    PER_POINT,
    PILE_SIZE,
    PLACER,
    PLAYER,
    PLAYER_SIZE,
    PURSE,
    SLOT_SIZE,
    TABLE,
    TABLE_ROW,
    TOKEN_CARD,
    TOKEN_DOWN,
    TOKEN_KIND,
    TOKEN_OUT,
    TOKEN_PLAYER,
    TOKEN_POINTS,
    TOKEN_REARS,
    TOKEN_SEAT,
    TOKEN_SIZE,
    TOKEN_TABLE,
    TURNS,
    UNDER_LEFT,
)
from racegym.games.horse_race.state import (
    BETS,
    COUNTERS,
    HAND,
    HORSES,
    KINDS,
    LANES,
    LARGEST_PURSE,
    MAX_PLAYERS,
    MOST_OUT,
    MOST_REARS,
    PHASES,
    SCORING,
    SLOTS,
)
from racegym.games.horse_race.state import CARDS as DECK


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer.

    The ``stakes`` say nothing new and are left out.
    """
    players = vector[: MAX_PLAYERS * PLAYER_SIZE].reshape(MAX_PLAYERS, PLAYER_SIZE)
    facts = _decode(players, vector[COMMON:FIRST_SLOT])
    cards = _own_cards(facts)
    slots = vector[FIRST_SLOT:OWN_STAKES].reshape(LANES, SLOTS, SLOT_SIZE)
    facts["lanes"] = [
        [
            _placed(cards, slot[:KINDS], slot[DOWN], _whole(slot[PLACER] * MAX_PLAYERS) - 1)
            for slot in lane
        ]
        for lane in slots[: facts.pop("num_lanes")]
    ]
    kinds = [FLAT.read(vector, name) for name, _ in KIND_PARTS]
    outs = [_number(FLAT.read(vector, f"out_{i + 1}")) for i in range(MOST_OUT)]
    horses = {name: FLAT.read(vector, name) for name in ("points", "rears")}
    return _with_kinds(facts, kinds, horses, outs)


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with hands, bets, placed cards and pile."""
    facts = decode_flat(vector)
    cards, horses = _own_cards(facts), _own_order(facts)
    for q in range(1, facts["num_players"]):
        facts["hands"][q] = _by_card(cards, _counts(FULL.read(vector, f"hand_{q}"), HAND))
        backed = [_number(FULL.read(vector, f"backed_{i + 1}_{q}")) for i in range(BETS)]
        facts["bets"][q] = [horses[place - 1] for place in backed if place]
    pile = _counts(FULL.read(vector, "pile"), KINDS)
    facts["pile"] = [cards[card - 1] for card in pile if card]
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    facts = _decode(rows[:MAX_PLAYERS, TOKEN_PLAYER:TOKEN_TABLE], rows[TABLE_ROW, TOKEN_TABLE:])
    cards = _own_cards(facts)
    slots = rows[FIRST_SLOT_ROW:TABLE_ROW].reshape(LANES, SLOTS, TOKEN_SIZE)
    card = slice(TOKEN_CARD, TOKEN_CARD + KINDS)
    seat = slice(TOKEN_SEAT, TOKEN_SEAT + MAX_PLAYERS)
    facts["lanes"] = [
        [_placed(cards, slot[card], slot[TOKEN_DOWN], _number(slot[seat]) - 1) for slot in lane]
        for lane in slots[: facts.pop("num_lanes")]
    ]
    by_kind = rows[FIRST_KIND_ROW:FIRST_SLOT_ROW]
    kinds = [by_kind[:, TOKEN_KIND + i] for i in range(len(KIND_PARTS))]
    outs = [_number(by_kind[:, TOKEN_OUT + i]) for i in range(MOST_OUT)]
    horses = {"points": by_kind[:HORSES, TOKEN_POINTS], "rears": by_kind[:HORSES, TOKEN_REARS]}
    return _with_kinds(facts, kinds, horses, outs)


def _whole(value: Any) -> int:
    return round(float(value))


def _counts(values: np.ndarray, scale: Any) -> list[int]:
    return [int(k) for k in np.rint(values * scale)]


def _number(one_hot: np.ndarray) -> int:
    """1 … n of a one-hot part, 0 if it is all zero."""
    return int(one_hot.argmax()) + 1 if one_hot.any() else 0


def _seat(flags: np.ndarray) -> int | None:
    return int(flags.argmax()) if flags.any() else None


def _own_order(facts: dict[str, Any]) -> tuple[int, ...]:
    """The horses in the observer's own order."""
    return own_order(facts["bets"][0])


def _own_cards(facts: dict[str, Any]) -> list[str]:
    """The kinds of cards in the observer's own order."""
    return [*(CARDS[h - 1] for h in _own_order(facts)), *CARDS[HORSES:]]


def _by_card(cards: list[str], counts: list[int]) -> dict[str, int]:
    return {card: k for card, k in zip(cards, counts, strict=True) if k}


def _placed(cards: list[str], card: np.ndarray, down: Any, by: int) -> dict[str, Any] | None:
    """A placed card; None for an empty slot."""
    if by < 0:
        return None
    number = _number(card)
    return {"card": cards[number - 1] if number else None, "up": down == 0, "by": by}


def _decode(players: np.ndarray, common: np.ndarray) -> dict[str, Any]:
    n = int(players[:, 0].sum())
    seated = players[:n]
    max_turns = _whole(1 / float(common[LENGTH]))
    facts: dict[str, Any] = {
        "num_players": n,
        "phase": PHASES[_number(TABLE.read(common, "phase")) - 1],
        "stage": _number(TABLE.read(common, "stage")),
        "turn": _whole(float(common[TURNS]) * max_turns),
        "max_turns": max_turns,
        "must_open": bool(common[MUST_OPEN]),
        "passes": _whole(common[PASSES] * MAX_PLAYERS),
        "bank": _whole(common[BANK] * COUNTERS),
        "pile": [None] * _whole(common[PILE_SIZE] * DECK),
        "under_left": _whole(common[UNDER_LEFT] * DECK),
        "num_lanes": int(TABLE.read(common, "lanes").sum()),
        "falls": bool(common[FALLS_AT]),
        "scoring": SCORING[_number(TABLE.read(common, "scoring")) - 1],
        "reward": ("win", "rank", "score")[_number(TABLE.read(common, "reward")) - 1],
        "counters": _counts(seated[:, PURSE], LARGEST_PURSE),
        "hand_size": _counts(seated[:, HAND_SIZE], HAND),
        "fronts": _counts(seated[:, KNOWN_FRONTS], HAND),
        "num_bets": _counts(seated[:, NUM_BETS], BETS),
        "bets": [[h for h in _counts(PLAYER.read(p, "bets"), HORSES) if h] for p in seated],
    }
    for name in ("to_act", "starter", "last_placer"):
        facts[name] = _seat(PLAYER.read(seated, name)[:, 0])
    return facts


def _with_kinds(
    facts: dict[str, Any], kinds: list[np.ndarray], horses: dict[str, np.ndarray], outs: list[int]
) -> dict[str, Any]:
    hand, *rest = kinds
    order, cards = _own_order(facts), _own_cards(facts)
    facts["lanes"] = [[placed for placed in lane if placed] for lane in facts["lanes"]]
    others: Iterator[dict[str, int]] = ({} for _ in range(1, facts["num_players"]))
    facts["hands"] = [_by_card(cards, _counts(hand, HAND)), *others]
    for (name, _), values in zip(KIND_PARTS[1:], rest, strict=True):
        facts[name] = _by_card(cards, _counts(values, 1 / PER_KIND))
    for name, scale in (("points", 1 / PER_POINT), ("rears", MOST_REARS)):
        own = _counts(horses[name], scale)
        facts[name] = [own[order.index(h)] for h in range(1, HORSES + 1)]
    facts["horses_out"] = [order[place - 1] for place in outs if place]
    return facts
