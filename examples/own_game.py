"""A game of your own, complete: state, rules, re-deal, encoder, notation and bot.

Scramble: two to four mice run up 20 steps.  Everybody has five secret cards, 1 to 4, out of a deck
of 24.  A card moves its mouse that far; on a step that is taken it slips back one.  Who is highest
in the end wins.  The guide docs/guides/adding_a_game.md explains every part.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.actions import Actions
from racegym.engine.chance import DEALS, REDEALS, below
from racegym.engine.compile import compiled
from racegym.engine.events import Events, emit
from racegym.engine.forms import ALL, PER_PLAYER
from racegym.engine.game import Bot, Encoder, Game
from racegym.engine.layout import Layout, own, seen
from racegym.engine.notation import DeclaredNotation
from racegym.engine.options import OptionSet, num_players_option, reward_option
from racegym.engine.parts import Parts, derived, each, reward_scheme, scaled, seat, seat_names
from racegym.engine.state import State

SEATS, KINDS, COPIES, HAND, TOP = 4, 4, 6, 5, 20
ACTIONS = Actions(play=[f"play {k}" for k in range(1, KINDS + 1)])
EVENTS = Events(moved=("player", "from", "to"))
E = EVENTS.at
OPTIONS = OptionSet((num_players_option(3, 2, SEATS), reward_option()))
LAYOUT = Layout(
    (
        seen("position", "step of the mouse", (SEATS,), high=TOP, form=PER_PLAYER),
        seen("hand_size", "cards in hand", (SEATS,), high=HAND, form=PER_PLAYER),
        seen("played", "cards played, by kind", (KINDS,), seats="none", high=COPIES, form=ALL),
        own("hands", "cards of each kind in hand", (SEATS, KINDS), high=HAND, form=PER_PLAYER),
    )
)


# --- rules ---------------------------------------------------------------------------------------


@compiled
def start(s, options):
    """Deal five cards to everybody."""
    s.score_scale = TOP
    s.to_act = 0
    left = np.full(KINDS, COPIES)
    for p in range(s.num_players):
        draw_hand(s, p, HAND, left, DEALS)


@compiled
def draw_hand(s, p, count, left, stream):
    """Draw cards out of those left of each kind."""
    s.hand_size[p] = count
    for _ in range(count):
        k, skip = 0, below(s, stream, left.sum())
        while skip >= left[k]:
            skip -= left[k]
            k += 1
        left[k] -= 1
        s.hands[p, k] += 1


@compiled
def legal(s, mask):
    """Any card in hand."""
    for k in range(KINDS):
        mask[k] = s.hands[s.to_act, k] > 0


@compiled
def apply(s, action, log):
    """Move, slip if the step is taken, and pass the turn."""
    p = s.to_act
    s.hands[p, action] -= 1
    s.hand_size[p] -= 1
    s.played[action] += 1
    to = min(s.position[p] + action + 1, TOP)
    for q in range(s.num_players):
        if q != p and s.position[q] == to:
            to -= 1
            break
    emit(log, E.moved, p, s.position[p], to)
    s.position[p] = to
    s.to_act = (p + 1) % s.num_players
    if s.hand_size[s.to_act] == 0:
        s.to_act = -1


@compiled
def outcome(s, scores, ranks):
    """The step reached; who is higher ranks before."""
    for p in range(s.num_players):
        scores[p] = s.position[p]
        ranks[p] = 1
        for q in range(s.num_players):
            ranks[p] += s.position[q] > s.position[p]


@compiled
def redeal(s, seat):
    """The others' cards are drawn anew from all that the seat has not seen."""
    left = COPIES - s.played - s.hands[seat]
    for p in range(s.num_players):
        if p != seat:
            s.hands[p, :] = 0
            draw_hand(s, p, s.hand_size[p], left, REDEALS)


# --- what a seat sees, says and does -------------------------------------------------------------

PLAYER = Parts(
    derived("present", "1 if the seat is taken"),
    scaled("position", "step of the mouse", TOP),
    scaled("hand_size", "cards in hand", HAND),
    seat("to_act", "1 for the player to act"),
    scaled("hands", "cards of each kind in hand (the observer's own only)", HAND, KINDS),
)
FLAT = Parts(
    each("player", PLAYER, seat_names(SEATS)),
    scaled("played", "cards of each kind played", COPIES, KINDS),
    reward_scheme(),
)
P, F, PER_P, PER_F = PLAYER.at, FLAT.at, PLAYER.per, FLAT.per


@compiled
def write(s, seat, out):
    """Encoder ``flat``: the players, the own one first, then the table."""
    out[:] = 0.0
    for q in range(s.num_players):
        p, at = (seat + q) % s.num_players, q * P.stride
        out[at] = 1.0
        out[at + P.position] = s.position[p] * PER_P.position
        out[at + P.hand_size] = s.hand_size[p] * PER_P.hand_size
        out[at + P.to_act] = s.to_act == p
    for k in range(KINDS):
        out[P.hands + k] = s.hands[seat, k] * PER_P.hands
        out[F.played + k] = s.played[k] * PER_F.played
    out[F.reward + s.reward] = 1.0


@compiled
def choose(observation, mask, bits):
    """The highest card."""
    action = KINDS - 1
    while mask[action] == 0:
        action -= 1
    return action


def describe(state: State, seat: int) -> str:
    """The situation in words."""
    cards = [k + 1 for k in range(KINDS) for _ in range(state.hands[seat, k])]
    return f"Mice on {state.position[: state.num_players]}; player {seat}, you hold {cards}."


GAME = Game(
    name="scramble",
    title="Scramble",
    summary="mice run up a stair on five secret cards",
    layout=LAYOUT,
    options=OPTIONS,
    actions=ACTIONS,
    start=start,
    legal=legal,
    apply=apply,
    outcome=outcome,
    redeal=redeal,
    encoders=(Encoder("flat", 1, write, FLAT),),
    bots=(Bot("default", choose, "flat", "plays the highest card"),),
    notation=DeclaredNotation("Scramble", ACTIONS, LAYOUT, describe),
    events=EVENTS,
    max_decisions=lambda options: HAND * options["num_players"],
)

if __name__ == "__main__":
    from racegym.testing import check_game

    check_game(GAME)
    print("Scramble passes every check")
