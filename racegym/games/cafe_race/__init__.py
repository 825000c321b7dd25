"""Café Race: secret picks, auctions, dice."""

from __future__ import annotations

from racegym.engine.rooms import game_in_rooms
from racegym.games.cafe_race import bots, notation, observation, rules, state, validity

GAME = game_in_rooms(
    "cafe_race",
    "office workers race downstairs with full cups: secret picks, auctions, dice",
    rooms=(state, rules, validity, observation, notation, bots),
    max_events=64,
)
