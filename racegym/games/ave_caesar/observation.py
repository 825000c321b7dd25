"""What a seat sees of Ave Caesar, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Every encoder writes float32 in [0, 1].
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder
from racegym.engine.parts import (
    Parts,
    derived,
    each,
    flag,
    inside,
    inverse,
    one_hot,
    portion,
    reward_scheme,
    scaled,
    seat,
    seat_names,
)
from racegym.games.ave_caesar.board import FINISHED, REMOVED
from racegym.games.ave_caesar.board.tracks import (
    DIRECTIONS,
    LARGEST_LANE,
    MAX_SPACES,
    NAMES,
    OWN,
    track_of,
)
from racegym.games.ave_caesar.rules.moves import is_leading
from racegym.games.ave_caesar.state import (
    CARDS,
    COPIES,
    CROSSINGS,
    DECK,
    END,
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
    derived("present", "1 if the seat is taken"),
    one_hot("status", "", STATUS),
    seat("to_act", "1 for the player to act"),
    derived("leading", "1 for a leading chariot; nobody leads once one has finished"),
    seat("starter", "1 for the player who began the race"),
    scaled("space", "(number of the space, by progress, + 1)", MAX_SPACES, after="; 0 on none"),
    replace(
        scaled("left_from", "", MAX_SPACES),
        meaning="the same for the space the chariot was taken off; 0 if it was not",
    ),
    one_hot("crossed", "times over the line, 0-4", CROSSINGS + 1),
    flag("coin", "1 while the coin is not paid"),
    derived("to_line", "steps to the next crossing of the line / lap length, at most 1"),
    derived("to_go", "distance to go / (4 x lap length), at most 1"),
    derived(
        "behind",
        "distance to go less the observer's: 0.5 + steps",
        scale=2 * NEAR,
        after=", within 0-1",
    ),
    derived(
        "lane",
        "spaces level with it that lie further inside",
        scale=LARGEST_LANE,
        after=" (1 in the alley)",
    ),
    derived("neck", "1 on a space that bars every way round"),
    scaled("unplayed", "cards of each value 1-6 in hand and deck", COPIES, VALUES),
    derived("steps_left", "steps of all these cards together", scale=ALL_STEPS),
    derived(
        "spare",
        "these steps less the distance to go: 0.5 + steps",
        scale=2 * MARGIN,
        after=", within 0-1",
    ),
    scaled("hand_size", "cards in hand", HAND),
    scaled("deck_size", "cards in the deck", DECK - HAND, fact="deck_left"),
    flag("lost_last", "1 if the player lost its latest turn"),
    scaled("place", "place of a player who has finished", MAX_PLAYERS, after=", else 0"),
    scaled(
        "stranded_as",
        "1 for the first to strand, 2 for the second …",
        MAX_PLAYERS,
        after=", else 0",
    ),
    scaled("points", "points of the races that are over", MOST_POINTS),
)

#: One card value of the observer: its part of ``flat`` and its row in ``tokens``.
CARD = Parts(
    scaled("in_hand", "cards of this value in the own hand", HAND),
    scaled("in_deck", "cards of this value in the own deck", COPIES),
    derived(
        "keeps",
        "if the observer is to act, for each action of the card whose way is free (in hand or "
        f"not): ({MOST_WASTE} - steps lost against the shortest way)",
        SLOT.stride,
        scale=MOST_WASTE,
        after=f", at least 1/{MOST_WASTE}; else 0",
    ),
    derived(
        "bars",
        "for the same actions: 1 if the space reached bars every way round",
        SLOT.stride,
    ),
)

#: What concerns all players alike.
TABLE = Parts(
    one_hot("course", "", (*NAMES, "a course of the user's own")),
    flag("direction", "1 counter-clockwise", DIRECTIONS),
    one_hot("races", "races of the tournament", MAX_RACES, 1),
    one_hot("race", "number of the race", MAX_RACES, 1),
    flag("removing", "1 if stranded chariots are taken off"),
    scaled("lost_in_a_row", "turns lost in a row", MOST_LOST),
    portion("turns", "turn / max_turns", of="length", fact="turn"),
    inverse("length", "max_turns", fact="max_turns"),
    reward_scheme(),
)

FLAT = Parts(
    each("player", PLAYER, seat_names(MAX_PLAYERS)),
    each("card", CARD, [f"card {card}" for card in CARDS], labels=CARDS),
    inside("table", TABLE, prefix=""),
)
FULL = Parts(
    FLAT,
    *(
        scaled(f"hand_{q}", f"cards of each value 1-6 in the hand of seat +{q}", HAND, VALUES)
        for q in range(MAX_PLAYERS)
    ),
)
#: A row of ``tokens``: one of six players, of six card values, or the table.
TOKEN = Parts(
    one_hot("type", "player, card value, table; all zero for an empty row", 3),
    one_hot("seat", "relative seat (players)", MAX_PLAYERS),
    one_hot("value", "value (cards)", VALUES, 1),
    inside("player", PLAYER),
    inside("card", CARD),
    inside("table", TABLE),
)
TOKEN_ROWS = MAX_PLAYERS + VALUES + 1

# Offsets and scales, for writers and bots.
P, C, T, F, ROW = PLAYER.at, CARD.at, TABLE.at, FLAT.at, TOKEN.at
PER_P, PER_C = PLAYER.per, CARD.per
SCALE_P, SCALE_T = PLAYER.scale, TABLE.scale
HANDS = FULL.at.hand_0


@compiled
def within(x):
    """x, or the nearer bound of 0-1."""
    return min(max(x, 0.0), 1.0)


@compiled
def write_player(s, p, observer, out, at):
    """One player's part, from ``out[at]`` on."""
    out[at] = 1.0
    out[at + P.to_act] = s.to_act == p
    out[at + P.starter] = s.starter == p
    out[at + P.crossed + s.crossed[p]] = 1.0
    out[at + P.coin] = s.coin[p]
    out[at + P.hand_size] = s.hand_size[p] * PER_P.hand_size
    out[at + P.deck_size] = s.deck_left[p] * PER_P.deck_size
    out[at + P.lost_last] = s.lost_last[p]
    out[at + P.points] = s.points[p] * PER_P.points
    here = s.space[p]
    if s.racing[p]:
        out[at + P.status] = 1.0
        out[at + P.leading] = is_leading(s, p)
    elif here >= 0:
        out[at + P.status + 2] = 1.0
    else:
        out[at + P.status + (1 if s.crossed[p] == CROSSINGS else 3)] = 1.0
        out[at + P.left_from] = (s.left_from[p] + 1) * PER_P.left_from
    if here >= 0:
        out[at + P.space] = (here + 1) * PER_P.space
        out[at + P.to_line] = within(s.to_line[here] / s.lap)
        out[at + P.lane] = s.lane[here] * PER_P.lane
        out[at + P.neck] = s.neck[here]
    steps = 0
    for c in range(VALUES):
        out[at + P.unplayed + c] = s.unplayed[p, c] * PER_P.unplayed
        steps += s.unplayed[p, c] * (c + 1)
    out[at + P.steps_left] = steps * PER_P.steps_left
    out[at + P.to_go] = within(s.to_go[p] / (CROSSINGS * s.lap))
    out[at + P.behind] = within(0.5 + (s.to_go[p] - s.to_go[observer]) / SCALE_P.behind)
    out[at + P.spare] = within(0.5 + (steps - s.to_go[p]) / SCALE_P.spare)


