"""Networks by name: the built-in kinds, and those of the user's own (``package.module:build``).

``build`` is called with a :class:`NetworkSpec` and returns a ``torch.nn.Module``:

- ``forward(observation)`` takes float32 (batch, *shape) and returns float32 logits
  (batch, actions), without any mask, and values (batch,);
- with an attribute ``state_shape``, a tuple, it is recurrent: ``forward(observation, state)`` takes
  states float32 (batch, *state_shape) as well, zero when a game starts, and returns
  (logits, values, next states).

A critic of the user's own is built likewise; its ``forward(observation)`` returns values (batch,).
What is built is checked once, before any game is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from racegym.engine.game import Encoder, Game
from racegym.errors import RacegymError
from racegym.importing import imported, in_one_line, is_reference
from training.config import ConfigError, about
from training.networks import Critic, Network, build_critic, build_network
from training.sections import NetworkConfig

_KIND, _CRITIC_KIND = "network.kind", "network.critic_kind"

#: How far answers may differ that should be the same.
_TOLERANCE = 1e-4


@dataclass(frozen=True)
class NetworkSpec:
    """What a network is built for.

    Attributes:
        game: the game.
        encoder: the encoder whose observations it reads.
        options: ``network.options`` of the config.
    """

    game: Game
    encoder: Encoder
    options: Mapping[str, Any]

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of an observation."""
        return self.encoder.shape

    @property
    def num_actions(self) -> int:
        """Actions of the game."""
        return self.game.num_actions


class NetworkFailed(RacegymError):
    """A network of the user's own failed at work."""


class OwnNetwork(Network):
    """A network of the user's own, with the normaliser that the config may ask for."""

    def __init__(
        self,
        network: nn.Module,
        shape: tuple[int, ...],
        scale: bool,
        state_shape: tuple[int, ...] | None,
        reference: str,
    ) -> None:
        super().__init__(shape, scale, state_shape)
        self.network = network
        self.reference = reference

    def forward(self, observation: Tensor, *state: Tensor) -> Any:
        """Logits, values and, if it is recurrent, next states; see :class:`Network`."""
        if self.normaliser is not None:
            observation = self.normaliser(observation)
        return _at_work(_KIND, self.reference, self.network, observation, *state)


class OwnCritic(Critic):
    """A critic of the user's own."""

    def __init__(
        self, network: nn.Module, shape: tuple[int, ...], scale: bool, reference: str
    ) -> None:
        super().__init__(network, shape, scale)
        self.reference = reference

    def answer(self, observation: Tensor) -> Tensor:
        """As :meth:`Critic.answer`."""
        value: Tensor = _at_work(_CRITIC_KIND, self.reference, self.network, observation)
        return value


