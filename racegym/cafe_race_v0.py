"""Café Race for PettingZoo: ``from racegym import cafe_race_v0``."""

from __future__ import annotations

from typing import Any

from racegym.envs import aec
from racegym.envs.vector import VectorEnv

GAME = "cafe_race"


def env(**arguments: Any) -> aec.OrderEnforcedEnv:
    """The AEC environment; see :class:`racegym.envs.RawEnv` for the arguments."""
    return aec.env(GAME, **arguments)


def raw_env(**arguments: Any) -> aec.RawEnv:
    """The AEC environment without wrappers; see :class:`racegym.envs.RawEnv`."""
    return aec.raw_env(GAME, **arguments)


def vector_env(num_games: int, **arguments: Any) -> VectorEnv:
    """Many games at once for self-play; see :class:`racegym.envs.VectorEnv`."""
    return VectorEnv(GAME, num_games, **arguments)
