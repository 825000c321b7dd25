"""Ave Caesar: chariots, cards, three laps and a coin for Caesar."""

from __future__ import annotations

from racegym.engine.game import Game
from racegym.games.ave_caesar import bots, notation, observation, rules, state, validity

GAME = Game(
    name="ave_caesar",
    title=notation.TITLE,
    version=0,
    summary="chariots drive three laps on barely enough cards: blocking, no sixes for leaders",
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
    # A step logs the move (4 events at most), then lost turns and strandings until somebody can
    # act or the race ends (AC-52: 12 and 6 at most), the race's end and the next one's start.
    # In a new race the starter can always act.
    max_events=32,
    contradictions=validity.contradictions,
    max_decisions=rules.max_decisions,
)
