"""A tiny game of memory: each of two players is shown a card at the first of three decisions, and
scores by naming it at the two others, when it is shown no more."""

from __future__ import annotations

import dataclasses

from racegym.engine.chance import DEALS, REDEALS, below
from racegym.engine.compile import compiled
from racegym.engine.game import Encoder
from racegym.engine.options import OptionSet, num_players_option
from racegym.engine.parts import Parts, derived
from tests.engine import toy

OPTIONS = OptionSet((num_players_option(2, 2, 2), *toy.OPTIONS.declared[1:]))


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


FLAT = Parts(
    derived("one", "always 1"),
    derived("card", "one-hot: own card, at the first decision", 2),
)
FULL = Parts(FLAT, derived("cards", "both cards", 2))

GAME = dataclasses.replace(
    toy.GAME,
    name="recall",
    title="Recall",
    summary="a tiny game of memory",
    options=OPTIONS,
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(
        Encoder("flat", 1, write_flat, FLAT, complete=False),
        Encoder("full", 1, write_full, FULL, complete=False, hides=False),
    ),
)
