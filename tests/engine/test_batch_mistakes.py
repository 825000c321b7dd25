"""Compiled code checks no index, so a batch refuses what does not fit, in one line."""

import numpy as np
import pytest

from racegym.agents.decisions import Decisions
from racegym.agents.view import SeatView
from racegym.engine.batch import GameBatch
from racegym.errors import RacegymError


@pytest.fixture(scope="module")
def batch():
    return GameBatch("cafe_race", range(3))


def decisions_of(batch):
    bits, players = np.arange(3, dtype=np.uint64), ((None,) * batch.num_players,) * 3
    games = np.arange(3)
    return Decisions(batch.observations, batch.masks, batch.seats, bits, games, players, batch)


MISTAKES = [
    lambda b: b.redeal([1], [9], 2),
    lambda b: b.redeal([1, 2, 3], 9),
    lambda b: b.redeal([1, 2, 3], -1),
    lambda b: b.redeal([1, 2]),
    lambda b: b.redeal([1, 2, -3]),
    lambda b: b.redeal([1.0, 2.0, 3.0]),
    lambda b: b.redeal("x"),
    lambda b: b.redeal(-1),
    lambda b: b.redeal(1, copies=0),
    lambda b: b.redeal(1, copies=-1),
    lambda b: b.redeal(1, copies=1.5),
    lambda b: b.redeal(1, copies=10**9),
    lambda b: b.step([-5, -1, -1]),
    lambda b: b.step([99, -1, -1]),
    lambda b: b.step([0]),
    lambda b: b.take([99]),
    lambda b: b.take([-1]),
    lambda b: b.take([1.0]),
    lambda b: b.take("x"),
    lambda b: b.position(77),
    lambda b: b.position(1.0),
    lambda b: b.observe(9),
    lambda b: b.observe([0, 0]),
    lambda b: b.observe(0, rows=[3]),
    lambda b: b.observe(0, "nope"),
    lambda b: b.texts([3]),
    lambda b: b.sample(-1),
    lambda b: b.sample(np.zeros(2, np.uint64)),
    lambda b: b.begin([1], [3]),
    lambda b: b.begin([-1], [0]),
    lambda b: b.stop(3),
    lambda b: GameBatch("cafe_race", [-1]),
    lambda b: GameBatch("cafe_race", "7"),
    lambda b: GameBatch("cafe_race", [[1, 2]]),
    lambda b: SeatView(b, 0, ()).redeal(-1, 0),
    lambda b: SeatView(b, 0, ()).redeal("x", 0),
    lambda b: SeatView(b, 0, ()).redeal(10**9, 0),
    lambda b: decisions_of(b).redeal(-1),
    lambda b: decisions_of(b).redeal("x"),
    lambda b: decisions_of(b).redeal(10**9),
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused_and_change_nothing(batch, mistake):
    before = batch.raw.copy()
    with pytest.raises(RacegymError) as caught:
        mistake(batch)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    assert (batch.raw == before).all() and (batch.seats >= 0).all()


def test_what_fits_is_taken(batch):
    assert len(batch.redeal(1, copies=4)) == len(decisions_of(batch).redeal(4)) == 12
    assert len(batch.take([0, 0, 2])) == len(batch.take(np.array([2, 1, 0], np.int32))) == 3
    assert len(batch.take([])) == 0
    assert (batch.redeal(5).raw == batch.redeal(5, batch.seats).raw).all()
