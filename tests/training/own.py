"""Networks of a user's own: some that work, and one for every mistake."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from training.own_network import NetworkSpec


class Small(nn.Module):
    """One hidden layer.  It does not take an empty batch, as some layers of torch do not."""

    def __init__(self, inputs: int, width: int, num_actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(inputs, width), nn.Tanh())
        self.policy, self.value = nn.Linear(width, num_actions), nn.Linear(width, 1)

    def forward(self, observation: Tensor) -> Any:
        assert observation.shape[0] > 0
        features = self.body(observation)
        return self.policy(features), self.value(features).squeeze(-1)


class Remembering(nn.Module):
    """An LSTM cell; its state is both parts of the cell's."""

    def __init__(self, inputs: int, width: int, num_actions: int) -> None:
        super().__init__()
        self.state_shape = (2, width)
        self.cell = nn.LSTMCell(inputs, width)
        self.policy, self.value = nn.Linear(width, num_actions), nn.Linear(width, 1)

    def forward(self, observation: Tensor, state: Tensor) -> Any:
        hidden, cell = self.cell(observation.flatten(1), (state[:, 0], state[:, 1]))
        after = torch.stack([hidden, cell], 1)
        return self.policy(hidden), self.value(hidden).squeeze(-1), after


def small(spec: NetworkSpec) -> nn.Module:
    """Feed-forward."""
    return Small(math.prod(spec.shape), spec.options.get("width", 8), spec.num_actions)


def lstm(spec: NetworkSpec) -> nn.Module:
    """Recurrent."""
    return Remembering(math.prod(spec.shape), spec.options.get("width", 8), spec.num_actions)


def critic(spec: NetworkSpec) -> nn.Module:
    """Of the value alone."""
    layers = nn.Linear(math.prod(spec.shape), 8), nn.Tanh(), nn.Linear(8, 1), nn.Flatten(0)
    return nn.Sequential(nn.Flatten(), *layers)


def no_module(spec: NetworkSpec) -> Any:
    return 3


def no_weights(spec: NetworkSpec) -> Any:
    return nn.Flatten()


def fails(spec: NetworkSpec) -> Any:
    return spec.options["size"]


class _Wrong(Small):
    def __init__(self, spec: NetworkSpec, change: Any) -> None:
        super().__init__(math.prod(spec.shape), 8, spec.num_actions)
        self.change = change

    def forward(self, observation: Tensor) -> Any:
        return self.change(*super().forward(observation))


def one_output(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: logits)


def column_of_values(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: (logits, value[:, None]))


def too_few_logits(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: (logits[:, 1:], value))


def half_precision(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: (logits.half(), value))


def not_finite(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: (logits, value / 0 - value / 0))


def mixes_rows(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: (logits - logits.mean(0), value))


def forward_fails(spec: NetworkSpec) -> Any:
    return _Wrong(spec, lambda logits, value: logits @ logits)


def dropout(spec: NetworkSpec) -> Any:
    network = Small(math.prod(spec.shape), 8, spec.num_actions)
    network.body.append(nn.Dropout(0.5))
    return network


def state_of_text(spec: NetworkSpec) -> Any:
    network = Small(math.prod(spec.shape), 8, spec.num_actions)
    network.state_shape = "wide"
    return network


def forgets_its_state(spec: NetworkSpec) -> Any:
    network = Remembering(math.prod(spec.shape), 8, spec.num_actions)
    network.state_shape = (8,)
    return network


class _Branching(Small):
    def forward(self, observation: Tensor) -> Any:
        logits, value = super().forward(observation)
        if observation.sum() > 1e9:
            logits = -logits
        return logits, value


def not_onnx(spec: NetworkSpec) -> nn.Module:
    """Works, but what it computes cannot be written down as one graph."""
    return _Branching(math.prod(spec.shape), 8, spec.num_actions)


class _OneSize(Small):
    def forward(self, observation: Tensor) -> Any:
        logits, value = super().forward(observation)
        return logits.reshape(len(observation), -1), value


def one_size(spec: NetworkSpec) -> nn.Module:
    """Works, but ``len`` becomes a fixed number in the file."""
    return _OneSize(math.prod(spec.shape), 8, spec.num_actions)


class _Counting(nn.Module):
    """Works until it has been asked more often than ``calls``, then does ``late``."""

    def __init__(self, module: nn.Module, options: Any) -> None:
        super().__init__()
        self.module, self.calls, self.asked = module, options["calls"], 0
        self.late = options.get("late", "fails")

    def forward(self, observation: Tensor) -> Any:
        self.asked += 1
        if self.asked > self.calls and self.late == "fails":
            raise ValueError("too often")
        found = self.module(observation)
        return found if self.asked <= self.calls else [found[0]]


def counting(spec: NetworkSpec) -> nn.Module:
    return _Counting(small(spec), spec.options)


def counting_critic(spec: NetworkSpec) -> nn.Module:
    return _Counting(critic(spec), spec.options)


class _OneShape(Small):
    def forward(self, observation: Tensor) -> Any:
        return super().forward(observation.reshape(len(observation), -1))


def one_shape(spec: NetworkSpec) -> nn.Module:
    """Works; ``len`` fixes the batch when it is exported."""
    return _OneShape(math.prod(spec.shape), 8, spec.num_actions)


class _Odd(Small):
    def get_extra_state(self) -> Any:
        return {"step": 1}


def odd_state(spec: NetworkSpec) -> Any:
    return _Odd(math.prod(spec.shape), 8, spec.num_actions)
