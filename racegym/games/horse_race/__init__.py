"""Horse Race: bets, cards placed face up and face down, three phases."""

from __future__ import annotations

from racegym.engine.events import Secret
from racegym.engine.game import Game
from racegym.games.horse_race import bots, encode, knowledge, notation, rules, state, validity

GAME = Game(
    name="horse_race",
    title="Horse Race",
    version=0,
    summary="secret bets on nine horses, a track built from rears and fronts, bluffs face down",
    layout=state.LAYOUT,
    options=state.OPTIONS,
    min_players=2,
    max_players=state.MAX_PLAYERS,
    num_actions=state.NUM_ACTIONS,
    action_table=notation.ACTION_TABLE,
    start=rules.start,
    legal=rules.legal,
    apply=rules.apply,
    outcome=rules.outcome,
    redeal=knowledge.redeal,
    encoders=encode.ENCODERS,
    bots=bots.BOTS,
    notation=notation,
    # The step that ends a phase logs at most 24 cards turned up (the first of a lane never is),
    # 12 pairs, 8 places, 4 jump or fall cards, 20 cards dealt and the next phase: 69 in all.
    max_events=72,
    secrets={"drew": Secret(("card",))},  # HR-26, HR-27, HR-33
    contradictions=validity.contradictions,
    extra={
        "invariants": notation.check_fields,
        "longest": notation.most_decisions,
        # What players remember of play; no field of a record tells it.
        "remembered": ("under", "under_left", "under_drawn", "fronts"),
    },
)
