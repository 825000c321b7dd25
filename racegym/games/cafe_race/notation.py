"""Café Race in text and JSON: actions, states, and the situation in words."""

from __future__ import annotations

from typing import Any

from racegym.engine.words import player_line, turn_line
from racegym.games.cafe_race.board import draw, space_name
from racegym.games.cafe_race.state import ACTIONS, LAYOUT, PHASE

TITLE = "Café Race"


def action_to_text(state: Any, action: int) -> str:
    """The action in words; an action's words are the same in every state."""
    return ACTIONS.texts[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    return ACTIONS.number(text, TITLE)


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record; ``impulse`` holds the secret ones while they are chosen."""
    if state.phase != PHASE.impulse:
        return LAYOUT.to_dict(state)
    return LAYOUT.to_dict(state, {"impulse": state.secret[: state.num_players].tolist()})


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state."""
    LAYOUT.from_dict(state, fields, TITLE)
    if state.phase == PHASE.impulse and "impulse" in fields:
        state.secret[: state.num_players] = state.impulse[: state.num_players]
        state.impulse[:] = 0


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    rules_name = "advanced" if state.advanced else "basic"
    rounds = f"round {state.round_number} of at most {state.max_turns}"
    lines = [f"Café Race, {rules_name} rules, {rounds}."]
    if state.last_round:
        lines.append("A worker has reached the finish: this round is the last.")
    lines += [_describe_player(state, p, seat) for p in range(state.num_players)]
    if state.num_dice:
        lines.append(f"Speed dice left: {', '.join(map(str, state.dice[: state.num_dice]))}.")
    if state.phase in (PHASE.auction, PHASE.bid):
        lines.append(_describe_auction(state))
    return "\n".join([*lines, turn_line(state, seat), draw(state)])


def _describe_player(state: Any, p: int, seat: int) -> str:
    parts = [f"{space_name(state.position[p])}, coffee {state.coffee[p]}"]
    if p == seat and state.secret[p]:
        parts.append(f"impulse {state.secret[p]} (chosen, secret)")
    if state.impulse[p]:
        parts.append(f"impulse {state.impulse[p]}, speed {state.speed[p]}")
    if state.last_speed[p]:
        parts.append(f"last round impulse {state.last_impulse[p]}, speed {state.last_speed[p]}")
    return player_line(p, seat, parts)


def _describe_auction(state: Any) -> str:
    if state.phase == PHASE.auction:
        return f"Player {state.auctioneer} chooses the die to be auctioned."
    text = f"Player {state.auctioneer} auctions the {state.auctioned}"
    if state.high_bidder < 0:
        return f"{text} and must open."
    return f"{text}; highest bid {state.high_bid} by player {state.high_bidder}."
