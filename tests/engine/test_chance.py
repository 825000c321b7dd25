"""Chance: pinned values, independent streams, uniform draws."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numba
import numpy as np
import pytest

import racegym
from racegym.engine import chance
from racegym.engine.compile import is_jit_enabled, uncompiled
from racegym.engine.layout import CHANCE_STREAMS
from racegym.engine.state import State
from tests.engine.toy import LAYOUT

MIX = uncompiled(chance.mix)
HASHED = uncompiled(chance.hashed)
REDUCED = uncompiled(chance.reduced)
GAME_SEED = uncompiled(chance.game_seed)
BELOW = uncompiled(chance.below)
ROLL = uncompiled(chance.roll)
SHUFFLE = uncompiled(chance.shuffle)
DRAW_KIND = uncompiled(chance.draw_kind)
SEED_CHANCE = uncompiled(chance.seed_chance)
GAMMA = 0x9E3779B97F4A7C15

PINNED_SEEDS = [1195769770526638388, 460431337797920840, 3771256467956886790, 8534804999288435286]
PINNED_DICE = [2, 1, 2, 2, 4, 2, 6, 6, 6, 2, 3, 1]
PINNED_DEALS = [31, 21, 51, 5, 26, 39, 26, 7]
PINNED_ORDER = [8, 5, 3, 7, 2, 6, 1, 0, 9, 4]

fast = pytest.mark.skipif(not is_jit_enabled(), reason="too slow uncompiled")


def seeded(seed: int) -> State:
    """A state with nothing but chance."""
    state = State(LAYOUT, np.zeros(LAYOUT.size, np.uint8))
    SEED_CHANCE(state, seed)
    return state


@numba.njit
def hash_of(a, b):
    """A hash, compiled."""
    return chance.hashed(a, b)


@numba.njit
def draw_many(s, stream, n, out):
    """Many draws at once."""
    for i in range(out.shape[0]):
        out[i] = chance.below(s, stream, n)


@numba.njit
def shuffle_many(s, items, counts):
    """Count the orders of four items over many shuffles."""
    for _ in range(counts[0]):
        for i in range(4):
            items[i] = i
        chance.shuffle(s, 0, items, 0, 4)
        counts[1 + items[0] * 64 + items[1] * 16 + items[2] * 4 + items[3]] += 1


def draws(seed: int, n: int, count: int, stream: int = chance.DICE) -> np.ndarray:
    """``count`` draws below ``n``, compiled."""
    raw = np.zeros(LAYOUT.size, np.uint8)
    SEED_CHANCE(State(LAYOUT, raw), seed)
    state = raw.view(LAYOUT.dtype)[0]
    out = np.zeros(count, np.int64)
    draw_many(state, stream, n, out)
    return out


def chi_square(counts: np.ndarray) -> float:
    """Pearson's statistic against equal shares, as standard deviations from its mean."""
    expected = counts.sum() / len(counts)
    freedom = len(counts) - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / (2 * freedom) ** 0.5)


# --- pinned --------------------------------------------------------------------------------------


def test_mix_is_splitmix64() -> None:
    """The generator's published outputs for the seed 1234567."""
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    found = [int(MIX(np.uint64((1234567 + k * GAMMA) % 2**64))) for k in range(1, 6)]
    assert found == published


def test_hashes_of_signed_numbers_are_those_of_unsigned_ones() -> None:
    """Luck and actions reach bots as int64: a hash of them is the same, compiled or not."""
    for a, b in ((0, 1), (7, 3), (2**62, 150), (2**61 + 1, 0)):
        wanted = HASHED(np.uint64(a), np.uint64(b))
        assert HASHED(np.int64(a), b) == wanted == hash_of(np.int64(a), b)
        assert type(HASHED(np.int64(a), b)) is np.uint64


def test_pinned_game_seeds() -> None:
    found = [int(GAME_SEED(*where)) for where in [(0, 0, 0), (0, 0, 1), (0, 1, 0), (7, 3, 2)]]
    assert found == PINNED_SEEDS


def test_pinned_draws() -> None:
    """Changing any of these changes every game of every seed."""
    state = seeded(7)
    assert [int(ROLL(state, chance.DICE, 6)) for _ in range(12)] == PINNED_DICE
    assert [int(BELOW(state, chance.DEALS, 52)) for _ in range(8)] == PINNED_DEALS
    items = np.arange(10)
    SHUFFLE(state, chance.TIES, items, 0, 10)
    assert items.tolist() == PINNED_ORDER


@fast
def test_compiled_draws_are_the_same() -> None:
    state = seeded(7)
    for n in (1, 2, 3, 6, 7, 52, 2**31, 3 * 2**30):
        mine = [int(BELOW(state, chance.DICE, n)) for _ in range(50)]
        fresh = seeded(7)
        fresh.chance_count[chance.DICE] = state.chance_count[chance.DICE] - 50
        out = np.zeros(50, np.int64)
        draw_many(fresh.raw.view(LAYOUT.dtype)[0], chance.DICE, n, out)
        assert out.tolist() == mine


# --- streams -------------------------------------------------------------------------------------


