"""Café Race in text and JSON: actions, states, events, and the situation in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racegym.errors import no_such_action
from racegym.games.cafe_race import rules
from racegym.games.cafe_race.board import draw, space_name

ACTION_TEXTS = (
    *(f"impulse {k}" for k in range(1, 7)),
    *(f"auction {k}" for k in range(1, 7)),
    *(f"bid {k}" for k in range(1, 7)),
    "pass",
)

ACTION_TABLE = tuple(enumerate(ACTION_TEXTS))


def action_to_text(state: Any, action: int) -> str:
    """The action in words; an action's words are the same in every state."""
    return ACTION_TEXTS[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    if text not in ACTION_TEXTS:
        raise no_such_action(text, "Café Race", ACTION_TEXTS)
    return ACTION_TEXTS.index(text)


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record."""
    n = int(state.num_players)
    choosing = state.phase == rules.IMPULSE
    auction = state.phase in (rules.AUCTION, rules.BID)
    bidding = state.phase == rules.BID
    opened = bidding and state.high_bidder >= 0
    return {
        "round": int(state.round_number),
        "phase": rules.PHASES[state.phase],
        "to_act": int(state.to_act) if state.to_act >= 0 else None,
        "position": state.position[:n].tolist(),
        "coffee": state.coffee[:n].tolist(),
        "impulse": (state.secret if choosing else state.impulse)[:n].tolist(),
        "speed": state.speed[:n].tolist(),
        "last_impulse": state.last_impulse[:n].tolist(),
        "last_speed": state.last_speed[:n].tolist(),
        "dice": state.dice[: state.num_dice].tolist(),
        "auctioneer": int(state.auctioneer) if auction else None,
        "auctioned": int(state.auctioned) if bidding else None,
        "high_bid": int(state.high_bid) if opened else None,
        "high_bidder": int(state.high_bidder) if opened else None,
        "last_round": bool(state.last_round),
    }


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state."""
    n = int(state.num_players)
    for name, value in fields.items():
        if name == "phase":
            state.phase = rules.PHASES.index(value)
        elif name in ("to_act", "auctioneer", "high_bidder"):
            setattr(state, name, -1 if value is None else value)
        elif name in ("auctioned", "high_bid"):
            setattr(state, name, 0 if value is None else value)
        elif name == "dice":
            state.dice[:] = 0
            state.dice[: len(value)] = sorted(value, reverse=True)
            state.num_dice = len(value)
        elif name in ("position", "coffee", "impulse", "speed", "last_impulse", "last_speed"):
            if len(value) != n:
                raise ValueError(f"{name} needs {n} values, not {len(value)}")
            state[name][:n] = value
        elif name == "round":
            state.round_number = value
        elif name == "last_round":
            state.last_round = value
        else:
            raise ValueError(f"a state of Café Race has no field {name!r}")
    if state.phase == rules.IMPULSE and "impulse" in fields:
        state.secret[:n] = state.impulse[:n]
        state.impulse[:] = 0


def event_to_dict(state: Any, row: Sequence[int]) -> dict[str, Any]:
    """One event of the log in the form of a record."""
    kind, a, b, c, d, e, f, g = (int(v) for v in row[:8])
    if kind == rules.SPEED_DICE:
        return {"kind": "speed_dice", "values": [b, c, d, e, f, g][:a]}
    if kind == rules.SPEED:
        return {"kind": "speed", "player": a, "impulse": b, "speed": c}
    if kind == rules.SOLD:
        return {"kind": "sold", "player": a, "speed": b, "bid": c}
    if kind == rules.AUCTIONEER:
        return {"kind": "auctioneer", "player": a}
    if kind == rules.MOVE:
        move = {"kind": "move", "player": a, "from": b, "to": c}
        return {**move, "barred": bool(d), "overshot": bool(e)}
    if kind == rules.BALANCE:
        rolled = {"kind": "balance", "player": a, "dice": [b, c]}
        return {**rolled, "need": d, "spilled": bool(e)}
    return {"kind": "restart", "player": a}


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    n = int(state.num_players)
    rules_name = "advanced" if state.advanced else "basic"
    rounds = f"round {state.round_number} of at most {state.max_turns}"
    lines = [f"Café Race, {rules_name} rules, {rounds}."]
    if state.last_round:
        lines.append("A worker has reached the finish: this round is the last.")
    for p in range(n):
        lines.append(_describe_player(state, p, seat))
    if state.num_dice:
        lines.append(f"Speed dice left: {', '.join(map(str, state.dice[: state.num_dice]))}.")
    if state.phase in (rules.AUCTION, rules.BID):
        lines.append(_describe_auction(state))
    if state.to_act >= 0:
        lines.append("You are to act." if state.to_act == seat else f"Player {state.to_act} acts.")
    else:
        lines.append("The game was cut." if state.truncated else "The game is over.")
    lines.append(draw(state))
    return "\n".join(lines)


def _describe_player(state: Any, p: int, seat: int) -> str:
    parts = [f"{space_name(int(state.position[p]))}, coffee {state.coffee[p]}"]
    if p == seat and state.secret[p]:
        parts.append(f"impulse {state.secret[p]} (chosen, secret)")
    if state.impulse[p]:
        parts.append(f"impulse {state.impulse[p]}, speed {state.speed[p]}")
    if state.last_speed[p]:
        parts.append(f"last round impulse {state.last_impulse[p]}, speed {state.last_speed[p]}")
    return f"Player {p}{' (you)' if p == seat else ''}: {'; '.join(parts)}."


def _describe_auction(state: Any) -> str:
    if state.phase == rules.AUCTION:
        return f"Player {state.auctioneer} chooses the die to be auctioned."
    text = f"Player {state.auctioneer} auctions the {state.auctioned}"
    if state.high_bidder < 0:
        return f"{text} and must open."
    return f"{text}; highest bid {state.high_bid} by player {state.high_bidder}."


def check_fields(fields: dict[str, Any]) -> None:
    """What holds for the state fields of every position; raises AssertionError."""
    position, speed = fields["position"], fields["speed"]
    n = len(position)
    assert all(0 <= space <= rules.LAST_FINISH for space in position)
    crowd = max(position.count(space) for space in range(1, rules.LAST_FINISH + 1))
    assert crowd <= 2, "more than two workers on a space (CR-04)"
    assert all(0 <= tokens <= rules.TOKENS for tokens in fields["coffee"])
    for name in ("impulse", "speed", "last_impulse", "last_speed"):
        assert len(fields[name]) == n and all(0 <= k <= rules.DIE for k in fields[name])
    assert fields["dice"] == sorted(fields["dice"], reverse=True)
    assert len(fields["dice"]) == speed.count(0), "a die for everybody who has none"
    assert fields["last_round"] == (fields["phase"] == "end" and max(position) >= 28)
    assert (fields["to_act"] is None) == (fields["phase"] == "end")
    assert (fields["auctioneer"] is not None) == (fields["phase"] in ("auction", "bid"))
    if fields["phase"] != "end":
        assert min(fields["coffee"]) > 0, "everybody begins a round with tokens (CR-36)"
        assert max(position) < rules.FIRST_FINISH, "nobody begins a round on the finish (CR-40)"


def most_decisions(options: dict[str, Any]) -> int:
    """How many decisions a game can have at most."""
    n = options["num_players"]
    per_round = n
    if options["rules"] == "advanced":
        per_round = sum(1 + bidders for bidders in range(2, n + 1))
    return int(options["max_turns"]) * per_round
