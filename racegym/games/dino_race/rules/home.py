"""Coming home in Dino Race, prize counters, and the egg (DR-60 to DR-63, DR-84)."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import after
from racegym.games.dino_race.rules.cards import discard_hand
from racegym.games.dino_race.rules.knowledge import keep_prize, look_at_prizes
from racegym.games.dino_race.state import PHASE, WHY, E, dinos_each, on_track, partner_of


@compiled
def give_egg(s, p, q, log):
    """The egg changes hands."""
    s.egg = q
    emit(log, E.egg, p, q)


@compiled(inline=False)
def arrive(s, p, d, log):
    """A dinosaur is home: its owner may be out of the race now (DR-60, DR-62, DR-84)."""
    s.lying[p, d] = 0
    emit(log, E.home, p, d)
    if on_track(s, p) > 0:
        return
    discard_hand(s, p, WHY.home, log)
    partner = partner_of(s, p)
    if s.egg == p and on_track(s, partner) > 0:
        give_egg(s, p, partner, log)


@compiled
def ask_for_prize(s):
    """Ask the next player with an arrival for a prize counter (DR-60); false if there is none."""
    if s.survive:
        return False
    p = s.current
    for _ in range(s.num_players):
        owed = dinos_each(s) - on_track(s, p) - s.prizes_won[p]
        if owed > 0:
            s.phase = PHASE.prize
            s.to_act = p
            look_at_prizes(s, p)
            return True
        p = after(s, p)
    return False


@compiled
def take_prize(s, p, prize):
    """A player keeps a prize counter (DR-60)."""
    s.prize_left[prize] = 0
    s.num_prizes -= 1
    s.prizes[p, s.prizes_won[p]] = prize
    s.prizes_won[p] += 1
    keep_prize(s, p, prize)
