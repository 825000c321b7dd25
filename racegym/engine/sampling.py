"""Drawing random legal actions, natively."""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import mix, reduced
from racegym.engine.compile import compiled, wrapping

BLOCK = 16


@compiled
@wrapping
def nth_set(mask, bits):
    """A uniformly random index of a non-zero entry of ``mask``, or -1 if all are zero."""
    count = 0
    for a in range(mask.shape[0]):
        count += mask[a] != 0
    if count == 0:
        return -1
    skip = reduced(bits, count)
    first = 0
    while first + BLOCK <= mask.shape[0]:  # whole blocks are counted much faster than searched
        here = 0
        for a in range(first, first + BLOCK):
            here += mask[a] != 0
        if skip < here:
            break
        skip -= here
        first += BLOCK
    for a in range(first, mask.shape[0]):
        if mask[a] != 0:
            if skip == 0:
                return a
            skip -= 1
    return -1


def sample_all(masks, bits, actions):
    """Draw one legal action per row of ``masks`` (int8) with the random bits ``bits`` (uint64).

    It is -1 in rows without a legal action.
    """
    for i in range(masks.shape[0]):
        actions[i] = nth_set(masks[i], mix(bits + np.uint64(i)))


def sample_each(masks, bits, actions):
    """As :func:`sample_all`, with random bits for each row: ``bits`` is uint64 (rows,)."""
    for i in range(masks.shape[0]):
        actions[i] = nth_set(masks[i], bits[i])
