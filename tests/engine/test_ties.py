"""Ties are settled fairly: over 100 000 tied choices no seat wins more than its share."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import racegym
from racegym.engine.events import new_log
from racegym.engine.instances import kernels_of
from racegym.games.cafe_race.state import E
from tests.engine.test_chance import chi_square, fast

GAMES = 100_000
PLAYERS = 4


def first_rounds(impulse: int) -> np.ndarray:
    """Who took the dice, from the highest on, in many first rounds of equal impulses."""
    game = racegym.game("cafe_race")
    encoder = game.encoder()
    kernels = kernels_of(game, encoder)
    codes = game.options.encode(game.options.resolve({"num_players": PLAYERS}))
    raw, log = np.zeros(game.layout.size, np.uint8), new_log(game.max_events)
    mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(encoder.shape, np.float32)
    orders = np.zeros((GAMES, PLAYERS), np.int64)
    for seed in range(GAMES):
        kernels.begin(raw, codes, seed)
        log[0, 0] = 0
        for _ in range(PLAYERS):
            kernels.advance(raw, impulse - 1, mask, seen, log)
        assert (log[1 : 1 + PLAYERS, 0] == E.speed).all()
        orders[seed] = log[1 : 1 + PLAYERS, 1]
    return orders


@fast
def test_equal_impulses_favour_no_seat() -> None:
    """CR-14: the highest die goes to each seat within three sigma of a quarter of the games."""
    orders = first_rounds(impulse=3)
    sigma = (GAMES * 0.25 * 0.75) ** 0.5
    for place in range(PLAYERS):
        counts = np.bincount(orders[:, place], minlength=PLAYERS)
        assert abs(counts - GAMES / PLAYERS).max() < 3 * sigma, (place, counts)
    assert abs(chi_square(np.array(list(Counter(map(tuple, orders)).values())))) < 4
    assert len(set(map(tuple, orders))) == 24


@fast
@pytest.mark.parametrize("n", [3, 5, 6])
def test_the_first_auctioneer_is_drawn_fairly(n: int) -> None:
    games = 20_000
    game = racegym.game("cafe_race")
    kernels = kernels_of(game, game.encoder())
    codes = game.options.encode(game.options.resolve({"num_players": n, "rules": "advanced"}))
    raw = np.zeros(game.layout.size, np.uint8)
    counts = np.bincount([kernels.begin(raw, codes, s) for s in range(games)], minlength=n)
    sigma = (games * (n - 1)) ** 0.5 / n
    assert abs(counts - games / n).max() < 3 * sigma, counts
