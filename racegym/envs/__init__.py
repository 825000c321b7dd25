"""Environments: PettingZoo (:func:`env`), batched self-play (:class:`VectorEnv`) and Gymnasium
(:class:`SoloEnv`, :class:`SoloVectorEnv`).  They know no particular game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from racegym.envs.aec import RawEnv
    from racegym.envs.batch import Batch
    from racegym.envs.order import OrderEnforcedEnv, env
    from racegym.envs.solo import SoloEnv
    from racegym.envs.solo_vector import SoloVectorEnv
    from racegym.envs.vector import VectorEnv

__all__ = [
    "Batch",
    "OrderEnforcedEnv",
    "RawEnv",
    "SoloEnv",
    "SoloVectorEnv",
    "VectorEnv",
    "env",
]

_HOMES = {
    "OrderEnforcedEnv": "order",
    "RawEnv": "aec",
    "env": "order",
    "SoloEnv": "solo",
    "SoloVectorEnv": "solo_vector",
    "Batch": "batch",
    "VectorEnv": "vector",
}


def __getattr__(name: str) -> Any:
    """Load an environment, and Numba with it, only when it is asked for."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"racegym.envs.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'racegym.envs' has no attribute {name!r}")
