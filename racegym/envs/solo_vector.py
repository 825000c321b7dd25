"""The batched Gymnasium environment: one learner in each of N games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from racegym.engine.game import Game
from racegym.envs.arguments import RENDER_MODES, checked_render_mode
from racegym.envs.solo_games import Ending, SoloGames
from racegym.envs.spaces import action_space, array_space, masked_space
from racegym.errors import IllegalAction, OptionError, RacegymError


class SoloVectorEnv(VectorEnv):
    """N games for one learner, stepped together; place i behaves as a :class:`SoloEnv`.

    With ``autoreset_mode`` ``SameStep`` (the default) a game that ends is followed by the next one
    within the same step: the observation and mask are the new game's, ``infos["final_obs"][i]``
    and ``infos["final_info"]`` hold what belongs to the end of the old one.  With ``NextStep`` the
    step after the end starts the next game, ignores the action and has reward 0.

    Infos are arrays with one entry for each place, as Gymnasium batches them.  Of games that ended
    (in ``infos["final_info"]`` with ``SameStep``) they have ``cut``, bool (N,), ``scores`` and
    ``ranks``, int32 (N, players).

    Args:
        game: a game's name or description.
        num_envs: N, at least 1.
        autoreset_mode: ``SameStep`` or ``NextStep``, or the member of Gymnasium's enum.
        **others: as :class:`SoloEnv` takes them, the game's options included; ``opponents`` play
            all other seats, in team play those of the learner's partners too.

    Raises:
        OptionError, AgentError, RacegymError: for arguments that do not fit.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
        encoder: str = "flat",
        mask_in_observation: bool = True,
        on_illegal: str = "raise",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.render_mode = checked_render_mode(render_mode)
        self._games = SoloGames(game, num_envs, opponents, seat, encoder, on_illegal, options)
        self.game = self._games.game
        self.num_envs = self._games.num_games
        self.mask_in_observation = bool(mask_in_observation)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "autoreset_mode": self.autoreset_mode,
        }
        seen = array_space(self._games.encoder)
        self.single_observation_space = (
            masked_space(self.game, seen) if self.mask_in_observation else seen
        )
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.zeros(self.num_envs, bool)

    @property
    def options(self) -> dict[str, Any]:
        """All options of the games now, defaults included (a copy)."""
        return dict(self._games.options)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games and play up to the learner's first decisions.

        Args:
            seed: a whole number 0 … 2^63-1, from which place i derives its own row of seeds as
                :class:`racegym.envs.VectorEnv` does; a list of N seeds, where place i plays the
                games of a :class:`SoloEnv` that was reset with ``seed[i]``; or None to go on to
                the next game everywhere.
            options: options of the game, for these and all later games; not ``num_players``.  Or
                ``{"position": …}``: a :class:`racegym.Position` for all games or a list of N.

        Raises:
            SeedError, OptionError, RacegymError: nothing was changed.
        """
        self._games.reset(seed, options)
        self._ended[:] = False
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learner's action in every game.

        Args:
            actions: whole numbers (N,).

        Returns:
            Observations, rewards float32 (N,), terminated bool (N,), truncated bool (N,), infos.
            Nothing is ever truncated; ``cut`` says which games ended at ``max_turns``.

        Raises:
            IllegalAction: see ``on_illegal``; nothing was changed in any game.
        """
        chosen = self._checked(actions)
        restarting = np.flatnonzero(self._ended)
        endings = self._games.step(np.flatnonzero(~self._ended), chosen[~self._ended])
        ended = np.array(sorted(endings), np.int64)
        rewards = np.zeros(self.num_envs, np.float32)
        terminated, truncated = np.zeros((2, self.num_envs), bool)
        final: dict[str, Any] = {}
        for i, ending in endings.items():
            rewards[i], terminated[i] = ending.reward, True
            final = self._with_final(final, ending, i)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            restarting = ended
        self._games.next_game(restarting)
        self._ended[:] = False
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._ended[ended] = True
        return self._observations(), rewards, terminated, truncated, {**self._infos(), **final}

    def action_masks(self) -> np.ndarray:
        """The legal actions, int8 (N, actions), under the name that sb3-contrib looks for."""
        self._must_be_started("action_masks")
        return self._games.masks.copy()

    def render(self) -> tuple[str, ...]:
        """Every situation in words as the learner may know it."""
        if self.render_mode is None:
            raise RacegymError('to render, make the environment with render_mode="ansi"')
        self._must_be_started("render")
        seats = self._games.seats.tolist()
        return tuple(self._games.position(i).text(seat) for i, seat in enumerate(seats))

    def _checked(self, actions: Any) -> np.ndarray:
        self._must_be_started("step")
        try:
            chosen = np.asarray(actions)
        except (ValueError, OverflowError):
            chosen = np.empty(0, object)
        if chosen.dtype.kind not in "iu" or chosen.shape != (self.num_envs,):
            raise IllegalAction(
                f"step takes {self.num_envs} whole numbers, one per game, not "
                f"{chosen.dtype} of shape {chosen.shape}"
            )
        outside = (chosen < 0) | (chosen >= self.game.num_actions)
        if outside.any():
            i = int(outside.argmax())
            raise IllegalAction(
                f"game {i}: action {chosen[i]} does not exist: {self.game.name} has the actions "
                f"0 to {self.game.num_actions - 1}"
            )
        return chosen.astype(np.int64)

    def _observations(self) -> Any:
        seen = self._games.observations.copy()
        if not self.mask_in_observation:
            return seen
        return {"observation": seen, "action_mask": self._games.masks.copy()}

    def _infos(self) -> dict[str, Any]:
        """What the games' infos hold, each key with a flag per game, as Gymnasium does it."""
        games = self._games
        infos: dict[str, Any] = {
            "action_mask": games.masks.copy(),
            "seed": games.seeds.copy(),
            "seat": games.seats.copy(),
        }
        infos.update({f"_{name}": np.ones(self.num_envs, bool) for name in tuple(infos)})
        resampled = games.resampled >= 0
        if resampled.any():
            infos["resampled"] = np.where(resampled, games.resampled, 0)
            infos["_resampled"] = resampled
        return infos

    def _with_final(self, infos: dict[str, Any], ending: Ending, i: int) -> dict[str, Any]:
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            seen: Any = ending.observation
            if self.mask_in_observation:
                seen = {"observation": seen, "action_mask": ending.info["action_mask"].copy()}
            return self._add_info(infos, {"final_obs": seen, "final_info": ending.info}, i)
        result = {k: v for k, v in ending.info.items() if k not in ("action_mask", "seed", "seat")}
        return self._add_info(infos, result, i)

    def _must_be_started(self, what: str) -> None:
        if not self._games.started:
            raise RacegymError(f"call reset() before {what}()")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "game"}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved, game=saved["_games"].game)


def _checked_mode(mode: Any) -> AutoresetMode:
    known = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
    for candidate in known:
        if mode in (candidate, candidate.value):
            return candidate
    raise OptionError(f"autoreset_mode is one of {', '.join(m.value for m in known)}, not {mode!r}")
