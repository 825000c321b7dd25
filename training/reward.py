"""An own reward for training: ``reward: package.module:function``.

By default the function is a *potential*: ``phi(states, seats)`` says how well ``seats[k]`` stands
in ``states[k]``, and a seat gets ``gamma * phi(next) - phi(now)`` from one of its own decisions to
its next one, with ``phi = 0`` behind the end of the game.  Added to the game's rewards, that
changes no policy's rank: what is best stays best (Ng, Harada and Russell 1999).  With ``potential:
false`` the function is a reward: ``reward(before, after, seats)`` is added as it stands, and the
policy learns to want it.

``states``, ``before`` and ``after`` are structured arrays (n,) of the game's layout, which its page
lists field by field, copies of the training games with all that is hidden in them; ``seats`` is
int64 (n,); the answer is n numbers.  ``reward.options`` are handed over by name.  Evaluation,
matches and records never see this reward.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from racegym.engine.game import Game
from racegym.engine.words import counted
from racegym.errors import RacegymError
from racegym.importing import imported, in_one_line
from training.config import ConfigError, about
from training.sections import RewardConfig

_KEY = "reward.function"


class OwnReward:
    """The reward of a config's section ``reward``, for the learner's seats in N games.

    Args:
        config: the section; it names a function.
        game: the game.
        games: N.
        gamma: discount per own decision of a seat.

    Raises:
        ConfigError: the function cannot be imported.
    """

    def __init__(self, config: RewardConfig, game: Game, games: int, gamma: float) -> None:
        assert config.function is not None
        self.config, self.gamma = config, gamma
        with about(_KEY):
            self._function: Callable[..., Any] = imported(
                config.function, "callable", callable, what=_KEY, error=ConfigError
            )
        self._dtype = game.layout.dtype
        places = (games, game.max_players)
        self._decided = np.zeros(places, bool)
        # Of the latest decision: the potential, or the bytes of the state (as fields, what lies
        # between them would be lost or left to chance).
        self._kept = np.zeros(places, np.float32)
        if not config.potential:
            self._kept = np.zeros((*places, self._dtype.itemsize), np.uint8)
        self._given = 0.0

    # --- in play ---------------------------------------------------------------------------------

    def decided(self, states: np.ndarray, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """What seats that are to decide now get for their decision before, float32 (n,).

        Zero where it is the seat's first decision of its game.

        Args:
            states: structured (n,), the states now.
            games, seats: int64 (n,).
        """
        at = (games, seats)
        earlier = self._decided[at]
        if self.config.potential:
            now = self._asked(states, seats)
            reward = np.float32(self.gamma) * now - self._kept[at]
        else:
            now = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1)
            reward = np.zeros(len(states), np.float32)
            before = self._kept[at][earlier].view(self._dtype)[:, 0]
            reward[earlier] = self._asked(before, states[earlier], seats[earlier])
        reward = np.where(earlier, reward, np.float32(0.0))
        self._decided[at] = True
        self._kept[at] = now
        self._given += float(reward.sum(dtype=np.float64))
        return reward

    def ended(self, states: np.ndarray, games: np.ndarray) -> np.ndarray:
        """What all seats get for their last decisions in games that ended, float32 (n, seats).

        Args:
            states: structured (n,), as the games ended.
            games: int64 (n,).
        """
        rewards = np.zeros((len(games), self._decided.shape[1]), np.float32)
        rows, seats = np.nonzero(self._decided[games])
        if self.config.potential:
            rewards[rows, seats] = -self._kept[games[rows], seats]
        else:
            before = self._kept[games[rows], seats].view(self._dtype)[:, 0]
            rewards[rows, seats] = self._asked(before, states[rows], seats)
        self._decided[games] = False
        self._given += float(rewards.sum(dtype=np.float64))
        return rewards

    def collected(self) -> float:
        """The sum of all rewards given since the last call."""
        given, self._given = self._given, 0.0
        return given

    def _asked(self, *arguments: np.ndarray) -> np.ndarray:
        """The function's answer times the weight, float32 (n,)."""
        count = len(arguments[-1])
        if count == 0:
            return np.zeros(0, np.float32)
        who = f"{_KEY} {self.config.function!r}"
        try:
            answer = self._function(*arguments, **self.config.options)
            found = np.asarray(answer)
        except (Exception, SystemExit) as error:
            raise RacegymError(f"{who} failed: {in_one_line(error)}") from error
        if found.dtype.kind not in "fiub" or found.shape != (count,):
            wanted = f"an array of {counted(count, 'number')}"
            raise RacegymError(f"{who} must answer with {wanted}, not {_form(answer, found)}")
        found = found.astype(np.float32) * np.float32(self.config.weight)
        if not np.isfinite(found).all():
            raise RacegymError(f"{who} answered with numbers that are not finite")
        return found

    def check(self, states: np.ndarray, seats: np.ndarray) -> None:
        """Ask the function once, so that a wrong one is told at the start; raises ConfigError."""
        with about(_KEY):
            self._asked(*([states] if self.config.potential else [states, states]), seats)

    # --- saving ----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, np.ndarray]:
        """What was kept of the seats' latest decisions, for :meth:`load_state_dict`."""
        kept = self._kept.copy()
        kept[~self._decided] = 0
        return {"decided": self._decided.copy(), "kept": kept}

    def load_state_dict(self, saved: Mapping[str, Any]) -> None:
        """Go on from a :meth:`state_dict`; raises KeyError or ValueError if it does not fit."""
        self._decided[...] = saved["decided"]
        self._kept[...] = saved["kept"]


def _form(answer: Any, found: np.ndarray) -> str:
    """What a function answered, in words: ``None``, ``a list of str``, ``float64 (3,)``."""
    if answer is None:
        return "None"
    if found.dtype.kind in "fiub" and found.shape:
        return f"{found.dtype} {found.shape}"
    if isinstance(answer, list | tuple) and answer:
        return f"a {type(answer).__name__} of {type(answer[0]).__name__}"
    texts = " of texts" if isinstance(answer, np.ndarray) and found.dtype.kind in "SU" else ""
    return f"{type(answer).__name__}{texts}"
