"""What a learner is to the trainer, and what it is made from: the door for an own algorithm.

``algorithm: package.module:Learner`` in a config names a class (or function) that is called with a
:class:`Context` and returns an object with these members; all else about a run (folder, lock,
config, evaluation, checkpoints, exact resumption, export, display, Ctrl-C) is the trainer's:

- ``network``, the policy, made by :meth:`Context.new_network`: evaluated, exported and saved;
- ``decisions``, whole number: played so far in the training games, by learner and opponents alike;
- ``is_done``, bool: true once the run is as long as it should be;
- ``iterate()``: play and learn for a while (what cannot be interrupted), and return the figures to
  log, a mapping from names such as ``train/loss`` to numbers, or None where there is nothing to
  tell this time;
- ``state_dict()``: tensors by name, and data of JSON types, from which ``load_state_dict(tensors,
  data)`` of a learner just made goes on exactly, ``decisions`` included.  The network's weights
  are saved and loaded by the trainer.  :func:`training.checkpoint.packed` makes the two parts of
  any nested dict, and :func:`~training.checkpoint.unpacked` gives it back.

Optional are ``meetings()`` (who was played against since the last call, as
:meth:`training.opponents.Opponents.report` tells it) and ``Options``, a dataclass on the class:
``algorithm.options`` of the config are then checked against it and handed over as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from racegym.engine.game import Encoder, Game
from racegym.engine.seeds import derived_seed
from racegym.errors import RacegymError
from training.config import Config, about
from training.devices import chosen_device
from training.fleet import Fleet
from training.networks import Network
from training.opponents import Opponents
from training.own_network import network_for
from training.reward import OwnReward

#: What is logged of an update, by name; None: there is nothing to tell this time.
Figures = dict[str, float | None]

#: Tensors by name, and plain data of JSON types.
State = tuple[dict[str, torch.Tensor], dict[str, Any]]

#: What a run's seed is used for; each use has a seed of its own.
USES = ("games", "weights", "actions", "order", "opponents", "own")


class Algorithm(Protocol):
    """A learner as the trainer sees it; see the module for what of it an own one must have."""

    #: Spent so far in ``total``, and on what else the learner tells apart.
    seconds: dict[str, float]

    @property
    def network(self) -> nn.Module:
        """The policy: ``network(observation)`` gives logits and values."""

    @property
    def decisions(self) -> int:
        """Played so far, by learner and opponents alike."""

    @property
    def is_done(self) -> bool:
        """True once the run is as long as its config says."""

    def iterate(self) -> Figures:
        """Play and learn; returns the figures to log."""

    def meetings(self) -> dict[str, dict[str, float]]:
        """Games and the learner's share per opponent's name since the last call."""

    def schedule(self, planned: int | None) -> str | None:
        """What schedules such as the learning rate's do when a run goes on with another length.

        ``planned`` is the length before; None: the run is finished, and is told how to go on.
        """

    def state_dict(self) -> State:
        """All that :meth:`load_state_dict` goes on from."""

    def load_state_dict(
        self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]
    ) -> None:
        """Go on from a :meth:`state_dict`; raises CheckpointError if it is of another config."""


class Context:
    """What a learner is made from.

    Args:
        config: the run's config.
        options: ``algorithm.options``, as the class's ``Options`` if it has any.

    Attributes:
        networks: those that :meth:`new_network` has made.
        reward: what :meth:`new_reward` made, None before.
    """

    def __init__(self, config: Config, options: Any = None) -> None:
        self.config = config
        self.options: Any = dict(config.algorithm.options) if options is None else options
        self.networks: list[Network] = []
        self.reward: OwnReward | None = None

    @cached_property
    def game(self) -> Game:
        """The game's description."""
        return self.config.description

    @property
    def encoder(self) -> Encoder:
        """The encoder that the policy reads."""
        return self.game.encoder(self.config.network.encoder)

    @cached_property
    def device(self) -> torch.device:
        """The device of the networks; raises ConfigError if it does not work."""
        return chosen_device(self.config.run.device)

    def seed(self, use: str) -> int:
        """The seed (0 … 2^63-1) for one of the :data:`USES` of the run's seed."""
        return derived_seed(self.config.run.seed, USES.index(use))

    def new_fleet(self) -> Fleet:
        """The training games, ``rollout.n_envs`` of them under all combinations of options."""
        gathering = self.config.rollout
        return Fleet(
            self.game,
            self.config.combinations(),
            gathering.n_envs,
            self.seed("games"),
            self.encoder.id,
            gathering.threads,
        )

    def new_network(self) -> Network:
        """A fresh network as the section ``network`` says, on the device, in evaluation mode.

        Its weights are drawn from torch's global generator.
        """
        network = network_for(self.config.network, self.game).to(self.device).eval()
        self.networks.append(network)
        return network

    def new_opponents(self, states: np.ndarray | None = None) -> Opponents:
        """Who else sits at the tables, as the section ``opponents`` says.

        Args:
            states: of a recurrent network, by game and seat; see :class:`Opponents`.
        """
        with about("opponents.agents"):
            return Opponents(
                self.config.opponents, self.game, self.seed("opponents"), self._copy, states
            )

    def _copy(self) -> Network:
        return network_for(self.config.network, self.game).to(self.device).eval()

    def new_reward(self, gamma: float) -> OwnReward | None:
        """The reward of the section ``reward``, None if there is none.

        Args:
            gamma: the learner's discount per own decision of a seat.
        """
        settings = self.config.reward
        if settings.function is None:
            return None
        self.reward = OwnReward(settings, self.game, self.config.rollout.n_envs, gamma)
        return self.reward


def diverged(decisions: int, what: str) -> RacegymError:
    """The error for something that is not a finite number any more."""
    return RacegymError(
        f"the training has diverged after {decisions:,} decisions ({what} is not finite): lower "
        "the learning rate; earlier checkpoints are untouched"
    )
