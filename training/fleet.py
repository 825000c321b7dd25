"""Several vector environments side by side, one per combination of options, as one batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.engine.seeds import derived_seed
from racegym.envs.batch import Batch
from racegym.envs.vector import VectorEnv
from racegym.errors import RacegymError


class Fleet:
    """N games of one kind under several sets of options, stepped together.

    Player counts may differ: every array is padded to the game's largest count, and one network
    serves all.

    Args:
        game: the game's description.
        combinations: option sets; the games are dealt out to them as evenly as possible.
        num_games: N, at least one per option set.
        seed: master seed 0 … 2^63-1.
        encoder: name of the encoder.
        threads: of every environment.

    Attributes:
        players, sides: int64 (N,), players and competing sides of each game.
    """

    def __init__(
        self,
        game: Game,
        combinations: Sequence[Mapping[str, Any]],
        num_games: int,
        seed: int,
        encoder: str = "flat",
        threads: int = 1,
    ) -> None:
        if num_games < len(combinations):
            raise RacegymError(f"{len(combinations)} sets of options need as many games or more")
        self.game = game
        self.encoder = game.encoder(encoder)
        self.num_games = num_games
        self.edges = np.linspace(0, num_games, len(combinations) + 1).astype(int)
        sizes = np.diff(self.edges).tolist()
        self.envs = [
            VectorEnv(game, size, derived_seed(seed, g), encoder, threads, **options)
            for g, (size, options) in enumerate(zip(sizes, combinations, strict=True))
        ]
        sides = [int(Position(game, seed=0, **options).state.sides) for options in combinations]
        self.players = np.repeat([env.num_players for env in self.envs], sizes)
        self.sides = np.repeat(sides, sizes)

    def reset(self) -> Batch:
        """Start every game."""
        return _joined([env.reset() for env in self.envs])

    def step(self, actions: np.ndarray) -> Batch:
        """Play one action in every game; see :meth:`VectorEnv.step`."""
        parts = zip(self.envs, self._slices(), strict=True)
        return _joined([env.step(actions[part]) for env, part in parts])

    def now(self) -> Batch:
        """The decisions that the games wait for."""
        return _joined([env.now() for env in self.envs])

    def lengths(self) -> np.ndarray:
        """Decisions played so far in the games in progress: int64 (N,)."""
        places = [(env, i) for env in self.envs for i in range(env.num_games)]
        return np.array([env.position(i).decisions for env, i in places], np.int64)

    def states(self, games: np.ndarray) -> np.ndarray:
        """Copies of the states of some games as they stand: structured (n,), of the game's layout.

        Args:
            games: int64 (n,), ascending.
        """
        return self._picked(games, [env.games.raw for env in self.envs])

    def final_states(self, games: np.ndarray) -> np.ndarray:
        """As :meth:`states`, of the latest games that ended in those places, as they ended."""
        return self._picked(games, [env.last_raw for env in self.envs])

    def _picked(self, games: np.ndarray, raws: Sequence[np.ndarray]) -> np.ndarray:
        parts = zip(raws, self.edges[:-1], self.edges[1:], strict=True)
        picked = [raw[games[(games >= a) & (games < b)] - a] for raw, a, b in parts]
        states: np.ndarray = np.concatenate(picked).view(self.game.layout.dtype)
        return states[:, 0]

    def groups(self) -> Iterator[tuple[int, GameBatch]]:
        """For each set of options the index of its first game, and its games."""
        for first, env in zip(self.edges.tolist(), self.envs, strict=False):
            yield first, env.games

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything needed to go on from here, as plain arrays named ``GROUP.NAME``."""
        return {
            f"{g}.{name}": array
            for g, env in enumerate(self.envs)
            for name, array in env.state_dict().items()
        }

    def load_state_dict(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from a :meth:`state_dict` of an equal fleet.

        Raises:
            RacegymError: it is of another fleet, or damaged; nothing was changed.
        """
        parts = [
            {n.removeprefix(f"{g}."): a for n, a in arrays.items() if n.startswith(f"{g}.")}
            for g in range(len(self.envs))
        ]
        for env, part in zip(self.envs, parts, strict=True):
            env.check_state_dict(part)
        for env, part in zip(self.envs, parts, strict=True):
            env.load_state_dict(part)

    def _slices(self) -> list[slice]:
        return [slice(a, b) for a, b in zip(self.edges[:-1], self.edges[1:], strict=True)]


def _joined(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    return Batch(*(np.concatenate([getattr(b, name) for b in batches]) for name in Batch.__slots__))
