"""What a seat sees of Horse Race, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Every encoder writes float32 from 0 to 8.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Table
from racegym.games.horse_race.board import CARDS
from racegym.games.horse_race.rules import (
    BETS,
    COUNTERS,
    EMPTIES,
    END,
    FRONTS,
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
from racegym.games.horse_race.rules import CARDS as DECK

HIGH = 8.0  # points / 10 of a horse: at most 72
PER_HORSE, PER_POINT, PER_COUNTER = 1.0 / HORSES, 0.1, 1.0 / LARGEST_PURSE
PER_HELD, PER_CARD, PER_SEAT = 1.0 / HAND, 1.0 / DECK, 1.0 / MAX_PLAYERS
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
        ("card", KINDS, "one-hot: card that lies there, if the observer knows it: R1-R9, F, E"),
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


def _flat_table() -> Table:
    parts = []
    for q in range(MAX_PLAYERS):
        who = "own" if q == 0 else f"seat +{q}"
        for part in PLAYER.slices.values():
            parts.append((f"player_{q}.{part.name}", part.length, f"{who}: {part.meaning}"))
    for i in range(BETS):
        meaning = f"one-hot: horse that the observer backed {('first', 'second', 'third')[i]}"
        parts.append((f"backed_{i + 1}", HORSES, meaning))
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
    FLAT.start("backed_1"),
    FLAT.start("hand"),
    FLAT.start("out_of_game"),
)
UNDER, UNDER_DRAWN = FLAT.start("under"), FLAT.start("under_drawn")
POINTS, OUT, REARS = FLAT.start("points"), FLAT.start("out_1"), FLAT.start("rears")
COMMON, FIRST_SLOT = FLAT.start("phase"), FLAT.start("lane_1.slot_1.card")

PHASE, STAGE, MUST_OPEN = TABLE.start("phase"), TABLE.start("stage"), TABLE.start("must_open")
PASSES, BANK, PILE_SIZE = TABLE.start("passes"), TABLE.start("bank"), TABLE.start("pile_size")
UNDER_LEFT, LANES_AT, FALLS = TABLE.start("under_left"), TABLE.start("lanes"), TABLE.start("falls")
SCORING_AT, REWARD = TABLE.start("scoring"), TABLE.start("reward")
TURNS, LENGTH = TABLE.start("turns"), TABLE.start("length")

HANDS, OTHERS_BACKED, PILE = FULL.start("hand_1"), FULL.start("backed_1_1"), FULL.start("pile")


# --- parts ---------------------------------------------------------------------------------------


@compiled
def write_player(s, p, own, out, at):
    """One player's part, from ``out[at]`` on; ``own`` if the observer is this player."""
    out[at] = 1.0
    out[at + TO_ACT] = s.to_act == p
    out[at + STARTER] = s.starter == p
    out[at + LAST_PLACER] = s.last_placer == p
    out[at + PURSE] = s.counters[p] * PER_COUNTER
    out[at + HAND_SIZE] = s.hand_size[p] * PER_HELD
    out[at + KNOWN_FRONTS] = s.fronts[p] * PER_HELD
    out[at + NUM_BETS] = s.num_bets[p] / BETS
    if own or s.phase == END:
        for i in range(BETS):
            out[at + BETS_AT + i] = horse_backed(s, p, i) * PER_HORSE


@compiled
def horse_backed(s, p, i):
    """The horse that a player backed in place ``i``, 0 if none."""
    return s.revealed[p, i] if s.phase == END else s.bets[p, i]


@compiled
def write_bets(s, p, out, at):
    """The horses backed by a player, one-hot, from ``out[at]`` on."""
    for i in range(BETS):
        horse = horse_backed(s, p, i)
        if horse > 0:
            out[at + i * HORSES + horse - 1] = 1.0


@compiled
def write_slot(s, seat, lane, slot, out, at):
    """A slot that holds a card, as the observer sees it, from ``out[at]`` on."""
    card = s.lane_card[lane, slot]
    p = s.placer[lane, slot]
    if card == 0:
        out[at + DOWN] = 1.0
        if p == seat:
            card = s.down[p, lane, slot]
    if card > 0:
        out[at + card - 1] = 1.0
    q = p - seat
    out[at + PLACER] = (q + 1 if q >= 0 else q + 1 + s.num_players) * PER_SEAT


