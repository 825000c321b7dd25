"""Train with sb3-contrib's MaskablePPO: ``python -m training.sb3 --config configs/GAME/sb3.yaml``.

One seat learns, fixed agents play the others.  The result is exported as the same kind of ONNX
file that :mod:`training.export` writes, as ``policy.onnx`` in the run's folder.
"""

from __future__ import annotations

import argparse
import functools
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from racegym import __version__
from racegym.agents.metadata import PolicyMetadata
from racegym.cli import INTERRUPTED, Parser, run_command
from racegym.engine.seeds import derived_seed
from racegym.envs.solo import SoloEnv
from training.config import BaseConfig, ConfigError, about
from training.devices import chosen_device
from training.display import Display, display
from training.evaluation import check_agents, evaluate, figures_in_words
from training.export import export_network
from training.extras import require
from training.reading import blamed, read_config
from training.runs import POLICY, Run
from training.sections import EvaluationConfig, bounded
from training.settings import in_words

require("sb3", "stable_baselines3", "sb3_contrib")

import stable_baselines3  # noqa: E402 (what is missing is told first)
from sb3_contrib import MaskablePPO  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv  # noqa: E402


@dataclass(frozen=True)
class Sb3Settings:
    """MaskablePPO and its environments.

    Attributes:
        n_envs: environments side by side; they share out the combinations of options evenly.
        opponents: an agent for all other seats, or one for each, as ``racegym match`` names them.
        encoder: name of the encoder.
        width: of every hidden layer, of policy and value alike.
        depth: number of hidden layers, of policy and value alike.
        learning_rate: of Adam.
        gamma: discount per own decision of the learner.
        gae_lambda: lambda of generalised advantage estimation.
        clip_range: of the probability ratio.
        n_epochs: passes over the experience per update.
        ent_coef: weight of the entropy bonus.
        n_steps: the learner's decisions in each game between two updates.
        batch_size: decisions in a minibatch.
    """

    n_envs: int = bounded(8, 1, 4096)
    opponents: str | list[str] = "random"
    encoder: str = "flat"
    width: int = bounded(128, 1, 16384)
    depth: int = bounded(2, 1, 64)
    learning_rate: float = bounded(1e-3, 0, 1, above=True)
    gamma: float = bounded(1.0, 0, 1)
    gae_lambda: float = bounded(0.95, 0, 1)
    clip_range: float = bounded(0.2, 0, 100, above=True)
    n_epochs: int = bounded(4, 1, 1000)
    ent_coef: float = bounded(0.01, 0, 1000)
    n_steps: int = bounded(256, 2)
    batch_size: int = bounded(512, 2)


@dataclass(frozen=True)
class Sb3Config(BaseConfig):
    """The config of ``training.sb3``; ``run.decisions`` counts the learner's own."""

    sb3: Sb3Settings = field(default_factory=Sb3Settings)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)

    def check(self) -> None:
        """As :meth:`BaseConfig.check`."""
        super().check()
        self.check_encoder("sb3.encoder", self.sb3.encoder)
        if self.sb3.n_envs < len(self.combinations()):
            raise ConfigError(
                f"sb3.n_envs must be at least {len(self.combinations())}, one per combination of "
                "options",
                "sb3.n_envs",
                "game",
            )


