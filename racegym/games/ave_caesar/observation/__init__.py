"""What a seat sees of Ave Caesar, as arrays: the parts, the writers, and how to read them back."""

from racegym.engine.game import Encoder
from racegym.games.ave_caesar.observation.parts import FLAT, FULL, TOKEN, TOKEN_ROWS
from racegym.games.ave_caesar.observation.read import decode_flat, decode_full, decode_tokens
from racegym.games.ave_caesar.observation.write import write_flat, write_full, write_tokens

ENCODERS = (
    Encoder("flat", 2, write_flat, FLAT, decode_flat),
    Encoder("full", 2, write_full, FULL, decode_full, hides=False),
    Encoder("tokens", 2, write_tokens, TOKEN, decode_tokens, rows=TOKEN_ROWS),
)