@compiled
def write_common(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + PHASE + s.phase] = 1.0
    out[at + STAGE + s.stage - 1] = 1.0
    out[at + MUST_OPEN] = s.must_open
    out[at + PASSES] = s.passes * PER_SEAT
    out[at + BANK] = s.bank / COUNTERS
    out[at + PILE_SIZE] = s.pile_size * PER_CARD
    out[at + UNDER_LEFT] = s.under_left * PER_CARD
    for lane in range(s.num_lanes):
        out[at + LANES_AT + lane] = 1.0
    out[at + FALLS] = s.falls
    out[at + SCORING_AT + s.scoring] = 1.0
    out[at + REWARD + s.reward] = 1.0
    out[at + TURNS] = s.turn / s.max_turns
    out[at + LENGTH] = 1.0 / s.max_turns


# --- encoders ------------------------------------------------------------------------------------


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: players, cards and horses by kind, the common part, the lanes."""
    out[:] = 0.0
    p = seat
    for q in range(s.num_players):
        write_player(s, p, q == 0, out, q * PLAYER_SIZE)
        p = p + 1 if p + 1 < s.num_players else 0
    write_bets(s, seat, out, BACKED)
    for kind in range(KINDS):
        out[OWN_HAND + kind] = s.hands[seat, kind] * PER_HELD
        out[OUT_OF_GAME + kind] = s.out_of_game[kind] * PER_KIND[kind]
        out[UNDER + kind] = s.under[kind] * PER_KIND[kind]
        out[UNDER_DRAWN + kind] = s.under_drawn[seat, kind] * PER_KIND[kind]
    for h in range(HORSES):
        out[POINTS + h] = s.points[h] * PER_POINT
        out[REARS + h] = s.rears[h] * PER_KIND[h]
    for i in range(MOST_OUT):
        if s.horses_out[i] > 0:
            out[OUT + i * HORSES + s.horses_out[i] - 1] = 1.0
    write_common(s, out, COMMON)
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            write_slot(s, seat, lane, slot, out, FIRST_SLOT + (lane * SLOTS + slot) * SLOT_SIZE)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat`` with all cards face up, then hands, bets and pile."""
    write_flat(s, seat, out)
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            if s.lane_card[lane, slot] == 0:
                card = s.down[s.placer[lane, slot], lane, slot]
                out[FIRST_SLOT + (lane * SLOTS + slot) * SLOT_SIZE + card - 1] = 1.0
    for q in range(1, s.num_players):
        p = (seat + q) % s.num_players
        for kind in range(KINDS):
            out[HANDS + (q - 1) * KINDS + kind] = s.hands[p, kind] * PER_HELD
        write_bets(s, p, out, OTHERS_BACKED + (q - 1) * BETS * HORSES)
    for i in range(s.pile_size):
        out[PILE + i] = s.pile[s.pile_size - 1 - i] / KINDS


