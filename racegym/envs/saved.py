"""Checking what saved environments hold before they go on from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from racegym.engine.game import Game
from racegym.engine.instances import Kernels
from racegym.engine.validity import check_masks, check_states
from racegym.errors import RacegymError


def check_arrays(arrays: Mapping[str, np.ndarray], wanted: Mapping[str, np.ndarray]) -> None:
    """Raise RacegymError unless arrays have the names, shapes and dtypes wanted."""
    for name, array in wanted.items():
        theirs: Any = arrays.get(name)
        fits = isinstance(theirs, np.ndarray) and theirs.shape == array.shape
        if not fits or theirs.dtype != array.dtype:
            raise RacegymError(f"this state does not fit the environment: {name!r} differs")


def check_batch(
    game: Game, codes: np.ndarray, kernels: Kernels, arrays: Mapping[str, np.ndarray]
) -> None:
    """Raise RacegymError for a :meth:`VectorEnv.state_dict` that cannot be continued.

    Args:
        game: the game's description.
        codes: its options, encoded.
        kernels: of the environment.
        arrays: with the names, shapes and dtypes of the environment's own.
    """
    for name in ("episodes", "seeds", "master"):
        if arrays[name].min() < 0:
            raise RacegymError(f"this state is damaged: {name!r} has negative numbers")
    ended = arrays["last_raw"].any(axis=1)
    if ended.any():
        check_states(game, codes, arrays["last_raw"][ended])
    if arrays["master"][-1]:  # else no game has been started, and what else there is is not used
        check_running(game, codes, kernels, np.ascontiguousarray(arrays["raw"]))


def check_running(game: Game, codes: np.ndarray, kernels: Kernels, raw: np.ndarray) -> None:
    """Raise RacegymError unless all states are of games in which somebody is to act and can.

    Args:
        game: the game's description.
        codes: its options, encoded.
        kernels: of the game.
        raw: uint8 (N, bytes of a state).
    """
    check_states(game, codes, raw)
    to_act = raw.view(game.layout.dtype)[:, 0]["to_act"]
    if to_act.min() < 0:
        raise RacegymError(f"game {to_act.argmin()} is over: only running games can be continued")
    seats, masks = np.empty(len(raw), np.int64), np.empty((len(raw), game.num_actions), np.int8)
    kernels.mark_legal_all(raw, seats, masks)
    check_masks(game, seats, masks)
