"""Policy and value networks, and the arithmetic of masked action distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from racegym.errors import RacegymError
from training.sections import NetworkConfig

#: Logit of an action that is not legal: its probability is exactly zero in float32.
ILLEGAL_LOGIT = -1e9


# --- masked distributions ------------------------------------------------------------------------


def masked_logits(logits: Tensor, mask: Tensor) -> Tensor:
    """float32 logits with :data:`ILLEGAL_LOGIT` for every action whose mask is zero.

    Args:
        logits: (…, actions), any floating dtype.
        mask: same shape, non-zero = legal.
    """
    logits = logits.float()
    return torch.where(mask != 0, logits, logits.new_full((), ILLEGAL_LOGIT))


def masked_log_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities over the legal actions, float32, finite, renormalised.

    Raises:
        RacegymError: if a row has no legal action.
    """
    if not bool((mask != 0).any(-1).all()):
        raise RacegymError("a row of the action mask has no legal action: nothing can be chosen")
    return torch.log_softmax(masked_logits(logits, mask), dim=-1)


def entropy_of(log_probs: Tensor) -> Tensor:
    """Entropy in nats of rows of log-probabilities; an action of probability zero adds nothing."""
    return -(log_probs.exp() * log_probs).sum(-1)


def draw(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """One action per row by its probability, never one of probability zero.

    The first to arrive of exponential clocks with the actions' probabilities as rates.
    """
    waits = torch.empty_like(log_probs).exponential_(generator=generator)
    return (log_probs - waits.clamp_min(1e-30).log()).argmax(-1)


# --- networks ------------------------------------------------------------------------------------


class Normaliser(nn.Module):
    """Scales every input by running statistics, which are part of the network's state."""

    mean: Tensor
    variance: Tensor
    count: Tensor

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(shape))
        self.register_buffer("variance", torch.ones(shape))
        self.register_buffer("count", torch.zeros((), dtype=torch.float64))

    def forward(self, observation: Tensor) -> Tensor:
        """The inputs with mean 0 and variance 1 as known so far, cut at ±10."""
        scaled = (observation - self.mean) / torch.sqrt(self.variance + 1e-4)
        return scaled.clamp(-10.0, 10.0)

    @torch.no_grad()
    def update(self, observations: Tensor) -> None:
        """Take a batch (n, …) into the statistics (Chan et al. 1979)."""
        n = observations.shape[0]
        if n == 0:
            return
        variance, mean = torch.var_mean(observations, dim=0, unbiased=False)
        share = (n / (self.count + n)).float()
        difference = mean - self.mean
        self.variance += share * (variance - self.variance)
        self.variance += share * (1 - share) * difference**2
        self.mean += share * difference
        self.count += n


class Network(nn.Module):
    """What the trainer takes as the learner's network.

    ``forward(observation)`` takes float32 (batch, *shape) and returns logits (batch, actions),
    without any mask, and values (batch,) for the seat that sees the observation.  A recurrent
    network has ``forward(observation, state)``, with states float32 (batch, *state_shape), zero
    when a game starts, and returns the next states as well: what the seat remembers until its next
    decision.

    Attributes:
        normaliser: scales the observations; None: they are taken as they are.
        state_shape: of a state; None: the network remembers nothing.
    """

    normaliser: Normaliser | None
    state_shape: tuple[int, ...] | None

    def __init__(
        self, shape: tuple[int, ...], scale: bool, state_shape: tuple[int, ...] | None = None
    ) -> None:
        super().__init__()
        self.normaliser = Normaliser(shape) if scale else None
        self.state_shape = state_shape


class PolicyNetwork(Network):
    """A body, a policy head and a value head."""

    def __init__(
        self, body: nn.Module, width: int, num_actions: int, shape: tuple[int, ...], scale: bool
    ) -> None:
        super().__init__(shape, scale)
        self.body = body
        self.policy = _linear(width, num_actions, gain=0.01)
        self.value = _linear(width, 1, gain=1.0)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values; see :class:`Network`."""
        if self.normaliser is not None:
            observation = self.normaliser(observation)
        features = self.body(observation)
        return self.policy(features), self.value(features).squeeze(-1)


class GruNetwork(Network):
    """A body and a gated recurrent unit (Cho et al. 2014), whose state the heads read."""

    def __init__(
        self, body: nn.Module, width: int, num_actions: int, shape: tuple[int, ...], scale: bool
    ) -> None:
        super().__init__(shape, scale, state_shape=(width,))
        self.body = body
        self.cell = nn.GRUCell(width, width)
        self.policy = _linear(width, num_actions, gain=0.01)
        self.value = _linear(width, 1, gain=1.0)

    def forward(self, observation: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values and next states; see :class:`Network`."""
        if self.normaliser is not None:
            observation = self.normaliser(observation)
        state = self.cell(self.body(observation), state)
        return self.policy(state), self.value(state).squeeze(-1), state


