"""The scripted agents win far more than their share against random play."""

from __future__ import annotations

import numpy as np
import pytest

import racegym
from racegym.engine.instances import chooser_of
from racegym.envs.vector import VectorEnv

GAMES = 192


def share_of_wins(bot: str, **options: object) -> float:
    """Wins (shared ones in part) of the agent in one seat against random players in the others."""
    game = racegym.game("horse_race")
    choose = chooser_of(game, game.bot(bot))
    env = VectorEnv(game, GAMES, seed=4, **options)
    batch = env.reset()
    rows, n = np.arange(GAMES), env.num_players
    seats = rows % n
    wins, running = np.zeros(GAMES), np.ones(GAMES, bool)
    number = 0
    while running.any():
        number += 1
        actions, scripted = env.sample(), np.zeros(GAMES, np.int64)
        choose(batch.observation, batch.mask, rows * 7919 + number, scripted)
        batch = env.step(np.where(batch.seat == seats, scripted, actions))
        over = batch.ended & running
        first = batch.ranks[:, :n] == 1
        wins[over] = (first[rows, seats] / np.maximum(first.sum(axis=1), 1))[over]
        running &= ~over
    return float(wins.mean())


@pytest.mark.parametrize("bot", ["default", "spoiler"])
@pytest.mark.parametrize(("n", "least"), [(2, 0.85), (3, 0.6), (4, 0.45)])
def test_bot_beats_random_players(bot: str, n: int, least: float) -> None:
    assert share_of_wins(bot, num_players=n) > least


@pytest.mark.parametrize(
    "options",
    [
        {"lanes": 4},
        {"scoring": "first"},
        {"scoring": "sum_bonus"},
        {"falls": True},
        {"counters": 1},
        {"rears": [12, 1, 1, 1, 1, 1, 1, 1, 1]},
    ],
)
def test_bot_beats_random_players_in_every_variant(options: dict[str, object]) -> None:
    assert share_of_wins("default", num_players=3, **options) > 0.5
