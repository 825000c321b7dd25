"""Many games at once for self-play: one call plays one decision in every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from racegym.engine import registry
from racegym.engine.events import no_log
from racegym.engine.game import Encoder, Game
from racegym.engine.instances import kernels_of, sampler
from racegym.engine.options import is_whole
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, fresh_seed
from racegym.envs.batch import Batch
from racegym.envs.saved import check_arrays, check_batch
from racegym.errors import IllegalAction, RacegymError

_NO_LOG = no_log()
_SAMPLER_SALT = 0x5A3D


class VectorEnv:
    """N games of one kind, stepped together, each restarted in the step that ends it.

    Every seat of every game is yours to play: the caller chooses for whichever seat is to act.

    Args:
        game: a game's name or description.
        num_games: N, at least 1.
        seed: whole number 0 … 2^63-1; None draws one.  The seed of the k-th game in place i
            depends on (seed, i, k) only, so results depend neither on N nor on ``threads``.
        encoder: name of the encoder of the observations.
        threads: step the batch in that many chunks at the same time.
        copy: False hands out the same arrays at every step (read-only, overwritten by the next
            step) instead of new ones.
        **options: the game's options, the same for all games.

    Raises:
        OptionError, SeedError, RacegymError: for arguments that do not fit.
    """

    #: How ended games are restarted: within the step that ended them.
    autoreset = "same step"

    def __init__(
        self,
        game: str | Game,
        num_games: int,
        seed: int | None = None,
        encoder: str = "flat",
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        self.game = registry.game(game)
        self.options = self.game.options.resolve(options)
        self.encoder: Encoder = self.game.encoder(encoder)
        self.num_games = _positive("num_games", num_games)
        self.threads = min(_positive("threads", threads), self.num_games)
        self.copy = bool(copy)
        self.num_players: int = self.options["num_players"]
        self.num_actions = self.game.num_actions
        self._codes = self.game.options.encode(self.options)
        self._kernels = kernels_of(self.game, self.encoder)
        self._pool: ThreadPoolExecutor | None = None
        self._reused: Batch | None = None
        n = self.num_games
        self._raw = np.zeros((n, self.game.layout.size), np.uint8)
        self._last_raw = np.zeros_like(self._raw)
        self._episodes = np.zeros(n, np.int64)
        self._seeds = np.zeros(n, np.int64)
        self._seats = np.zeros(n, np.int64)
        self._masks = np.zeros((n, self.num_actions), np.int8)
        self._started = False
        self._given_seed = seed if seed is None else checked_seed(seed)
        self._luck = 0
        self.seed = 0

    # --- playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Batch:
        """Start every game and return their first decisions.

        With a seed, everything starts over from that seed.  Without one, the first call uses the
        seed of the constructor and later calls go on to the next game in every place.
        """
        if seed is not None:
            self._seed_all(checked_seed(seed))
        elif not self._started:
            self._seed_all(fresh_seed() if self._given_seed is None else self._given_seed)
        else:
            self._episodes += 1
        self._started = True
        batch = self._outputs()

        def begin(part: slice) -> None:
            self._kernels.begin_all(
                self._raw[part],
                self._codes,
                self.seed,
                part.start,
                self._episodes[part],
                self._seeds[part],
                self._seats[part],
                self._masks[part],
                batch.observation[part],
            )

        self._in_parts(begin)
        return self._handed_out(batch)

    def step(self, actions: Any) -> Batch:
        """Play one action in every game.

        Args:
            actions: whole numbers (N,), ``actions[i]`` for the seat to act in game i.

        Raises:
            IllegalAction: malformed, or not legal in some game; nothing was changed anywhere.
        """
        chosen = self._checked(actions)
        batch = self._outputs()

        def play(part: slice) -> None:
            self._kernels.step_all(
                self._raw[part],
                self._codes,
                self.seed,
                part.start,
                self._episodes[part],
                self._seeds[part],
                chosen[part],
                self._seats[part],
                self._masks[part],
                batch.observation[part],
                batch.rewards[part],
                batch.terminated[part],
                batch.cut[part],
                batch.scores[part],
                batch.ranks[part],
                self._last_raw[part],
                batch.last_seeds[part],
                _NO_LOG,
            )

        self._in_parts(play)
        return self._handed_out(batch)

    def sample(self, rng: np.random.Generator | None = None) -> np.ndarray:
        """Uniformly random legal actions, int64 (N,), drawn natively.

        Their luck is the environment's own (seeded with it, apart from the games' luck) or, if
        given, that of ``rng``.
        """
        self._must_be_started()
        if rng is None:
            self._luck += 1
            luck = (self._luck * 0x9E3779B97F4A7C15 + self.seed * _SAMPLER_SALT) % 2**64
        else:
            luck = int(rng.integers(0, 2**64, dtype=np.uint64))
        actions = np.empty(self.num_games, np.int64)
        sampler()(self._masks, np.uint64(luck), actions)
        return actions

    # --- looking ---------------------------------------------------------------------------------

    def now(self) -> Batch:
        """The decisions the games wait for, as the latest step returned them; rewards are zero."""
        self._must_be_started()
        batch = self._outputs(fresh=True)
        batch.observation[...] = self.observe(self._seats)
        return self._handed_out(batch, fresh=True)

    def observe(self, seats: Any) -> np.ndarray:
        """What ``seats[i]`` (or one seat for all) sees of game i: float32 (N, *encoder shape)."""
        self._must_be_started()
        wanted = self._checked_seats(seats)
        observations = np.empty((self.num_games, *self.encoder.shape), np.float32)
        self._kernels.look_all(self._raw, wanted, observations)
        return observations

    def final_observations(self, index: int) -> np.ndarray:
        """What every seat saw at the end of the latest game that ended in place ``index``.

        float32 (players, *encoder shape).
        """
        n = self.num_players
        last = self._last_raw[self._checked_index(index)]
        if not last.any():
            raise RacegymError(f"no game has ended in place {index} yet")
        observations = np.empty((n, *self.encoder.shape), np.float32)
        raw = np.repeat(last[None], n, axis=0)
        self._kernels.look_all(raw, np.arange(n), observations)
        return observations

    def position(self, index: int) -> Position:
        """Game ``index`` as a :class:`racegym.Position` of its own."""
        self._must_be_started()
        index = self._checked_index(index)
        position = Position(
            self.game, seed=int(self._seeds[index]), encoder=self.encoder.id, **self.options
        )
        return position._with_raw(self._raw[index].copy())

    # --- copies ----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that :meth:`load_state_dict` needs to go on from here, as plain arrays."""
        return {
            "raw": self._raw.copy(),
            "last_raw": self._last_raw.copy(),
            "episodes": self._episodes.copy(),
            "seeds": self._seeds.copy(),
            "master": np.array([self.seed, self._luck, self._started], np.int64),
        }

    def load_state_dict(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from a :meth:`state_dict` of an environment with the same game, options and N.

        Raises:
            RacegymError: it is of another environment, or damaged; nothing was changed.
        """
        self.check_state_dict(arrays)
        self._take_over(arrays)

    def check_state_dict(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Raise RacegymError for what :meth:`load_state_dict` would refuse."""
        check_arrays(arrays, self.state_dict())
        check_batch(self.game, self._codes, self._kernels, arrays)

    def _take_over(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from a state dict of our own making, which is not checked."""
        self._raw[...] = arrays["raw"]
        self._last_raw[...] = arrays["last_raw"]
        self._episodes[...] = arrays["episodes"]
        self._seeds[...] = arrays["seeds"]
        self.seed, self._luck = int(arrays["master"][0]), int(arrays["master"][1])
        self._started = bool(arrays["master"][2])
        if self._started:
            self._kernels.mark_legal_all(self._raw, self._seats, self._masks)

    def clone(self) -> VectorEnv:
        """An independent copy, luck included."""
        twin = VectorEnv(
            self.game,
            self.num_games,
            seed=self._given_seed,
            encoder=self.encoder.id,
            threads=self.threads,
            copy=self.copy,
            **self.options,
        )
        twin._take_over(self.state_dict())
        return twin

    def restore(self, other: VectorEnv) -> None:
        """Become a copy of another environment with the same game, options and N."""
        if other.game is not self.game or other.options != self.options:
            raise RacegymError("only an environment of the same game and options can be restored")
        if other.num_games != self.num_games:
            raise RacegymError(
                f"only an environment of {self.num_games} games can be restored, not "
                f"{other.num_games}"
            )
        self._take_over(other.state_dict())

    def redeal(self, seed: int, seats: Any = None) -> VectorEnv:
        """A copy in which everything that ``seats[i]`` may not know of game i is guessed afresh.

        ``seats`` defaults to the seats to act; see :meth:`racegym.Position.redeal`.
        """
        twin = self.clone()
        wanted = self._checked_seats(self._seats if seats is None else seats)
        self._kernels.deal_again_all(twin._raw, wanted, checked_seed(seed), 0)
        self._kernels.mark_legal_all(twin._raw, twin._seats, twin._masks)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        made = {
            "game": registry.reference(self.game),
            "num_games": self.num_games,
            "seed": self._given_seed,
            "encoder": self.encoder.id,
            "threads": self.threads,
            "copy": self.copy,
            **self.options,
        }
        return {"made": made, "arrays": self.state_dict()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(**saved["made"])  # type: ignore[misc]
        self.load_state_dict(saved["arrays"])

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        return self.clone()

    def close(self) -> None:
        """Free the threads, if there are any."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # --- inside ----------------------------------------------------------------------------------

    def _seed_all(self, seed: int) -> None:
        self.seed = seed
        self._luck = 0
        self._episodes[:] = 0

    def _checked_index(self, index: Any) -> int:
        if not is_whole(index) or not -self.num_games <= index < self.num_games:
            raise RacegymError(f"games are 0 to {self.num_games - 1}, not {index!r}")
        return int(index) % self.num_games

    def _checked_seats(self, seats: Any) -> np.ndarray:
        """One seat per game as int64 (N,); raises RacegymError for what is none."""
        try:
            given = np.asarray(seats)
            if given.dtype.kind not in "iu":
                raise ValueError
            wanted = np.ascontiguousarray(np.broadcast_to(given, (self.num_games,)), np.int64)
        except (ValueError, TypeError, OverflowError):
            wanted = np.full(self.num_games, -1)
        if wanted.min() < 0 or wanted.max() >= self.num_players:
            raise RacegymError(
                f"seats are whole numbers 0 to {self.num_players - 1}, one for all games or "
                f"{self.num_games}"
            )
        return wanted

    def _must_be_started(self) -> None:
        if not self._started:
            raise RacegymError("call reset() first")

    def _checked(self, actions: Any) -> np.ndarray:
        self._must_be_started()
        try:
            chosen = np.asarray(actions)
        except (ValueError, OverflowError):
            chosen = np.empty(0, object)
        if chosen.dtype.kind not in "iu" or chosen.shape != (self.num_games,):
            raise IllegalAction(
                f"step takes {self.num_games} whole numbers, one per game, not "
                f"{chosen.dtype} of shape {chosen.shape}"
            )
        if chosen.dtype == np.uint64 and (chosen > np.uint64(2**62)).any():
            raise IllegalAction(f"actions are 0 to {self.num_actions - 1}")
        chosen = np.ascontiguousarray(chosen, np.int64)
        wrong = int(self._kernels.first_illegal(self._masks, chosen))
        if wrong >= 0:
            refusal = self.position(wrong).refusal(int(chosen[wrong]))
            raise IllegalAction(f"game {wrong}: {refusal}")
        return chosen

    def _outputs(self, fresh: bool = False) -> Batch:
        """The arrays that a step writes to."""
        if self._reused is not None and not fresh:
            self._reused.last_seeds[:] = -1
            for name in ("rewards", "terminated", "cut", "scores", "ranks"):
                getattr(self._reused, name)[:] = 0
            return self._reused
        n, p = self.num_games, self.game.max_players
        batch = Batch(
            seat=self._seats,
            observation=np.empty((n, *self.encoder.shape), np.float32),
            mask=self._masks,
            seeds=self._seeds,
            rewards=np.zeros((n, p), np.float32),
            terminated=np.zeros(n, bool),
            cut=np.zeros(n, bool),
            scores=np.zeros((n, p), np.int32),
            ranks=np.zeros((n, p), np.int32),
            last_seeds=np.full(n, -1, np.int64),
        )
        if not self.copy and not fresh:
            self._reused = batch
        return batch

    def _handed_out(self, batch: Batch, fresh: bool = False) -> Batch:
        """What the caller gets: nothing through which our own arrays could be changed."""
        if self.copy or fresh:
            return Batch(
                self._seats.copy(),
                batch.observation,
                self._masks.copy(),
                self._seeds.copy(),
                batch.rewards,
                batch.terminated,
                batch.cut,
                batch.scores,
                batch.ranks,
                batch.last_seeds,
            )
        views = [getattr(batch, name).view() for name in Batch.__slots__]
        for view in views:
            view.flags.writeable = False
        return Batch(*views)

    def _in_parts(self, work: Callable[[slice], None]) -> None:
        if self.threads == 1:
            work(slice(0, self.num_games))
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="racegym")
        edges = np.linspace(0, self.num_games, self.threads + 1).astype(int).tolist()
        parts = [slice(a, b) for a, b in pairwise(edges)]
        for done in [self._pool.submit(work, part) for part in parts]:
            done.result()


def _positive(name: str, value: Any) -> int:
    if not is_whole(value) or value < 1:
        raise RacegymError(f"{name} is a whole number from 1, not {value!r}")
    return int(value)
