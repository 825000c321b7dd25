"""Scripted agents for Horse Race: players who count what the track is worth to them.

Every horse has a weight: what a point of it is worth to the player (its own bets) or costs it (any
other horse, which somebody else may have backed).  A lane is worth its complete horses, and its
open rear by the chance that a front follows.  The action chosen is the one that leaves lanes and
hand worth most.  Everything is read off the ``flat`` observation.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import fraction, hashed
from racegym.engine.compile import compiled
from racegym.engine.game import Bot
from racegym.engine.parts import index_of, whole
from racegym.games.horse_race.observation.parts import FLAT, KIND, SLOT, TABLE
from racegym.games.horse_race.state import (
    FRONT,
    HORSES,
    KINDS,
    LANES,
    LAST_SLOTS,
    MOST_OUT,
    PHASE,
    SCORING,
    SLOTS,
    STAGES,
    A,
)

# Offsets and scales of what is read.
KINDS_AT, COMMON, TRACK = FLAT.at.kind, FLAT.at.table, FLAT.at.lane
K, T, S = KIND.at, TABLE.at, SLOT.at
SCALE = KIND.scale

UNKNOWN = KINDS + 1  # a card that somebody else placed face down
NEVER = -1e9

# What a complete horse is worth in phase 3 by the slot of its front, places included.
IN_PHASE_3 = np.array([0.0, 1.5, 2.5, 4.5, 7.0])

# What things are worth, in points; found by playing variants against each other.
WITH_FRONT, WITHOUT_FRONT = 0.6, 0.35  # chances that a front follows an open rear
HIDDEN_REAR, HIDDEN_FRONT = 0.35, 0.35  # chances of what somebody placed face down
HIDDEN_WEIGHT = -0.1  # weight of the horse that it may be
HELD_FRONT, HELD_EMPTY, HELD_REAR = 0.3, 0.1, 0.5  # cards in hand; a rear by its weight
COUNTER = 0.05


# --- what the observation says -------------------------------------------------------------------


@compiled
def held(observation, kind):
    """Cards of a kind in hand."""
    return whole(observation, KINDS_AT + K.hand + kind, SCALE.hand)


@compiled
def read_lanes(observation, cards):
    """The cards in the lanes: 0 for an empty slot, UNKNOWN for a card the player cannot know."""
    for lane in range(LANES):
        for slot in range(SLOTS):
            at = TRACK + (lane * SLOTS + slot) * S.stride
            if observation[at + S.placer] > 0.0:
                card = index_of(observation, at + S.card, KINDS) + 1
                cards[lane, slot] = card if card > 0 else UNKNOWN


@compiled
def weigh_horses(observation, spite, weights):
    """What a point of each horse is worth: own bets by the scoring, others ``-spite``."""
    scoring = index_of(observation, COMMON + T.scoring, len(SCORING))
    for h in range(HORSES):
        backed = observation[KINDS_AT + K.backed + h]
        weights[h] = 1.0 if backed > 0.0 else -spite
        if backed > 0.9:  # the first
            weights[h] = 1.6 if scoring == SCORING.sum_bonus else 1.0
        elif backed > 0.0 and scoring == SCORING.first:
            weights[h] = 0.1
    for i in range(MOST_OUT):
        h = index_of(observation, KINDS_AT + K.out_1 + i * HORSES, HORSES)
        if h >= 0:
            weights[h] = 0.0


# --- what things are worth -----------------------------------------------------------------------


@compiled
def pair_value(stage, slot):
    """Points of a complete horse with its front in ``slot`` (from 0); stages from 0."""
    return IN_PHASE_3[slot] if stage + 1 == STAGES else 1.0


@compiled
def lane_value(cards, lane, weights, stage, fronts, over):
    """What a lane is worth with ``fronts`` fronts in hand; ``over`` if the phase has ended."""
    slots = LAST_SLOTS if stage + 1 == STAGES else SLOTS
    total = 0.0
    before = 0
    for slot in range(slots):
        card = cards[lane, slot]
        value = pair_value(stage, slot)
        if 0 < before <= HORSES:
            weight = weights[before - 1]
            if card == FRONT:
                total += weight * value
            elif card == UNKNOWN:
                total += HIDDEN_FRONT * weight * value
            elif card == 0 and not over:
                follows = WITH_FRONT if weight > 0.0 and fronts > 0 else WITHOUT_FRONT
                total += follows * weight * value
        elif before == UNKNOWN and card == FRONT:
            total += HIDDEN_REAR * HIDDEN_WEIGHT * value
        if card == 0:
            break
        before = card
    return total


@compiled
def card_value(kind, weights, stage):
    """What a card in hand is worth."""
    if kind == FRONT - 1:
        return HELD_FRONT
    if kind >= HORSES:
        return HELD_EMPTY
    return HELD_REAR * max(weights[kind], 0.0) * (1.5 if stage + 1 == STAGES else 1.0)


@compiled
def placed_value(observation, cards, weights, stage, lane, card, face_down):
    """What placing a card changes."""
    slots = LAST_SLOTS if stage + 1 == STAGES else SLOTS
    slot = 0
    while cards[lane, slot] != 0:
        slot += 1
    over = slot + 1 == slots
    fronts = held(observation, FRONT - 1)
    change = 0.0
    for k in range(LANES):
        if k == lane or over:
            change -= lane_value(cards, k, weights, stage, fronts, False)
    cards[lane, slot] = card
    for k in range(LANES):
        if k == lane or over:
            change += lane_value(cards, k, weights, stage, fronts - (card == FRONT), over)
    cards[lane, slot] = 0
    return change - card_value(card - 1, weights, stage) - face_down * COUNTER


@compiled
def mean_card(weights, stage):
    """What an unknown card is worth in hand, about."""
    total = 0.5 * HELD_FRONT + HELD_EMPTY / 6.0
    for h in range(HORSES):
        total += card_value(h, weights, stage) / 27.0
    return total


@compiled
def turn_values(observation, mask, weights, stage, values):
    """Value of every action of a turn."""
    cards = np.zeros((LANES, SLOTS), np.int64)
    read_lanes(observation, cards)
    mean = mean_card(weights, stage)
    for a in range(A.up, A.swap):
        if mask[a] != 0:
            face_down = a >= A.down
            number = a - (A.down if face_down else A.up)
            lane, card = number // KINDS, number % KINDS + 1
            values[a] = placed_value(observation, cards, weights, stage, lane, card, face_down)
    for kind in range(KINDS):
        values[A.swap + kind] = mean - card_value(kind, weights, stage)
        values[A.sell + kind] = COUNTER - card_value(kind, weights, stage)
    values[A.draw] = mean - COUNTER
    values[A.pass_] = 0.0


@compiled
def bet_values(observation, values):
    """Value of backing each horse: the rears in the game, and those in hand."""
    for h in range(HORSES):
        rears = whole(observation, KINDS_AT + K.rears + h, SCALE.rears)
        values[A.back + h] = rears + 1.5 * held(observation, h)


@compiled
def out_values(observation, weights, values):
    """Value of taking each horse out: the points that others lose, and those still to come."""
    for h in range(HORSES):
        points = observation[KINDS_AT + K.points + h] * SCALE.points
        rears = observation[KINDS_AT + K.rears + h] * SCALE.rears
        values[A.out + h] = -weights[h] * (points + rears)


# --- choosing ------------------------------------------------------------------------------------


@compiled
def choose_by_value(observation, mask, bits, spite):
    """The legal action worth most; one of those nearly equal at random."""
    values = np.full(A.size, NEVER)
    weights = np.zeros(HORSES)
    weigh_horses(observation, spite, weights)
    phase = index_of(observation, COMMON + T.phase, len(PHASE))
    if phase == PHASE.bet:
        bet_values(observation, values)
    elif phase == PHASE.fall:
        out_values(observation, weights, values)
    else:
        stage = index_of(observation, COMMON + T.stage, STAGES)
        turn_values(observation, mask, weights, stage, values)
    best, chosen = NEVER, -1
    for a in range(A.size):
        if mask[a] != 0:
            value = values[a] + 0.02 * fraction(hashed(bits, a))
            if chosen < 0 or value > best:
                best, chosen = value, a
    return chosen


@compiled
def choose_default(observation, mask, bits):
    """Weigh the own horses against all others."""
    return choose_by_value(observation, mask, bits, 0.25)


@compiled
def choose_spoiler(observation, mask, bits):
    """Care as much about keeping other horses incomplete."""
    return choose_by_value(observation, mask, bits, 0.6)


BOTS = (
    Bot("default", choose_default, "flat", "completes its own horses, and hinders others a little"),
    Bot("spoiler", choose_spoiler, "flat", "the same, but cares more about hindering other horses"),
)
