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
from racegym.games.horse_race.observation import (
    BACKED,
    COMMON,
    FIRST_SLOT,
    OUT,
    OWN_HAND,
    PHASE,
    PLACER,
    POINTS,
    REARS_AT,
    SCORING_AT,
    SLOT_SIZE,
    STAGE_AT,
)
from racegym.games.horse_race.state import (
    BET,
    DRAW,
    FALL,
    FIRST,
    FIRST_BACK,
    FIRST_DOWN,
    FIRST_OUT,
    FIRST_SELL,
    FIRST_SWAP,
    FIRST_UP,
    FRONT,
    HAND,
    HORSES,
    KINDS,
    LANES,
    LAST_SLOTS,
    MOST_OUT,
    MOST_REARS,
    NUM_ACTIONS,
    PASS,
    SLOTS,
    STAGES,
    SUM_BONUS,
)

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
def index_of(observation, first, length):
    """Which entry (from 0) of a one-hot part is set, -1 if none is."""
    for i in range(length):
        if observation[first + i] > 0.5:
            return i
    return -1


@compiled
def held(observation, kind):
    """Cards of a kind in hand."""
    return int(observation[OWN_HAND + kind] * HAND + 0.5)


@compiled
def read_lanes(observation, cards):
    """The cards in the lanes: 0 for an empty slot, UNKNOWN for a card the player cannot know."""
    for lane in range(LANES):
        for slot in range(SLOTS):
            at = FIRST_SLOT + (lane * SLOTS + slot) * SLOT_SIZE
            if observation[at + PLACER] > 0.0:
                card = index_of(observation, at, KINDS) + 1
                cards[lane, slot] = card if card > 0 else UNKNOWN


@compiled
def weigh_horses(observation, spite, weights):
    """What a point of each horse is worth: own bets by the scoring, others ``-spite``."""
    scoring = index_of(observation, COMMON + SCORING_AT, 3)
    for h in range(HORSES):
        backed = observation[BACKED + h]
        weights[h] = 1.0 if backed > 0.0 else -spite
        if backed > 0.9:  # the first
            weights[h] = 1.6 if scoring == SUM_BONUS else 1.0
        elif backed > 0.0 and scoring == FIRST:
            weights[h] = 0.1
    for i in range(MOST_OUT):
        h = index_of(observation, OUT + i * HORSES, HORSES)
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
    for a in range(FIRST_UP, FIRST_SWAP):
        if mask[a] != 0:
            face_down = a >= FIRST_DOWN
            number = a - (FIRST_DOWN if face_down else FIRST_UP)
            lane, card = number // KINDS, number % KINDS + 1
            values[a] = placed_value(observation, cards, weights, stage, lane, card, face_down)
    for kind in range(KINDS):
        values[FIRST_SWAP + kind] = mean - card_value(kind, weights, stage)
        values[FIRST_SELL + kind] = COUNTER - card_value(kind, weights, stage)
    values[DRAW] = mean - COUNTER
    values[PASS] = 0.0


@compiled
def bet_values(observation, values):
    """Value of backing each horse: the rears in the game, and those in hand."""
    for h in range(HORSES):
        rears = int(observation[REARS_AT + h] * MOST_REARS + 0.5)
        values[FIRST_BACK + h] = rears + 1.5 * held(observation, h)


@compiled
def out_values(observation, weights, values):
    """Value of taking each horse out: the points that others lose, and those still to come."""
    for h in range(HORSES):
        points = observation[POINTS + h] * 10.0
        rears = observation[REARS_AT + h] * MOST_REARS
        values[FIRST_OUT + h] = -weights[h] * (points + rears)


# --- choosing ------------------------------------------------------------------------------------


@compiled
def choose_by_value(observation, mask, luck, spite):
    """The legal action worth most; nearly equal ones are chosen by luck."""
    values = np.full(NUM_ACTIONS, NEVER)
    weights = np.zeros(HORSES)
    weigh_horses(observation, spite, weights)
    phase = index_of(observation, COMMON + PHASE, 4)
    if phase == BET:
        bet_values(observation, values)
    elif phase == FALL:
        out_values(observation, weights, values)
    else:
        stage = index_of(observation, COMMON + STAGE_AT, STAGES)
        turn_values(observation, mask, weights, stage, values)
    best, chosen = NEVER, -1
    for a in range(NUM_ACTIONS):
        if mask[a] != 0:
            value = values[a] + 0.02 * fraction(hashed(np.uint64(luck), np.uint64(a)))
            if chosen < 0 or value > best:
                best, chosen = value, a
    return chosen


@compiled
def choose_default(observation, mask, luck):
    """Weigh the own horses against all others."""
    return choose_by_value(observation, mask, luck, 0.25)


@compiled
def choose_spoiler(observation, mask, luck):
    """Care as much about keeping other horses incomplete."""
    return choose_by_value(observation, mask, luck, 0.6)


BOTS = (
    Bot("default", choose_default, "flat", "completes its own horses, and hinders others a little"),
    Bot("spoiler", choose_spoiler, "flat", "the same, but cares more about hindering other horses"),
)
