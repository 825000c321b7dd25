"""Who sits where: balance, and nothing played twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from racegym.arena import Schedule
from racegym.errors import RacegymError

CASES = [
    (agents, places, fill, most)
    for agents in range(2, 7)
    for places in range(2, 9)
    for fill in ("focus", "even")
    for most in (1, 24)
]


@pytest.mark.parametrize(("agents", "places", "fill", "most"), CASES)
def test_every_agent_sits_everywhere_equally_often(
    agents: int, places: int, fill: str, most: int
) -> None:
    """PITFALL 19: in every single deal, not just in the long run."""
    schedule = Schedule(agents, places, fill, most)
    for deal in range(3):
        rows = schedule.arrangements(7, deal)
        assert rows.shape == (schedule.games_per_deal, places)
        seated = np.stack([(rows == k).sum(axis=0) for k in range(agents)])
        assert (seated == seated[:, :1]).all(), "not balanced over the places"
        assert (seated > 0).all()
        if fill == "even" or agents >= places:
            assert (seated == seated[0]).all(), "not balanced over the agents"
        elif fill == "focus":
            assert ((rows == 0).sum(axis=1) == 1).all()
            assert (seated[1:] == seated[1]).all()
        assert Counter(tuple(sorted(r)) for r in rows.tolist()).keys() == set(schedule.lineups)
        if schedule.is_exhaustive:
            assert len({tuple(row) for row in rows.tolist()}) == len(rows)


def test_all_arrangements_when_they_are_few() -> None:
    assert Schedule(4, 4).games_per_deal == 24
    assert Schedule(2, 4).arrangements(0, 0).tolist() == [
        [0, 1, 1, 1],
        [1, 0, 1, 1],
        [1, 1, 0, 1],
        [1, 1, 1, 0],
    ]
    assert Schedule(2, 4, "even").games_per_deal == 6
    assert Schedule(2, 3, "even").lineups == [(0, 0, 1), (0, 1, 1)]
    assert Schedule(3, 2).lineups == [(0, 1), (0, 2), (1, 2)]


def test_rotations_of_a_new_order_in_every_deal() -> None:
    schedule = Schedule(6, 6)
    assert schedule.games_per_deal == 6
    first, second = (schedule.arrangements(1, deal) for deal in (0, 1))
    assert (first != second).any()
    np.testing.assert_array_equal(first, schedule.arrangements(1, 0))
    assert (first != schedule.arrangements(2, 0)).any()
    before = Counter(
        (row[p - 1], row[p])
        for deal in range(300)
        for row in schedule.arrangements(1, deal).tolist()
        for p in range(6)
    )
    assert len(before) == 30
    orders = np.array(list(before.values())) / 6
    assert np.abs(orders - 60).max() < 5 * np.sqrt(300 * 0.2 * 0.8), "neighbours are not random"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((1, 4), "at least two"),
        ((2, 4, "evn"), "did you mean 'even'"),
        ((2, 4, "even", 0), "at least 1"),
    ],
)
def test_mistakes(arguments: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(RacegymError, match=reason):
        Schedule(*arguments)
