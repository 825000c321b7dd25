"""What settings and figures were called before, for runs made then and for those who remember.

A config, a command line or a checkpoint written by an older version is understood through the
tables of this module; nothing else in the package knows an old name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Settings: old dotted key → the key now.
SETTINGS = {
    "rollout.games": "rollout.n_envs",
    "rollout.steps": "rollout.n_steps",
    "ppo.anneal": "ppo.anneal_lr",
    "ppo.discount": "ppo.gamma",
    "ppo.trace": "ppo.gae_lambda",
    "ppo.clip": "ppo.clip_range",
    "ppo.epochs": "ppo.n_epochs",
    "ppo.minibatches": "ppo.n_minibatches",
    "ppo.entropy": "ppo.ent_coef",
    "ppo.entropy_end": "ppo.ent_coef_end",
    "ppo.value": "ppo.vf_coef",
    "ppo.max_gradient": "ppo.max_grad_norm",
    "ppo.target_divergence": "ppo.target_kl",
    "sb3.games": "sb3.n_envs",
    "sb3.steps": "sb3.n_steps",
    "sb3.batch": "sb3.batch_size",
    "sb3.discount": "sb3.gamma",
    "sb3.trace": "sb3.gae_lambda",
    "sb3.clip": "sb3.clip_range",
    "sb3.epochs": "sb3.n_epochs",
    "sb3.entropy": "sb3.ent_coef",
}

#: Figures of ``metrics.jsonl``: old name → the name now.
FIGURES = {
    "loss/policy": "train/policy_gradient_loss",
    "loss/value": "train/value_loss",
    "loss/entropy": "train/entropy",
    "loss/divergence": "train/approx_kl",
    "loss/clipped": "train/clip_fraction",
    "loss/explained": "train/explained_variance",
    "loss/first_ratio_error": "train/first_ratio_error",
    "loss/samples": "train/n_samples",
    "learning_rate": "train/learning_rate",
    "entropy_weight": "train/ent_coef",
    "games/finished": "games/ended",
    "games/truncated": "games/cut",
}


def config_now(stored: Mapping[str, Any]) -> dict[str, Any]:
    """A stored config with every setting under the name it has now."""
    return {
        name: {_setting_now(name, key): value for key, value in section.items()}
        if isinstance(section, Mapping)
        else section
        for name, section in stored.items()
    }


def _setting_now(section: str, key: str) -> str:
    return SETTINGS.get(f"{section}.{key}", f"{section}.{key}").removeprefix(f"{section}.")


def figures_now(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line of ``metrics.jsonl`` with every figure under the name it has now."""
    return {_figure_now(name): value for name, value in line.items()}


def _figure_now(name: str) -> str:
    if name.startswith("evaluation/") and name.endswith("/advantage"):
        return name.removesuffix("advantage") + "relative_win_share"
    return FIGURES.get(name, name)
