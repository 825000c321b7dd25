"""Café Race: secret picks, auctions, dice."""

from __future__ import annotations

from racegym.engine.game import Game
from racegym.games.cafe_race import bots, notation, observation, rules, state, validity

GAME = Game(
    name="cafe_race",
    title=notation.TITLE,
    version=0,
    summary="office workers race downstairs with full cups: secret picks, auctions, dice",
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
    max_events=64,
    contradictions=validity.contradictions,
    max_decisions=rules.max_decisions,
)
