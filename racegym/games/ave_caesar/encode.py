"""What a seat sees of Ave Caesar, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Every encoder writes float32 in [0, 1].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Table
from racegym.games.ave_caesar.board import FINISHED, REMOVED
from racegym.games.ave_caesar.moves import is_leading
from racegym.games.ave_caesar.notation import CARDS, SLOT_TEXTS
from racegym.games.ave_caesar.state import (
    COPIES,
    CROSSINGS,
    DECK,
    FINISH_SLOT,
    FREE,
    HAND,
    MAX_PLAYERS,
    MAX_RACES,
    OVER_LINE,
    SLOTS,
    SPACE_PART,
    VALUES,
)
from racegym.games.ave_caesar.tracks import (
    DIRECTIONS,
    LARGEST_LANE,
    MAX_SPACES,
    NAMES,
    OWN,
    track_of,
)

ALL_STEPS = COPIES * VALUES * (VALUES + 1) // 2  # 84 points of cards
MOST_POINTS = 6 * MAX_RACES
MOST_LOST = 2 * MAX_PLAYERS
NEAR, MARGIN, MOST_WASTE = 12, 16, 8
PER_SPACE, PER_LANE, PER_PLAYER = 1.0 / MAX_SPACES, 1.0 / LARGEST_LANE, 1.0 / MAX_PLAYERS
PER_COPY, PER_CARD, PER_STEP, PER_POINT = (
    1.0 / COPIES,
    1.0 / HAND,
    1.0 / ALL_STEPS,
    1.0 / MOST_POINTS,
)
PER_DECK = 1.0 / (DECK - HAND)

#: One player's part of ``flat``, and the features of a player's row in ``tokens``.
PLAYER = Table(
    [
        ("present", 1, "1 if the seat is taken"),
        ("status", 4, "one-hot: racing, finished, stranded on the course, taken off"),
        ("to_act", 1, "1 for the player to act"),
        ("leading", 1, "1 for a leading chariot; nobody leads once one has finished"),
        ("starter", 1, "1 for the player who began the race"),
        ("space", 1, "(number of the space, by progress, + 1) / 120; 0 on none"),
        ("left_from", 1, "the same for the space the chariot was taken off; 0 if it was not"),
        ("crossed", CROSSINGS + 1, "one-hot: times over the line, 0-4"),
        ("coin", 1, "1 while the coin is not paid"),
        ("to_line", 1, "steps to the next crossing of the line / lap length, at most 1"),
        ("to_go", 1, "distance to go / (4 x lap length), at most 1"),
        ("behind", 1, "distance to go less the observer's: 0.5 + steps / 24, within 0-1"),
        ("lane", 1, "spaces level with it that lie further inside / 7 (1 in the alley)"),
        ("neck", 1, "1 on a space that bars every way round"),
        ("unplayed", VALUES, "cards of each value 1-6 in hand and deck / 4"),
        ("steps_left", 1, "steps of all these cards together / 84"),
        ("spare", 1, "these steps less the distance to go: 0.5 + steps / 32, within 0-1"),
        ("hand_size", 1, "cards in hand / 3"),
        ("deck_size", 1, "cards in the deck / 21"),
        ("lost_last", 1, "1 if the player lost its latest turn"),
        ("place", 1, "place of a player who has finished / 6, else 0"),
        ("stranded_as", 1, "1 for the first to strand, 2 for the second … / 6, else 0"),
        ("points", 1, "points of the races that are over / 24"),
    ]
)

#: One card value of the observer: its part of ``flat`` and its row in ``tokens``.
CARD = Table(
    [
        ("in_hand", 1, "cards of this value in the own hand / 3"),
        ("in_deck", 1, "cards of this value in the own deck / 4"),
        (
            "keeps",
            SLOTS,
            "if the observer is to act, for each action of the card whose way is free (in hand or "
            "not): (8 - steps lost against the shortest way) / 8, at least 1/8; else 0",
        ),
        ("bars", SLOTS, "for the same actions: 1 if the space reached bars every way round"),
    ]
)

#: What concerns all players alike.
TABLE = Table(
    [
        ("course", len(NAMES) + 1, "one-hot: white, blue, yellow, red, a course of the user's own"),
        ("direction", 1, "1 counter-clockwise"),
        ("races", MAX_RACES, "one-hot: races of the tournament"),
        ("race", MAX_RACES, "one-hot: number of the race"),
        ("removing", 1, "1 if stranded chariots are taken off"),
        ("lost_in_a_row", 1, "turns lost in a row / 12"),
        ("turns", 1, "turn / max_turns"),
        ("length", 1, "1 / max_turns"),
        ("reward", 3, "one-hot: reward scheme win, rank, score"),
    ]
)


def _flat_table() -> Table:
    parts = []
    for q in range(MAX_PLAYERS):
        who = "own" if q == 0 else f"seat +{q}"
        for part in PLAYER.slices.values():
            parts.append((f"player_{q}.{part.name}", part.length, f"{who}: {part.meaning}"))
    for card in CARDS:
        for part in CARD.slices.values():
            parts.append((f"card_{card}.{part.name}", part.length, f"card {card}: {part.meaning}"))
    parts += [(p.name, p.length, p.meaning) for p in TABLE.slices.values()]
    return Table(parts)


FLAT = _flat_table()
FULL = Table(
    [(p.name, p.length, p.meaning) for p in FLAT.slices.values()]
    + [
        (f"hand_{q}", VALUES, f"cards of each value 1-6 in the hand of seat +{q} / 3")
        for q in range(MAX_PLAYERS)
    ]
)

PLAYER_SIZE, CARD_SIZE = PLAYER.size, CARD.size
STATUS, TO_ACT, LEADING = PLAYER.start("status"), PLAYER.start("to_act"), PLAYER.start("leading")
STARTER, SPACE = PLAYER.start("starter"), PLAYER.start("space")
LEFT_FROM, CROSSED, COIN = (PLAYER.start(k) for k in ("left_from", "crossed", "coin"))
TO_LINE, TO_GO, BEHIND = PLAYER.start("to_line"), PLAYER.start("to_go"), PLAYER.start("behind")
LANE, NECK, UNPLAYED = PLAYER.start("lane"), PLAYER.start("neck"), PLAYER.start("unplayed")
STEPS_LEFT, SPARE = PLAYER.start("steps_left"), PLAYER.start("spare")
HAND_SIZE, DECK_SIZE = PLAYER.start("hand_size"), PLAYER.start("deck_size")
LOST_LAST, PLACE = PLAYER.start("lost_last"), PLAYER.start("place")
STRANDED_AS, POINTS = PLAYER.start("stranded_as"), PLAYER.start("points")

IN_HAND, IN_DECK, KEEPS, BARS = (CARD.start(k) for k in ("in_hand", "in_deck", "keeps", "bars"))

CARDS_AT = MAX_PLAYERS * PLAYER_SIZE
COMMON = CARDS_AT + VALUES * CARD_SIZE
DIRECTION, RACES, RACE = TABLE.start("direction"), TABLE.start("races"), TABLE.start("race")
REMOVING, LOST_IN_A_ROW = TABLE.start("removing"), TABLE.start("lost_in_a_row")
TURNS, LENGTH, REWARD = TABLE.start("turns"), TABLE.start("length"), TABLE.start("reward")
HANDS = FLAT.size


@compiled
def within(x):
    """x, or the nearer bound of 0-1."""
    return min(max(x, 0.0), 1.0)


@compiled
def write_player(s, p, observer, out, at):
    """One player's part, from ``out[at]`` on."""
    out[at] = 1.0
    out[at + TO_ACT] = s.to_act == p
    out[at + STARTER] = s.starter == p
    out[at + CROSSED + s.crossed[p]] = 1.0
    out[at + COIN] = s.coin[p]
    out[at + HAND_SIZE] = s.hand_size[p] * PER_CARD
    out[at + DECK_SIZE] = s.deck_left[p] * PER_DECK
    out[at + LOST_LAST] = s.lost_last[p]
    out[at + POINTS] = s.points[p] * PER_POINT
    here = s.space[p]
    if s.racing[p]:
        out[at + STATUS] = 1.0
        out[at + LEADING] = is_leading(s, p)
    elif here >= 0:
        out[at + STATUS + 2] = 1.0
    else:
        out[at + STATUS + (1 if s.crossed[p] == CROSSINGS else 3)] = 1.0
        out[at + LEFT_FROM] = (s.left_from[p] + 1) * PER_SPACE
    if here >= 0:
        out[at + SPACE] = (here + 1) * PER_SPACE
        out[at + TO_LINE] = within(s.to_line[here] / s.lap)
        out[at + LANE] = s.lane[here] * PER_LANE
        out[at + NECK] = s.neck[here]
    steps = 0
    for c in range(VALUES):
        out[at + UNPLAYED + c] = s.unplayed[p, c] * PER_COPY
        steps += s.unplayed[p, c] * (c + 1)
    out[at + STEPS_LEFT] = steps * PER_STEP
    out[at + TO_GO] = within(s.to_go[p] / (CROSSINGS * s.lap))
    out[at + BEHIND] = within(0.5 + (s.to_go[p] - s.to_go[observer]) / (2 * NEAR))
    out[at + SPARE] = within(0.5 + (steps - s.to_go[p]) / (2 * MARGIN))


