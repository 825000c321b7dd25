"""Hand-made positions of Café Race for the clause tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from racegym.engine.chance import TIES
from racegym.testing import Pick, ScriptedPosition, scripted
from racegym.testing.scripted import Entry

SAFE = (6, 6)  # white dice that always keep the balance
SPILL = (1, 1)  # white dice that fail unless impulse + speed is 2


def tie(index: int, among: int) -> Pick:
    """The white dice put the ``index``-th of the tied players first."""
    return Pick(index, among, TIES)


def basic(
    position: Sequence[int], dice: Sequence[int], coffee: Sequence[int] = (), **options: Any
) -> ScriptedPosition:
    """A round of the basic rules about to be played."""
    n = len(position)
    fields = {"position": list(position), "dice": list(dice), "coffee": list(coffee) or [5] * n}
    return scripted("cafe_race", {"num_players": n, **options}, fields)


def played(
    position: Sequence[int],
    dice: Sequence[int],
    impulses: Sequence[int],
    chance: Iterable[Entry],
    coffee: Sequence[int] = (),
    **options: Any,
) -> ScriptedPosition:
    """A round of the basic rules in which everybody has chosen; uses up exactly ``chance``."""
    play = basic(position, dice, coffee, **options)
    return play.apply(*(f"impulse {k}" for k in impulses), chance=chance)


def auction(
    position: Sequence[int],
    dice: Sequence[int],
    auctioneer: int,
    coffee: Sequence[int] = (),
    speed: Sequence[int] = (),
    impulse: Sequence[int] = (),
    **options: Any,
) -> ScriptedPosition:
    """A round of the advanced rules in which ``auctioneer`` chooses the next die."""
    n = len(position)
    fields = {
        "position": list(position),
        "dice": list(dice),
        "coffee": list(coffee) or [5] * n,
        "speed": list(speed) or [0] * n,
        "impulse": list(impulse) or [0] * n,
        "auctioneer": auctioneer,
        "to_act": auctioneer,
    }
    return scripted("cafe_race", {"num_players": n, "rules": "advanced", **options}, fields)


def ended(position: Sequence[int], coffee: Sequence[int], **options: Any) -> ScriptedPosition:
    """A game that is over."""
    fields = {
        "position": list(position),
        "coffee": list(coffee),
        "phase": "end",
        "to_act": None,
        "dice": [],
        "last_round": True,
    }
    return scripted("cafe_race", {"num_players": len(position), **options}, fields)


def order(play: ScriptedPosition, kind: str) -> list[int]:
    """The players in the events of one kind of the latest action, in order."""
    return [event["player"] for event in play.of_kind(kind)]


def move_of(play: ScriptedPosition, player: int) -> dict[str, Any]:
    """The latest action's move event of one player."""
    [move] = [event for event in play.of_kind("move") if event["player"] == player]
    return move


def balance_of(play: ScriptedPosition, player: int) -> dict[str, Any] | None:
    """The latest action's balance roll of one player, if there was one."""
    rolls = [event for event in play.of_kind("balance") if event["player"] == player]
    assert len(rolls) <= 1
    return rolls[0] if rolls else None
