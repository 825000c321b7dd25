"""Scripted agents for Dino Race: a runner who plays tricks on the way.

In the play part every action is given a worth, and the best is played until rolling is: tricks
first (a trick costs one card and sets an opponent back by about one), then moves by a card of the
tile ahead, by a wild, by three cards that no dinosaur will need, and exchanges of such cards.  A
card is needed as long as tiles of its terrain lie ahead of the own dinosaurs.  Everything is read
off the ``flat`` observation.
"""

from __future__ import annotations

from racegym.engine.chance import hashed, reduced
from racegym.engine.compile import compiled
from racegym.engine.game import Bot
from racegym.engine.parts import index_of, whole
from racegym.games.dino_race.observation.parts import DINO, FLAT, PLAYER, PRIZE, TABLE, TILE
from racegym.games.dino_race.state import (
    BY_THREE,
    CARD,
    DINOS,
    HOME,
    MAX_PLAYERS,
    MAX_SOLO,
    MOVES,
    PAIRS,
    PRIZES,
    TARGETS,
    TERRAINS,
    A,
    slot_of,
)

F, P, D, L, C = FLAT.at, PLAYER.at, DINO.at, TILE.at, PRIZE.at
TEAMS = F.table + TABLE.at.teams
PER_CARD, HALF_VALUE = PLAYER.scale.known, PRIZE.scale.value
NEVER = -1e9
WORTH_WILD, WORTH_TRICK, WORTH_STEAL = 1.5, 0.5, 0.7


# --- what the observation says -------------------------------------------------------------------


@compiled
def in_teams(observation):
    """True in team play."""
    return observation[TEAMS] > 0.5


@compiled
def place_of(observation, q, d):
    """The tile of a dinosaur of relative seat q; home if it is none."""
    tile = index_of(observation, F.dino + slot_of(q, d) * D.stride + D.place, HOME)
    return HOME if tile < 0 else tile


@compiled
def terrain_of(observation, tile):
    """The terrain of tile 1-12."""
    return index_of(observation, F.tile + (tile - 1) * L.stride + L.terrain, TERRAINS)


@compiled
def held(observation, kind):
    """Own cards of a kind."""
    return whole(observation, F.player + P.known + kind, PER_CARD)


@compiled
def partner_in(observation):
    """Relative seat of the partner, 0 if there is none."""
    for q in range(1, MAX_PLAYERS):
        if observation[F.player + q * P.stride + P.partner] > 0.5:
            return q
    return 0


