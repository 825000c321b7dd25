"""The agents that play the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racegym.agents import AnyAgent, agent_from_spec
from racegym.agents.asking import NOBODY, Players
from racegym.agents.protocol import takes_bits
from racegym.agents.randomness import random_bits
from racegym.engine import registry
from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.errors import RacegymError

#: Counters of the opponents' random bits start here, far from those of the games' own streams.
_FIRST = 1 << 40


class OtherSeats:
    """Who plays the seats that the learner does not.

    Args:
        game: the game.
        num_players: players in the game.
        agents: an agent (or its spec: ``"random"``, ``"scripted"`` …) for all other seats, or a
            list with one for each: first the seat behind the learner's, then on clockwise.  In
            team play the learner's partners are among them.

    Attributes:
        players: the agents in their seats; the learner's seats are nobody's.
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
        made: list[AnyAgent] = [agent_from_spec(agent, game) for agent in wanted]
        self.players = Players(game, made)

    def reset(self, seed: int) -> None:
        """Seed the agents' own generators, which only those that draw for themselves use here."""
        for k in range(len(self.players.agents)):
            self.players.reset(k, int(random_bits(seed, k)) >> 1)

    def begin(self, rows: np.ndarray, learners: np.ndarray) -> None:
        """Games begin in some rows, with the learner in the seats ``learners``; both int64 (M,)."""
        self.players.begin(rows, self._seating(learners))

    def _seating(self, learners: np.ndarray) -> np.ndarray:
        """The agents in their seats, int64 (M, players)."""
        behind = (np.arange(self.num_players) - learners[:, None]) % self.num_players
        numbers = behind - 1 if len(self.players.agents) > 1 else np.zeros_like(behind)
        return np.where(behind == 0, NOBODY, numbers)

    def choose(self, games: GameBatch, rows: np.ndarray) -> np.ndarray:
        """One legal action, int64 (M,), for each of some rows in which an opponent is to act.

        Their random bits follow from the game's seed and the number of decisions made.

        Raises:
            IllegalAction, AgentError: an agent failed, or answered with what is no legal action.
        """
        bits = random_bits(games.seeds[rows], _FIRST + games.decisions[rows])
        return self.players.ask(games, rows, bits)

    def state_dict(self) -> dict[str, Any]:
        """What :meth:`load_state_dict` needs to go on with the games now running."""
        return self.players.state_dict()

    def load_state_dict(self, saved: Any, learners: np.ndarray) -> None:
        """Go on with the games of a :meth:`state_dict`; raises RacegymError for another's."""
        self.players.load_state_dict(saved, self._seating(learners))

    def __getstate__(self) -> dict[str, Any]:
        """Agents named by a spec that keep nothing between calls are made anew from it."""
        pairs = zip(self._wanted, self.players.agents, strict=True)
        agents = [spec if _keeps_nothing(spec, agent) else agent for spec, agent in pairs]
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


def _keeps_nothing(spec: Any, agent: AnyAgent) -> bool:
    """True for an agent that can be made anew from what it was asked for by."""
    keeps = hasattr(agent, "decide") or hasattr(agent, "begin") or hasattr(agent, "end")
    return isinstance(spec, str) and takes_bits(agent) and not keeps
