"""The board of Café Race: the names of its spaces and a drawing in text."""

from __future__ import annotations

from typing import Any

from racegym.engine.compile import uncompiled
from racegym.games.cafe_race.rules import is_step
from racegym.games.cafe_race.state import FIRST_FINISH, LAST_FINISH, START

_is_step = uncompiled(is_step)


def space_name(space: int) -> str:
    """What a space is (CR-02), with its number."""
    if space == START:
        return "start (0)"
    if space >= FIRST_FINISH:
        return f"finish ({space})"
    return f"{'step' if _is_step(space) else 'landing'} ({space})"


def draw(state: Any) -> str:
    """The staircase in three lines: workers above, spaces, and the kind of each space.

    Workers are shown by their seat numbers, at most two on a space (CR-04); those on the start
    stand in front of the track.
    """
    spaces = range(1, LAST_FINISH + 1)
    n = int(state.num_players)
    waiting = "".join(str(p) for p in range(n) if state.position[p] == START)
    workers = ["".join(str(p) for p in range(n) if state.position[p] == k) for k in spaces]
    kinds = ["F" if k >= FIRST_FINISH else "s" if _is_step(k) else "L" for k in spaces]
    margin = f"{waiting:>6} |"
    return "\n".join(
        [
            margin + "".join(f"{w:>3}" for w in workers),
            " start |" + "".join(f"{k:>3}" for k in spaces),
            "       |" + "".join(f"{k:>3}" for k in kinds) + "   (s step, L landing, F finish)",
        ]
    )