class Critic(nn.Module):
    """``forward(observation)``: values (batch,) from float32 (batch, *shape), by a network that
    serves the training only and may see what the policy may not.

    Attributes:
        normaliser: as that of :class:`Network`.
    """

    normaliser: Normaliser | None

    def __init__(self, network: nn.Module, shape: tuple[int, ...], scale: bool) -> None:
        super().__init__()
        self.normaliser = Normaliser(shape) if scale else None
        self.network = network

    def forward(self, observation: Tensor) -> Tensor:
        """See the class."""
        if self.normaliser is not None:
            observation = self.normaliser(observation)
        return self.answer(observation)

    def answer(self, observation: Tensor) -> Tensor:
        """Values (batch,) from what the normaliser made of an observation."""
        value: Tensor = self.network(observation)
        return value


class AttentionBody(nn.Module):
    """Self-attention over the rows of an observation (batch, rows, features); empty rows are left
    out, and the mean of the others is the result (batch, width)."""

    def __init__(self, shape: tuple[int, ...], width: int, depth: int, heads: int) -> None:
        super().__init__()
        self.embed = _linear(shape[1], width)
        self.blocks = nn.ModuleList(_Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)

    def forward(self, rows: Tensor) -> Tensor:
        """See the class."""
        present = (rows != 0).any(-1)
        x = self.embed(rows)
        for block in self.blocks:
            x = block(x, present)
        weights = present.float().unsqueeze(-1)
        return (self.norm(x) * weights).sum(1) / weights.sum(1).clamp_min(1.0)


class _Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before_mix, self.before_think = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mix, self.join = _linear(width, 3 * width, gain=1.0), _linear(width, width, gain=1.0)
        self.think = nn.Sequential(_linear(width, 2 * width), nn.ReLU(), _linear(2 * width, width))

    def forward(self, x: Tensor, present: Tensor) -> Tensor:
        parts = self.mix(self.before_mix(x)).unflatten(-1, (3, self.heads, -1))
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        hidden = torch.where(present, 0.0, ILLEGAL_LOGIT)[:, None, None, :]
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=hidden)
        x = x + self.join(mixed.transpose(1, 2).flatten(2))
        return x + self.think(self.before_think(x))


def _linear(inputs: int, outputs: int, gain: float = math.sqrt(2)) -> nn.Linear:
    """A layer with orthogonal weights and no bias at the start."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _mlp(config: NetworkConfig, shape: tuple[int, ...]) -> nn.Module:
    layers: list[nn.Module] = [nn.Flatten()]
    size = math.prod(shape)
    for _ in range(config.depth):
        layers.append(_linear(size, config.width))
        if config.layer_norm:
            layers.append(nn.LayerNorm(config.width))
        layers.append(nn.ReLU())
        size = config.width
    return nn.Sequential(*layers)


def _body(kind: str, key: str, config: NetworkConfig, shape: tuple[int, ...]) -> nn.Module:
    """What turns observations into ``config.width`` features."""
    if kind != "attention":
        return _mlp(config, shape)
    if len(shape) != 2:
        raise RacegymError(
            f"{key} attention needs observations in rows (network.encoder tokens), "
            f"not of shape {shape}"
        )
    return AttentionBody(shape, config.width, config.depth, config.heads)


def build_network(config: NetworkConfig, shape: tuple[int, ...], num_actions: int) -> Network:
    """A fresh network of a built-in kind; raises RacegymError if the observations do not fit."""
    body = _body(config.kind, "network.kind", config, shape)
    kind = GruNetwork if config.kind == "gru" else PolicyNetwork
    return kind(body, config.width, num_actions, shape, config.normalise)


def build_critic(config: NetworkConfig, shape: tuple[int, ...]) -> Critic:
    """A fresh critic of a built-in kind; raises RacegymError if the observations do not fit."""
    body = _body(config.critic_kind, "network.critic_kind", config, shape)
    layers = nn.Sequential(body, _linear(config.width, 1, gain=1.0), nn.Flatten(0))
    return Critic(layers, shape, config.normalise)


def frozen_copy(network: Network, fresh: Network) -> Network:
    """``fresh`` with the weights of ``network`` copied in, in evaluation mode, not trainable."""
    fresh.load_state_dict(network.state_dict())
    return fresh.eval().requires_grad_(False)


# --- playing -------------------------------------------------------------------------------------


def device_of(network: nn.Module) -> torch.device:
    """Where a network's weights are."""
    return next(network.parameters()).device


@torch.inference_mode()
def answers(
    network: nn.Module, observation: np.ndarray, states: np.ndarray | None = None, at: Any = ...
) -> tuple[Tensor, Tensor]:
    """Logits (n, actions) and float32 values (n,), on the CPU.

    Args:
        observation: float32 (n, *shape).
        states: of a recurrent network: an array in which ``states[at]`` are the n states; the
            next ones take their place.
        at: index into ``states``.
    """
    device = device_of(network)
    seen = torch.from_numpy(observation).to(device)
    if states is None:
        logits, value = network(seen)
    else:
        logits, value, after = network(seen, torch.from_numpy(states[at]).to(device))
        states[at] = after.cpu().numpy()
    return logits.cpu(), value.float().cpu()
