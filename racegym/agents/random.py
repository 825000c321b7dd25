"""The agent that plays at random."""

from __future__ import annotations

import numpy as np

from racegym.agents.protocol import SeededAgent
from racegym.engine.instances import sampler


class RandomAgent(SeededAgent):
    """Any legal action, all equally likely."""

    def __init__(self, name: str = "random") -> None:
        super().__init__(name)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, bits: np.ndarray
    ) -> np.ndarray:
        """As :meth:`SeededAgent.choose`."""
        actions = np.empty(len(masks), np.int64)
        sampler("sample_each")(masks, bits, actions)
        return actions
