"""Tiny configs for the tests."""

from __future__ import annotations

from typing import Any

from training.config import Config
from training.reading import config_from_dict

TINY: dict[str, Any] = {
    "run": {"name": "tiny", "decisions": 4096, "seed": 3},
    "game": {"name": "cafe_race", "num_players": [3, 5], "vary": {"rules": ["basic", "advanced"]}},
    "rollout": {"n_envs": 16, "n_steps": 32},
    "network": {"width": 16, "depth": 1},
    "ppo": {"n_minibatches": 4},
    "opponents": {
        "snapshot_share": 0.4,
        "snapshot_interval": 600,
        "pool_size": 2,
        "agent_share": 0.2,
        "agents": ["random"],
    },
    "evaluation": {"interval": 0, "deals": 2, "against": []},
    "checkpoint": {"interval": 1024, "keep": 2},
}

#: The game of memory of :mod:`tests.training.recall`.
RECALL: dict[str, Any] = {
    "run": {"name": "recall", "decisions": 10_000_000, "seed": 1},
    "game": {"name": "tests.training.recall:GAME", "options": {"reward": "score"}},
    "rollout": {"n_envs": 64, "n_steps": 24},
    "network": {"width": 16, "depth": 1},
    "ppo": {"learning_rate": 1e-2, "n_minibatches": 4, "n_epochs": 4, "gamma": 1.0},
    "opponents": {"snapshot_share": 0.0},
    "evaluation": {"interval": 0, "against": []},
}


def tiny(*overrides: str) -> Config:
    """The tiny config with changes as on the command line."""
    return config_from_dict(Config, TINY, "tiny", overrides)


def recall(*overrides: str) -> Config:
    """The config of the game of memory, with changes."""
    return config_from_dict(Config, RECALL, "recall", overrides)
