"""Who sits at the tables: the learner, stored copies of it, and fixed agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from racegym.agents import agent_from_spec
from racegym.agents.asking import NOBODY, Players
from racegym.agents.protocol import takes_bits
from racegym.agents.randomness import random_bits
from racegym.arena.names import distinct
from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.engine.seeds import derived_seed
from racegym.envs.batch import Batch
from training.networks import Network, answers, draw, frozen_copy, masked_log_probs
from training.sections import OpponentsConfig

#: Controller of the seats that the learner plays.
LEARNER = 0


@dataclass
class Opponent:
    """A stored copy of the learner (``network``) or a fixed agent (without).

    ``games`` and ``learner_won`` count since the start: finished games, and the learner's share of
    the comparisons by rank, seat against seat (ties count half).
    """

    name: str
    network: Network | None = None
    in_pool: bool = True
    games: int = 0
    learner_won: float = 0.0

    @property
    def learner_share(self) -> float:
        """The learner's share against it, pulled to one half while games are few."""
        return (self.learner_won + 2.0) / (self.games + 4.0)


class Opponents:
    """Assigns a controller to every seat when a game starts, and plays the opponents' seats.

    Args:
        config: shares, pool and sampling rule.
        game: the game.
        seed: of the assignments and of the opponents' own random numbers.
        fresh_network: makes a network like the learner's, for snapshots.
        states: of a recurrent network, by game and seat, which snapshots share with the learner.

    Attributes:
        controllers: int64 (N, most players), :data:`LEARNER` or an opponent's number, for the
            game now running; it does not change before the game ends.
        known: opponents by number, those in the pool and those still in some game.
        agents: the fixed agents in their seats.
        meetings: since the last :meth:`report`, per opponent's name (``self`` for pure self-play)
            the games finished and the learner's share summed over them.
    """

    def __init__(
        self,
        config: OpponentsConfig,
        game: Game,
        seed: int,
        fresh_network: Callable[[], Network],
        states: np.ndarray | None = None,
    ) -> None:
        self.config = config
        self.seed = seed
        self.fresh_network = fresh_network
        self.states = states
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.known: dict[int, Opponent] = {}
        for number, spec in enumerate(config.agents, start=1):
            self.known[number] = Opponent(spec)
        self.fixed = list(self.known)
        agents = [agent_from_spec(spec, game) for spec in config.agents]
        self.agents = Players(game, agents, distinct([agent.name for agent in agents]))
        self.next_number = len(self.known) + 1
        self.last_snapshot = 0
        self.controllers = np.zeros((0, game.max_players), np.int64)
        self.meetings: dict[str, list[float]] = {}
        self._generator = torch.Generator()

    # --- the pool --------------------------------------------------------------------------------

    @property
    def snapshots(self) -> list[int]:
        """Numbers of the snapshots that new games may get, oldest first."""
        return [n for n, o in self.known.items() if o.network is not None and o.in_pool]

    def store(self, network: Network, decisions: int) -> None:
        """Put a copy of the learner into the pool; the oldest leaves if it is full."""
        copy = frozen_copy(network, self.fresh_network())
        self.known[self.next_number] = Opponent(f"snapshot-{decisions}", network=copy)
        self.next_number += 1
        self.last_snapshot = decisions
        for number in self.snapshots[: -self.config.pool_size]:
            self.known[number].in_pool = False
        self._forget()

    def store_if_due(self, network: Network, decisions: int) -> None:
        """As :meth:`store`, once ``snapshot_interval`` decisions have passed since the last."""
        if decisions - self.last_snapshot >= self.config.snapshot_interval:
            self.store(network, decisions)

    def _forget(self) -> None:
        """Drop the opponents that have left the pool and the last of their games."""
        seated = set(np.unique(self.controllers).tolist())
        for number in [n for n, o in self.known.items() if not o.in_pool and n not in seated]:
            del self.known[number]

    # --- who plays where -------------------------------------------------------------------------

    def start(self, players: np.ndarray, sides: np.ndarray) -> None:
        """Assign controllers in N games that all start now."""
        self.players, self.sides = players, sides
        self.controllers = np.zeros((len(players), self.controllers.shape[1]), np.int64)
        self.agents.make_room(len(players), self.controllers.shape[1])
        self.assign(np.arange(len(players)))

    def assign(self, games: np.ndarray) -> None:
        """Draw anew who plays in games that start now.

        One opponent at most sits at a table.  It plays a random number of sides, at least one and
        not all, chosen at random; so the learner meets every seat and every mixture.
        """
        for i in games.tolist():
            self.controllers[i] = LEARNER
            number = self._drawn_opponent()
            if number != LEARNER:
                sides = int(self.sides[i])
                count = int(self.rng.integers(1, sides))
                theirs = self.rng.permutation(sides)[:count]
                seats = np.arange(int(self.players[i]))
                self.controllers[i, seats[np.isin(seats % sides, theirs)]] = number
        self._tell(games)

    def _tell(self, games: np.ndarray) -> None:
        """Tell the fixed agents of games that begin for them."""
        controllers = self.controllers[games]
        seating = np.searchsorted(self.fixed, controllers)
        self.agents.begin(games, np.where(np.isin(controllers, self.fixed), seating, NOBODY))

    def _drawn_opponent(self) -> int:
        config, chance = self.config, float(self.rng.random())
        if chance < config.agent_share:
            return int(self.fixed[self.rng.integers(len(self.fixed))])
        pool = self.snapshots
        if chance >= config.agent_share + config.snapshot_share or not pool:
            return LEARNER
        weights = np.ones(len(pool))
        if config.sampling == "recent":
            weights = np.arange(1.0, len(pool) + 1)
        elif config.sampling == "hard":
            weights = np.array([1.05 - self.known[n].learner_share for n in pool])
        return int(self.rng.choice(pool, p=weights / weights.sum()))

    # --- playing ---------------------------------------------------------------------------------

    def reseed(self, counter: int) -> None:
        """Seed the draws of stored copies, and agents that draw for themselves, for a rollout."""
        seed = derived_seed(self.seed, counter)
        self._generator.manual_seed(seed)
        for k, number in enumerate(self.fixed):
            if not takes_bits(self.agents.agents[k]):
                self.agents.reset(k, derived_seed(seed, number))

    def act(
        self,
        groups: Iterable[tuple[int, GameBatch]],
        turns: np.ndarray,
        batch: Batch,
        actions: np.ndarray,
    ) -> None:
        """Write the opponents' actions into ``actions``.

        The random bits of fixed agents follow from the game and the decision.

        Args:
            groups: the games, as :meth:`Fleet.groups` gives them.
            turns: int64 (N,), who controls the seat to act.
            batch: the decisions of all games.
            actions: int64 (N,), changed where an opponent is to act.
        """
        for number in np.unique(turns[~np.isin(turns, (LEARNER, *self.fixed))]).tolist():
            rows = np.flatnonzero(turns == number)
            network = self.known[number].network
            assert network is not None
            actions[rows] = self._network_acts(
                network, batch.observation[rows], batch.mask[rows], (rows, batch.seat[rows])
            )
        asked = np.flatnonzero(np.isin(turns, self.fixed))
        for first, games in groups if len(asked) else ():
            rows = asked[(asked >= first) & (asked < first + len(games))] - first
            if len(rows):
                bits = random_bits(random_bits(self.seed, games.seeds[rows]), games.decisions[rows])
                actions[first + rows] = self.agents.ask(games, rows, bits, first)

    @torch.inference_mode()
    def _network_acts(
        self,
        network: Network,
        observation: np.ndarray,
        mask: np.ndarray,
        places: tuple[np.ndarray, np.ndarray],
    ) -> np.ndarray:
        logits, _ = answers(network, observation, self.states, places)
        log_probs = masked_log_probs(logits, torch.from_numpy(mask))
        return draw(log_probs, self._generator).numpy()

    # --- who met whom ----------------------------------------------------------------------------

    def finished(self, games: np.ndarray, ranks: np.ndarray) -> None:
        """Note the results (ranks int32 (N, most players)) of games that ended, and reseat them."""
        for i in games.tolist():
            seated = self.controllers[i, : self.players[i]]
            theirs = seated != LEARNER
            name, share = "self", 0.5
            if theirs.any():
                number = int(seated[theirs][0])
                rank = ranks[i, : self.players[i]]
                share = learner_share(rank[~theirs], rank[theirs])
                opponent = self.known[number]
                opponent.games += 1
                opponent.learner_won += share
                name = opponent.name
            meeting = self.meetings.setdefault(name, [0, 0.0])
            meeting[0] += 1
            meeting[1] += share
        self.agents.end(games, ranks[games])
        self.assign(games)
        self._forget()

    def report(self) -> dict[str, dict[str, float]]:
        """Games and the learner's share per opponent's name since the last report."""
        found = {
            name: {"games": int(games), "learner_share": share / games}
            for name, (games, share) in sorted(self.meetings.items())
        }
        self.meetings = {}
        return found

    # --- saving ----------------------------------------------------------------------------------

    def state_dict(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Tensors (by name) and JSON data that :meth:`load_state_dict` goes on from."""
        tensors: dict[str, Any] = {"controllers": torch.from_numpy(self.controllers.copy())}
        entries = []
        for number, opponent in self.known.items():
            entries.append(
                [number, opponent.name, opponent.in_pool, opponent.games, opponent.learner_won]
            )
            if opponent.network is not None:
                for name, tensor in opponent.network.state_dict().items():
                    tensors[f"{number}.{name}"] = tensor
        plain = {
            "opponents": entries,
            "next_number": self.next_number,
            "last_snapshot": self.last_snapshot,
            "meetings": self.meetings,
            "rng": self.rng.bit_generator.state,
        }
        return tensors, plain

    def load_state_dict(
        self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]
    ) -> None:
        """Go on from a :meth:`state_dict`; the games must have been started with :meth:`start`.

        Agents that keep something per game are told of the running games as if they began now.
        """
        self.controllers = tensors["controllers"].numpy().copy()
        self.next_number = plain["next_number"]
        self.last_snapshot = plain["last_snapshot"]
        self.meetings = {name: list(m) for name, m in plain["meetings"].items()}
        self.rng.bit_generator.state = plain["rng"]
        fixed = {number: self.known[number] for number in self.fixed}
        self.known = {}
        for number, name, in_pool, games, learner_won in plain["opponents"]:
            opponent = fixed.get(number) or Opponent(name, network=self._stored(tensors, number))
            opponent.in_pool = in_pool
            opponent.games, opponent.learner_won = games, learner_won
            self.known[number] = opponent
        self._tell(np.arange(len(self.controllers)))

    def _stored(self, tensors: Mapping[str, torch.Tensor], number: int) -> Network:
        network = self.fresh_network()
        prefix = f"{number}."
        weights = {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
        network.load_state_dict(weights)
        return network.eval().requires_grad_(False)


def learner_share(learner_ranks: np.ndarray, opponent_ranks: np.ndarray) -> float:
    """Share of the pairs (learner's seat, opponent's seat) in which the learner ranks better.

    Ties count half, so one half is fair whatever the number of seats.
    """
    mine, theirs = learner_ranks[:, None], opponent_ranks[None, :]
    return float(((mine < theirs) + 0.5 * (mine == theirs)).mean())
