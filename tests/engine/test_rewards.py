"""The reward formulas, for single players and for teams, against numbers worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from racegym.engine.compile import uncompiled
from racegym.engine.rewards import SCHEMES, write_rewards
from racegym.testing.steps import expected_rewards

WRITE = uncompiled(write_rewards)


def rewards(
    scheme: str, ranks: list[int], scores: list[int] | None = None, sides: int = 0, scale: int = 1
) -> list[float]:
    n = len(ranks)
    state = SimpleNamespace(
        num_players=n, sides=sides or n, reward=SCHEMES.index(scheme), score_scale=scale
    )
    out = np.full(8, 9.0, np.float32)
    padding = [0] * (8 - n)
    WRITE(state, np.array((scores or [0] * n) + padding), np.array(ranks + padding), out)
    assert not out[n:].any(), "absent seats get nothing"
    wanted = expected_rewards(scheme, scores or [0] * n, ranks, sides or n, scale)
    assert out[:n].tolist() == pytest.approx(wanted, abs=1e-6)
    return [float(x) for x in out[:n]]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([1, 2], [1, -1]),
        ([1, 1], [0, 0]),
        ([2, 1, 3], [-1 / 2, 1, -1 / 2]),
        ([1, 1, 3], [1 / 4, 1 / 4, -1 / 2]),
        ([1, 2, 3, 4], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([1, 1, 3, 3], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
        ([1, 1, 1, 4], [1 / 9, 1 / 9, 1 / 9, -1 / 3]),
    ],
)
def test_win(ranks: list[int], expected: list[float]) -> None:
    assert rewards("win", ranks) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([1, 2], [1, -1]),
        ([1, 1], [0, 0]),
        ([3, 1, 2], [-1, 1, 0]),
        ([1, 2, 2], [1, -1 / 2, -1 / 2]),
        ([1, 1, 3], [1 / 2, 1 / 2, -1]),
        ([1, 2, 2, 4], [1, 0, 0, -1]),
        ([1, 1, 1, 4], [1 / 3, 1 / 3, 1 / 3, -1]),
    ],
)
def test_rank(ranks: list[int], expected: list[float]) -> None:
    assert rewards("rank", ranks) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "scale", "expected"),
    [
        ([10, 4], 6, [1, -1]),
        ([10, 4, 1], 10, [0.75, -0.15, -0.6]),
        ([3, 3, 3, 3], 7, [0, 0, 0, 0]),
        ([-5, 5], 10, [-1, 1]),
    ],
)
def test_score(scores: list[int], scale: int, expected: list[float]) -> None:
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    assert rewards("score", ranks, scores, scale=scale) == pytest.approx(expected)


def test_teams_share_everything() -> None:
    """Seats 0, 2, 4 against 1, 3, 5; and three teams of two."""
    assert rewards("win", [1, 2, 1, 2, 1, 2], sides=2) == [1, -1] * 3
    assert rewards("rank", [1, 2, 1, 2], sides=2) == [1, -1] * 2
    three = [1, 2, 3, 1, 2, 3]
    assert rewards("win", three, sides=3) == pytest.approx([1, -1 / 2, -1 / 2] * 2)
    assert rewards("rank", three, sides=3) == pytest.approx([1, 0, -1] * 2)
    assert rewards("rank", [1, 1, 3] * 2, sides=3) == pytest.approx([1 / 2, 1 / 2, -1] * 2)
    found = rewards("score", [1, 2] * 2, [10, 4] * 2, sides=2, scale=6)
    assert found == pytest.approx([1, -1] * 2)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_sums_are_zero(scheme: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        n = int(rng.integers(2, 9))
        scores = [int(v) for v in rng.integers(-5, 6, n)]
        ranks = [1 + sum(other > own for other in scores) for own in scores]
        assert sum(rewards(scheme, ranks, scores, scale=7)) == pytest.approx(0, abs=1e-5)
