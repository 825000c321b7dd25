"""Horse Race for PettingZoo: ``from racegym import horse_race_v0``."""

from __future__ import annotations

from typing import Any

from racegym.envs import order
from racegym.envs.aec import RawEnv
from racegym.envs.order import OrderEnforcedEnv
from racegym.envs.vector import VectorEnv

GAME = "horse_race"


def env(**arguments: Any) -> OrderEnforcedEnv:
    """The AEC environment; see :class:`racegym.envs.RawEnv` for the arguments."""
    return order.env(GAME, **arguments)


def raw_env(**arguments: Any) -> RawEnv:
    """The AEC environment without PettingZoo's order check; see :class:`racegym.envs.RawEnv`."""
    return RawEnv(GAME, **arguments)


def vector_env(num_games: int, **arguments: Any) -> VectorEnv:
    """Many games at once for self-play; see :class:`racegym.envs.VectorEnv`."""
    return VectorEnv(GAME, num_games, **arguments)