def _at_work(key: str, reference: str, module: nn.Module, *inputs: Tensor) -> Any:
    """What a module of the user's own answers; raises NetworkFailed, in one line, if it fails."""
    try:
        return module(*inputs)
    except (RacegymError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        if torch.compiler.is_compiling():  # the exporter's own signals
            raise
        text = f"{key} {reference!r} failed: {in_one_line(error)}"
        raise NetworkFailed(text) from error


def network_for(config: NetworkConfig, game: Game) -> Network:
    """A fresh network for the policy; raises ConfigError if it cannot be built or used."""
    encoder = game.encoder(config.encoder)
    if not is_reference(config.kind):
        with about("network"):
            return build_network(config, encoder.shape, game.num_actions)
    module = _built(_KIND, config.kind, NetworkSpec(game, encoder, dict(config.options)))
    state_shape = _state_shape(module, config.kind)
    states = () if state_shape is None else (torch.zeros(3, *state_shape),)
    names = ("logits", "values", "next state")[: 2 + len(states)]
    shapes = ((game.num_actions,), (), state_shape or ())
    _Check(_KIND, config.kind, module, names, shapes).run(_observations(encoder), *states)
    return OwnNetwork(module, encoder.shape, config.normalise, state_shape, config.kind)


def critic_for(config: NetworkConfig, game: Game) -> Critic | None:
    """A fresh critic, None if the config wants none; raises ConfigError as :func:`network_for`."""
    if config.critic is None:
        return None
    encoder = game.encoder(config.critic)
    if not is_reference(config.critic_kind):
        with about("network"):
            return build_critic(config, encoder.shape)
    spec = NetworkSpec(game, encoder, dict(config.options))
    module = _built(_CRITIC_KIND, config.critic_kind, spec)
    _Check(_CRITIC_KIND, config.critic_kind, module, ("values",), ((),)).run(_observations(encoder))
    return OwnCritic(module, encoder.shape, config.normalise, config.critic_kind)


def _built(key: str, reference: str, spec: NetworkSpec) -> nn.Module:
    """What ``build(spec)`` returns, if it is a module with something to learn."""
    with about(key):
        build: Callable[[NetworkSpec], Any] = imported(
            reference, "callable", callable, what=key, error=ConfigError
        )
    try:
        module = build(spec)
    except (Exception, SystemExit) as error:
        raise _refused(key, reference, f"failed: {in_one_line(error)}") from error
    if not isinstance(module, nn.Module):
        raise _refused(key, reference, f"returned {_a(module)}, not a torch.nn.Module")
    if not any(parameter.requires_grad for parameter in module.parameters()):
        raise _refused(key, reference, "returned a module without trainable parameters")
    return module


def _state_shape(module: nn.Module, reference: str) -> tuple[int, ...] | None:
    """The state that a module declares, None if it remembers nothing."""
    found = getattr(module, "state_shape", None)
    if found is None:
        return None
    if not (isinstance(found, tuple | list) and all(type(n) is int and n > 0 for n in found)):
        raise _refused(
            _KIND, reference, f"has state_shape {found!r}, not a tuple of whole numbers above 0"
        )
    return tuple(found)


def _observations(encoder: Encoder) -> Tensor:
    """Three made-up observations, within the encoder's bounds."""
    generator = torch.Generator().manual_seed(0)
    share = torch.rand(3, *encoder.shape, generator=generator)
    return encoder.low + share * (encoder.high - encoder.low)


@dataclass(frozen=True)
class _Check:
    """Of what a module answers; raises ConfigError.

    Attributes:
        names, shapes: of the outputs; shapes without the batch.
    """

    key: str
    reference: str
    module: nn.Module
    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]

    def run(self, *inputs: Tensor) -> None:
        """Ask with batches of 3 and 1, in training and in evaluation mode."""
        self.module.eval()
        with torch.random.fork_rng(devices=[]):
            outputs = self._outputs(inputs)
            single = self._outputs([part[:1] for part in inputs])
            if not _close([part[:1] for part in outputs], single):
                raise self._refused("answers a situation differently beside others in a batch")
            self.module.train()
            learning = self._outputs(inputs)
        if not _close(learning, outputs):
            raise self._refused(
                "answers differently in training mode (dropout, batch norm): what learns would "
                "not be what played"
            )
        self.module.eval()

    def _outputs(self, inputs: Any) -> list[Tensor]:
        batch = len(inputs[0])
        try:
            with torch.no_grad():
                found = self.module.forward(*(part.clone() for part in inputs))
        except Exception as error:
            raise self._refused(f"failed: {in_one_line(error)}") from error
        outputs = list(found) if isinstance(found, tuple | list) else [found]
        if len(outputs) != len(self.names):
            wanted = ", ".join(self.names)
            raise self._refused(f"returned {_things(outputs)}, not ({wanted})")
        for name, shape, part in zip(self.names, self.shapes, outputs, strict=False):
            self._check_one(name, (batch, *shape), part)
        return outputs

    def _check_one(self, name: str, shape: tuple[int, ...], part: Any) -> None:
        if not isinstance(part, Tensor) or part.dtype != torch.float32 or part.shape != shape:
            raise self._refused(f"returned {name} as {_a(part)}, not float32 {shape}")
        if not bool(part.isfinite().all()):
            raise self._refused(f"returned {name} that are not finite")

    def _refused(self, text: str) -> ConfigError:
        return _refused(self.key, self.reference, f"its forward {text}")


def _close(one: list[Tensor], other: list[Tensor]) -> bool:
    return all(
        torch.allclose(a, b, _TOLERANCE, _TOLERANCE) for a, b in zip(one, other, strict=True)
    )


def _refused(key: str, reference: str, text: str) -> ConfigError:
    return ConfigError(f"{key} {reference!r}: {text}", key)


def _things(outputs: list[Any]) -> str:
    return f"{len(outputs)} outputs" if len(outputs) != 1 else _a(outputs[0])


def _a(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)}"
    return f"a class {value.__name__}" if isinstance(value, type) else type(value).__name__
