"""Setting up Dino Race: the game, and each of its races (DR-10 to DR-13)."""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import DEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import WIDTH
from racegym.games.dino_race.rules.cards import deal_cards, draw
from racegym.games.dino_race.state import (
    DINOS,
    DROPS,
    EGG_COUNTERS,
    HOME,
    MAX_PLAYERS,
    OPTION,
    PHASE,
    PRIZES,
    TERRAINS,
    TILES,
    dinos_each,
    on_track,
)


@compiled
def start(s, options):
    """Set up a game (DR-01, DR-13, DR-80)."""
    s.teams = options[OPTION.teams]
    s.survive = options[OPTION.variant]
    s.matches = options[OPTION.matches]
    s.max_turns = options[OPTION.max_turns]
    for i in range(PRIZES):
        s.prize_values[i] = options[OPTION.prize_values + i]
    for i in range(EGG_COUNTERS):
        s.egg_values[i] = options[OPTION.egg_values + i]
    if s.teams:
        s.sides = s.num_players // 2
    s.score_scale = 1 if s.survive else 10  # DR-74
    s.race = 1
    s.turn = 1
    s.starter = below(s, DEALS, s.num_players)
    set_up_race(s, s.starter)


@compiled(inline=False)
def set_up_race(s, starter):
    """Everything up to the first decision: DR-10 to DR-13 and the first draw."""
    s.volcano_active = 0
    s.lava = 0
    s.last_die = 0
    s.egg_safe = 0
    s.egg_value = 0
    s.drop_supply = 0 if s.survive else DROPS
    for i in range(TILES):
        s.tiles[i] = i % TERRAINS
    shuffle(s, DEALS, s.tiles, 0, TILES)
    for p in range(MAX_PLAYERS):
        for d in range(DINOS):
            s.position[p, d] = HOME
            s.lying[p, d] = 0
        s.drops[p] = 0
    for p in range(s.num_players):
        if s.teams:
            s.position[p, 0] = 1 if p < s.sides else 2  # DR-80
        else:
            s.position[p, 0] = 1
            s.position[p, 1] = 2
    deal_cards(s, starter)
    lay_out_prizes(s)
    s.current = starter
    s.egg = starter
    s.passed = 0
    s.phase = PHASE.play
    s.to_act = starter
    draw(s, starter, on_track(s, starter), np.zeros((0, WIDTH), np.int32))  # DR-21, no events


@compiled(inline=False)
def lay_out_prizes(s):
    """A prize counter for every dinosaur, drawn at random (DR-12); none in "survive" (DR-75)."""
    s.num_prizes = 0 if s.survive else s.num_players * dinos_each(s)
    for p in range(s.num_players):
        s.prizes_won[p] = 0
        for d in range(DINOS):
            s.prizes[p, d] = -1
        for q in range(s.num_players):
            s.since_look[p, q] = 0
        for i in range(PRIZES):
            s.prize_known[p, i] = 0
    for i in range(PRIZES):
        s.prize_left[i] = i < s.num_prizes
    if not s.survive:
        shuffle(s, DEALS, s.prize_left, 0, PRIZES)