@compiled
def moves_left(observation, q):
    """Tiles that the dinosaurs of relative seat q (in team play of its team) have to go."""
    left = HOME - place_of(observation, q, 0)
    if not in_teams(observation):
        return left + HOME - place_of(observation, q, 1)
    n = 2 * partner_in(observation)
    return left + HOME - place_of(observation, (q + n // 2) % n, 0)


# --- what cards are worth ------------------------------------------------------------------------


@compiled(inline=False)
def needed(observation, q, kind):
    """How many tiles of a terrain lie ahead of the dinosaurs of relative seat q."""
    count = 0
    for d in range(DINOS if q < MAX_SOLO else 1):
        for tile in range(place_of(observation, q, d) + 1, HOME + 1):
            count += terrain_of(observation, tile) == kind
    return count


@compiled(inline=False)
def card_worth(observation, kind, spare):
    """What a card is worth to its holder, in moves, once ``spare`` of its kind are let go."""
    if kind == CARD.wild:
        return WORTH_WILD
    if kind >= TERRAINS:
        return WORTH_STEAL if kind == CARD.steal else WORTH_TRICK
    if held(observation, kind) - spare > needed(observation, 0, kind):
        return 0.0
    nearest = HOME
    for d in range(DINOS):
        at = place_of(observation, 0, d)
        for tile in range(at + 1, HOME + 1):
            if terrain_of(observation, tile) == kind:
                nearest = min(nearest, tile - at)
                break
    return 1.0 - 0.05 * nearest


@compiled(inline=False)
def pair_worth(observation, pair):
    """What two cards are worth."""
    a, b = PAIRS[pair, 0], PAIRS[pair, 1]
    return card_worth(observation, a, 0) + card_worth(observation, b, 1 if a == b else 0)


@compiled(inline=False)
def run_length(observation, start, used):
    """Moves that a dinosaur standing on ``start`` can make by matching cards; ``used`` is spent."""
    length = 0
    for tile in range(start + 1, HOME + 1):
        terrain = terrain_of(observation, tile)
        wanted = 1
        for before in range(start + 1, tile):
            wanted += terrain_of(observation, before) == terrain
        if held(observation, terrain) - (terrain == used) < wanted:
            break
        length += 1
    return length


# --- what actions are worth ----------------------------------------------------------------------


@compiled(inline=False)
def move_worth(observation, d, way):
    """A move: by the matching card, else by a wild, else by three that are not needed."""
    at = place_of(observation, 0, d)
    extra = 0.1 * run_length(observation, at + 1, way if way < TERRAINS else -1) + 0.02 * at
    if way < TERRAINS:
        return 4.0 + extra
    if way == CARD.wild:
        return 3.0 + extra
    kind = way - BY_THREE
    spent = 0.0
    for spare in range(3):
        spent += card_worth(observation, kind, spare)
    return 2.5 + extra if spent < 1.3 else NEVER


@compiled(inline=False)
def trick_worth(observation, action):
    """A trick: against those who have least to go, but the egg goes to who has most."""
    if action >= A.steal:
        return 6.5 - 0.01 * moves_left(observation, action - A.steal + 1)
    if action >= A.egg:
        if moves_left(observation, 0) <= 5:
            return NEVER
        return 5.0 + 0.01 * moves_left(observation, action - A.egg + 1)
    target = action - (A.trip if action >= A.trip else A.push)
    q, d = TARGETS[target, 0], TARGETS[target, 1]
    left = HOME - place_of(observation, q, d)
    base = 6.0 if action >= A.trip else 5.5
    return base - 0.02 * left - 0.01 * moves_left(observation, q)


@compiled(inline=False)
def gift_worth(observation, kind):
    """A card for the partner: one that is not needed here, and is there."""
    if kind >= TERRAINS:
        return NEVER
    here = card_worth(observation, kind, 0)
    there = needed(observation, partner_in(observation), kind)
    return 4.5 + 0.1 * there if here == 0.0 and there > 0 else NEVER


@compiled(inline=False)
def prize_worth(observation, i):
    """A prize counter: its value, and the bonus if its colour matches what the side has."""
    share = observation[F.prize + i * C.stride + C.value]
    value = HALF_VALUE * share / (1.0 - share)
    for k in range(PRIZES):
        at = F.prize + k * C.stride
        if observation[at + C.own] + observation[at + C.partners] > 0.5 and k % 2 == i % 2:
            value += 3.0
    return value


@compiled(inline=False)
def give_worth(observation, q):
    """Who gets the egg in an eruption: the one who has most to go, the partner only near home."""
    if q == partner_in(observation):
        return 100.0 if moves_left(observation, 0) <= 5 else NEVER / 2
    return moves_left(observation, q)


@compiled
def action_worth(observation, action, tricks):
    """The worth of a legal action; ``tricks`` is added to that of tricks."""
    if action >= A.give:
        return give_worth(observation, action - A.give + 1)
    if action >= A.prize:
        return prize_worth(observation, action - A.prize)
    if action == A.roll:
        return 0.0
    if action >= A.hand:
        return gift_worth(observation, action - A.hand)
    if action >= A.exchange:
        spent = pair_worth(observation, action - A.exchange)
        return 2.0 - spent if spent < 0.5 else NEVER
    if action >= A.pay:
        return -pair_worth(observation, action - A.pay)
    if action >= A.stand:
        return 3.5 + 0.02 * place_of(observation, 0, action - A.stand)
    if action >= A.push:
        return trick_worth(observation, action) + tricks
    return move_worth(observation, action // MOVES, action % MOVES)


# --- choosing ------------------------------------------------------------------------------------


@compiled
def choose_best(observation, mask, bits, tricks):
    """The legal action of the highest worth; one of those equal at random."""
    best, chosen, level = NEVER * 2, -1, 0
    for action in range(A.size):
        if mask[action] == 0:
            continue
        worth = action_worth(observation, action, tricks)
        if worth > best:
            best, chosen, level = worth, action, 1
        elif worth == best:
            level += 1
            if reduced(hashed(bits, action), level) == 0:
                chosen = action
    return chosen


@compiled
def choose_default(observation, mask, bits):
    """Run, and play every trick on the way."""
    return choose_best(observation, mask, bits, 0.0)


@compiled
def choose_runner(observation, mask, bits):
    """Run, and never waste a turn on tricks."""
    return choose_best(observation, mask, bits, NEVER)


BOTS = (
    Bot("default", choose_default, "flat", "runs home, and plays tricks on the way"),
    Bot("runner", choose_runner, "flat", "runs home and plays no tricks"),
)
