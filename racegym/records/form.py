"""The lines of a record, as the format writes them: the one place that knows their fields."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from racegym.engine.position import Position

#: Name and version of the format, in every game line.
FORMAT = "racegym-record/1"

GAME_FIELDS = (
    "type",
    "format",
    "game",
    "version",
    "options",
    "seed",
    "agents",
    "policies",
    "state",
)
MOVE_FIELDS = ("type", "n", "agent", "action")
FULL_FIELDS = (*MOVE_FIELDS, "legal", "events", "state")
END_FIELDS = ("type", "reason", "scores", "ranks", "rewards")

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


def to_text(line: dict[str, Any]) -> str:
    """A line of the file, without its newline; plain ASCII, so that it reads the same anywhere."""
    return _encode(line)


def game_line(position: Position, policies: Sequence[str | None]) -> dict[str, Any]:
    """The first line of a game, from the position at its start."""
    return {
        "type": "game",
        "format": FORMAT,
        "game": position.game.name,
        "version": position.game.version,
        "options": position.options,
        "seed": position.seed,
        "agents": agent_names(position.num_players),
        "policies": list(policies),
        "state": position.to_dict(),
    }


def play(position: Position, action: int, number: int, full: bool) -> dict[str, Any]:
    """Play an action and return the line of this move.

    Raises:
        IllegalAction, GameOver: as :meth:`racegym.Position.apply`; nothing was changed.
    """
    if position.is_over or not 0 <= action < len(position.mask) or not position.mask[action]:
        position.apply(action)  # raises the error that fits
    line: dict[str, Any] = {
        "type": "move",
        "n": number,
        "agent": position.seat,
        "action": position.action_to_text(action),
    }
    if not full:
        position.apply(action)
        return line
    line["legal"] = position.legal_texts()
    line["events"] = position.apply_with_events(action)
    line["state"] = position.to_dict()
    return line


def end_line(position: Position) -> dict[str, Any]:
    """The last line of a game that is over."""
    return {
        "type": "end",
        "reason": "truncated" if position.is_truncated else "finished",
        "scores": position.scores(),
        "ranks": position.ranks(),
        "rewards": [round(reward, 9) for reward in position.rewards()],
    }


def agent_names(num_players: int) -> list[str]:
    """``player_0`` … in seating order."""
    return [f"player_{seat}" for seat in range(num_players)]