# Rows of ``tokens``: four players, eleven kinds of cards, the slots of the lanes, the table.
FIRST_KIND_ROW, FIRST_SLOT_ROW = MAX_PLAYERS, MAX_PLAYERS + KINDS
TABLE_ROW = FIRST_SLOT_ROW + LANES * SLOTS
TOKEN_ROWS = TABLE_ROW + 1
TOKEN = Table(
    [
        ("type", 4, "one-hot: player, kind of card, placed card, table; zero for an empty row"),
        ("seat", MAX_PLAYERS, "one-hot: relative seat (players; who placed a card)"),
        ("card", KINDS, "one-hot: R1-R9, F, E (kinds; placed cards the observer knows)"),
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


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, kind of card and placed card, and one for the table."""
    out[:, :] = 0.0
    for q in range(s.num_players):
        row = out[q]
        row[0] = 1.0
        row[TOKEN_SEAT + q] = 1.0
        write_player(s, (seat + q) % s.num_players, q == 0, row, TOKEN_PLAYER)
    for kind in range(KINDS):
        write_kind_row(s, seat, kind, out[FIRST_KIND_ROW + kind])
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            write_slot_row(s, seat, lane, slot, out[FIRST_SLOT_ROW + lane * SLOTS + slot])
    row = out[TABLE_ROW]
    row[3] = 1.0
    write_common(s, row, TOKEN_TABLE)


@compiled
def write_kind_row(s, seat, kind, row):
    """A kind of card; for rears its horse as well."""
    row[1] = 1.0
    row[TOKEN_CARD + kind] = 1.0
    row[TOKEN_KIND] = s.hands[seat, kind] * PER_HELD
    row[TOKEN_KIND + 1] = s.out_of_game[kind] * PER_KIND[kind]
    row[TOKEN_KIND + 2] = s.under[kind] * PER_KIND[kind]
    row[TOKEN_KIND + 3] = s.under_drawn[seat, kind] * PER_KIND[kind]
    if kind < HORSES:
        row[TOKEN_REARS] = s.rears[kind] * PER_KIND[kind]
        row[TOKEN_POINTS] = s.points[kind] * PER_POINT
        for i in range(BETS):
            row[TOKEN_BACKED + i] = horse_backed(s, seat, i) == kind + 1
        for i in range(MOST_OUT):
            row[TOKEN_OUT + i] = s.horses_out[i] == kind + 1


@compiled
def write_slot_row(s, seat, lane, slot, row):
    """A placed card, as the observer sees it."""
    row[2] = 1.0
    p = s.placer[lane, slot]
    row[TOKEN_SEAT + (p - seat if p >= seat else p - seat + s.num_players)] = 1.0
    card = s.lane_card[lane, slot]
    if card == 0:
        row[TOKEN_DOWN] = 1.0
        if p == seat:
            card = s.down[p, lane, slot]
    if card > 0:
        row[TOKEN_CARD + card - 1] = 1.0
    row[TOKEN_LANE + lane] = 1.0
    row[TOKEN_SLOT + slot] = 1.0


# --- reading them back ---------------------------------------------------------------------------


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer."""
    players = vector[: MAX_PLAYERS * PLAYER_SIZE].reshape(MAX_PLAYERS, PLAYER_SIZE)
    facts = _decode(players, vector[COMMON:FIRST_SLOT])
    slots = vector[FIRST_SLOT : FLAT.size].reshape(LANES, SLOTS, SLOT_SIZE)
    facts["lanes"] = [
        [_placed(slot[:KINDS], slot[DOWN], _whole(slot[PLACER] * MAX_PLAYERS) - 1) for slot in lane]
        for lane in slots[: facts.pop("num_lanes")]
    ]
    kinds = [FLAT.read(vector, name) for name, _ in KIND_PARTS]
    outs = [_number(FLAT.read(vector, f"out_{i + 1}")) for i in range(MOST_OUT)]
    horses = {name: FLAT.read(vector, name) for name in ("points", "rears")}
    return _with_kinds(facts, kinds, horses, outs)


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with hands, bets, placed cards and pile."""
    facts = decode_flat(vector)
    for q in range(1, facts["num_players"]):
        facts["hands"][q] = _by_card(_counts(FULL.read(vector, f"hand_{q}"), HAND))
        backed = [_number(FULL.read(vector, f"backed_{i + 1}_{q}")) for i in range(BETS)]
        facts["bets"][q] = [horse for horse in backed if horse]
    pile = _counts(FULL.read(vector, "pile"), KINDS)
    facts["pile"] = [CARDS[card - 1] for card in pile if card]
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    facts = _decode(rows[:MAX_PLAYERS, TOKEN_PLAYER:TOKEN_TABLE], rows[TABLE_ROW, TOKEN_TABLE:])
    slots = rows[FIRST_SLOT_ROW:TABLE_ROW].reshape(LANES, SLOTS, TOKEN_SIZE)
    card = slice(TOKEN_CARD, TOKEN_CARD + KINDS)
    seat = slice(TOKEN_SEAT, TOKEN_SEAT + MAX_PLAYERS)
    facts["lanes"] = [
        [_placed(slot[card], slot[TOKEN_DOWN], _number(slot[seat]) - 1) for slot in lane]
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


def _by_card(counts: list[int]) -> dict[str, int]:
    return {card: k for card, k in zip(CARDS, counts, strict=True) if k}


def _placed(card: np.ndarray, down: Any, by: int) -> dict[str, Any] | None:
    """A placed card; None for an empty slot."""
    if by < 0:
        return None
    number = _number(card)
    return {"card": CARDS[number - 1] if number else None, "up": down == 0, "by": by}


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
        "falls": bool(common[FALLS]),
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
    facts["lanes"] = [[placed for placed in lane if placed] for lane in facts["lanes"]]
    facts["hands"] = [_by_card(_counts(hand, HAND)), *({} for _ in range(1, facts["num_players"]))]
    for (name, _), values in zip(KIND_PARTS[1:], rest, strict=True):
        facts[name] = _by_card(_counts(values, 1 / PER_KIND))
    facts["points"] = _counts(horses["points"], 1 / PER_POINT)
    facts["rears"] = _counts(horses["rears"], MOST_REARS)
    facts["horses_out"] = [horse for horse in outs if horse]
    return facts


ENCODERS = (
    Encoder("flat", 1, (FLAT.size,), write_flat, FLAT, decode_flat, high=HIGH),
    Encoder("full", 1, (FULL.size,), write_full, FULL, decode_full, high=HIGH, hides=False),
    Encoder("tokens", 1, (TOKEN_ROWS, TOKEN.size), write_tokens, TOKEN, decode_tokens, high=HIGH),
)
