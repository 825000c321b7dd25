"""The agents that play the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racegym.agents import Agent, agent_from_spec, checked_actions, read_only
from racegym.agents.luck import luck_of
from racegym.engine import registry
from racegym.engine.game import Encoder, Game
from racegym.engine.instances import kernels_of
from racegym.errors import RacegymError

#: Counters of the opponents' luck start here, far from those of the games' own streams.
_FIRST = 1 << 40


class Opponents:
    """Who plays the seats that the learner does not.

    Args:
        game: the game.
        num_players: players in the game.
        agents: an agent (or its spec: ``"random"``, ``"scripted"`` …) for all other seats, or a
            list with one for each: first the seat behind the learner's, then on clockwise.  In
            team play the learner's partners are among them.
    """

    def __init__(self, game: Game, num_players: int, agents: Any) -> None:
        several = isinstance(agents, Sequence) and not isinstance(agents, str)
        wanted = list(agents) if several else [agents]
        if several and len(wanted) != num_players - 1:
            raise RacegymError(
                f"give one opponent for all seats or a list of {num_players - 1}, "
                f"not a list of {len(wanted)}"
            )
        self.game = game
        self.num_players = num_players
        self._wanted = wanted
        self.agents: list[Agent] = [agent_from_spec(agent, game) for agent in wanted]
        self._encoders: list[Encoder] = [game.encoder(agent.encoder) for agent in self.agents]

    def reset(self, seed: int) -> None:
        """Seed the agents' own generators, which only those without ``choose`` use here."""
        for k, agent in enumerate(self.agents):
            agent.reset(int(luck_of(seed, k)) >> 1)

    def choose(
        self,
        raw: np.ndarray,
        encoder: Encoder,
        observations: np.ndarray,
        masks: np.ndarray,
        seats: np.ndarray,
        behind: np.ndarray,
        seeds: np.ndarray,
    ) -> np.ndarray:
        """One legal action per row, int64 (M,).

        Args:
            raw: uint8 (M, bytes), the states.
            encoder: what ``observations`` were written with.
            observations: float32 (M, *shape), what the seats to act see.
            masks: int8 (M, A).
            seats: int64 (M,), the seats to act.
            behind: int64 (M,), how many seats behind the learner they sit, from 1.
            seeds: int64 (M,), the games' seeds.

        Raises:
            IllegalAction, AgentError: an agent answers with what is no legal action.
        """
        actions = np.empty(len(seats), np.int64)
        for k, agent in enumerate(self.agents):
            if len(self.agents) == 1:
                rows = np.arange(len(seats))
            else:
                rows = np.flatnonzero(behind == k + 1)
            if not rows.size:
                continue
            seen = observations[rows]
            if self._encoders[k].id != encoder.id:
                seen = np.empty((len(rows), *self._encoders[k].shape), np.float32)
                look_all = kernels_of(self.game, self._encoders[k]).look_all
                look_all(raw[rows], seats[rows], seen)
            batch = (read_only(seen), read_only(masks[rows]), read_only(seats[rows]))
            answer = self._ask(agent, batch, raw[rows], seeds[rows])
            actions[rows] = checked_actions(agent.name, answer, masks[rows])
        return actions

    def _ask(self, agent: Agent, batch: Any, raw: np.ndarray, seeds: np.ndarray) -> Any:
        """The agent's answer; its luck, where it takes any, follows from game and decision."""
        choose = getattr(agent, "choose", None)
        if choose is None:
            return agent.act(*batch)
        decisions = raw.view(self.game.layout.dtype)[:, 0]["decisions"]
        return choose(*batch, luck_of(seeds, _FIRST + decisions.astype(np.int64)))

    def __getstate__(self) -> dict[str, Any]:
        """Agents named by a spec that keep nothing between calls are made anew from it."""
        pairs = zip(self._wanted, self.agents, strict=True)
        agents = [
            spec if isinstance(spec, str) and hasattr(agent, "choose") else agent
            for spec, agent in pairs
        ]
        single = len(agents) == 1 and self.num_players != 2
        return {
            "game": registry.reference(self.game),
            "num_players": self.num_players,
            "agents": agents[0] if single else agents,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            registry.game(saved["game"]), saved["num_players"], saved["agents"]
        )
