"""Everything random in a game: a counter-based generator kept inside the state.

Each stream has a 64-bit key and a counter; draw k of a stream is SplitMix64's output function
(Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators") at key + k * gamma.
The k-th draw of one stream therefore does not depend on what other streams were used for, and a
copy of the state is a copy of the random numbers to come.  Every call uses one counter value.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.compile import compiled, wrapping
from racegym.engine.layout import CHANCE_STREAMS

DEALS = 0  #: set-up, shuffles, card draws
DICE = 1  #: every die roll that the rules show
TIES = 2  #: rolls that only break ties, random choices of a player
REDEALS = 3  #: guesses about hidden things, made by ``redeal``

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_30, _27, _31, _32, _1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(1)
_11 = np.uint64(11)


@compiled
@wrapping
def mix(x):
    """SplitMix64's output function: 64 bits in, 64 well-mixed bits out."""
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@compiled
@wrapping
def hashed(a, b):
    """A 64-bit hash of two whole numbers of 64 bits."""
    return mix(mix(np.uint64(a) + _GAMMA) + (np.uint64(b) + _1) * _GAMMA)


@compiled
@wrapping
def game_seed(seed, index, episode):
    """Seed (63 bits) of the ``episode``-th game in place ``index`` of a batch."""
    return np.int64(hashed(hashed(seed, index), episode) >> _1)


@compiled
def seed_chance(s, seed):
    """Give every stream of a state its key."""
    for stream in range(CHANCE_STREAMS):
        s.chance_key[stream] = hashed(seed, stream)


@compiled
@wrapping
def reduced(x, n):
    """Map 64 random bits to 0 … n-1, each equally likely (Lemire 2019, 32-bit multiply-shift).

    The few values that would favour some results are mixed again.
    """
    bound = np.uint64(n)
    product = (x >> _32) * bound
    if (product & _LOW_32) < bound:  # rarely; saves the slow remainder otherwise
        threshold = ((_LOW_32 + _1) - bound) % bound
        while (product & _LOW_32) < threshold:
            x = mix(x + _GAMMA)
            product = (x >> _32) * bound
    return np.int64(product >> _32)


@compiled
def fraction(x):
    """64 random bits as a number 0 <= f < 1, a multiple of 2^-53."""
    return (x >> _11) * 2.0**-53


@compiled
@wrapping
def below(s, stream, n):
    """A random whole number 0 … n-1 from a stream of the state."""
    count = s.chance_count[stream] + _1
    s.chance_count[stream] = count
    return reduced(mix(s.chance_key[stream] + count * _GAMMA), n)


@compiled
def roll(s, stream, sides):
    """One die: 1 … sides."""
    return below(s, stream, sides) + 1


@compiled
def shuffle(s, stream, items, first, count):
    """Put ``items[first:first+count]`` in a random order, in place (Fisher-Yates)."""
    for i in range(count - 1, 0, -1):
        j = below(s, stream, i + 1)
        kept = items[first + i]
        items[first + i] = items[first + j]
        items[first + j] = kept


@compiled(inline=False)
def draw_kind(s, stream, counts):
    """The kind of a random thing of which there are ``counts`` by kind; one is taken out of them.

    There must be one at least.
    """
    total = 0
    for kind in range(len(counts)):
        total += counts[kind]
    skip = below(s, stream, total)
    kind = 0
    while skip >= counts[kind]:
        skip -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind
