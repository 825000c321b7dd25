"""A tiny game of memory: each of two players is shown a card at the first of three decisions, and
scores by naming it at the two others, when it is shown no more."""

from __future__ import annotations

import dataclasses
from typing import Any

from racegym.engine.chance import DEALS, REDEALS, below
from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Table
from tests.engine import toy


@compiled
def start(s, options):
    """Deal a card, 0 or 1, to both."""
    s.max_turns = options[2]
    s.bonus = options[3]
    s.score_scale = 2
    for p in range(s.num_players):
        s.card[p] = below(s, DEALS, 2)
    s.to_act = 0


@compiled
def legal(s, mask):
    """Name card 0 or card 1."""
    mask[0] = 1
    mask[1] = 1


@compiled
def apply(s, action, log):
    """From the second decision on, naming the own card scores."""
    p = s.to_act
    if s.turn >= s.num_players and action == s.card[p]:
        s.position[p] += 1
    s.turn += 1
    s.to_act = (p + 1) % s.num_players
    if s.turn == 3 * s.num_players:
        s.to_act = -1


@compiled
def redeal(s, seat):
    """The other may hold any card."""
    for p in range(s.num_players):
        if p != seat:
            s.card[p] = below(s, REDEALS, 2)


@compiled
def write_flat(s, seat, out):
    """The own card, at the first decision."""
    out[:] = 0.0
    out[0] = 1.0
    if s.turn < s.num_players:
        out[1 + s.card[seat]] = 1.0


@compiled
def write_full(s, seat, out):
    """What a seat sees, and both cards at all times."""
    write_flat(s, seat, out[:3])
    for q in range(2):
        out[3 + q] = s.card[(seat + q) % s.num_players]


@compiled
def outcome(s, scores, ranks):
    """Cards named."""
    for p in range(s.num_players):
        scores[p] = s.position[p]
    for p in range(s.num_players):
        ranks[p] = 1
        for q in range(s.num_players):
            ranks[p] += scores[q] > scores[p]


FLAT = Table([("one", 1, "always 1"), ("card", 2, "one-hot: own card, at the first decision")])
FULL = Table([("one", 1, "always 1"), ("card", 2, "as in flat"), ("cards", 2, "both cards")])


def decode(vector: Any) -> dict[str, Any]:
    """Nothing in it is for all to see."""
    return {}


GAME = dataclasses.replace(
    toy.GAME,
    name="recall",
    title="Recall",
    summary="a tiny game of memory",
    max_players=2,
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(
        Encoder("flat", 1, (FLAT.size,), write_flat, FLAT, decode),
        Encoder("full", 1, (FULL.size,), write_full, FULL, decode, hides=False),
    ),
)
