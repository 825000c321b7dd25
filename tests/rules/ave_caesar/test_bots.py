"""The scripted agents win far more than their share against random play."""

from __future__ import annotations

import numpy as np
import pytest

import racegym
from racegym.engine.instances import chooser_of
from racegym.envs.vector import VectorEnv

GAMES = 96


def points_of_bot(bot: str, **options: object) -> tuple[float, float]:
    """Mean points of the agent in one seat, and of the random players in the others."""
    game = racegym.game("ave_caesar")
    choose = chooser_of(game, game.bot(bot))
    env = VectorEnv(game, GAMES, seed=4, **options)
    batch = env.reset()
    rows, n = np.arange(GAMES), env.num_players
    seats = rows % n
    own, others = np.zeros(GAMES), np.zeros(GAMES)
    running = np.ones(GAMES, bool)
    number = 0
    while running.any():
        number += 1
        actions, scripted = env.sample(), np.zeros(GAMES, np.int64)
        choose(batch.observation, batch.mask, rows * 7919 + number, scripted)
        batch = env.step(np.where(batch.seat == seats, scripted, actions))
        over = batch.ended & running
        own[over] = batch.scores[rows, seats][over]
        others[over] = (batch.scores[over].sum(axis=1) - own[over]) / (n - 1)
        running &= ~over
    return float(own.mean()), float(others.mean())


@pytest.mark.parametrize("bot", ["default", "hasty"])
@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_bot_beats_random_players(bot: str, n: int) -> None:
    own, others = points_of_bot(bot, num_players=n)
    assert own > 4.0
    assert own > others + 2.0


@pytest.mark.parametrize(
    "options",
    [
        {"course": "blue"},
        {"course": "white", "direction": "ccw"},
        {"course": "red", "num_players": 6, "direction": "ccw"},
        {"stranded": "removed"},
    ],
)
def test_bot_beats_random_players_in_every_variant(options: dict[str, object]) -> None:
    own, others = points_of_bot("default", **options)
    assert own > 4.0
    assert own > others + 2.0