@compiled
def write_orders(s, observer, out, at, size):
    """In which order players finished and stranded; player q's part begins at at + q * size."""
    for i in range(s.num_finished):
        q = (s.finish_order[i] - observer + s.num_players) % s.num_players
        out[at + q * size + PLACE] = (i + 1) * PER_PLAYER
    for i in range(s.num_stranded):
        q = (s.strand_order[i] - observer + s.num_players) % s.num_players
        out[at + q * size + STRANDED_AS] = (i + 1) * PER_PLAYER


@compiled
def write_card(s, p, c, out, at):
    """The observer's cards of one value and where they lead, from ``out[at]`` on."""
    out[at + IN_HAND] = s.hand[p, c] * PER_CARD
    out[at + IN_DECK] = (s.unplayed[p, c] - s.hand[p, c]) * PER_COPY
    if s.to_act != p:
        return
    for k in range(SLOTS):
        end = s.ends[c, k]
        if end < FREE:
            continue
        if k == FINISH_SLOT:
            out[at + KEEPS] = 1.0
            continue
        space = end & SPACE_PART
        waste = c + 1 + s.to_line[space] - s.to_line[s.space[p]]
        if end & OVER_LINE:
            waste -= s.lap
        out[at + KEEPS + k] = within(max(MOST_WASTE - waste, 1) / MOST_WASTE)
        out[at + BARS + k] = s.neck[space]


