"""The PettingZoo environment: a thin layer on :class:`racegym.Position`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from racegym.engine import registry
from racegym.engine.game import Game
from racegym.engine.instances import kernels_of
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, derived_seed, fresh_seed
from racegym.engine.setup import Setup
from racegym.engine.validity import check_masks
from racegym.envs.arguments import (
    ON_ILLEGAL,
    RENDER_MODES,
    GivenOptions,
    checked_choice,
    checked_encoder,
    checked_position,
    checked_render_mode,
    positions_at_reset,
)
from racegym.envs.illegal import drawn_instead, forfeited
from racegym.envs.spaces import action_space, array_space, masked_space, text_space
from racegym.errors import GameOver, IllegalAction, RacegymError, nearest

_ARGUMENTS = ("encoder", "on_illegal", "render_mode")
#: What changes in the course of a game: copied by ``clone`` and taken over by ``restore``.
_IN_PLAY = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_position",
    "_seeds",
    "_over",
    "_skip_agent_selection",
)

#: What is settled with the options of a game; taken over as it is.
_SETTLED = ("_options", "_setup")


class RawEnv(AECEnv):
    """A game for PettingZoo's agent-environment-cycle loop, without wrappers.

    Observations are ``{"observation": …, "action_mask": int8 (actions,)}``; the mask is also in
    ``infos[agent]["action_mask"]``, beside the game's ``seed``.  Both are all zero for an agent
    that is not to act.  Rewards come at the end of the game; then ``infos`` have ``cut`` (True if
    it ended at ``max_turns``), ``scores`` and ``ranks`` of all seats, every agent is terminated and
    leaves with a ``step(None)``.  Nothing is ever truncated: ``max_turns`` is one of a game's rules
    and part of every observation, and the rewards of a game cut there are final.

    Args:
        game: a game's name or description.
        encoder: ``flat``, ``tokens`` … (float32 arrays) or ``text`` (a str).
        on_illegal: what an action of the action space that is not legal now does: ``raise``
            (:class:`IllegalAction`, nothing is changed), ``lose`` (the game ends, the offender is
            last and the others share the first rank) or ``resample`` (a random legal action is
            played in its place and told in the offender's info as ``resampled``).  What is no
            action at all (None, NaN, 1.0, True, -1, too large …) raises in every mode.
        render_mode: None or ``ansi``.
        **options: the game's options.

    Raises:
        OptionError, RacegymError: for arguments that do not fit.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by PettingZoo)
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Game,
        *,
        encoder: str = "flat",
        on_illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = registry.game(game)
        self._options = GivenOptions.of(self.game, options, _ARGUMENTS)
        self.on_illegal = checked_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self.render_mode = checked_render_mode(render_mode)
        self._in_words = encoder == "text"
        self._encoder = checked_encoder(self.game, "flat" if self._in_words else encoder)
        self.metadata = {**RawEnv.metadata, "name": f"{self.game.name}_v{self.game.version}"}
        self._setup = Setup(self.game, self._options.all, self._encoder)
        self.possible_agents = [f"player_{p}" for p in range(self.options["num_players"])]
        self._seat_of = {name: p for p, name in enumerate(self.possible_agents)}
        seen = text_space() if self._in_words else array_space(self._encoder)
        self.observation_spaces = {
            name: masked_space(self.game, deepcopy(seen)) for name in self.possible_agents
        }
        self.action_spaces = {name: action_space(self.game) for name in self.possible_agents}
        self.agents: list[str] = []
        self._position: Position | None = None
        self._seeds: tuple[int, int] | None = None  # the seed given, and the games since
        self._over = False

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game now, defaults included (a copy)."""
        return dict(self._options.all)

    # --- spaces ----------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Dict:
        """The observation space of an agent; the same object at every call."""
        return self.observation_spaces[self._named(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action space of an agent; the same object at every call."""
        return self.action_spaces[self._named(agent)]

    @property
    def state_space(self) -> spaces.Box:
        """The space of :meth:`state`."""
        return array_space(self.game.encoder("full"))

    # --- playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: whole number 0 … 2^63-1; the game is ``racegym.make(name, seed=seed)``.  None
                goes on to the next of the seeds that follow from the last one given (or drawn).
            options: options of the game, for this and all later games; not ``num_players``.  Or
                ``{"position": position}``: a :class:`racegym.Position` of the same game and
                options to go on from, by its own seed.

        Raises:
            SeedError, OptionError, RacegymError: nothing was changed.
        """
        given = self._options.at_reset(self.game, options)
        setup = self._setup
        if given is not self._options:
            setup = Setup(self.game, given.all, self._encoder)
        placed = positions_at_reset(setup, 1, seed, options)
        if placed is not None:
            self._start(placed[0])
            return
        if seed is not None:
            seeds = checked_seed(seed), 0
        else:
            seeds = (
                (fresh_seed(), 0) if self._seeds is None else (self._seeds[0], self._seeds[1] + 1)
            )
        first = derived_seed(seeds[0], 0, seeds[1]) if seeds[1] else seeds[0]
        position = Position.begun(setup, first)
        self._options, self._setup, self._seeds = given, setup, seeds
        self._start(position)

    def _start(self, position: Position) -> None:
        """Go on from a running game."""
        self._position = position
        self._over = False
        self._skip_agent_selection: str | None = None
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[position.seat]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {name: self._info(p) for name, p in self._seat_of.items()}

    def step(self, action: int | None) -> None:
        """Play an action for ``agent_selection``; ``None`` takes out an agent that has finished.

        Raises:
            IllegalAction: see ``on_illegal``; nothing was changed.
            GameOver: every agent has left.
        """
        position = self._started("step")
        if not self.agents:
            raise GameOver("the game is over and every agent has left: call reset()")
        agent = self.agent_selection
        if self._over:
            if action is not None:
                raise IllegalAction(f"{agent} has finished and must leave: call step(None)")
            self._was_dead_step(None)
            return
        resampled = None
        try:
            position.apply(action)  # type: ignore[arg-type]
        except IllegalAction:
            action = position.checked_action(action)
            if self.on_illegal == "raise" or not 0 <= action < self.game.num_actions:
                raise
            if self.on_illegal == "lose":
                self._forfeit(position)
                return
            resampled = drawn_instead(position)
            position.apply(resampled)
        if position.seat < 0:
            result = {
                "cut": position.is_truncated,
                "scores": position.scores(),
                "ranks": position.ranks(),
            }
            self._end(position.rewards(), result)
        else:
            self.agent_selection = self.possible_agents[position.seat]
            self.infos[agent] = self._info(self._seat_of[agent])
            self.infos[self.agent_selection] = self._info(position.seat)
        if resampled is not None:
            self.infos[agent]["resampled"] = resampled

    def _forfeit(self, position: Position) -> None:
        ranks, rewards = forfeited(position)
        offender = self.possible_agents[position.seat]
        self._end(rewards, {"cut": False, "ranks": ranks, "illegal_action_by": offender})

    def _end(self, rewards: list[float], result: dict[str, Any]) -> None:
        """Tell all agents that the game is over; each has one step(None) left."""
        self._over = True
        for p, name in enumerate(self.possible_agents):
            self.rewards[name] = self._cumulative_rewards[name] = rewards[p]
            self.terminations[name] = True
            own = {k: list(v) if isinstance(v, list) else v for k, v in result.items()}
            self.infos[name] = {**self._info(p), **own}
        self.agent_selection = self.agents[0]

    # --- seeing ----------------------------------------------------------------------------------

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, terminated, truncated, info of the next agent.

        Raises:
            GameOver: every agent has left.
        """
        self._started("last")
        if not self.agents:
            raise GameOver("the game is over and every agent has left: call reset()")
        return super().last(observe)

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, in new arrays; valid for every agent at any time, no side effects."""
        position = self._started("observe")
        seat = self._seat_of[self._named(agent)]
        return {"observation": self._seen(position, seat), "action_mask": self._mask(seat)}

    def state(self) -> np.ndarray:
        """Everything, hidden things included: the encoder ``full`` from ``player_0``'s seat."""
        position = self._started("state")
        encoder = self.game.encoder("full")
        out = np.empty(encoder.shape, np.float32)
        kernels_of(self.game, encoder).look(position.raw, 0, out)
        return out

    def render(self) -> str:
        """The situation in words as the agent to act may know it (at the end: ``player_0``)."""
        if self.render_mode is None:
            raise RacegymError('to render, make the environment with render_mode="ansi"')
        position = self._started("render")
        return self._words(position, max(position.seat, 0))

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def position(self) -> Position:
        """The game in progress as a :class:`racegym.Position` of its own, for search."""
        return self._started("position").clone()

    def _seen(self, position: Position, seat: int) -> Any:
        if self._in_words:
            return self._words(position, seat)
        return position.observation.copy() if seat == position.seat else position.observe(seat)

    def _words(self, position: Position, seat: int) -> str:
        if self._over:
            return self.game.notation.describe(position.state, seat)
        return position.text(seat)

    def _mask(self, seat: int) -> np.ndarray:
        position = self._position
        if position is None or self._over or seat != position.seat:
            return np.zeros(self.game.num_actions, np.int8)
        return position.mask.copy()

    def _info(self, seat: int) -> dict[str, Any]:
        assert self._position is not None
        return {"action_mask": self._mask(seat), "seed": self._position.seed}

    def _named(self, agent: Any) -> str:
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise RacegymError(f"there is no agent {agent!r}{nearest(agent, self._seat_of)}")
        return agent

    def _started(self, what: str) -> Position:
        if self._position is None:
            raise RacegymError(f"call reset() before {what}()")
        return self._position

    # --- copies ----------------------------------------------------------------------------------

    def clone(self) -> RawEnv:
        """An independent copy, the random numbers to come included.

        It shares the spaces, which ``deepcopy`` copies too.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in _IN_PLAY:
            if name in self.__dict__:
                setattr(twin, name, deepcopy(self.__dict__[name]))
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> RawEnv:
        twin = self.clone()
        twin.observation_spaces = deepcopy(self.observation_spaces, memo)
        twin.action_spaces = deepcopy(self.action_spaces, memo)
        return twin

    def restore(self, other: AECEnv | Position) -> None:
        """Go on from where another environment (a clone, say) stands; it stays independent.

        A :class:`racegym.Position` of the same game and options will do as well: this is then
        ``reset(options={"position": position})``.

        Raises:
            RacegymError: it is of another game, number of players or encoder; a position of other
                options, or one whose game is over.
        """
        if isinstance(other, Position):
            self._start(checked_position(self._setup, other))
            return
        source = getattr(other, "unwrapped", None)
        if not isinstance(source, RawEnv) or (
            source.game is not self.game
            or source.possible_agents != self.possible_agents
            or (source._encoder, source._in_words) != (self._encoder, self._in_words)
        ):
            raise RacegymError(
                "only an environment of the same game, num_players and encoder can be restored"
            )
        twin = source.clone()
        for name in (*_SETTLED, *_IN_PLAY):
            if name in twin.__dict__:
                setattr(self, name, twin.__dict__[name])

    def redeal(self, agent: str, seed: int | None = None) -> RawEnv:
        """A copy in which everything that ``agent`` may not know is guessed afresh.

        See :meth:`racegym.Position.redeal`.
        """
        position = self._started("redeal")
        twin = self.clone()
        twin._position = position.redeal(self._seat_of[self._named(agent)], seed)
        if not twin._over:
            for name in twin.agents:
                twin.infos[name]["action_mask"] = twin._mask(self._seat_of[name])
        return twin

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "_setup"}
        return {**kept, "game": registry.reference(self.game), "_encoder": self._encoder.id}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        game = registry.game(saved["game"])
        position, agents = saved["_position"], saved["possible_agents"]
        fits = isinstance(position, Position) and position.game is game
        if position is not None and not (fits and position.num_players == len(agents)):
            raise RacegymError("this environment is damaged: its position is of another game")
        if position is not None:
            check_masks(game, np.array([position.seat]), position.mask[None])
        encoder = game.encoder(saved["_encoder"])
        options = GivenOptions.of(game, saved["_options"].given, ())
        setup = Setup(game, options.all, encoder)
        self.__dict__.update(saved, game=game, _encoder=encoder, _options=options, _setup=setup)
