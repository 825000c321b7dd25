"""The event die, eruptions and lava drops of Dino Race (DR-50 to DR-54)."""

from __future__ import annotations

from racegym.engine.chance import DICE, roll
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import after, seat_at
from racegym.games.dino_race.rules.cards import discard_at_random, discard_hand, draw
from racegym.games.dino_race.rules.home import arrive
from racegym.games.dino_race.state import (
    DINOS,
    FACE,
    FACES,
    HOME,
    LAST_TERRAIN,
    PHASE,
    WHY,
    E,
    dinos_each,
    on_track,
)


@compiled
def take_drop(s, p, log):
    """A player takes a lava drop, if there is one left (DR-06)."""
    if s.drop_supply > 0:
        s.drop_supply -= 1
        s.drops[p] += 1
        emit(log, E.drop, p)


@compiled(inline=False)
def roll_die(s, log):
    """Roll the event die (DR-50 to DR-52); return its face."""
    face = roll(s, DICE, FACES)
    s.last_die = face
    emit(log, E.die, s.current, face)
    if face != FACE.eruption:
        p = s.current
        for _ in range(s.num_players):
            draw(s, p, drawn_by_die(s, p, face), log)
            p = after(s, p)
    return face


@compiled
def drawn_by_die(s, p, face):
    """How many cards a player draws through the die (DR-50, DR-51, DR-81)."""
    if face == FACE.two:
        return dinos_each(s) if on_track(s, p) > 0 else 0
    count = 0
    for d in range(DINOS):
        at = s.position[p, d]
        count += 0 < at < HOME and s.tiles[at - 1] == face - 1
    return count


@compiled
def must_give(s, log):
    """First part of an eruption (DR-52); true if there is somebody to give the egg to."""
    p = s.egg
    discard_hand(s, p, WHY.eruption, log)
    take_drop(s, p, log)
    for steps in range(1, s.num_players):
        if on_track(s, seat_at(s, p, steps)) > 0:
            s.phase = PHASE.give
            s.to_act = p
            return True
    return False


@compiled(inline=False)
def erupt(s, log):
    """Second part of an eruption: lava turns a tile, and dinosaurs on it flee (DR-53)."""
    if s.volcano_active:
        s.lava += 1
    s.volcano_active = 1
    turned = s.lava
    emit(log, E.lava, turned)
    fled = 0  # a bit for every dinosaur that moved
    p = s.current
    for _ in range(s.num_players):
        for d in range(DINOS):
            if s.position[p, d] == turned:
                fled |= 1 << (p * DINOS + d)
                s.position[p, d] = turned + 1
                emit(log, E.moved, p, d, turned + 1, WHY.lava)
                discard_at_random(s, p, log)
                take_drop(s, p, log)
        p = after(s, p)
    if turned < LAST_TERRAIN:
        return
    for _ in range(s.num_players):
        for d in range(DINOS):
            if fled >> (p * DINOS + d) & 1:
                arrive(s, p, d, log)
        p = after(s, p)
