"""Seats around the table."""

from __future__ import annotations

from types import SimpleNamespace

from racegym.engine import seats
from racegym.engine.compile import uncompiled


def test_seats_go_round_clockwise() -> None:
    after, seat_at, steps_to = map(uncompiled, (seats.after, seats.seat_at, seats.steps_to))
    for n in range(2, 9):
        s = SimpleNamespace(num_players=n)
        for p in range(n):
            assert after(s, p) == (p + 1) % n
            for steps in range(n):
                assert seat_at(s, p, steps) == (p + steps) % n
                assert steps_to(s, p, seat_at(s, p, steps)) == steps
