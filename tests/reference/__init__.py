"""Plain, slow re-implementations of the games, written from the clauses alone.

Nobody who wrote one of them had read the engine.  They import nothing from racegym:
:func:`check` takes the parsed lines of one full game record, plays the same game by the
clauses, and raises :class:`Divergence` at the first difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class Divergence(AssertionError):
    """A record and the reference implementation do not agree."""


class Reference(Protocol):
    """What each reference module calls ``Reference``: one game in progress.

    The constructor takes the record's game line and adopts its starting state after checking
    that it is a possible one for the options.
    """

    to_act: int | None

    def __init__(self, game_line: dict[str, Any]) -> None: ...

    def legal(self) -> list[str]:
        """Every action open to the player to act, in text, sorted as strings."""

    def step(
        self, action: str, events: list[dict[str, Any]], after: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Play ``action`` and return the events that must have happened.

        Dice, draws and random orders are taken from ``events`` (from ``after``, the recorded
        state, only where a chance outcome has no event), each checked to be possible.
        """

    def state(self) -> dict[str, Any]:
        """The whole state, with the fields the record format names."""

    def result(self) -> dict[str, Any] | None:
        """``reason``, ``scores``, ``ranks``, ``rewards`` when the game is over, else None."""


def check(reference: type[Reference], lines: Iterable[dict[str, Any]]) -> int:
    """Compare one full record (game line, move lines, end line) with the reference.

    Returns the number of moves compared; raises Divergence at the first difference.
    """
    lines = list(lines)
    head, moves, end = lines[0], lines[1:-1], lines[-1]
    game = reference(head)
    same("start", "state", game.state(), head["state"])
    for number, move in enumerate(moves):
        place = f"move {number} ({move['action']!r} by {move['agent']})"
        same(place, "number", number, move["n"])
        same(place, "player to act", game.to_act, move["agent"])
        same(place, "legal actions", game.legal(), move["legal"])
        if move["action"] not in move["legal"]:
            raise Divergence(f"{place}: the action is not legal")
        same(
            place,
            "events",
            game.step(move["action"], move["events"], move["state"]),
            move["events"],
        )
        same(place, "state", game.state(), move["state"])
    result = game.result()
    if result is None:
        raise Divergence("the record ends but the game goes on")
    for key in ("reason", "scores", "ranks"):
        same("end", key, result[key], end[key])
    if any(abs(a - b) > 1e-6 for a, b in zip(result["rewards"], end["rewards"], strict=True)):
        raise Divergence(
            f"end: rewards: expected {result['rewards']}, the record has {end['rewards']}"
        )
    return len(moves)


def same(place: str, what: str, expected: Any, found: Any) -> None:
    """Raise Divergence unless the two are equal, naming the fields that differ."""
    if expected == found:
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        differing = [
            k for k in sorted(expected.keys() | found.keys()) if expected.get(k) != found.get(k)
        ]
        detail = "; ".join(
            f"{k}: expected {expected.get(k)!r}, the record has {found.get(k)!r}" for k in differing
        )
    else:
        detail = f"expected {expected!r}, the record has {found!r}"
    raise Divergence(f"{place}: {what}: {detail}")