@compiled
def write_common(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + min(s.course, len(NAMES))] = 1.0
    out[at + DIRECTION] = s.direction
    out[at + RACES + s.races - 1] = 1.0
    out[at + RACE + s.race - 1] = 1.0
    out[at + REMOVING] = s.removing
    out[at + LOST_IN_A_ROW] = within(s.lost_in_a_row / MOST_LOST)
    out[at + TURNS] = s.turn / s.max_turns
    out[at + LENGTH] = 1.0 / s.max_turns
    out[at + REWARD + s.reward] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: the six players' parts, the observer's cards, the common part."""
    out[:] = 0.0
    p = seat
    for q in range(s.num_players):
        write_player(s, p, seat, out, q * PLAYER_SIZE)
        p = p + 1 if p + 1 < s.num_players else 0
    write_orders(s, seat, out, 0, PLAYER_SIZE)
    for c in range(VALUES):
        write_card(s, seat, c, out, CARDS_AT + c * CARD_SIZE)
    write_common(s, out, COMMON)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then the hands of all players."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        p = (seat + q) % s.num_players
        for c in range(VALUES):
            out[HANDS + q * VALUES + c] = s.hand[p, c] * PER_CARD


# Rows of ``tokens``: six players, six card values, one for the table.
TOKEN_ROWS = MAX_PLAYERS + VALUES + 1
TOKEN = Table(
    [
        ("type", 3, "one-hot: player, card value, table; all zero for an empty row"),
        ("seat", MAX_PLAYERS, "one-hot: relative seat (players)"),
        ("value", VALUES, "one-hot: value (cards)"),
    ]
    + [(f"player.{p.name}", p.length, p.meaning) for p in PLAYER.slices.values()]
    + [(f"card.{p.name}", p.length, p.meaning) for p in CARD.slices.values()]
    + [(f"table.{p.name}", p.length, p.meaning) for p in TABLE.slices.values()]
)
TOKEN_SIZE, TOKEN_SEAT, TOKEN_VALUE = TOKEN.size, TOKEN.start("seat"), TOKEN.start("value")
TOKEN_PLAYER, TOKEN_CARD = TOKEN.start("player.present"), TOKEN.start("card.in_hand")
TOKEN_TABLE = TOKEN.start("table.course")


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, per card value, and one for the table."""
    entries = out.reshape(-1)
    entries[:] = 0.0
    for q in range(s.num_players):
        at = q * TOKEN_SIZE
        entries[at] = 1.0
        entries[at + TOKEN_SEAT + q] = 1.0
        write_player(s, (seat + q) % s.num_players, seat, entries, at + TOKEN_PLAYER)
    write_orders(s, seat, entries, TOKEN_PLAYER, TOKEN_SIZE)
    for c in range(VALUES):
        at = (MAX_PLAYERS + c) * TOKEN_SIZE
        entries[at + 1] = 1.0
        entries[at + TOKEN_VALUE + c] = 1.0
        write_card(s, seat, c, entries, at + TOKEN_CARD)
    at = (TOKEN_ROWS - 1) * TOKEN_SIZE
    entries[at + 2] = 1.0
    write_common(s, entries, at + TOKEN_TABLE)