class Sb3Network(nn.Module):
    """The network inside a MaskablePPO policy, as ``network(observation)`` → logits, values."""

    def __init__(self, policy: Any) -> None:
        super().__init__()
        self.extractor, self.body = policy.features_extractor, policy.mlp_extractor
        self.policy, self.value = policy.action_net, policy.value_net

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch, actions), unmasked, and values (batch,)."""
        for_policy, for_value = self.body(self.extractor(observation))
        return self.policy(for_policy), self.value(for_value).squeeze(-1)


def make_env(config: Sb3Config, number: int) -> SoloEnv:
    """Environment ``number`` of a run: an importable, picklable factory."""
    combinations = config.combinations()
    return SoloEnv(
        config.description,
        opponents=config.sb3.opponents,
        seat="random",
        encoder=config.sb3.encoder,
        mask_in_observation=False,
        **combinations[number % len(combinations)],
    )


def make_model(config: Sb3Config) -> MaskablePPO:
    """A fresh MaskablePPO with its environments."""
    settings = config.sb3
    factories: list[Callable[[], Any]] = [
        functools.partial(make_env, config, number) for number in range(settings.n_envs)
    ]
    device = chosen_device(config.run.device)
    with about("sb3.opponents"):
        env = DummyVecEnv(factories)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=settings.learning_rate,
        n_steps=settings.n_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip_range,
        ent_coef=settings.ent_coef,
        policy_kwargs={"net_arch": [settings.width] * settings.depth},
        seed=derived_seed(config.run.seed, 0) % 2**32,
        device=device,
    )
    env.seed(derived_seed(config.run.seed, 1) % 2**32)
    return model


class _Shown(BaseCallback):
    """Shows how far the training is."""

    def __init__(self, shown: Display) -> None:
        super().__init__()
        self._display = shown
        self._started = time.perf_counter()

    def _on_step(self) -> bool:
        seconds = time.perf_counter() - self._started
        figures = {"speed/decisions_per_second": self.num_timesteps / max(seconds, 1e-9)}
        self._display.show(self.num_timesteps, figures)
        return True


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    return run_command("training.sb3", _main, sys.argv[1:] if words is None else words)


def _main(words: Sequence[str]) -> int:
    parser = Parser(
        prog="python -m training.sb3",
        description="Train a policy with sb3-contrib's MaskablePPO.",
        usage="python -m training.sb3 --config FILE [--section.key VALUE …]",
        epilog=in_words(Sb3Config),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--config", metavar="FILE", required=True, help="the config, a YAML file")
    arguments, overrides = parser.parse_known_args(words)
    config = read_config(Sb3Config, arguments.config, overrides)
    torch.set_num_threads(config.run.threads)
    with blamed(arguments.config, overrides):
        check_agents(config.description, config.evaluation)
        model = make_model(config)
    run = Run.create(config)
    print(f"run folder: {run.folder}", file=sys.stderr, flush=True)
    interrupted, started = False, time.perf_counter()
    with display(config.run.decisions) as shown:
        try:
            model.learn(config.run.decisions, callback=_Shown(shown))
        except KeyboardInterrupt:
            interrupted = True
    _finish(config, run, model, time.perf_counter() - started, interrupted)
    print(run.folder)
    return INTERRUPTED if interrupted else 0


def _finish(
    config: Sb3Config, run: Run, model: MaskablePPO, seconds: float, interrupted: bool
) -> None:
    """Evaluate (with masks, in paired matches), export, and say how it went."""
    game = config.description
    encoder = game.encoder(config.sb3.encoder)
    network = Sb3Network(model.policy).cpu().eval()
    figures: dict[str, float] = {}
    if not interrupted:
        figures = evaluate(network, game, encoder.id, config.combinations(), config.evaluation)
    decisions = model.num_timesteps
    metadata = PolicyMetadata.of(
        game,
        encoder,
        options=config.combinations(),
        config=config.to_dict(),
        provenance={
            "racegym": __version__,
            "torch": torch.__version__,
            "trainer": "training.sb3",
            "stable_baselines3": stable_baselines3.__version__,
            "decisions": decisions,
            "seed": config.run.seed,
        },
        evaluation=figures,
    )
    path = run.folder / POLICY
    export_network(network, game, encoder, metadata, path, config.combinations())
    speed = decisions / max(seconds, 1e-9)
    run.write_summary(
        {
            "decisions": decisions,
            "seconds": round(seconds, 3),
            "decisions_per_second": round(speed, 1),
            "evaluation": figures,
        }
    )
    for line in figures_in_words(figures, config.evaluation.against):
        print(line, file=sys.stderr)
    print(f"policy: {path}", file=sys.stderr)
    print(f"{decisions:,} decisions of the learner, {speed:,.0f} per second", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
