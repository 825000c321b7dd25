"""What may be done in Dino Race: the legal actions, and how targets are numbered."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.games.dino_race.state import (
    BY_THREE,
    BY_WILD,
    CHOOSE,
    DINOS,
    EGG,
    FIRST_EGG,
    FIRST_EXCHANGE,
    FIRST_GIVE,
    FIRST_HAND,
    FIRST_MOVE,
    FIRST_PAY,
    FIRST_PRIZE,
    FIRST_PUSH,
    FIRST_STAND,
    FIRST_STEAL,
    FIRST_TRIP,
    GIVE,
    HOME,
    KINDS,
    MAX_SOLO,
    MOVES,
    PAY,
    PLAY,
    PRIZES,
    PUSH,
    ROLL,
    SEEN,
    STEAL,
    WILD,
    on_track,
    partner_of,
    seat_at,
)


@compiled(inline=False)
def legal(s, mask):
    """Mark the legal actions of the player to act."""
    if s.phase == PLAY:
        mark_play(s, s.to_act, mask)
    if s.phase <= PAY:
        mark_pairs(s, s.to_act, mask, FIRST_PAY if s.phase == PAY else FIRST_EXCHANGE)
    elif s.phase == CHOOSE:  # DR-60
        for i in range(PRIZES):
            mask[FIRST_PRIZE + i] = s.prize_known[s.to_act, i] == SEEN
    elif s.phase == GIVE:  # DR-52
        for q in range(1, s.num_players):
            mask[FIRST_GIVE + q - 1] = on_track(s, seat_at(s, s.to_act, q)) > 0


@compiled
def mark_play(s, p, mask):
    """The play part (DR-22), but for exchanges."""
    mask[ROLL] = 1
    for d in range(DINOS):
        if s.position[p, d] < HOME:
            if not s.lying[p, d]:  # DR-24
                mark_moves(s, p, s.tiles[s.position[p, d]], mask, FIRST_MOVE + d * MOVES)
            elif s.hand_size[p] >= 2:  # DR-34
                mask[FIRST_STAND + d] = 1
    if s.hands[p, PUSH] + s.hands[p, EGG] + s.hands[p, STEAL] > 0:
        mark_specials(s, p, mask)
    if s.teams and not s.passed and on_track(s, partner_of(s, p)) > 0:  # DR-82
        for kind in range(KINDS):
            mask[FIRST_HAND + kind] = s.hands[p, kind] > 0


@compiled
def mark_moves(s, p, terrain, mask, first):
    """Moves onto a tile: its terrain, a wild, or three cards of one kind (DR-23)."""
    mask[first + terrain] = s.hands[p, terrain] > 0
    mask[first + BY_WILD] = s.hands[p, WILD] > 0
    for kind in range(KINDS):
        mask[first + BY_THREE + kind] = s.hands[p, kind] >= 3


@compiled
def mark_pairs(s, p, mask, first):
    """Every two cards of the hand, to pay (DR-34) or exchange (DR-40)."""
    at = first
    for a in range(KINDS):
        if s.hands[p, a] > 0:
            mask[at] = s.hands[p, a] >= 2
            for b in range(a + 1, KINDS):
                mask[at + b - a] = s.hands[p, b] > 0
        at += KINDS - a


@compiled
def mark_specials(s, p, mask):
    """Tricks against opponents' dinosaurs that share a tile with an own one (DR-30)."""
    push, egg, steal = s.hands[p, PUSH] > 0, s.hands[p, EGG] > 0, s.hands[p, STEAL] > 0
    for steps in range(1, s.num_players):
        q = seat_at(s, p, steps)
        if s.teams and steps == s.sides:  # DR-81: partners are no opponents
            continue
        meets = False
        for d in range(DINOS):
            at = s.position[q, d]
            if at < HOME and (at == s.position[p, 0] or at == s.position[p, 1]):
                meets = True
                target = target_of(steps, d)
                mask[FIRST_PUSH + target] = push and at > 0  # DR-31
                mask[FIRST_TRIP + target] = egg and s.egg != p and not s.lying[q, d]  # DR-33
        if meets:
            mask[FIRST_EGG + steps - 1] = egg and s.egg == p  # DR-32
            mask[FIRST_STEAL + steps - 1] = steal and s.hand_size[q] > 0  # DR-35


@compiled
def target_of(steps, d):
    """Place of a dinosaur among the targets: two for seats +1 to +3, one for the others."""
    return 2 * steps - 2 + d if steps < MAX_SOLO else steps + 2


@compiled
def steps_to_target(target):
    """How many seats clockwise the owner of a target sits."""
    return 1 + target // 2 if target < 2 * MAX_SOLO - 2 else target - 2


@compiled
def dino_of_target(target):
    """Which dinosaur of its owner a target is."""
    return target % 2 if target < 2 * MAX_SOLO - 2 else 0
