"""Horse Race: bets, cards placed face up and face down, three phases."""

from __future__ import annotations

from racegym.engine.game import Game
from racegym.games.horse_race import bots, notation, observation, rules, state, validity

GAME = Game(
    name="horse_race",
    title=notation.TITLE,
    version=0,
    summary="secret bets on nine horses, a track built from rears and fronts, bluffs face down",
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
    # The step that ends a phase logs at most 24 cards turned up (the first of a lane never is),
    # 12 pairs, 8 places, 4 jump or fall cards, 20 cards dealt and the next phase: 69 in all.
    max_events=72,
    contradictions=validity.contradictions,
    max_decisions=rules.max_decisions,
)
