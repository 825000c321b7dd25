"""What a seat sees of Horse Race, as arrays: the parts, the writers, and how to read them back."""

from __future__ import annotations

from racegym.engine.game import Encoder
from racegym.games.horse_race.observation.parts import FLAT, FULL, ROWS, TOKEN
from racegym.games.horse_race.observation.read import decode_flat, decode_full, decode_tokens
from racegym.games.horse_race.observation.write import write_flat, write_full, write_tokens

ENCODERS = (
    Encoder("flat", 2, write_flat, FLAT, decode_flat),
    Encoder("full", 2, write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 2, write_tokens, TOKEN, decode_tokens, rows=ROWS.count),
)
