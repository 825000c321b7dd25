"""What all tests share."""

from __future__ import annotations

import pytest

from racegym.engine import compile as compiling
from racegym.engine.registry import BUILT_IN

#: Tests that look at stderr would see the notices of a cold cache; those about them use processes.
compiling._announced.update((*BUILT_IN, "the sampler", "the random agent"))


@pytest.fixture(params=BUILT_IN)
def game_name(request: pytest.FixtureRequest) -> str:
    """Every game of the library, one after the other."""
    return str(request.param)
