"""Dino Race: cards, tricks, a volcano and an egg; alone or in teams."""

from __future__ import annotations

from racegym.engine.rooms import game_in_rooms
from racegym.games.dino_race import bots, notation, observation, rules, state, validity

GAME = game_in_rooms(
    "dino_race",
    "dinosaurs flee a volcano over twelve tiles: cards, tricks, one egg, teams",
    rooms=(state, rules, validity, observation, notation, bots),
    # The worst step rolls for all eight players in team play (seven of them home).  It discards
    # every card once and again what is drawn meanwhile: at most 52 cards and 8 x 8 + 3 draws, so
    # 67 draws, each with a shuffle before it, and 119 discards.  Each roll adds at most a die, a
    # drop, an egg, a lava, and a move and a drop per dinosaur: 8 x (4 + 2 x 8).  Arrivals and the
    # end of a race add 2 x 8 + 3.  Together less than 440.
    max_events=440,
    rotate=notation.rotate,
)
