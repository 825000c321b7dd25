"""Horse Race: bets, cards placed face up and face down, three phases."""

from __future__ import annotations

from racegym.engine.rooms import game_in_rooms
from racegym.games.horse_race import bots, notation, observation, rules, state, validity

GAME = game_in_rooms(
    "horse_race",
    "secret bets on nine horses, a track built from rears and fronts, bluffs face down",
    rooms=(state, rules, validity, observation, notation, bots),
    # The step that ends a phase logs at most 24 cards turned up (the first of a lane never is),
    # 12 pairs, 8 places, 4 jump or fall cards, 20 cards dealt and the next phase: 69 in all.
    max_events=72,
)
