"""Ratings: the model's own data are recovered, with intervals that cover."""

from __future__ import annotations

import numpy as np
import pytest

from racegym.arena import play_match
from racegym.arena.ratings import SCALE, ratings
from tests.agents.stand_ins import Own


def ranked(
    strengths: np.ndarray, placing: np.ndarray, rng: np.random.Generator, tied: bool = False
) -> np.ndarray:
    """Ranks drawn from the model: the order of exponential waiting times."""
    times = rng.exponential(1 / strengths[placing])
    if tied:
        times = np.round(times, 1)
    return 1 + (times[..., None, :] < times[..., :, None]).sum(axis=-1)


def test_two_agents_by_hand() -> None:
    """Three wins to one: odds of 3, a difference of 190.8 points."""
    placing = np.tile([[[0, 1]]], (400, 1, 1))
    ranks = np.where(np.arange(400)[:, None, None] % 4 > 0, [[[1, 2]]], [[[2, 1]]])
    first, second = ratings(placing, ranks, 2)
    assert first.value == pytest.approx(-second.value)
    assert first.value - second.value == pytest.approx(SCALE * np.log(3), rel=0.01)
    error = (first.high - first.value) * 2 / 1.966 / SCALE
    assert error == pytest.approx(np.sqrt(1 / 300 + 1 / 100), rel=0.02)


def test_recovers_strengths_and_covers() -> None:
    """PITFALL 18."""
    rng = np.random.default_rng(5)
    theta = np.array([0.8, 0.1, -0.3, -0.6])
    wanted = SCALE * (theta - theta.mean())
    covered = 0
    for _ in range(60):
        placing = rng.permuted(np.tile(np.arange(4), (100, 4, 1)), axis=2)
        found = ratings(placing, ranked(np.exp(theta), placing, rng), 4)
        covered += sum(r.low <= w <= r.high for r, w in zip(found, wanted, strict=True))
        assert abs(sum(r.value for r in found)) < 1e-6
    assert covered > 0.9 * 240


def test_agents_in_several_places_and_ties() -> None:
    """Copies of equal agents in any number of places stay level."""
    rng = np.random.default_rng(6)
    placing = np.tile([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]], (300, 1, 1))
    first, second = ratings(placing, ranked(np.ones(2), placing, rng, tied=True), 2)
    assert first.low < 0 < first.high
    assert abs(first.value) < 30
    assert first.value == pytest.approx(-second.value)


def test_everybody_always_tied() -> None:
    placing = np.tile([[0, 1, 2]], (5, 1, 1))
    found = ratings(placing, np.ones_like(placing), 3)
    assert [r.value for r in found] == pytest.approx([0, 0, 0], abs=1e-9)


def test_an_agent_that_always_wins_has_a_finite_rating() -> None:
    placing = np.tile([[0, 1]], (500, 2, 1))
    first, _ = ratings(placing, np.tile([[1, 2]], (500, 2, 1)), 2)
    assert 500 < first.value < 3000


def test_in_a_match() -> None:
    result = play_match("cafe_race", ["scripted", "random"], 40, seed=1)
    assert result.agents[0].rating.low > 0 > result.agents[1].rating.high
    copies = play_match("cafe_race", [Own(), Own()], 10, seed=1, fill="even")
    shown = copies.agents[0].rating
    assert (shown.value, shown.low, shown.high) == pytest.approx((0, 0, 0), abs=1e-6)
    alone = play_match("cafe_race", ["scripted", "random"], 1, seed=1)
    assert alone.agents[0].rating.low is None
