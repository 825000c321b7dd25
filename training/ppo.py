"""One update of proximal policy optimisation from a rollout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from training.networks import Critic, Network, device_of, entropy_of, masked_log_probs
from training.recurrence import sequences_of, unrolled
from training.rollout import Rollout
from training.sections import PpoConfig


@dataclass(frozen=True)
class Losses:
    """What an update did, as means over its minibatches.

    Attributes:
        policy_gradient_loss, value_loss, entropy: the three parts of the loss (entropy in nats,
            positive; Stable-Baselines3's ``entropy_loss`` is its negative).  With a critic apart
            from the policy the value loss is the critic's.
        approx_kl: approximate Kullback-Leibler divergence from the policy that played.
        clip_fraction: share of the decisions whose ratio was clipped.
        first_ratio_error: largest distance of a probability ratio from 1 in the first minibatch,
            among the decisions of this rollout: rounding only, as nothing has changed yet.
        explained_variance: share of the targets' variance that the values explain.
        n_samples: decisions learned from.
    """

    policy_gradient_loss: float
    value_loss: float
    entropy: float
    approx_kl: float
    clip_fraction: float
    first_ratio_error: float
    explained_variance: float
    n_samples: int


@dataclass
class _Samples:
    """The closed decisions of a rollout, as tensors that share its memory where possible."""

    observation: Tensor
    mask: Tensor
    action: Tensor
    log_prob: Tensor
    advantage: Tensor
    target: Tensor
    state: Tensor | None
    critic_observation: Tensor | None
    chosen: Tensor
    first_own: int

    @classmethod
    def of(cls, rollout: Rollout) -> _Samples:
        def flat(array: np.ndarray) -> Tensor:
            return torch.from_numpy(array.reshape(-1, *array.shape[2:]))

        state, critic_observation = rollout.state, rollout.critic_observation
        return cls(
            observation=flat(rollout.observation),
            mask=flat(rollout.mask),
            action=flat(rollout.action),
            log_prob=flat(rollout.log_prob),
            advantage=flat(rollout.advantage),
            target=flat(rollout.target),
            state=None if state is None else flat(state),
            critic_observation=None if critic_observation is None else flat(critic_observation),
            chosen=torch.from_numpy(np.flatnonzero(rollout.closed)),
            first_own=rollout.seats * rollout.games,
        )


def update(
    network: Network,
    optimiser: torch.optim.Optimizer,
    rollout: Rollout,
    config: PpoConfig,
    generator: torch.Generator,
    critic: Critic | None = None,
) -> Losses:
    """Learn from a finished rollout; changes ``network``, ``critic`` and ``optimiser``.

    A recurrent network is trained through sequences of one seat's decisions in one game, and a
    minibatch is made of whole sequences.

    Args:
        generator: of the order of the samples.
        critic: gave the values of the rollout, if the network did not.  The network's own values
            learn the same targets.
    """
    samples = _Samples.of(rollout)
    if len(samples.chosen) == 0:
        return Losses(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
    loss_of = _Loss.of(network, critic, samples, config)
    units = samples.chosen
    if network.state_shape is not None:
        units = sequences_of(rollout, config.sequence_length)
    cuts = min(config.n_minibatches, len(units))
    parameters = [p for group in optimiser.param_groups for p in group["params"]]
    sums = torch.zeros(5, dtype=torch.float64)
    first_ratio_error, parts = 0.0, 0
    _set_training(True, network, critic)
    for _ in range(config.n_epochs):
        order = units[torch.randperm(len(units), generator=generator)]
        moved = 0.0
        for part in order.tensor_split(cuts):
            loss, figures, ratio, indices = loss_of(part)
            if parts == 0:
                own = (indices >= samples.first_own).to(ratio.device)
                first_ratio_error = float((ratio - 1).abs()[own].max()) if own.any() else 0.0
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, config.max_grad_norm)
            optimiser.step()
            sums += figures
            moved += float(figures[3]) / cuts
            parts += 1
        if config.target_kl is not None and moved > config.target_kl:
            break
    _set_training(False, network, critic)
    _update_normalisers(network, critic, samples)
    return _summary((sums / max(parts, 1)).tolist(), first_ratio_error, samples)


def _set_training(training: bool, network: Network, critic: Critic | None) -> None:
    network.train(training)
    if critic is not None:
        critic.train(training)


def _update_normalisers(network: Network, critic: Critic | None, samples: _Samples) -> None:
    """Take in what was observed at the decisions of this rollout."""
    own = samples.chosen[samples.chosen >= samples.first_own]
    if network.normaliser is not None:
        network.normaliser.update(samples.observation[own].to(device_of(network)))
    if critic is not None and critic.normaliser is not None:
        assert samples.critic_observation is not None
        critic.normaliser.update(samples.critic_observation[own].to(device_of(critic)))


@dataclass(frozen=True)
class _Loss:
    """The loss of a minibatch, its figures, the probability ratios, and which samples they are of.

    Attributes:
        mean, spread: of the advantages of all samples.
    """

    network: Network
    critic: Critic | None
    samples: _Samples
    config: PpoConfig
    device: torch.device
    mean: Tensor
    spread: Tensor

    @classmethod
    def of(
        cls, network: Network, critic: Critic | None, samples: _Samples, config: PpoConfig
    ) -> _Loss:
        device = device_of(network)
        advantage = samples.advantage[samples.chosen]
        mean, spread = advantage.mean(), advantage.std(unbiased=False) + 1e-8
        return cls(network, critic, samples, config, device, mean.to(device), spread.to(device))

    def __call__(self, part: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        samples, config = self.samples, self.config
        indices, logits, value = self._answers(part)
        log_probs = masked_log_probs(logits, self._picked(samples.mask, indices))
        action = self._picked(samples.action, indices)
        log_prob = log_probs.gather(1, action[:, None]).squeeze(1)
        log_ratio = log_prob - self._picked(samples.log_prob, indices)
        ratio = log_ratio.exp()
        advantage = (self._picked(samples.advantage, indices) - self.mean) / self.spread
        limited = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
        policy_loss = -torch.minimum(ratio * advantage, limited * advantage).mean()
        value_loss, values_loss = self._value_losses(indices, value)
        entropy = entropy_of(log_probs).mean()
        loss = policy_loss + config.vf_coef * values_loss - config.ent_coef * entropy
        with torch.no_grad():
            approx_kl = ((ratio - 1) - log_ratio).mean()
            clip_fraction = ((ratio - 1).abs() > config.clip_range).float().mean()
            figures = torch.stack([policy_loss, value_loss, entropy, approx_kl, clip_fraction])
        return loss, figures.double().cpu(), ratio.detach(), indices

    def _answers(self, part: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The samples of a minibatch (indices or sequences of them), with logits and values."""
        samples = self.samples
        if samples.state is not None:
            return unrolled(self.network, part, samples.observation, samples.state)
        logits, value = self.network(self._picked(samples.observation, part))
        return part, logits, value

    def _value_losses(self, indices: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """The loss of the values that the advantages come from, and that of all values."""
        target = self._picked(self.samples.target, indices)
        loss = 0.5 * (value.float() - target).square().mean()
        if self.critic is None:
            return loss, loss
        assert self.samples.critic_observation is not None
        judged = self.critic(self._picked(self.samples.critic_observation, indices))
        critic_loss = 0.5 * (judged.float() - target).square().mean()
        return critic_loss, critic_loss + loss

    def _picked(self, tensor: Tensor, indices: Tensor) -> Tensor:
        return tensor[indices].to(self.device)


def _summary(means: list[float], first_ratio_error: float, samples: _Samples) -> Losses:
    target = samples.target[samples.chosen]
    spread = float(target.var(unbiased=False))
    unexplained = float(samples.advantage[samples.chosen].var(unbiased=False))
    return Losses(
        policy_gradient_loss=means[0],
        value_loss=means[1],
        entropy=means[2],
        approx_kl=means[3],
        clip_fraction=means[4],
        first_ratio_error=first_ratio_error,
        explained_variance=1.0 - unexplained / spread if spread else 0.0,
        n_samples=len(samples.chosen),
    )
