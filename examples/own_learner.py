"""An algorithm of your own: REINFORCE with a baseline, trained, resumed, exported and matched.

Run it from anywhere, it takes some seconds:  python examples/own_learner.py
In a config or on the command line it is named:  --algorithm own_learner:Reinforce
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from racegym.arena import play_match
from racegym.arena.report import print_report
from training.checkpoint import packed, unpacked
from training.config import Config
from training.export import export_run
from training.interface import Context, Figures, State
from training.networks import draw, masked_log_probs
from training.reading import config_from_dict
from training.rollout import Rollout
from training.train import Trainer


class Reinforce:
    """Self-play by the policy gradient of Williams (1992); the value head is the baseline."""

    @dataclass(frozen=True)
    class Options:
        """What may stand under ``algorithm.options``."""

        learning_rate: float = 3e-3
        vf_coef: float = 0.5

    def __init__(self, context: Context) -> None:
        config, game, self.options = context.config, context.game, context.options
        self.network = context.new_network()
        self.optimiser = torch.optim.Adam(self.network.parameters(), self.options.learning_rate)
        self.fleet = context.new_fleet()
        self.batch = self.fleet.reset()
        self.draws = torch.Generator().manual_seed(context.seed("actions"))
        steps, games, seats = config.rollout.n_steps, config.rollout.n_envs, game.max_players
        self.rollout = Rollout(steps, games, seats, context.encoder.shape, game.num_actions)
        self.length, self.decisions = config.run.decisions, 0

    @property
    def is_done(self) -> bool:
        """True at the end of the run."""
        return self.decisions >= self.length

    def iterate(self) -> Figures:
        """Play, and take one step uphill."""
        self.play()
        rollout = self.rollout
        rollout.finish(gamma=1.0, gae_lambda=1.0)  # advantage = what came of it minus the baseline
        chosen = rollout.closed

        def picked(array: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(array[chosen])

        logits, value = self.network(picked(rollout.observation))
        log_probs = masked_log_probs(logits, picked(rollout.mask))
        log_prob = log_probs.gather(1, picked(rollout.action)[:, None]).squeeze(1)
        policy_loss = -(log_prob * picked(rollout.advantage)).mean()
        value_loss = (value - picked(rollout.target)).square().mean()
        self.optimiser.zero_grad()
        (policy_loss + self.options.vf_coef * value_loss).backward()
        self.optimiser.step()
        return {"train/policy_loss": policy_loss.item(), "train/value_loss": value_loss.item()}

    @torch.no_grad()
    def play(self) -> None:
        """Fill the rollout: the policy plays all seats."""
        rollout = self.rollout
        rollout.begin()
        for t in range(rollout.steps):
            row, batch = rollout.seats + t, self.batch
            logits, value = self.network(torch.from_numpy(batch.observation))
            action = draw(masked_log_probs(logits, torch.from_numpy(batch.mask)), self.draws)
            rollout.observation[row], rollout.mask[row] = batch.observation, batch.mask
            rollout.seat[row], rollout.taken[row] = batch.seat, True
            rollout.action[row], rollout.value[row] = action.numpy(), value.numpy()
            self.batch = self.fleet.step(rollout.action[row])
            rollout.rewards[t], rollout.ended[t] = self.batch.rewards, self.batch.ended
        self.decisions += rollout.steps * rollout.games

    def state_dict(self) -> State:
        """All but the network, which the trainer saves."""
        return packed(
            {
                "optimiser": self.optimiser.state_dict(),
                "games": self.fleet.state_dict(),
                "open": self.rollout.state_dict(),
                "draws": self.draws.get_state(),
                "decisions": self.decisions,
            }
        )

    def load_state_dict(
        self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]
    ) -> None:
        """Go on from there."""
        state = unpacked(tensors, plain)
        self.optimiser.load_state_dict(state["optimiser"])
        self.fleet.load_state_dict(state["games"])
        self.rollout.load_state_dict(state["open"])
        self.draws.set_state(state["draws"])
        self.decisions = state["decisions"]
        self.batch = self.fleet.now()


def main() -> None:
    """Train in two sittings, export, and play a match."""
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {
            "run": {"name": "reinforce", "folder": folder, "decisions": 100_000},
            "game": {"name": "cafe_race"},
            "rollout": {"n_envs": 128, "n_steps": 32},
            "network": {"width": 64, "depth": 1},
            "algorithm": {"kind": "own_learner:Reinforce", "options": {"learning_rate": 0.005}},
            "evaluation": {"against": []},
        }
        trainer = Trainer.new(config_from_dict(Config, settings, "settings"))
        trainer.train()
        run = trainer.run.folder
        Trainer.resumed(str(run), ("--run.decisions", "200000")).train()
        policy = Path(folder) / "reinforce.onnx"
        export_run(run, policy)
        print_report(play_match("cafe_race", [str(policy), "random"], deals=100, seed=1))


if __name__ == "__main__":
    main()
