"""An encoder of your own for a game of the library: less to look at, learned from sooner.

Café Race's ``flat`` has 389 numbers; this one has the 19 that a hurried player would look at.  In
configs and commands the game is named ``own_encoder:GAME`` and the encoder ``hurried``.
"""

from __future__ import annotations

import numpy as np

import racegym
from racegym.engine.compile import compiled
from racegym.engine.game import Encoder
from racegym.engine.parts import Parts, flag, scaled
from racegym.envs import VectorEnv

SEATS, DIE, TOKENS, LAST = 6, 6, 5, 29

HURRIED = Parts(
    scaled("lead", "space of each worker, the own one first,", LAST, SEATS),
    scaled("coffee", "coffee tokens of each player", TOKENS, SEATS),
    scaled("dice", "speed dice left of each value", DIE, DIE),
    flag("last_round", "1 once a worker has reached the finish"),
)
AT, PER = HURRIED.at, HURRIED.per


@compiled
def write(s, seat, out):
    """What a hurried player sees; compiled like the rules, so every entry must be written."""
    out[:] = 0.0
    for q in range(s.num_players):
        p = (seat + q) % s.num_players
        out[AT.lead + q] = s.position[p] * PER.lead
        out[AT.coffee + q] = s.coffee[p] * PER.coffee
    for i in range(s.num_dice):
        out[AT.dice + s.dice[i] - 1] += PER.dice
    out[AT.last_round] = s.last_round


GAME = racegym.game("cafe_race").with_encoder(
    Encoder("hurried", 1, write, HURRIED, complete=False)  # it leaves public facts out on purpose
)

if __name__ == "__main__":
    games = VectorEnv(GAME, 4, seed=7, encoder="hurried")
    batch = games.reset()
    for _ in range(20):
        batch = games.step(games.sample())
    print(HURRIED.markdown())
    print("shape", batch.observation.shape)
    print("first game:", GAME.encoder("hurried").decode(batch.observation[0]))
    assert np.isfinite(batch.observation).all()
