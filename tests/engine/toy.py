"""A tiny game of our own: two or three players walk six steps, each with a secret bonus card."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from racegym.engine.chance import DEALS, DICE, REDEALS, below, roll
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.game import Bot, Encoder, Game, Table
from racegym.engine.layout import Field, Layout, Visible
from racegym.engine.options import Flag, OptionSet, WholeNumber, num_players_option, reward_option
from racegym.errors import IllegalAction

MOST = 3
GOAL = 6
TEXTS = ("walk 1", "walk 2", "roll")

OPTIONS = OptionSet(
    (
        num_players_option(2, 2, MOST),
        reward_option(),
        WholeNumber("max_turns", 20, "decisions after which the game is cut", low=1, high=100),
        Flag("bonus", True, "whether cards count"),
    )
)

LAYOUT = Layout(
    (
        Field("max_turns", "i2", (), Visible.EVERYBODY, "decisions after which the game is cut"),
        Field("turn", "i2", (), Visible.EVERYBODY, "decisions made"),
        Field("bonus", "i1", (), Visible.EVERYBODY, "1 if cards count"),
        Field("position", "i1", (MOST,), Visible.EVERYBODY, "steps walked"),
        Field("card", "i1", (MOST,), Visible.OWNER, "secret card, 0-3"),
    )
)


@compiled
def start(s, options):
    """Deal a card to everybody."""
    s.max_turns = options[2]
    s.bonus = options[3]
    s.score_scale = 10
    for p in range(s.num_players):
        s.card[p] = below(s, DEALS, 4)
    s.to_act = 0


@compiled
def legal(s, mask):
    """One step and the die always, two steps while there is room."""
    mask[0] = 1
    mask[1] = s.position[s.to_act] + 2 <= GOAL
    mask[2] = 1


@compiled
def apply(s, action, log):
    """Walk; the first at the goal ends the game."""
    p = s.to_act
    steps = action + 1
    if action == 2:
        steps = roll(s, DICE, 3)
        emit(log, 1, p, steps)
    s.position[p] = min(s.position[p] + steps, GOAL)
    s.turn += 1
    s.to_act = (p + 1) % s.num_players
    if s.position[p] == GOAL:
        s.to_act = -1
    elif s.turn >= s.max_turns:
        s.to_act = -1
        s.truncated = 1


@compiled
def outcome(s, scores, ranks):
    """Steps and the card."""
    for p in range(s.num_players):
        scores[p] = s.position[p] + s.card[p] * s.bonus
    for p in range(s.num_players):
        ranks[p] = 1
        for q in range(s.num_players):
            ranks[p] += scores[q] > scores[p]


@compiled
def redeal(s, seat):
    """Others may hold any card."""
    for p in range(s.num_players):
        if p != seat:
            s.card[p] = below(s, REDEALS, 4)


FLAT = Table(
    [
        ("present", MOST, "1 if the seat is taken"),
        ("position", MOST, "steps walked / 6"),
        ("to_act", MOST, "1 for the player to act"),
        ("card", 1, "own card / 3"),
        ("turn", 1, "decisions made / 100"),
        ("max_turns", 1, "limit / 100"),
        ("bonus", 1, "1 if cards count"),
        ("reward", 3, "one-hot: scheme"),
    ]
)
FULL = Table([(p.name, p.length, p.meaning) for p in FLAT.slices.values()] + [("cards", 3, "/ 3")])


@compiled
def write_flat(s, seat, out):
    """What a seat sees."""
    out[:] = 0.0
    for q in range(s.num_players):
        p = (seat + q) % s.num_players
        out[q] = 1.0
        out[MOST + q] = s.position[p] / GOAL
        out[2 * MOST + q] = s.to_act == p
    out[9] = s.card[seat] / 3
    out[10] = s.turn / 100
    out[11] = s.max_turns / 100
    out[12] = s.bonus
    out[13 + s.reward] = 1.0


@compiled
def write_full(s, seat, out):
    """What a seat sees, and all cards."""
    write_flat(s, seat, out)
    for q in range(s.num_players):
        out[16 + q] = s.card[(seat + q) % s.num_players] / 3


def decode(vector: np.ndarray) -> dict[str, Any]:
    """The facts back from what a seat sees."""
    n = int(FLAT.read(vector, "present").sum())
    acting = FLAT.read(vector, "to_act")
    return {
        "num_players": n,
        "position": np.rint(FLAT.read(vector, "position")[:n] * GOAL).astype(int).tolist(),
        "to_act": int(acting.argmax()) if acting.any() else None,
        "card": [round(float(vector[9]) * 3)] + [0] * (n - 1),
        "turn": round(float(vector[10]) * 100),
        "max_turns": round(float(vector[11]) * 100),
        "bonus": bool(vector[12]),
        "reward": ("win", "rank", "score")[int(FLAT.read(vector, "reward").argmax())],
    }


@compiled
def choose(observation, mask, luck):
    """The last legal action."""
    action = 0
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            action = a
    return action


def action_to_text(state: Any, action: int) -> str:
    """The action in words."""
    return TEXTS[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean."""
    if text not in TEXTS:
        raise IllegalAction(f"{text!r} is no action")
    return TEXTS.index(text)


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields."""
    n = int(state.num_players)
    return {
        "to_act": int(state.to_act) if state.to_act >= 0 else None,
        "turn": int(state.turn),
        "position": state.position[:n].tolist(),
        "card": state.card[:n].tolist(),
    }


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set state fields."""
    for name, value in fields.items():
        if name == "to_act":
            state.to_act = -1 if value is None else value
        elif name == "turn":
            state.turn = value
        else:
            state[name][: len(value)] = value


def event_to_dict(state: Any, row: Any) -> dict[str, Any]:
    """The die is the only event."""
    return {"kind": "die", "player": int(row[1]), "value": int(row[2])}


def describe(state: Any, seat: int) -> str:
    """The situation in words."""
    n = int(state.num_players)
    return f"{state.position[:n].tolist()}, your card {state.card[seat]}, {state.to_act} acts"


def invariants(fields: dict[str, Any]) -> None:
    """Nobody walks beyond the goal."""
    assert all(0 <= steps <= GOAL for steps in fields["position"])


GAME = Game(
    name="toy",
    title="Toy",
    version=0,
    summary="a tiny game",
    layout=LAYOUT,
    options=OPTIONS,
    min_players=2,
    max_players=MOST,
    num_actions=3,
    action_table=tuple(enumerate(TEXTS)),
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(
        Encoder("flat", 1, (FLAT.size,), write_flat, FLAT, decode),
        Encoder("full", 1, (FULL.size,), write_full, FULL, decode, hides=False),
    ),
    bots=(Bot("default", choose, "flat", "takes the last legal action"),),
    notation=sys.modules[__name__],
    max_events=4,
    extra={"invariants": invariants, "longest": lambda options: options["max_turns"]},
)
