"""The PettingZoo environment as users get it: :class:`RawEnv` in PettingZoo's order check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from racegym.engine.game import Game
from racegym.envs.aec import RawEnv
from racegym.errors import RacegymError


class OrderEnforcedEnv(OrderEnforcingWrapper):
    """PettingZoo's check of the order of calls, with the errors of :class:`RawEnv`.

    What is asked too early or too late is refused there; this adds that a loop over
    ``agent_iter()`` without a ``step()`` is noticed.
    """

    def step(self, action: int | None) -> None:
        """As :meth:`RawEnv.step`."""
        self.env.step(action)
        self._has_updated = True

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """As :meth:`RawEnv.reset`."""
        self.env.reset(seed=seed, options=options)
        self._has_reset = self._has_updated = True

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As :meth:`RawEnv.last`."""
        return self.env.last(observe)

    def observe(self, agent: str) -> dict[str, Any]:
        """As :meth:`RawEnv.observe`."""
        return self.env.observe(agent)

    def state(self) -> np.ndarray:
        """As :meth:`RawEnv.state`."""
        return self.env.state()

    def render(self) -> str:
        """As :meth:`RawEnv.render`."""
        return self.env.render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents to step, one after the other; see PettingZoo."""
        if not self._has_reset:
            raise RacegymError("call reset() before agent_iter()")
        return super().agent_iter(max_iter)

    def clone(self) -> OrderEnforcedEnv:
        """As :meth:`RawEnv.clone`."""
        return self._around(self.env.clone())

    __copy__ = clone

    def restore(self, other: AECEnv) -> None:
        """As :meth:`RawEnv.restore`."""
        self.env.restore(other)
        self._has_reset = self._has_updated = self.env._position is not None

    def redeal(self, agent: str, seed: int | None = None) -> OrderEnforcedEnv:
        """As :meth:`RawEnv.redeal`."""
        return self._around(self.env.redeal(agent, seed))

    def __str__(self) -> str:
        """The environment's name, as PettingZoo's own wrapper gives it."""
        return str(self.env)

    def _around(self, raw: RawEnv) -> OrderEnforcedEnv:
        twin = OrderEnforcedEnv(raw)
        twin._has_reset, twin._has_updated = self._has_reset, self._has_updated
        return twin


def env(game: str | Game, **arguments: Any) -> OrderEnforcedEnv:
    """A PettingZoo environment; see :class:`RawEnv` for the arguments."""
    return OrderEnforcedEnv(RawEnv(game, **arguments))
