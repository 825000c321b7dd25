"""Café Race: secret picks, auctions, dice."""

from __future__ import annotations

from racegym.engine.game import Game
from racegym.games.cafe_race import bots, encode, notation, rules, validity

GAME = Game(
    name="cafe_race",
    title="Café Race",
    version=0,
    summary="office workers race downstairs with full cups: secret picks, auctions, dice",
    layout=rules.LAYOUT,
    options=rules.OPTIONS,
    min_players=3,
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
    max_events=64,
    contradictions=validity.contradictions,
    extra={"invariants": notation.check_fields, "longest": notation.most_decisions},
)
