"""What a seat sees of Dino Race, as arrays.

Seats are relative to the observer: index 0 is the observer, 1 the next clockwise, and so on; absent
seats are all zero.  Every encoder writes float32; only ``points`` (of the race before) can be
negative.  The parts are declared in :mod:`parts`, and written in :mod:`write`.
"""

from racegym.engine.game import Encoder
from racegym.games.dino_race.observation.parts import FLAT, FULL, ROW, TOKEN
from racegym.games.dino_race.observation.read import decode_flat, decode_full, decode_tokens
from racegym.games.dino_race.observation.write import write_flat, write_full, write_tokens

ENCODERS = (
    Encoder("flat", 1, write_flat, FLAT, decode_flat),
    Encoder("full", 1, write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 1, write_tokens, TOKEN, decode_tokens, rows=ROW.end),
)
