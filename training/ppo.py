"""One update of proximal policy optimisation from a rollout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from training.config import PpoConfig
from training.networks import PolicyNetwork, entropy_of, masked_log_probs
from training.rollout import Rollout


@dataclass(frozen=True)
class Losses:
    """What an update did, as means over its minibatches.

    Attributes:
        policy_gradient_loss, value_loss, entropy: the three parts of the loss (entropy in nats,
            positive; Stable-Baselines3's ``entropy_loss`` is its negative).
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
    chosen: Tensor
    first_own: int

    @classmethod
    def of(cls, rollout: Rollout) -> _Samples:
        def flat(array: np.ndarray) -> Tensor:
            return torch.from_numpy(array.reshape(-1, *array.shape[2:]))

        return cls(
            observation=flat(rollout.observation),
            mask=flat(rollout.mask),
            action=flat(rollout.action),
            log_prob=flat(rollout.log_prob),
            advantage=flat(rollout.advantage),
            target=flat(rollout.target),
            chosen=torch.from_numpy(np.flatnonzero(rollout.closed)),
            first_own=rollout.seats * rollout.games,
        )


def update(
    network: PolicyNetwork,
    optimiser: torch.optim.Optimizer,
    rollout: Rollout,
    config: PpoConfig,
    generator: torch.Generator,
) -> Losses:
    """Learn from a finished rollout; changes ``network`` and ``optimiser``.

    Args:
        generator: of the order of the samples.
    """
    samples = _Samples.of(rollout)
    count = len(samples.chosen)
    advantage = samples.advantage[samples.chosen]
    if count == 0:
        return Losses(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
    mean, spread = advantage.mean(), advantage.std(unbiased=False) + 1e-8
    sums = torch.zeros(5, dtype=torch.float64)
    first_ratio_error, parts = 0.0, 0
    network.train()
    for _ in range(config.n_epochs):
        order = samples.chosen[torch.randperm(count, generator=generator)]
        moved = 0.0
        for indices in order.tensor_split(min(config.n_minibatches, count)):
            loss, figures, ratio = _loss(network, samples, indices, mean, spread, config)
            if parts == 0:
                own = (indices >= samples.first_own).to(ratio.device)
                first_ratio_error = float((ratio - 1).abs()[own].max()) if own.any() else 0.0
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), config.max_grad_norm)
            optimiser.step()
            sums += figures
            moved += float(figures[3]) / min(config.n_minibatches, count)
            parts += 1
        if config.target_kl is not None and moved > config.target_kl:
            break
    network.eval()
    if network.normaliser is not None:
        own = samples.chosen[samples.chosen >= samples.first_own]
        network.normaliser.update(samples.observation[own].to(network.value.weight.device))
    return _summary((sums / max(parts, 1)).tolist(), first_ratio_error, samples)


def _loss(
    network: PolicyNetwork,
    samples: _Samples,
    indices: Tensor,
    mean: Tensor,
    spread: Tensor,
    config: PpoConfig,
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of a minibatch, its figures, and the probability ratios."""
    device = network.value.weight.device

    def picked(tensor: Tensor) -> Tensor:
        return tensor[indices].to(device)

    logits, value = network(picked(samples.observation))
    log_probs = masked_log_probs(logits, picked(samples.mask))
    log_prob = log_probs.gather(1, picked(samples.action)[:, None]).squeeze(1)
    log_ratio = log_prob - picked(samples.log_prob)
    ratio = log_ratio.exp()
    advantage = (picked(samples.advantage) - mean.to(device)) / spread.to(device)
    limited = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
    policy_loss = -torch.minimum(ratio * advantage, limited * advantage).mean()
    value_loss = 0.5 * (value.float() - picked(samples.target)).square().mean()
    entropy = entropy_of(log_probs).mean()
    loss = policy_loss + config.vf_coef * value_loss - config.ent_coef * entropy
    with torch.no_grad():
        approx_kl = ((ratio - 1) - log_ratio).mean()
        clip_fraction = ((ratio - 1).abs() > config.clip_range).float().mean()
        figures = torch.stack([policy_loss, value_loss, entropy, approx_kl, clip_fraction])
    return loss, figures.double().cpu(), ratio.detach()


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
