"""A tiny game of our own: two or three players walk six steps, each with a secret bonus card."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.actions import Actions
from racegym.engine.chance import DEALS, DICE, REDEALS, below, roll
from racegym.engine.compile import compiled
from racegym.engine.events import Events, emit
from racegym.engine.forms import NUMBER, PER_PLAYER
from racegym.engine.game import Bot, Contradictions, Encoder, Game
from racegym.engine.layout import Layout, own, seen
from racegym.engine.notation import DeclaredNotation
from racegym.engine.options import Flag, OptionSet, WholeNumber, num_players_option, reward_option
from racegym.engine.parts import Parts, derived, flag, reward_scheme, scaled
from racegym.engine.state import State

MOST = 3
GOAL = 6
ACTIONS = Actions(walk=("walk 1", "walk 2"), roll="roll")
EVENTS = Events(die=("player", "value"))
E = EVENTS.at

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
        seen("max_turns", "decisions after which the game is cut", dtype="i2"),
        seen("turn", "decisions made", dtype="i2", form=NUMBER),
        seen("bonus", "1 if cards count"),
        seen("position", "steps walked", (MOST,), form=PER_PLAYER),
        own("card", "secret card, 0-3", (MOST,), form=PER_PLAYER),
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
        emit(log, E.die, p, steps)
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


FLAT = Parts(
    derived("present", "1 if the seat is taken", MOST),
    scaled("position", "steps walked", GOAL, MOST),
    derived("to_act", "1 for the player to act", MOST),
    scaled("card", "own card", 3),
    scaled("turn", "decisions made", 100),
    scaled("max_turns", "limit", 100),
    flag("bonus", "1 if cards count"),
    reward_scheme(),
)
FULL = Parts(FLAT, scaled("cards", "all cards", 3, MOST))


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
    facts = FLAT.facts(vector)
    return {
        **facts,
        "num_players": n,
        "position": facts["position"][:n],
        "to_act": int(acting.argmax()) if acting.any() else None,
        "card": [facts["card"]] + [0] * (n - 1),
    }


@compiled
def choose(observation, mask, bits):
    """The last legal action."""
    action = 0
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            action = a
    return action


def describe(state: State, seat: int) -> str:
    """The situation in words."""
    walked = state.position[: state.num_players].tolist()
    return f"{walked}, your card {state.card[seat]}, {state.to_act} acts"


def contradictions(states: Any) -> Contradictions:
    """Nobody walks beyond the goal."""
    yield (states["position"] > GOAL).any(axis=1), "somebody has walked beyond the goal"


NOTATION = DeclaredNotation("Toy", ACTIONS, LAYOUT, describe)

GAME = Game(
    name="toy",
    title="Toy",
    version=0,
    summary="a tiny game",
    layout=LAYOUT,
    options=OPTIONS,
    actions=ACTIONS,
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(
        Encoder("flat", 1, write_flat, FLAT, decode),
        Encoder("full", 1, write_full, FULL, decode, hides=False),
    ),
    bots=(Bot("default", choose, "flat", "takes the last legal action"),),
    notation=NOTATION,
    events=EVENTS,
    max_events=4,
    contradictions=contradictions,
    max_decisions=lambda options: int(options["max_turns"]),
)
