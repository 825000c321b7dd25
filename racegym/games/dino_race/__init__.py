"""Dino Race: cards, tricks, a volcano and an egg; alone or in teams."""

from __future__ import annotations

from racegym.engine.events import Secret
from racegym.engine.game import Game
from racegym.games.dino_race import bots, encode, notation, rules, validity

GAME = Game(
    name="dino_race",
    title="Dino Race",
    version=0,
    summary="dinosaurs flee a volcano over twelve tiles: cards, tricks, one egg, teams",
    layout=rules.LAYOUT,
    options=rules.OPTIONS,
    min_players=2,
    max_players=rules.MAX_PLAYERS,
    num_actions=rules.NUM_ACTIONS,
    action_table=notation.ACTION_TABLE,
    start=rules.start,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    redeal=rules.redeal,
    encoders=encode.ENCODERS,
    bots=bots.BOTS,
    notation=notation,
    # The worst step rolls for all eight players in team play (seven of them home).  It discards
    # every card once and again what is drawn meanwhile: at most 52 cards and 8 x 8 + 3 draws, so
    # 67 draws, each with a shuffle before it, and 119 discards.  Each roll adds at most a die, a
    # drop, an egg, a lava, and a move and a drop per dinosaur: 8 x (4 + 2 x 8).  Arrivals and the
    # end of a race add 2 x 8 + 3.  Together less than 440.
    max_events=440,
    secrets={"drew": Secret(("card",)), "stole": Secret(("card",), ("player", "from"))},  # DR-61
    contradictions=validity.contradictions,
    extra={
        "invariants": notation.check_invariants,
        "longest": rules.longest,
        "rotate": notation.rotate,
        # Hidden, or known in part only, which an observation says in facts of its own.
        "remembered": ("known", "shown", "shuffled", "pile_limit", "prize_known", "since_look"),
        "not_observed": ("pile", "prizes", "prizes_left"),
    },
)