# --- reading them back ---------------------------------------------------------------------------


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer.

    Of the others' cards it says only which are unplayed; they are given as if all were in the
    decks.  Spaces of a course of the user's own are given by number: ``"#5"``.
    """
    players = vector[:CARDS_AT].reshape(MAX_PLAYERS, PLAYER_SIZE)
    cards = vector[CARDS_AT:COMMON].reshape(VALUES, CARD_SIZE)
    return _decode(players, cards, vector[COMMON:HANDS])


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with everybody's ``hands`` and ``decks``."""
    facts = decode_flat(vector)
    for q in range(1, facts["num_players"]):
        hand = _counts(vector[HANDS + q * VALUES : HANDS + (q + 1) * VALUES], HAND)
        deck = {card: facts["decks"][q][card] - hand[card] for card in CARDS}
        facts["hands"][q], facts["decks"][q] = hand, deck
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    return _decode(
        rows[:MAX_PLAYERS, TOKEN_PLAYER:TOKEN_CARD],
        rows[MAX_PLAYERS : MAX_PLAYERS + VALUES, TOKEN_CARD:TOKEN_TABLE],
        rows[TOKEN_ROWS - 1, TOKEN_TABLE:],
    )


def _counts(part: np.ndarray, scale: int) -> dict[str, int]:
    return {card: round(float(x) * scale) for card, x in zip(CARDS, part, strict=True)}


def _whole(part: np.ndarray, scale: int) -> int:
    return round(float(part[0]) * scale)


def _order(seated: np.ndarray, name: str) -> list[int]:
    """Seats in the order that a slice numbers from 1; 0 is left out."""
    numbers = np.rint(PLAYER.read(seated, name)[:, 0] * MAX_PLAYERS).astype(int).tolist()
    return [numbers.index(k) for k in range(1, max(numbers) + 1)]


def _decode(players: np.ndarray, cards: np.ndarray, common: np.ndarray) -> dict[str, Any]:
    n = int(players[:, 0].sum())
    seated = players[:n]
    max_turns = round(1 / float(TABLE.read(common, "length")[0]))
    course = int(TABLE.read(common, "course").argmax())
    direction = int(TABLE.read(common, "direction")[0])
    to_act = PLAYER.read(seated, "to_act")[:, 0]
    starter = PLAYER.read(seated, "starter")[:, 0]
    unplayed = [_counts(PLAYER.read(row, "unplayed"), COPIES) for row in seated]
    own_hand = {
        card: _whole(CARD.read(row, "in_hand"), HAND)
        for card, row in zip(CARDS, cards, strict=True)
    }
    own_deck = {card: unplayed[0][card] - own_hand[card] for card in CARDS}
    nothing = dict.fromkeys(CARDS, 0)
    return {
        "num_players": n,
        "races": int(TABLE.read(common, "races").argmax()) + 1,
        "max_turns": max_turns,
        "reward": ("win", "rank", "score")[int(TABLE.read(common, "reward").argmax())],
        "removing": bool(TABLE.read(common, "removing")[0]),
        "race": int(TABLE.read(common, "race").argmax()) + 1,
        "course": (*NAMES, OWN)[course],
        "direction": DIRECTIONS[direction],
        "turn": round(float(TABLE.read(common, "turns")[0]) * max_turns),
        "to_act": int(to_act.argmax()) if to_act.any() else None,
        "space": [_space(row, course, direction) for row in seated],
        "left_from": [
            _space_name(_whole(PLAYER.read(row, "left_from"), MAX_SPACES) - 1, course, direction)
            for row in seated
        ],
        "crossed": [int(PLAYER.read(row, "crossed").argmax()) for row in seated],
        "coin": [bool(PLAYER.read(row, "coin")[0]) for row in seated],
        "hands": [own_hand] + [dict(nothing) for _ in range(n - 1)],
        "decks": [own_deck, *unplayed[1:]],
        "lost_last": [bool(PLAYER.read(row, "lost_last")[0]) for row in seated],
        "lost_in_a_row": _whole(TABLE.read(common, "lost_in_a_row"), MOST_LOST),
        "finish_order": _order(seated, "place"),
        "stranded": _order(seated, "stranded_as"),
        "points": [_whole(PLAYER.read(row, "points"), MOST_POINTS) for row in seated],
        "starter": int(starter.argmax()),
    }


def _space_name(number: int, course: int, direction: int) -> str | None:
    if number < 0:
        return None
    return f"#{number}" if course == len(NAMES) else track_of(course, direction).spaces[number]


def _space(row: np.ndarray, course: int, direction: int) -> str | None:
    number = _whole(PLAYER.read(row, "space"), MAX_SPACES) - 1
    if number >= 0:
        return _space_name(number, course, direction)
    return FINISHED if PLAYER.read(row, "status")[1] else REMOVED


assert len(SLOT_TEXTS) == SLOTS

ENCODERS = (
    Encoder("flat", 2, (FLAT.size,), write_flat, FLAT, decode_flat),
    Encoder("full", 2, (FULL.size,), write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 2, (TOKEN_ROWS, TOKEN.size), write_tokens, TOKEN, decode_tokens),
)
