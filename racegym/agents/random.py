"""The agent that plays at random."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from racegym.agents.protocol import SeededAgent
from racegym.engine.compile import fingerprint, instantiate
from racegym.engine.sampling import nth_set


class RandomAgent(SeededAgent):
    """Any legal action, all equally likely."""

    def __init__(self, name: str = "random") -> None:
        super().__init__(name)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, luck: np.ndarray
    ) -> np.ndarray:
        """As :meth:`SeededAgent.choose`."""
        actions = np.empty(len(masks), np.int64)
        _chooser()(masks, luck, actions)
        return actions


def choose_at_random(masks: np.ndarray, luck: np.ndarray, actions: np.ndarray) -> None:
    """Draw one legal action per row of ``masks`` (int8) with the random bits ``luck`` (uint64)."""
    for i in range(masks.shape[0]):
        actions[i] = nth_set(masks[i], luck[i])


@cache
def _chooser() -> Any:
    key = fingerprint([choose_at_random], {})
    return instantiate(choose_at_random, {}, "the random agent", key)  # type: ignore[arg-type]
