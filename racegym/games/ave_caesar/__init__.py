"""Ave Caesar: chariots, cards, three laps and a coin for Caesar."""

from __future__ import annotations

from racegym.engine.rooms import game_in_rooms
from racegym.games.ave_caesar import bots, notation, observation, rules, state, validity

GAME = game_in_rooms(
    "ave_caesar",
    "chariots drive three laps on barely enough cards: blocking, no sixes for leaders",
    rooms=(state, rules, validity, observation, notation, bots),
    # A step logs the move (4 events at most), then lost turns and strandings until somebody can
    # act or the race ends (AC-52: 12 and 6 at most), the race's end and the next one's start.
    # In a new race the starter can always act.
    max_events=32,
)
