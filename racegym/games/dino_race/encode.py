"""First flat encoder, to be replaced."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Table

FLAT = Table([("hand", 8, "hand")])


@compiled
def write_flat(s, seat, out):
    for kind in range(8):
        out[kind] = s.hands[seat, kind] / 8.0


ENCODERS = (Encoder("flat", 1, (8,), write_flat, FLAT, lambda v: {}),)
