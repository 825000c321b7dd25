"""The tricks of Dino Race: push, trip, egg and steal (DR-31 to DR-35)."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import seat_at
from racegym.games.dino_race.rules.cards import discard, discard_at_random, steal
from racegym.games.dino_race.rules.home import give_egg
from racegym.games.dino_race.rules.volcano import take_drop
from racegym.games.dino_race.state import CARD, TARGETS, WHY, A, E


@compiled(inline=False)
def play_trick(s, p, action, log):
    """Push, trip, give the egg away, or steal (DR-31 to DR-35)."""
    if action >= A.steal:
        discard(s, p, CARD.steal, 1)
        steal(s, p, seat_at(s, p, action - A.steal + 1), log)
        return
    discard(s, p, CARD.egg if action >= A.trip else CARD.push, 1)
    if action >= A.egg:
        give_egg(s, p, seat_at(s, p, action - A.egg + 1), log)
        return
    target = (action - A.push) % len(TARGETS)
    q, d = seat_at(s, p, TARGETS[target, 0]), TARGETS[target, 1]
    if action >= A.trip:
        s.lying[q, d] = 1
    else:
        push_back(s, q, d, log)


@compiled(inline=False)
def push_back(s, q, d, log):
    """A dinosaur goes one tile back, or gets burned in front of the lava (DR-31)."""
    behind = s.position[q, d] - 1
    if s.volcano_active and behind <= s.lava:
        emit(log, E.burned, q, d)
        take_drop(s, q, log)
        discard_at_random(s, q, log)
    else:
        s.position[q, d] = behind
        emit(log, E.moved, q, d, behind, WHY.push)
