"""Learners by name: the built-in one, and those of the user's own (``package.module:Learner``).

What an own learner must have stands in :mod:`training.interface`.  It is checked before any game is
played, and what goes wrong in it later is told in one line that names the place.
"""

from __future__ import annotations

import dataclasses
import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Real
from typing import Any

import numpy as np
import torch
from torch import nn

from racegym.errors import RacegymError
from racegym.importing import imported, in_one_line, shown_place
from training.checkpoint import CheckpointError, check_savable, under_prefix, with_prefix
from training.config import Config, ConfigError, about
from training.interface import Algorithm, Context, Figures, State
from training.learner import Learner
from training.reading import dataclass_of

_KEY = "algorithm.kind"
_METHODS = ("iterate", "state_dict", "load_state_dict")
_SPEED = "speed/decisions_per_second"


def learner_for(config: Config) -> Algorithm:
    """A fresh learner; raises ConfigError if it cannot be made or lacks something."""
    if config.algorithm.kind == "ppo":
        return Learner(Context(config))
    return OwnLearner(config)


class OwnLearner:
    """A learner of the user's own, as the trainer needs it.

    Args:
        config: the settings; ``algorithm.kind`` names what makes the learner.

    Raises:
        ConfigError: it cannot be made, or lacks something.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._name = config.algorithm.kind
        with about(_KEY):
            make: Callable[[Context], Any] = imported(
                self._name, "callable", callable, what=_KEY, error=ConfigError
            )
        context = Context(config, self._options(make))
        torch.manual_seed(context.seed("weights"))
        try:
            with self._blamed("cannot be made"):
                self._made = make(context)
        except ConfigError:
            raise
        except RacegymError as error:
            raise ConfigError(str(error), _KEY) from error
        self._check(context)
        self.network: nn.Module = self._made.network
        self.seconds = {"total": 0.0}
        self.state_dict()  # what cannot be saved is told before anything is played

    def _options(self, make: Any) -> Any:
        """``algorithm.options``, as the learner's own dataclass if it declares one."""
        declared, given = getattr(make, "Options", None), self.config.algorithm.options
        if declared is None:
            return dict(given)
        if not (isinstance(declared, type) and dataclasses.is_dataclass(declared)):
            raise self._refused("its Options are no dataclass")
        return dataclass_of(declared, given, "algorithm.options")

    def _check(self, context: Context) -> None:
        for name in ("network", "decisions", "is_done", *_METHODS):
            with self._blamed(f"failed in {name}"):
                known = hasattr(self._made, name)
            if not known:
                raise self._refused(f"it has no {name}")
        for name in _METHODS:
            if not callable(getattr(self._made, name)):
                raise self._refused(f"its {name} is no method")
        if all(self._made.network is not network for network in context.networks):
            raise self._refused("its network must be one that context.new_network() made")
        if self.decisions != 0 or self.is_done:
            raise self._refused("a learner just made has 0 decisions and is not done")
        if self.config.reward.function is not None and context.reward is None:
            raise ConfigError(
                f"reward.function: {self._name} uses no own reward (context.new_reward)",
                "reward.function",
            )

    # --- as the trainer uses it ------------------------------------------------------------------

    @property
    def decisions(self) -> int:
        """Decisions played so far."""
        with self._blamed("failed in decisions"):
            found = self._made.decisions
        if not isinstance(found, int | np.integer) or isinstance(found, bool) or found < 0:
            raise self._refused(f"its decisions are {found!r}, not a whole number")
        return int(found)

    @property
    def is_done(self) -> bool:
        """True once the run is as long as it should be."""
        with self._blamed("failed in is_done"):
            return bool(self._made.is_done)

    def iterate(self) -> Figures:
        """As :meth:`Algorithm.iterate`, checked, with the decisions per second."""
        before, clock = self.decisions, time.perf_counter()
        with self._blamed("failed in iterate"):
            found = self._made.iterate()
            figures = self._figures(found)
        seconds = time.perf_counter() - clock
        self.seconds["total"] += seconds
        if self.decisions <= before:
            raise self._refused(f"iterate played nothing: it still has {before} decisions")
        figures.setdefault(_SPEED, (self.decisions - before) / max(seconds, 1e-9))
        return figures

    def _figures(self, found: Any) -> Figures:
        if not isinstance(found, Mapping):
            raise self._refused(f"iterate returned {type(found).__name__}, not a dict of figures")
        figures: Figures = {}
        for name, value in found.items():
            number = value.item() if isinstance(value, np.generic | torch.Tensor) else value
            if not isinstance(name, str) or not (number is None or isinstance(number, Real)):
                raise self._refused(f"iterate returned the figure {name!r}: {value!r}")
            figures[name] = None if number is None else float(number)
        return figures

    def meetings(self) -> dict[str, dict[str, float]]:
        """As :meth:`Algorithm.meetings`; none if the learner tells none."""
        if not hasattr(self._made, "meetings"):
            return {}
        with self._blamed("failed in meetings"):
            return dict(self._made.meetings())

    def schedule(self, planned: int | None) -> str | None:
        """Nothing is known of an own learner's schedules."""
        return None

    # --- saving ----------------------------------------------------------------------------------

    def state_dict(self) -> State:
        """The learner's state, the network's weights, and what the trainer notes beside them."""
        with self._blamed("failed in state_dict"):
            found = self._made.state_dict()
        if not (isinstance(found, tuple | list) and len(found) == 2):
            raise self._refused(
                f"state_dict returned {type(found).__name__}, not (tensors, data){self._place()}"
            )
        tensors, plain = found
        if not isinstance(tensors, Mapping):
            raise self._refused(
                f"state_dict returned {type(tensors).__name__}, not a dict of tensors"
                + self._place()
            )
        try:
            check_savable(tensors, plain)
        except CheckpointError as error:
            raise self._refused(f"its state cannot be saved: {error}{self._place()}") from None
        network = with_prefix("network", self.network.state_dict())
        return {**network, **with_prefix("learner", tensors)}, {
            "config": self.config.to_dict(),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "learner": plain,
        }

    def load_state_dict(
        self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]
    ) -> None:
        """Go on from a :meth:`state_dict`; raises CheckpointError if it does not fit."""
        try:
            self.network.load_state_dict(under_prefix("network", tensors))
            with self._blamed("failed in load_state_dict"):
                self._made.load_state_dict(under_prefix("learner", tensors), plain["learner"])
            self.seconds = dict(plain["seconds"])
        except (KeyError, ValueError, TypeError, RuntimeError, RacegymError) as error:
            reason = " ".join(str(error).split())[:300]
            raise CheckpointError(f"the checkpoint does not fit this config: {reason}") from None
        if self.decisions != plain["decisions"]:
            raise self._refused(
                f"load_state_dict left it at {self.decisions} decisions, not {plain['decisions']}"
            )

    # --- blame -----------------------------------------------------------------------------------

    @contextmanager
    def _blamed(self, what: str) -> Iterator[None]:
        """Tell what is raised in the learner's code in one line with the place."""
        try:
            yield
        except (RacegymError, torch.OutOfMemoryError):
            raise
        except (Exception, SystemExit) as error:
            text = f"{_KEY} {self._name!r} {what}: {in_one_line(error)}"
            raise ConfigError(text, _KEY) from error

    def _place(self) -> str:
        """`` (FILE:LINE)`` of the learner's ``state_dict``; empty if it is not known."""
        code = getattr(inspect.unwrap(self._made.state_dict), "__code__", None)
        return "" if code is None else f" ({shown_place(code.co_filename, code.co_firstlineno)})"

    def _refused(self, text: str) -> ConfigError:
        return ConfigError(f"{_KEY} {self._name!r}: {text}", _KEY)
