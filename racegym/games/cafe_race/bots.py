"""Scripted agents for Café Race: a player who weighs places against spilled coffee.

A move is worth the places and the tokens it can be expected to leave the player with.  A place is
worth a point for every opponent left behind (CR-42), so the value of standing on a space is the sum
over the opponents of the chance to end ahead of each, a logistic function of the lead over where
that opponent will be; a token is worth a point.  Everything is read off the ``flat`` observation.
"""

from __future__ import annotations

import math

import numpy as np

from racegym.engine.chance import fraction, hashed
from racegym.engine.compile import compiled
from racegym.engine.game import Bot
from racegym.engine.parts import index_of, whole
from racegym.games.cafe_race.observation import FLAT, PLAYER, TABLE
from racegym.games.cafe_race.rules import is_step
from racegym.games.cafe_race.state import (
    DIE,
    FIRST_FINISH,
    LAST_FINISH,
    MAX_PLAYERS,
    PHASE,
    TOKENS,
    A,
)

P, COMMON, T = PLAYER.at, FLAT.at.table, TABLE.at
SCALE, COUNT = PLAYER.scale, TABLE.scale
MEAN_SPEED = 3.5
NEVER = -1e9


# --- what the observation says -------------------------------------------------------------------


@compiled
def players_in(observation):
    """How many seats are taken."""
    count = 0
    for q in range(MAX_PLAYERS):
        count += observation[q * P.stride] > 0.5
    return count


@compiled
def space_of(observation, q):
    """The space of the worker of relative seat q."""
    return whole(observation, q * P.stride + P.position, SCALE.position)


@compiled
def tokens_of(observation, q):
    """The tokens of relative seat q."""
    return whole(observation, q * P.stride + P.coffee, SCALE.coffee)


@compiled
def speed_of(observation, q):
    """The speed die of relative seat q, 0 if it has none yet."""
    return index_of(observation, q * P.stride + P.speed, DIE) + 1


@compiled
def dice_of(observation, value):
    """How many speed dice of a value are left."""
    return whole(observation, COMMON + T.dice + value - 1, COUNT.dice)


# --- what a move is worth ------------------------------------------------------------------------


@compiled
def spill_chance(need):
    """The chance that two dice show less than ``need``."""
    if need <= 2:
        return 0.0
    if need > 12:
        return 1.0
    below = need - 2  # ways to roll 2 … need - 1
    if need <= 8:
        return below * (below + 1) / 72.0
    above = 13 - need  # ways to roll need … 12
    return 1.0 - above * (above + 1) / 72.0


@compiled(inline=False)
def standing(observation, space):
    """Expected number of opponents left behind by a worker on ``space`` after this round."""
    n = players_in(observation)
    lead = space
    for q in range(1, n):
        lead = max(lead, space_of(observation, q))
    spread = 0.8 + 0.18 * max(0, FIRST_FINISH - lead)
    total = 0.0
    for q in range(1, n):
        speed = float(speed_of(observation, q))
        if speed == 0.0:
            speed = MEAN_SPEED
        theirs = min(space_of(observation, q) + speed, LAST_FINISH)
        total += 1.0 / (1.0 + math.exp(-(space - theirs) / spread))
    return total


@compiled(inline=False)
def move_value(observation, speed, impulse, caution):
    """What moving with a speed and an impulse is worth, in points; ``caution`` weighs spilling."""
    before = space_of(observation, 0)
    tokens = tokens_of(observation, 0)
    n = players_in(observation)
    at = before
    left = speed
    while left > 0 and at < LAST_FINISH:
        workers = 0
        for q in range(1, n):
            workers += space_of(observation, q) == at + 1
        if workers >= 2:
            break
        at += 1
        left -= 1
    safe = standing(observation, at) + tokens
    if left == 0 and not is_step(at):
        return safe
    risk = spill_chance(speed + impulse)
    spilled = safe - 1.0
    if tokens == 1:  # back to the start with five tokens, unless the race ends here
        again = standing(observation, 0) + TOKENS
        spilled = safe - 1.0 if at >= FIRST_FINISH else min(again, safe - 1.0)
    return safe - caution * risk * (safe - spilled)


# --- secret impulses -----------------------------------------------------------------------------


