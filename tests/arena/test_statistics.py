"""Intervals: known values, and that they cover what they should."""

from __future__ import annotations

import numpy as np
import pytest

from racegym.arena.match import looks_at
from racegym.arena.statistics import Estimate, mean, share, student_t

#: From printed tables: (confidence, degrees of freedom, critical value).
TABLE = [
    (0.95, 1, 12.7062),
    (0.95, 2, 4.3027),
    (0.95, 5, 2.5706),
    (0.95, 10, 2.2281),
    (0.95, 30, 2.0423),
    (0.95, 31, 2.0395),
    (0.95, 60, 2.0003),
    (0.95, 1000, 1.9623),
    (0.99, 3, 5.8409),
    (0.99, 20, 2.8453),
    (0.99, 40, 2.7045),
    (0.99, 120, 2.6174),
    (0.90, 7, 1.8946),
]


@pytest.mark.parametrize(("confidence", "degrees", "value"), TABLE)
def test_students_t(confidence: float, degrees: int, value: float) -> None:
    assert student_t(confidence, degrees) == pytest.approx(value, abs=2e-4)


def test_mean_of_a_known_sample() -> None:
    found = mean(np.array([1.0, 2.0, 3.0, 4.0]))
    half = 3.18245 * np.sqrt(5 / 3) / 2
    assert found.value == 2.5
    assert (found.low, found.high) == pytest.approx((2.5 - half, 2.5 + half), abs=1e-3)


def test_one_deal_tells_nothing() -> None:
    assert mean(np.array([0.5])) == share(np.array([0.5])) == Estimate(0.5, None, None)
    assert not mean(np.array([0.5])).excludes(0.0)


def test_shares_stay_within_bounds() -> None:
    """A share of 0 or 1 is not certain: the interval is that of so many independent deals."""
    none = share(np.zeros(100))
    assert none.value == none.low == 0
    assert none.high == pytest.approx(1.984**2 / (100 + 1.984**2), abs=1e-4)
    every = share(np.ones(100))
    assert (every.low, every.high) == pytest.approx((1 - none.high, 1.0))
    rare = np.zeros(400)
    rare[0] = 0.25
    found = share(rare)
    assert found.low is not None and 0 <= found.low < found.value < found.high < 0.02


def test_intervals_end_where_the_figure_does() -> None:
    assert Estimate(2.5, 1.5, 3.5).within(1, 4) == Estimate(2.5, 1.5, 3.5)
    assert Estimate(2.5, -7.0, 12.0).within(1, 4) == Estimate(2.5, 1, 4)
    assert Estimate(4.0, 3.0, 5.0).within(1, 4 - 1e-16) == Estimate(4.0, 3.0, 4.0)
    assert Estimate(2.5, None, None).within(1, 4) == Estimate(2.5, None, None)


def test_deals_that_do_not_vary_leave_no_doubt() -> None:
    assert share(np.full(50, 0.25)) == Estimate(0.25, 0.25, 0.25)
    assert share(np.full(50, 1 / 3)).high == pytest.approx(1 / 3)


@pytest.mark.parametrize("chance", [0.01, 0.25, 0.9])
def test_share_covers_clustered_data(chance: float) -> None:
    """Games of one deal alike (drawn from a beta distribution): the interval still covers."""
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(600):
        per_deal = rng.binomial(4, rng.beta(2 * chance, 2 * (1 - chance), 80)) / 4
        found = share(per_deal)
        covered += found.low <= chance <= found.high
    assert covered > 0.92 * 600


def test_mean_covers() -> None:
    rng = np.random.default_rng(2)
    samples = rng.exponential(size=(1000, 60))
    covered = sum(m.low <= 1 <= m.high for m in map(mean, samples))
    assert 0.91 * 1000 < covered < 0.97 * 1000


def test_looking_often_does_not_settle_what_is_equal() -> None:
    """Equal agents, looked at eight times: settled by mistake in at most one of twenty matches."""
    rng = np.random.default_rng(3)
    points = looks_at(5000)
    level = 1 - 0.05 / len(points)
    mistakes = 0
    for _ in range(600):
        differences = rng.normal(size=5000)
        mistakes += any(mean(differences[:n], level).excludes(0.0) for n in points)
    assert mistakes < 0.05 * 600


def test_looks() -> None:
    assert looks_at(10) == [10]
    assert looks_at(64) == [64]
    assert looks_at(500) == [64, 128, 256, 500]
