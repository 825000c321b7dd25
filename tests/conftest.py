"""What all tests share."""

from __future__ import annotations

import pytest

from racegym.engine.registry import BUILT_IN


@pytest.fixture(params=BUILT_IN)
def game_name(request: pytest.FixtureRequest) -> str:
    """Every game of the library, one after the other."""
    return str(request.param)
