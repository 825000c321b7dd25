"""The Gymnasium environment: one learner, the other seats played by agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed
from racegym.envs.arguments import RENDER_MODES, checked_render_mode
from racegym.envs.solo_games import SoloGames
from racegym.envs.spaces import action_space, array_space, masked_space
from racegym.errors import GameOver, IllegalAction, RacegymError


class SoloEnv(gymnasium.Env):
    """A game for one learner.

    Every step is one decision of the learner's seat; the agents then play on to its next decision
    or to the end of the game, where ``reward`` is the game's reward for that seat (zero before).
    ``terminated`` says that the game has ended.  ``truncated`` is always False: ``max_turns`` is
    one of a game's rules and part of every observation, so a game cut there has ended as well, and
    its rewards are final.

    ``info`` has ``action_mask``, ``seed`` and ``seat``, at the end also ``cut`` (True if it ended
    at ``max_turns``), ``scores`` and ``ranks`` (int32 (players,)).  The same arguments with
    ``seat=info["seat"]`` and ``reset(seed=info["seed"])`` give that very game again, the agents'
    choices included (for agents with ``choose`` or ``decide``, as all of racegym's are).

    Args:
        game: a game's name or description.
        opponents: an agent or its spec (``"random"``, ``"scripted"``, a policy's file …) for all
            other seats, or a list with one for each, clockwise from the learner's seat.  In team
            play the learner's partners are among them: in Dino Race with teams seat p plays for
            side p modulo the number of sides.
        seat: the learner's seat: a number, ``"random"`` (drawn for each game from its seed) or
            ``"rotate"`` (the next seat in every game, beginning with 0 at a seeded reset).
        encoder: name of the encoder of the observations.
        mask_in_observation: True for ``{"observation": …, "action_mask": …}``; False for the
            array alone.  :meth:`action_masks` and ``info`` have the mask in either case.
        on_illegal: what an action of the action space that is not legal now does: ``raise``
            (:class:`IllegalAction`, nothing is changed), ``lose`` (the game ends with the learner
            last) or ``resample`` (a random legal action is played in its place and told in
            ``info["resampled"]``).  What is no action at all (NaN, 1.0, -1 …) always raises.
        render_mode: None or ``ansi``.
        **options: the game's options.

    Raises:
        OptionError, AgentError, RacegymError: for arguments that do not fit.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by Gymnasium)
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
        encoder: str = "flat",
        mask_in_observation: bool = True,
        on_illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode)
        self._games = SoloGames(game, 1, opponents, seat, encoder, on_illegal, options)
        self.game = self._games.game
        self.mask_in_observation = bool(mask_in_observation)
        seen = array_space(self._games.encoder)
        self.observation_space = masked_space(self.game, seen) if self.mask_in_observation else seen
        self.action_space = action_space(self.game)

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game now, defaults included (a copy)."""
        return dict(self._games.options)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game and play up to the learner's first decision.

        Args:
            seed: whole number 0 … 2^63-1; the game is ``racegym.make(name, seed=seed)``.  None
                goes on to the next of the seeds that follow from the last one given (or drawn).
            options: options of the game, for this and all later games; not ``num_players``.  Or
                ``{"position": position}``: a :class:`racegym.Position` of the same game and
                options to go on from, by its own seed.

        Raises:
            SeedError, OptionError, RacegymError: nothing was changed.
        """
        seed = None if seed is None else checked_seed(seed)
        self._games.reset(seed if seed is None else [seed], options)
        super().reset(seed=seed)
        return self._observation(), self._games.info(0)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action.

        Raises:
            IllegalAction: see ``on_illegal``; nothing was changed.
            GameOver: the game is over.
        """
        self._must_be_started("step")
        if self._games.is_over(0):
            raise GameOver("the game is over: call reset()")
        chosen = self.position.checked_action(action) if type(action) is not int else action
        if not 0 <= chosen < self.game.num_actions:
            raise IllegalAction(
                f"action {chosen} does not exist: {self.game.name} has the actions 0 to "
                f"{self.game.num_actions - 1}"
            )
        endings = self._games.step(np.zeros(1, np.int64), np.array([chosen], np.int64))
        if 0 not in endings:
            return self._observation(), 0.0, False, False, self._games.info(0)
        ending = endings[0]
        return self._observation(), ending.reward, True, False, ending.info

    def action_masks(self) -> np.ndarray:
        """The legal actions, int8 (actions,), under the name that sb3-contrib looks for."""
        self._must_be_started("action_masks")
        return self._games.masks[0].copy()

    def render(self) -> str:
        """The situation in words as the learner may know it."""
        if self.render_mode is None:
            raise RacegymError('to render, make the environment with render_mode="ansi"')
        return self.position.text(int(self._games.seats[0]))

    @property
    def position(self) -> Position:
        """The game in progress as a :class:`racegym.Position` of its own."""
        self._must_be_started("position")
        return self._games.position(0)

    def _observation(self) -> Any:
        seen = self._games.observations[0].copy()
        if not self.mask_in_observation:
            return seen
        return {"observation": seen, "action_mask": self._games.masks[0].copy()}

    def _must_be_started(self, what: str) -> None:
        if not self._games.started:
            raise RacegymError(f"call reset() before {what}()")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "game"}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved, game=saved["_games"].game)
