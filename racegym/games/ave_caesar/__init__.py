"""Ave Caesar: chariots, cards, three laps and a coin for Caesar."""

from __future__ import annotations

from racegym.engine.events import Secret
from racegym.engine.game import Game
from racegym.games.ave_caesar import bots, encode, knowledge, notation, rules, state, validity

GAME = Game(
    name="ave_caesar",
    title="Ave Caesar",
    version=0,
    summary="chariots drive three laps on barely enough cards: blocking, no sixes for leaders",
    layout=state.LAYOUT,
    options=state.OPTIONS,
    min_players=3,
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
    # A step logs the move (4 events at most), then lost turns and strandings until somebody can
    # act or the race ends (AC-52: 12 and 6 at most), the race's end and the next one's start.
    # In a new race the starter can always act.
    max_events=32,
    secrets={"drew": Secret(("card",))},  # AC-65
    contradictions=validity.contradictions,
    extra={
        "invariants": notation.check_fields,
        "longest": notation.most_decisions,
        # Which values a player cannot hold, for redeal: past play tells it, no record field does.
        "not_told": ("absent",),
    },
)