@compiled
def write_orders(s, observer, out, at, size):
    """In which order players finished and stranded; player q's part begins at at + q * size."""
    for i in range(s.num_finished):
        q = (s.finish_order[i] - observer + s.num_players) % s.num_players
        out[at + q * size + P.place] = (i + 1) * PER_P.place
    for i in range(s.num_stranded):
        q = (s.strand_order[i] - observer + s.num_players) % s.num_players
        out[at + q * size + P.stranded_as] = (i + 1) * PER_P.stranded_as


@compiled
def write_card(s, p, c, out, at):
    """The observer's cards of one value and where they lead, from ``out[at]`` on."""
    out[at + C.in_hand] = s.hand[p, c] * PER_C.in_hand
    out[at + C.in_deck] = (s.unplayed[p, c] - s.hand[p, c]) * PER_C.in_deck
    if s.to_act != p:
        return
    for k in range(SLOT.stride):
        end = s.ends[c, k]
        if end < END.free:
            continue
        if k == SLOT.finish:
            out[at + C.keeps] = 1.0
            continue
        space = end & END.space
        waste = c + 1 + s.to_line[space] - s.to_line[s.space[p]]
        if end & END.over:
            waste -= s.lap
        out[at + C.keeps + k] = within(max(MOST_WASTE - waste, 1) / MOST_WASTE)
        out[at + C.bars + k] = s.neck[space]


@compiled
def write_table(s, out, at):
    """What concerns all players alike, from ``out[at]`` on."""
    out[at + min(s.course, len(NAMES))] = 1.0
    out[at + T.direction] = s.direction
    out[at + T.races + s.races - 1] = 1.0
    out[at + T.race + s.race - 1] = 1.0
    out[at + T.removing] = s.removing
    out[at + T.lost_in_a_row] = within(s.lost_in_a_row / SCALE_T.lost_in_a_row)
    out[at + T.turns] = s.turn / s.max_turns
    out[at + T.length] = 1.0 / s.max_turns
    out[at + T.reward + s.reward] = 1.0


