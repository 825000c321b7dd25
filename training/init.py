"""Warm starts: the weights of another run, of a checkpoint or of an exported policy.

Only the network's weights are taken over; games, optimiser, opponents and counters are those of a
new run.  What the weights come from is kept in the new run's config.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from racegym.agents.policy import PolicyAgent
from racegym.engine.game import Game
from training.checkpoint import CheckpointError, load_checkpoint, under_prefix
from training.config import Config, ConfigError, about
from training.reading import config_from_dict
from training.renamed import config_now
from training.runs import SUFFIX, checkpoint_file

_KEY = "init.source"
_TAKES = (
    "it takes a run's folder, the file of a checkpoint (.safetensors) or an exported policy (.onnx)"
)

#: Settings of the section ``network`` that the weights depend on.
_SHAPING = ("kind", "encoder", "width", "depth", "heads", "layer_norm", "normalise", "options")

#: How far the answers of a policy's file and of the network made from it may differ.
_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Source:
    """Where a warm start takes its weights from.

    Attributes:
        name: as the config has it.
        path: of the file.
        digest: SHA-256 of the file.
        decisions: that the weights were trained for, None if the file does not say.
        game: the game.
        config: of the run that made them, as far as game and network go.
        weights: of the network, by name.
        policy: the exported policy, if it is one.
    """

    name: str
    path: Path
    digest: str
    decisions: int | None
    game: Game
    config: Config
    weights: Mapping[str, torch.Tensor]
    policy: PolicyAgent | None = None

    def give_to(self, network: nn.Module) -> None:
        """Put the weights into a network; raises ConfigError if they do not fit."""
        wanted = network.state_dict()
        weights = {**self.weights}
        missing = [name for name in wanted if name not in weights]
        if missing and self.policy is not None:
            raise self._refused(
                f"the exported file does not hold all weights by name ({missing[0]} is not there, "
                "as in files of networks of kind attention and of those that normalise): start "
                "from the run or the checkpoint that it was made from"
            )
        for name in [*wanted, *weights]:
            one, other = weights.get(name), wanted.get(name)
            if one is None or other is None or one.shape != other.shape:
                raise self._refused(
                    f"the weights {name} are {_form(one)} there, {_form(other)} here"
                )
        network.load_state_dict(weights)
        if self.policy is not None:
            self._compare(network, self.policy)

    def _compare(self, network: nn.Module, policy: PolicyAgent) -> None:
        """Refuse an exported file whose weights do not make the network that it holds."""
        encoder = self.game.encoder(policy.encoder)
        share = np.random.default_rng(0).random((64, *encoder.shape), np.float32)
        seen = encoder.low + share * np.float32(encoder.high - encoder.low)
        masks = np.ones((64, self.game.num_actions), np.int8)
        shape = getattr(network, "state_shape", None)
        states = [] if shape is None else [np.zeros((64, *shape), np.float32)]
        found = policy.evaluate(seen, masks, *states)
        device = next(network.parameters()).device
        with torch.inference_mode():
            wanted = network(*(torch.from_numpy(part).to(device) for part in (seen, *states)))
        for one, other in zip(found, wanted, strict=True):
            if not np.allclose(one, other.cpu().numpy(), atol=_TOLERANCE, rtol=_TOLERANCE):
                raise self._refused("the network made from its weights plays otherwise than it")

    def check(self, config: Config) -> None:
        """Refuse a source for another network than the config's; raises ConfigError."""
        if config.init.digest not in (None, self.digest):
            raise ConfigError(
                f"init.digest: {self.path} is not the file that this config was made with", _KEY
            )
        for key in _SHAPING:
            one, other = getattr(self.config.network, key), getattr(config.network, key)
            if one != other:
                raise ConfigError(
                    f"{_KEY} {self.name!r}: network.{key} is {one!r} there and {other!r} here",
                    _KEY,
                    f"network.{key}",
                )

    def _refused(self, text: str) -> ConfigError:
        return ConfigError(f"{_KEY} {self.name!r}: {text}", _KEY)


def _form(weights: torch.Tensor | None) -> str:
    return "missing" if weights is None else f"of shape {tuple(weights.shape)}"


def warm_start(config: Config) -> tuple[Config, Source | None]:
    """The source that ``init.source`` names, None if it names none, and the config that says so.

    Raises:
        ConfigError: it cannot be read, or is for another game or network.
    """
    if config.init.source is None:
        return config, None
    with about(_KEY):
        source = read_source(config.init.source, config.description)
    source.check(config)
    noted = dataclasses.replace(config.init, digest=source.digest, decisions=source.decisions)
    return dataclasses.replace(config, init=noted), source


def read_source(name: str, game: Game) -> Source:
    """The weights that a run, a checkpoint or an exported policy holds.

    Raises:
        RacegymError: there is none, it is damaged, or of another game.
    """
    if name.endswith(".onnx"):
        return _from_policy(name, game)
    try:
        path = checkpoint_file(name)
    except CheckpointError as error:
        known = Path(name.rpartition("@")[0] or name).is_dir() or name.endswith(SUFFIX)
        takes = "" if known else f"; {_TAKES}"
        raise CheckpointError(f"{error}{takes}") from None
    tensors, plain = load_checkpoint(path)
    config = _config_of(plain["config"], path)
    if config.description.name != game.name:
        raise ConfigError(f"{path} was trained for {config.description.name}, not for {game.name}")
    weights = under_prefix("network", tensors)
    return Source(name, path, _digest(path), plain["decisions"], game, config, weights)


def _from_policy(name: str, game: Game) -> Source:
    """Of a policy's file those arrays of its graph that have the name of a weight."""
    import onnx

    policy, path = PolicyAgent(name, game), Path(name)
    model = onnx.load_model_from_string(path.read_bytes())
    prefix = "network."
    weights = {
        array.name.removeprefix(prefix): torch.from_numpy(onnx.numpy_helper.to_array(array).copy())
        for array in model.graph.initializer
        if array.name.startswith(prefix)
    }
    config = _config_of(policy.metadata.config, path)
    decisions = policy.metadata.provenance.get("decisions")
    return Source(name, path, _digest(path), decisions, game, config, weights, policy)


def _config_of(stored: Mapping[str, Any], path: Path) -> Config:
    """Game and network of the config that a file was made with."""
    now = config_now(stored)
    if "network" not in now:
        raise ConfigError(f"{path} was not made by training.train")
    parts = {"game": {"name": now["game"]["name"]}, "network": now["network"]}
    return config_from_dict(Config, parts, str(path))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