def test_the_kth_die_is_the_same_whatever_else_was_drawn() -> None:
    alone, busy = seeded(3), seeded(3)
    for _ in range(40):
        BELOW(busy, chance.DEALS, 17)
        SHUFFLE(busy, chance.TIES, np.arange(5), 0, 5)
        assert ROLL(busy, chance.DICE, 6) == ROLL(alone, chance.DICE, 6)
        BELOW(busy, chance.REDEALS, 3)


def test_every_call_uses_one_count() -> None:
    """Also where the first 64 bits do not do."""
    state = seeded(5)
    for _ in range(200):
        BELOW(state, chance.DICE, 3 * 2**30)
    assert state.chance_count[chance.DICE] == 200


def test_streams_and_seeds_have_different_keys() -> None:
    keys = [int(seeded(seed).chance_key[k]) for seed in range(500) for k in range(CHANCE_STREAMS)]
    assert len(set(keys)) == 500 * CHANCE_STREAMS


def test_a_copy_of_the_state_is_a_copy_of_its_luck() -> None:
    position = racegym.make("cafe_race", seed=4)
    twin = position.clone()
    for _ in range(20):
        for p in (position, twin):
            p.apply(p.legal_actions()[0])
        if position.is_over:
            break
        assert position.to_dict() == twin.to_dict()


def test_game_seeds_are_distinct_and_in_range() -> None:
    seeds = [
        int(GAME_SEED(seed, index, episode))
        for seed in (0, 1, 2, 2**63 - 1)
        for index in range(64)
        for episode in range(64)
    ]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) >= 0 and max(seeds) < 2**63


# --- uniform -------------------------------------------------------------------------------------


@fast
@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 24, 100])
def test_draws_are_uniform(n: int) -> None:
    counts = np.bincount(draws(11, n, 300_000), minlength=n)
    assert len(counts) == n
    assert abs(chi_square(counts)) < 4


@fast
def test_draws_are_uniform_over_seeds() -> None:
    """First dice of many games, as a trainer sees them."""
    first = Counter(int(ROLL(seeded(seed), chance.DICE, 6)) for seed in range(6_000))
    assert abs(chi_square(np.array([first[k] for k in range(1, 7)]))) < 4


@fast
def test_pairs_of_draws_are_uniform() -> None:
    values = draws(12, 6, 400_000)
    pairs = np.bincount(values[:-1] * 6 + values[1:], minlength=36)
    assert abs(chi_square(pairs)) < 4


@fast
def test_below_is_unbiased() -> None:
    """Without drawing again, every third value below 3 * 2^30 would come twice as often."""
    counts = np.bincount(draws(13, 3 * 2**30, 300_000) % 3, minlength=3)
    assert abs(chi_square(counts)) < 4


def test_unlucky_bits_are_mixed_again() -> None:
    """For 3 results the top half 0 is the one value too many."""
    again = REDUCED(MIX(np.uint64(GAMMA)), 3)
    assert REDUCED(np.uint64(0), 3) == again
    assert REDUCED(np.uint64(1 << 32), 3) == 0
    assert REDUCED(np.uint64(2**64 - 1), 3) == 2
    assert REDUCED(np.uint64(0), 4) == 0  # a power of two has none too many


@fast
def test_fractions_are_uniform_below_one() -> None:
    fraction = uncompiled(chance.fraction)
    assert fraction(np.uint64(0)) == 0.0
    assert fraction(np.uint64(2**64 - 1)) == 1.0 - 2.0**-53
    assert fraction(np.uint64(2**63)) == 0.5
    tenths = Counter(int(10 * fraction(MIX(np.uint64(k)))) for k in range(10_000))
    assert set(tenths) == set(range(10))
    assert max(abs(count - 1000) for count in tenths.values()) < 150  # five standard deviations


def test_every_order_is_equally_likely() -> None:
    raw = np.zeros(LAYOUT.size, np.uint8)
    SEED_CHANCE(State(LAYOUT, raw), 14)
    state = raw.view(LAYOUT.dtype)[0]
    counts = np.zeros(257, np.int64)
    counts[0] = 120_000
    shuffle_many(state, np.zeros(4, np.int64), counts)
    found = np.array(
        [counts[1 + a * 64 + b * 16 + c * 4 + d] for a, b, c, d in permutations(range(4))]
    )
    assert found.sum() == 120_000
    assert abs(chi_square(found)) < 4


def test_a_shuffle_leaves_the_rest_alone() -> None:
    items = np.arange(8)
    SHUFFLE(seeded(1), 0, items, 2, 4)
    assert items[:2].tolist() == [0, 1]
    assert items[6:].tolist() == [6, 7]
    assert sorted(items[2:6].tolist()) == [2, 3, 4, 5]
    assert items[2:6].tolist() != [2, 3, 4, 5]


def test_kinds_are_drawn_by_how_many_there_are_and_taken_out() -> None:
    state, first = seeded(5), Counter[int]()
    for _ in range(2000):
        counts = np.array([1, 0, 3])
        drawn = [DRAW_KIND(state, 0, counts) for _ in range(4)]
        assert sorted(drawn) == [0, 2, 2, 2] and not counts.any()
        first[drawn[0]] += 1
    assert 400 < first[0] < 600
