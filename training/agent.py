"""Policies of runs as agents, straight from their checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from racegym import __version__
from racegym.agents.metadata import PolicyMetadata
from racegym.engine.game import Game
from training.checkpoint import CheckpointError, load_checkpoint, under_prefix
from training.config import Config
from training.evaluation import NetworkAgent
from training.networks import Network
from training.own_network import network_for
from training.reading import config_from_dict
from training.renamed import config_now
from training.runs import Run, checkpoint_file


class RunAgent(NetworkAgent):
    """The policy of a checkpoint.

    Args:
        network: with the checkpoint's weights.
        metadata: what an exported policy would say about itself.
        name: shown in tables.
        greedy: the likeliest action instead of one drawn by the policy.

    Attributes:
        metadata: as given.
    """

    def __init__(
        self, network: Network, metadata: PolicyMetadata, name: str, greedy: bool = False
    ) -> None:
        super().__init__(network, metadata.encoder, name, greedy)
        self.metadata = metadata


def run_agent(name: str, game: Game, greedy: bool = False) -> RunAgent:
    """The agent for a run's folder or a checkpoint's file.

    Args:
        name: as :func:`training.runs.checkpoint_file` takes it.
        game: the game it is to play.
        greedy: always choose the most probable action.

    Raises:
        RacegymError: there is no such checkpoint, it is damaged, or of another game.
    """
    path = checkpoint_file(name)
    tensors, plain = load_checkpoint(path)
    config = config_from_dict(Config, config_now(plain["config"]), str(path))
    network = loaded(config, tensors)
    run = Run(path.parent.parent)
    metadata = metadata_of(config, plain, run.evaluation_at(plain["decisions"]))
    metadata.check(game)
    return RunAgent(network, metadata, _shown(name, path) + ("?greedy" if greedy else ""), greedy)


def loaded(config: Config, tensors: Mapping[str, torch.Tensor]) -> Network:
    """The network of a checkpoint in evaluation mode, on the CPU.

    Raises:
        CheckpointError: the checkpoint is of another config.
    """
    network = network_for(config.network, config.description)
    try:
        network.load_state_dict(under_prefix("network", tensors))
    except RuntimeError as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(f"the checkpoint does not fit the config: {reason}") from None
    return network.eval().requires_grad_(False)


def metadata_of(
    config: Config, plain: Mapping[str, Any], evaluation: Mapping[str, float]
) -> PolicyMetadata:
    """What a policy says about itself.

    Args:
        config: of its run.
        plain: the data of its checkpoint.
        evaluation: its figures.
    """
    game = config.description
    return PolicyMetadata.of(
        game,
        game.encoder(config.network.encoder),
        options=config.combinations(),
        config=config.to_dict(),
        provenance={
            "racegym": __version__,
            "torch": torch.__version__,
            "trainer": "training.train",
            "decisions": plain["decisions"],
            "seed": config.run.seed,
        },
        evaluation=dict(evaluation),
    )


def _shown(name: str, path: Path) -> str:
    """A run's name for tables: that of its folder, with the checkpoint if one was asked for."""
    if not name.endswith(path.suffix):
        return Path(name).resolve().name if Path(name).is_dir() else Path(name).name
    in_run = path.resolve().parent.name == "checkpoints"
    stem = str(int(path.stem)) if path.stem.isdigit() else path.stem
    return f"{path.resolve().parents[1].name}@{stem}" if in_run else path.stem
