"""A tiny game in teams: everybody chooses 0-2 once, adds a die, and the side with most wins."""

from __future__ import annotations

from racegym.engine.actions import Actions
from racegym.engine.chance import DICE, roll
from racegym.engine.compile import compiled
from racegym.engine.events import Events
from racegym.engine.game import Encoder, Game
from racegym.engine.layout import Layout, seen
from racegym.engine.notation import DeclaredNotation
from racegym.engine.options import OptionSet, num_players_option, reward_option
from racegym.engine.parts import Parts, scaled

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


TABLE = Parts(scaled("seat", "seat", 4), scaled("points", "points", 16, SEATS))
ACTIONS = Actions(choose=[f"choose {a}" for a in range(3)])
LAYOUT = Layout((seen("points", "points", (SEATS,), "i4"),))
TEAM_GAME = Game(
    name="team_game",
    title="Team Game",
    version=0,
    summary="two against two",
    layout=LAYOUT,
    options=OptionSet((num_players_option(4, 4, 4), reward_option())),
    actions=ACTIONS,
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(Encoder("flat", 1, write, TABLE, lambda vector: {}),),
    bots=(),
    notation=DeclaredNotation("Team Game", ACTIONS, LAYOUT, lambda state, seat: ""),
    events=Events(),
)
