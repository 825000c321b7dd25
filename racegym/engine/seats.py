"""The seats around the table, clockwise, for compiled rules and encoders."""

from __future__ import annotations

from racegym.engine.compile import compiled


@compiled
def after(s, p):
    """The next player clockwise."""
    return p + 1 if p + 1 < s.num_players else 0


@compiled
def seat_at(s, p, steps):
    """The player ``steps`` (less than the number of players) further clockwise."""
    q = p + steps
    return q if q < s.num_players else q - s.num_players


@compiled
def steps_to(s, p, q):
    """How many seats clockwise from p player q sits."""
    return q - p if q >= p else q - p + s.num_players
