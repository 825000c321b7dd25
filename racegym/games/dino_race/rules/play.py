"""The actions of Dino Race (DR-22 to DR-40)."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import seat_at
from racegym.games.dino_race.rules.cards import discard, discard_pair, draw, pass_card
from racegym.games.dino_race.rules.home import arrive, give_egg, take_prize
from racegym.games.dino_race.rules.tricks import play_trick
from racegym.games.dino_race.rules.turns import PART, settle
from racegym.games.dino_race.state import BY_THREE, HOME, MOVES, PAIRS, PHASE, WHY, A, E


@compiled
def apply(s, action, log):
    """Play a legal action and everything that follows from it, up to the next decision."""
    p = s.to_act
    if action >= A.give:
        give_egg(s, p, seat_at(s, p, action - A.give + 1), log)
        settle(s, PART.lava, log)
    elif action >= A.prize:
        take_prize(s, p, action - A.prize)
        settle(s, PART.play, log)
    elif action == A.roll:
        settle(s, PART.die, log)
    elif action >= A.hand:
        pass_card(s, p, action - A.hand)
    elif action >= A.pay:
        discard_pair(s, p, (action - A.pay) % len(PAIRS))
        s.phase = PHASE.play
        if action >= A.exchange:  # DR-40
            draw(s, p, 1, log)
    elif action >= A.stand:  # DR-34
        s.lying[p, action - A.stand] = 0
        s.phase = PHASE.pay
    elif action >= A.push:
        play_trick(s, p, action, log)
    elif move_by_card(s, p, (action - A.move) // MOVES, (action - A.move) % MOVES, log):
        settle(s, PART.play, log)


@compiled
def move_by_card(s, p, d, way, log):
    """A dinosaur moves one tile forward for a card or three (DR-23); true if it is home then."""
    if way < BY_THREE:
        discard(s, p, way, 1)
    else:
        discard(s, p, way - BY_THREE, 3)
    s.position[p, d] += 1
    emit(log, E.moved, p, d, s.position[p, d], WHY.card)
    if s.position[p, d] < HOME:
        return False
    arrive(s, p, d, log)
    return True
