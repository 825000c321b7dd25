"""The scripted agents win far more than their share against random play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.instances import chooser_of
from racegym.envs.vector import VectorEnv

GAMES = 48
TABLES = [(2, False), (3, False), (4, False), (4, True), (6, True), (8, True)]


def win_share(bot: str, num_players: int, teams: bool, **options: Any) -> float:
    """Share of games won by the agent on one side, the others playing at random."""
    game = racegym.game("dino_race")
    choose = chooser_of(game, game.bot(bot))
    env = VectorEnv(game, GAMES, seed=4, num_players=num_players, teams=teams, **options)
    batch = env.reset()
    rows, sides = np.arange(GAMES), num_players // 2 if teams else num_players
    own = rows % sides
    won, running = np.zeros(GAMES), np.ones(GAMES, bool)
    number = 0
    while running.any():
        number += 1
        actions, scripted = env.sample(), np.zeros(GAMES, np.int64)
        choose(batch.observation, batch.mask, rows * 7919 + number, scripted)
        batch = env.step(np.where(batch.seat % sides == own, scripted, actions))
        over = batch.ended & running
        won[over] = batch.ranks[rows, own][over] == 1
        running &= ~over
    return float(won.mean())


@pytest.mark.parametrize("variant", ["standard", "survive"])
@pytest.mark.parametrize(("n", "teams"), TABLES)
def test_bot_beats_random_players(n: int, teams: bool, variant: str) -> None:
    assert win_share("default", n, teams, variant=variant) > 0.85


@pytest.mark.parametrize(("n", "teams"), [(3, False), (8, True)])
def test_the_other_styles_beat_random_players(n: int, teams: bool) -> None:
    others = [bot.name for bot in racegym.game("dino_race").bots if bot.name != "default"]
    assert others
    for bot in others:
        assert win_share(bot, n, teams) > 0.85


def test_bot_wins_over_two_races() -> None:
    assert win_share("default", 4, False, matches=2) > 0.85
