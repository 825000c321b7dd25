"""The set-up of Horse Race, clause by clause."""

from __future__ import annotations

from racegym.engine.chance import DEALS, shuffle
from racegym.engine.compile import compiled
from racegym.games.horse_race.rules.stages import draw_card
from racegym.games.horse_race.rules.terms import number_of
from racegym.games.horse_race.state import COUNTERS, DECK, HAND, HORSES, KINDS, OPTION, PHASE


@compiled
def start(s, options):
    """Set up a game (HR-01 to HR-10); player 0 is the first to back a horse (HR-11)."""
    s.num_lanes = options[OPTION.lanes]
    s.scoring = options[OPTION.scoring]
    s.falls = options[OPTION.falls]
    s.max_turns = options[OPTION.max_turns]
    s.score_scale = 10  # HR-48
    for h in range(HORSES):
        s.rears[h] = options[OPTION.rears + h]
    s.bank = COUNTERS
    for p in range(s.num_players):
        s.counters[p] = options[OPTION.counters]
        s.bank -= s.counters[p]
    s.placer[:, :] = -1
    fill_pile(s)
    for p in range(s.num_players):
        for _ in range(HAND):
            draw_card(s, p)
    s.turn = 1
    s.stage = 1
    s.starter = -1
    s.last_placer = -1
    s.phase = PHASE.bet
    s.to_act = 0


@compiled
def fill_pile(s):
    """All race cards, shuffled (HR-03, HR-10)."""
    for kind in range(KINDS):
        for _ in range(number_of(s, kind)):
            s.pile[s.pile_size] = kind + 1
            s.pile_size += 1
    shuffle(s, DEALS, s.pile, 0, DECK)
