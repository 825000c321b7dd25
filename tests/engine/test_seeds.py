"""Seeds: 0 … 2^63-1, as int or NumPy integer, nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym

ACCEPTED = [
    0,
    1,
    2**31,
    2**32 - 1,
    2**63 - 1,
    np.int8(5),
    np.uint8(200),
    np.int32(7),
    np.int64(2**63 - 1),
    np.uint64(2**63 - 1),
]
REFUSED = [
    -1,
    2**63,
    2**64,
    2**70,
    np.int64(-1),
    np.uint64(2**63),
    1.0,
    float("nan"),
    float("inf"),
    np.float64(3),
    True,
    np.True_,
    "1",
    b"1",
    [1],
    (1,),
    {},
    np.array([1]),
    np.array(1),
    1j,
    Ellipsis,
]


@pytest.mark.parametrize("seed", ACCEPTED, ids=repr)
def test_accepted(seed: Any) -> None:
    position = racegym.make("cafe_race", seed=seed)
    assert position.seed == int(seed)
    assert type(position.seed) is int
    assert position == racegym.make("cafe_race", seed=int(seed))


@pytest.mark.parametrize("seed", REFUSED, ids=repr)
def test_refused(seed: Any) -> None:
    with pytest.raises(racegym.SeedError, match="a seed is a whole number from 0 to 2\\*\\*63 - 1"):
        racegym.make("cafe_race", seed=seed)
    position = racegym.make("cafe_race", seed=1)
    with pytest.raises(racegym.SeedError):
        position.redeal(0, seed)


def test_a_seed_is_drawn_when_none_is_given() -> None:
    seeds = {racegym.make("cafe_race").seed for _ in range(20)}
    assert len(seeds) == 20
    seed = seeds.pop()
    assert 0 <= seed < 2**63


def test_neighbouring_seeds_give_different_games() -> None:
    keys = {tuple(racegym.make("cafe_race", seed=seed).state.chance_key) for seed in range(500)}
    assert len(keys) == 500
