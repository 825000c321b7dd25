"""Train networks of your own: a small one, and one that remembers.

Run it from anywhere:  python examples/own_network.py

On the command line, from the folder of this file:
python -m training.train --config ../configs/cafe_race/demo.yaml --network.kind own_network:build
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import Tensor, nn

from racegym.arena import play_match
from racegym.arena.report import print_report
from training.config import Config
from training.export import export_run
from training.own_network import NetworkSpec
from training.reading import read_config
from training.train import Trainer

CONFIG = Path(__file__).parents[1] / "configs" / "cafe_race" / "demo.yaml"


class Residual(nn.Module):
    """Two residual blocks, a policy head and a value head."""

    def __init__(self, inputs: int, width: int, num_actions: int) -> None:
        super().__init__()
        self.embed = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.policy, self.value = nn.Linear(width, num_actions), nn.Linear(width, 1)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch, actions) and values (batch,)."""
        x = self.embed(observation.flatten(1))
        for block in self.blocks:
            x = x + torch.relu(block(x))
        return self.policy(x), self.value(x).squeeze(-1)


class Remembering(nn.Module):
    """A gated recurrent unit between embedding and heads: what it holds is the state."""

    def __init__(self, inputs: int, width: int, num_actions: int) -> None:
        super().__init__()
        self.state_shape = (width,)  # this makes it recurrent
        self.embed, self.cell = nn.Linear(inputs, width), nn.GRUCell(width, width)
        self.policy, self.value = nn.Linear(width, num_actions), nn.Linear(width, 1)

    def forward(self, observation: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits (batch, actions), values (batch,) and next states (batch, width)."""
        x = torch.relu(self.embed(observation.flatten(1)))
        state = self.cell(x, state)
        return self.policy(state), self.value(state).squeeze(-1), state


def build(spec: NetworkSpec) -> nn.Module:
    """What ``network.kind: own_network:build`` means."""
    return Residual(math.prod(spec.shape), spec.options.get("width", 64), spec.num_actions)


def build_recurrent(spec: NetworkSpec) -> nn.Module:
    """What ``network.kind: own_network:build_recurrent`` means."""
    return Remembering(math.prod(spec.shape), spec.options.get("width", 64), spec.num_actions)


def main() -> None:
    """Train both for a few updates, export them, and let them meet."""
    policies = []
    for name in ("build", "build_recurrent"):
        changes = ["--network.kind", f"own_network:{name}", "--network.options.width", "32"]
        changes += ["--run.decisions", "8192", "--rollout.n_envs", "64", "--run.name", name]
        trainer = Trainer.new(read_config(Config, CONFIG, [*changes, "--evaluation.deals", "2"]))
        trainer.train()
        policies.append(str(trainer.run.folder / f"{name}.onnx"))
        export_run(trainer.run.folder, policies[-1])
    print_report(play_match("cafe_race", policies, deals=10, seed=1))


if __name__ == "__main__":
    main()
