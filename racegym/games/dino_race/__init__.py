"""Dino Race: cards, tricks, a volcano and an egg; alone or in teams."""

from __future__ import annotations

from racegym.engine.game import Game
from racegym.games.dino_race import bots, notation, observation, rules, state, validity

GAME = Game(
    name="dino_race",
    title=notation.TITLE,
    version=0,
    summary="dinosaurs flee a volcano over twelve tiles: cards, tricks, one egg, teams",
    layout=state.LAYOUT,
    options=state.OPTIONS,
    actions=state.ACTIONS,
    start=rules.start,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    redeal=rules.redeal,
    encoders=observation.ENCODERS,
    bots=bots.BOTS,
    notation=notation,
    events=state.EVENTS,
    # The worst step rolls for all eight players in team play (seven of them home).  It discards
    # every card once and again what is drawn meanwhile: at most 52 cards and 8 x 8 + 3 draws, so
    # 67 draws, each with a shuffle before it, and 119 discards.  Each roll adds at most a die, a
    # drop, an egg, a lava, and a move and a drop per dinosaur: 8 x (4 + 2 x 8).  Arrivals and the
    # end of a race add 2 x 8 + 3.  Together less than 440.
    max_events=440,
    contradictions=validity.contradictions,
    max_decisions=rules.max_decisions,
    rotate=notation.rotate,
)
