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

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from racegym.engine.game import Encoder, Game
from racegym.errors import RacegymError
from racegym.importing import OwnCodeError, imported, in_one_line, is_reference
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


class NetworkFailed(OwnCodeError, ConfigError):
    """The ``forward`` of a module of the user's own failed, or answered in another form."""


@dataclass(frozen=True)
class _Form:
    """What a module of the user's own answers, wherever it is asked; all else is NetworkFailed.

    Attributes:
        key, reference: where the config names it, and how.
        names, shapes: of the outputs; shapes without the batch.
    """

    key: str
    reference: str
    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Tell what the user's code raises in one line with its place."""
        try:
            yield
        except (RacegymError, MemoryError, torch.OutOfMemoryError):
            raise
        except (Exception, SystemExit) as error:
            text = f"{self.key} {self.reference!r}{what}: {in_one_line(error)}"
            raise NetworkFailed(text, self.key) from error

    def check(self, found: Any, batch: int) -> list[Tensor]:
        """The outputs, if they are what they should be."""
        outputs = list(found) if isinstance(found, tuple | list) else [found]
        if len(outputs) != len(self.names):
            raise self.refused(f"returned {_things(outputs)}, not ({', '.join(self.names)})")
        for name, shape, part in zip(self.names, self.shapes, outputs, strict=True):
            wanted = (batch, *shape)
            if not isinstance(part, Tensor) or part.dtype != torch.float32 or part.shape != wanted:
                raise self.refused(f"returned {name} as {_a(part)}, not float32 {wanted}")
        return outputs

    def asked(self, module: nn.Module, observation: Tensor, *state: Tensor) -> Any:
        """The module's answer, checked; as it is while torch writes it down as a graph."""
        if torch.compiler.is_compiling():
            return module(observation, *state)
        with self.told(" failed"):
            found = module(observation, *state)
        self.check(found, observation.shape[0])
        return found

    def refused(self, text: str) -> NetworkFailed:
        """The error for a forward that does what the text says."""
        return NetworkFailed(f"{self.key} {self.reference!r}: its forward {text}", self.key)


class OwnNetwork(Network):
    """A network of the user's own, with the normaliser that the config may ask for."""

    def __init__(
        self,
        network: nn.Module,
        shape: tuple[int, ...],
        scale: bool,
        state_shape: tuple[int, ...] | None,
        form: _Form,
    ) -> None:
        super().__init__(shape, scale, state_shape)
        self.network = network
        self._form = form

    def forward(self, observation: Tensor, *state: Tensor) -> Any:
        """Logits, values and, if it is recurrent, next states; see :class:`Network`."""
        if self.normaliser is not None:
            observation = self.normaliser(observation)
        return self._form.asked(self.network, observation, *state)


class OwnCritic(Critic):
    """A critic of the user's own."""

    def __init__(
        self, network: nn.Module, shape: tuple[int, ...], scale: bool, form: _Form
    ) -> None:
        super().__init__(network, shape, scale)
        self._form = form

    def answer(self, observation: Tensor) -> Tensor:
        """As :meth:`Critic.answer`."""
        found = self._form.asked(self.network, observation)
        value: Tensor = found[0] if isinstance(found, tuple | list) else found
        return value


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
    shapes = ((game.num_actions,), (), state_shape or ())[: len(names)]
    form = _Form(_KIND, config.kind, names, shapes)
    _Check(form, module).run(_observations(encoder), *states)
    return OwnNetwork(module, encoder.shape, config.normalise, state_shape, form)


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
    form = _Form(_CRITIC_KIND, config.critic_kind, ("values",), ((),))
    _Check(form, module).run(_observations(encoder))
    return OwnCritic(module, encoder.shape, config.normalise, form)


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
    for name, part in module.state_dict().items():
        if not isinstance(part, Tensor):
            text = f"has {_a(part)} in its state_dict at {name!r}, no tensor"
            raise _refused(key, reference, text)
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
    """Of what a module answers before any game is played; raises ConfigError."""

    form: _Form
    module: nn.Module

    def run(self, *inputs: Tensor) -> None:
        """Ask with batches of 3 and 1, in training and in evaluation mode."""
        self.module.eval()
        with torch.random.fork_rng(devices=[]):
            outputs = self._outputs(inputs)
            single = self._outputs([part[:1] for part in inputs])
            if not _close([part[:1] for part in outputs], single):
                raise self.form.refused("answers a situation differently beside others in a batch")
            self.module.train()
            learning = self._outputs(inputs)
        if not _close(learning, outputs):
            raise self.form.refused(
                "answers differently in training mode (dropout, batch norm): what learns would "
                "not be what played"
            )
        self.module.eval()

    def _outputs(self, inputs: Any) -> list[Tensor]:
        with self.form.told(": its forward failed"), torch.no_grad():
            found = self.module(*(part.clone() for part in inputs))
        outputs = self.form.check(found, len(inputs[0]))
        for name, part in zip(self.form.names, outputs, strict=True):
            if not bool(part.isfinite().all()):
                raise self.form.refused(f"returned {name} that are not finite")
        return outputs


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
