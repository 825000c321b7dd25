"""A reward of your own, for training only: how far ahead a worker is, as a potential.

Run it from anywhere, it takes some seconds:  python examples/own_reward.py
In a config or on the command line it is named:  --reward own_reward:lead
"""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np

from training.config import Config
from training.reading import config_from_dict
from training.train import Trainer


def lead(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """How many spaces of 30 a seat is ahead of the mean of all, in ``states`` (n,).

    As a potential it only says earlier what the result says in the end: the best way to play stays
    the best.
    """
    places = states["position"].astype(np.float32) / 30
    mean = places.sum(axis=1) / states["num_players"]
    return places[np.arange(len(seats)), seats] - mean


def main() -> None:
    """Train with and without it for the same number of decisions, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {
            "run": {"folder": folder, "decisions": 40_000},
            "game": {"name": "cafe_race", "num_players": 3},
            "rollout": {"n_envs": 64, "n_steps": 32},
            "network": {"width": 64, "depth": 1},
            "evaluation": {"against": ["random"], "interval": 0, "deals": 200},
        }
        for name, reward in (("without", {}), ("with", {"reward": "own_reward:lead"})):
            trainer = Trainer.new(config_from_dict(Config, {**settings, **reward}, "settings"))
            trainer.train()
            # Matches know nothing of the reward: they count the game's own results.
            share = trainer.run.summary()["evaluation"]["random/win_share"]
            print(f"{name} the reward: {share:.1%} of the wins among random")


if __name__ == "__main__":
    main()