@compiled
def write_flat(s, seat, out):
    """Encoder ``flat``: the six players' parts, the observer's cards, the common part."""
    out[:] = 0.0
    p = seat
    for q in range(s.num_players):
        write_player(s, p, seat, out, q * P.stride)
        p = p + 1 if p + 1 < s.num_players else 0
    write_orders(s, seat, out, 0, P.stride)
    for c in range(VALUES):
        write_card(s, seat, c, out, F.card + c * C.stride)
    write_table(s, out, F.table)


@compiled
def write_full(s, seat, out):
    """Encoder ``full``: ``flat``, then the hands of all players."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        p = (seat + q) % s.num_players
        for c in range(VALUES):
            out[HANDS + q * VALUES + c] = s.hand[p, c] * PER_C.in_hand


@compiled
def write_tokens(s, seat, out):
    """Encoder ``tokens``: a row per player, per card value, and one for the table."""
    entries = out.reshape(-1)
    entries[:] = 0.0
    for q in range(s.num_players):
        at = q * ROW.stride
        entries[at] = 1.0
        entries[at + ROW.seat + q] = 1.0
        write_player(s, (seat + q) % s.num_players, seat, entries, at + ROW.player)
    write_orders(s, seat, entries, ROW.player, ROW.stride)
    for c in range(VALUES):
        at = (MAX_PLAYERS + c) * ROW.stride
        entries[at + 1] = 1.0
        entries[at + ROW.value + c] = 1.0
        write_card(s, seat, c, entries, at + ROW.card)
    at = (TOKEN_ROWS - 1) * ROW.stride
    entries[at + 2] = 1.0
    write_table(s, entries, at + ROW.table)


# --- reading them back ---------------------------------------------------------------------------


def decode_flat(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``flat`` vector says: state fields and options, seats relative to the observer.

    Of the others' cards it says only which are unplayed; they are given as if all were in the
    decks.  Spaces of a course of the user's own are given by number: ``"#5"``.
    """
    return _decoded(*(FLAT.read(vector, name) for name in ("player", "card", "table")))


def decode_full(vector: np.ndarray) -> dict[str, Any]:
    """All that a ``full`` vector says: as ``flat``, with everybody's ``hands`` and ``decks``."""
    facts, told = decode_flat(vector), FULL.facts(vector)
    for q in range(1, facts["num_players"]):
        hand = _by_value(told[f"hand_{q}"])
        deck = {card: facts["decks"][q][card] - hand[card] for card in CARDS}
        facts["hands"][q], facts["decks"][q] = hand, deck
    return facts


def decode_tokens(rows: np.ndarray) -> dict[str, Any]:
    """All that the rows of ``tokens`` say; the same facts as ``flat``."""
    cards = rows[MAX_PLAYERS : MAX_PLAYERS + VALUES]
    return _decoded(
        TOKEN.read(rows[:MAX_PLAYERS], "player"),
        TOKEN.read(cards, "card"),
        TOKEN.read(rows[-1], "table"),
    )


def _decoded(players: np.ndarray, cards: np.ndarray, table: np.ndarray) -> dict[str, Any]:
    seated = players[players[:, P.present] > 0]
    own = CARD.columns(cards)
    facts = {"num_players": len(seated), **PLAYER.columns(seated), **TABLE.facts(table)}
    statuses, unplayed = facts.pop("status"), facts.pop("unplayed")
    if facts["course"] not in NAMES:
        facts["course"] = OWN
    driven = facts["course"], facts["direction"]
    off = {"finished": FINISHED, "taken off": REMOVED}
    facts["space"] = [
        off[status] if status in off else _space_name(number, *driven)
        for number, status in zip(facts["space"], statuses, strict=True)
    ]
    facts["left_from"] = [_space_name(number, *driven) for number in facts["left_from"]]
    facts["finish_order"] = _in_order(facts.pop("place"))
    facts["stranded"] = _in_order(facts.pop("stranded_as"))
    others = unplayed[1:]
    facts["hands"] = [_by_value(own["in_hand"]), *(_by_value([0] * VALUES) for _ in others)]
    facts["decks"] = [_by_value(own["in_deck"]), *map(_by_value, others)]
    return facts


def _by_value(counts: list[int]) -> dict[str, int]:
    return dict(zip(CARDS, counts, strict=True))


def _in_order(numbers: list[int]) -> list[int]:
    """The seats that are numbered from 1, in order; 0 is left out."""
    return [numbers.index(k) for k in range(1, max(numbers) + 1)]


def _space_name(number: int, course: str, direction: str) -> str | None:
    """The name of a space by its number in observations, from 1; 0 is none."""
    if number == 0:
        return None
    if course == OWN:
        return f"#{number - 1}"
    return track_of(NAMES.index(course), DIRECTIONS.index(direction)).spaces[number - 1]


ENCODERS = (
    Encoder("flat", 2, write_flat, FLAT, decode_flat),
    Encoder("full", 2, write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 2, write_tokens, TOKEN, decode_tokens, rows=TOKEN_ROWS),
)
