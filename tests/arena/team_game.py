"""A tiny game in teams: everybody chooses 0-2 once, adds a die, and the side with most wins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from racegym.engine.chance import DICE, roll
from racegym.engine.compile import compiled
from racegym.engine.game import Encoder, Game, Table
from racegym.engine.layout import Field, Layout, Visible
from racegym.engine.options import OptionSet, num_players_option, reward_option

SEATS = 4
SIDES = 2


@compiled
def start(s, options):
    s.sides = SIDES
    s.score_scale = 1
    s.to_act = 0


@compiled
def legal(s, mask):
    mask[0:3] = 1


@compiled
def apply(s, action, log):
    p = s.to_act
    s.points[p] = 2 * action + roll(s, DICE, 6)
    s.to_act = p + 1 if p + 1 < s.num_players else -1


@compiled
def outcome(s, scores, ranks):
    for p in range(s.num_players):
        for q in range(s.num_players):
            if q % SIDES == p % SIDES:
                scores[p] += s.points[q]
    for p in range(s.num_players):
        ranks[p] = 1 + (scores[p] < scores[(p + 1) % SIDES])


@compiled
def redeal(s, seat):
    pass


@compiled
def write(s, seat, out):
    out[0] = seat / 4.0
    for p in range(s.num_players):
        out[1 + p] = s.points[p] / 16.0


def _text(state: Any, action: int) -> str:
    return f"choose {action}"


TABLE = Table([("seat", 1, "seat / 4"), ("points", SEATS, "points / 16")])
TEAM_GAME = Game(
    name="team_game",
    title="Team Game",
    version=0,
    summary="two against two",
    layout=Layout((Field("points", "i4", (SEATS,), Visible.EVERYBODY, "points"),)),
    options=OptionSet((num_players_option(4, 4, 4), reward_option())),
    min_players=4,
    max_players=SEATS,
    num_actions=3,
    action_table=tuple((a, f"choose {a}") for a in range(3)),
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(Encoder("flat", 1, (TABLE.size,), write, TABLE, lambda vector: {}),),
    bots=(),
    notation=SimpleNamespace(action_to_text=_text),  # type: ignore[arg-type]
)