@compiled(inline=False)
def impulse_values(observation, caution, values):
    """Expected value of each impulse 1-6, if every opponent chooses any impulse alike."""
    n = players_in(observation)
    own_space, own_tokens = space_of(observation, 0), tokens_of(observation, 0)
    dice = np.zeros(MAX_PLAYERS, np.int64)
    count = 0
    for value in range(DIE, 0, -1):
        for _ in range(dice_of(observation, value)):
            dice[count] = value
            count += 1
    chance = np.zeros(MAX_PLAYERS + 1)
    for impulse in range(1, DIE + 1):
        chance[:] = 0.0
        chance[0] = 1.0
        for q in range(1, n):
            space, tokens = space_of(observation, q), tokens_of(observation, q)
            wins_tie = 0.5  # CR-14
            if space != own_space:
                wins_tie = 1.0 if space < own_space else 0.0
            elif tokens != own_tokens:
                wins_tie = 1.0 if tokens < own_tokens else 0.0
            ahead = (DIE - impulse + wins_tie) / DIE
            for k in range(n - 1, 0, -1):
                chance[k] = chance[k] * (1.0 - ahead) + chance[k - 1] * ahead
            chance[0] *= 1.0 - ahead
        values[A.impulse + impulse - 1] = 0.0
        for k in range(n):
            worth = move_value(observation, dice[k], impulse, caution)
            values[A.impulse + impulse - 1] += chance[k] * worth


# --- auctions ------------------------------------------------------------------------------------


@compiled(inline=False)
def worth_without(observation, sold, caution):
    """What is left for a player who does not get the die ``sold``: the mean of the others' worth.

    The last die costs an impulse of 1 (CR-27); the others cost more the more bidders are left.
    """
    bidders = 0
    for q in range(1, players_in(observation)):
        bidders += speed_of(observation, q) == 0
    total, count = 0.0, 0
    for value in range(1, DIE + 1):
        number = dice_of(observation, value) - (value == sold)
        for _ in range(number):
            price = 1 if bidders <= 1 else 2
            total += move_value(observation, value, price, caution)
            count += 1
    return total / max(count, 1)


@compiled(inline=False)
def bid_values(observation, caution, values):
    """Value of passing and of every bid: the worth if it wins, weighed with that chance."""
    n = players_in(observation)
    die = index_of(observation, COMMON + T.auctioned, DIE) + 1
    otherwise = worth_without(observation, die, caution)
    values[A.pass_] = otherwise
    to_come = 0
    for q in range(1, n):
        if speed_of(observation, q) == 0:
            to_come += 1
    for q in range(1, n):
        if observation[q * P.stride + P.high_bidder] > 0.5:
            to_come -= 1
    for amount in range(1, DIE + 1):
        wins = 1.0
        for _ in range(to_come if amount < DIE else 0):
            wins *= 1.0 - 0.5 * (DIE - amount) / DIE
        worth = move_value(observation, die, amount, caution)
        values[A.bid + amount - 1] = wins * worth + (1.0 - wins) * otherwise


@compiled(inline=False)
def auction_values(observation, caution, values):
    """Value of auctioning each die: what winning it with a middling bid gains over the rest."""
    for value in range(1, DIE + 1):
        if dice_of(observation, value) > 0:
            worth = move_value(observation, value, 3, caution)
            gain = worth - worth_without(observation, value, caution)
            values[A.auction + value - 1] = gain


# --- choosing ------------------------------------------------------------------------------------


@compiled(inline=False)
def choose_by_value(observation, mask, bits, caution, temperature):
    """Draw an action with probability proportional to exp(value / temperature).

    A little unpredictability, since the picks are secret: actions of like value are mixed.
    """
    values = np.full(A.size, NEVER)
    if observation[COMMON + T.phase + PHASE.impulse] > 0.5:
        impulse_values(observation, caution, values)
    elif observation[COMMON + T.phase + PHASE.auction] > 0.5:
        auction_values(observation, caution, values)
    else:
        bid_values(observation, caution, values)
    best = NEVER
    for a in range(A.size):
        if mask[a] != 0:
            best = max(best, values[a])
    total = 0.0
    for a in range(A.size):
        values[a] = math.exp((values[a] - best) / temperature) if mask[a] != 0 else 0.0
        total += values[a]
    left = fraction(hashed(bits, 1)) * total
    chosen = -1
    for a in range(A.size):
        if mask[a] != 0:
            chosen = a
            left -= values[a]
            if left < 0.0:
                return a
    return chosen


@compiled
def choose_default(observation, mask, bits):
    """Weigh places and coffee alike."""
    return choose_by_value(observation, mask, bits, 1.0, 0.1)


@compiled
def choose_careful(observation, mask, bits):
    """Count a spilled token double."""
    return choose_by_value(observation, mask, bits, 2.0, 0.1)


BOTS = (
    Bot("default", choose_default, "flat", "weighs places against spilled coffee"),
    Bot("careful", choose_careful, "flat", "the same, but counts a spilled token double"),
)
