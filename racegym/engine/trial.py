"""Tiny kernels that try all that rules compiled as parts must do; see :mod:`.selftest`."""

from __future__ import annotations

import numba
import numpy as np

from racegym.engine import linking
from racegym.engine.compile import compiled


@compiled
def grown(x: int) -> int:
    """A part that is copied into its callers."""
    return 3 * x + 1


@compiled(inline=False)
def total(values: np.ndarray, limit: int) -> int:
    """A part that calls another one, and fails if it must."""
    if values.shape[0] > limit:
        raise ValueError("too many values")
    result = 0
    for i in range(values.shape[0]):
        result += grown(values[i])
    return result


@compiled
def told(x: int) -> int:
    """A part that prints: it needs its environment, which is set with the kernel's."""
    print("part", x)
    return x


def run() -> None:
    """Compile, run and compare; prints ``passed`` at the end."""
    options = {"nogil": True, "error_model": "numpy", **linking.kernel_options()}

    @numba.njit(**options)
    def kernel(values, limit):  # type: ignore[no-untyped-def]
        return total(values, limit) + told(limit)

    values = np.arange(3)
    assert kernel(values, 3) == 3 + 9 + 3
    try:
        kernel(values, 2)
    except ValueError:
        print("passed")
