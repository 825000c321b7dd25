"""Evaluate an agent of your own: one seat against three others, with the same dice for all.

Run it from anywhere:  python examples/evaluate.py
"""

from __future__ import annotations

import numpy as np

from racegym.arena import play_match
from racegym.arena.report import print_report


class Careful:
    """Plays the lowest legal action: a low impulse, a low bid."""

    name = "careful"
    encoder = "flat"

    def reset(self, seed: int) -> None:
        """It draws nothing, so there is nothing to seed."""

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """One legal action per row."""
        return masks.argmax(axis=1)


def main() -> None:
    """Play 200 deals of Café Race and print the tables."""
    result = play_match("cafe_race", [Careful(), "random"], deals=200, seed=1)
    print_report(result)
    share = result.agents[0].win_share
    print(f"careful wins {share.value:.1%} of its games; {result.fair_share:.0%} would be fair")


if __name__ == "__main__":
    main()
