"""Many games at once for self-play: one call plays one decision in every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from racegym.engine import registry
from racegym.engine.batch import NO_LOG, GameBatch, whole_numbers
from racegym.engine.game import Encoder, Game
from racegym.engine.options import is_whole
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, derived_seeds, fresh_seed
from racegym.engine.setup import Setup
from racegym.envs.batch import Batch
from racegym.envs.chunks import Chunks
from racegym.envs.saved import check_arrays, check_batch
from racegym.errors import IllegalAction, RacegymError

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
        description = registry.game(game)
        settled = description.options.resolve(options)
        setup = Setup(description, settled, description.encoder(encoder))
        num_games, threads = _positive("num_games", num_games), _positive("threads", threads)
        self._make(setup, num_games, threads, copy, seed if seed is None else checked_seed(seed))

    def _make(
        self, setup: Setup, num_games: int, threads: int, copy: bool, seed: int | None
    ) -> None:
        self._setup = setup
        self.game, self.options = setup.game, setup.options
        self.encoder: Encoder = setup.encoder
        self.num_games = num_games
        self.threads = min(threads, num_games)
        self.copy = bool(copy)
        self.num_players: int = self.options["num_players"]
        self.num_actions = setup.num_actions
        self._kernels = setup.kernels
        self._games = GameBatch.idle(setup, num_games)
        self._chunks = Chunks(num_games, self.threads)
        self._reused: Batch | None = None
        self._last_raw = np.zeros_like(self._games.raw)
        self._episodes = np.zeros(num_games, np.int64)
        self._started = False
        self._given_seed = seed
        self._bits = 0
        self.seed = 0

    # --- playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Batch:
        """Start every game and return their first decisions.

        With a seed, everything starts over from that seed.  Without one, the first call uses the
        seed of the constructor and later calls go on to the next game in every place.
        """
        seed = None if seed is None else checked_seed(seed)
        with self._chunks:
            if seed is not None:
                self._seed_all(seed)
            elif not self._started:
                self._seed_all(fresh_seed() if self._given_seed is None else self._given_seed)
            else:
                self._episodes += 1
            self._started = True
            games, batch = self._games, self._outputs()
            games.seeds[:] = derived_seeds(self.seed, np.arange(self.num_games), self._episodes)

            def begin(part: slice) -> None:
                self._kernels.begin_all(
                    games.raw[part],
                    self._setup.codes,
                    games.seeds[part],
                    games.seats[part],
                    games.masks[part],
                    batch.observation[part],
                )

            self._chunks.run(begin)
            return self._handed_out(batch)

    def step(self, actions: Any) -> Batch:
        """Play one action in every game.

        Args:
            actions: whole numbers (N,), ``actions[i]`` for the seat to act in game i.

        Raises:
            IllegalAction: malformed, or not legal in some game; nothing was changed anywhere.
        """
        with self._chunks:
            chosen = self._checked(actions)
            games, batch = self._games, self._outputs()

            def play(part: slice) -> None:
                self._kernels.step_all(
                    games.raw[part],
                    self._setup.codes,
                    self.seed,
                    part.start,
                    self._episodes[part],
                    games.seeds[part],
                    chosen[part],
                    True,
                    games.seats[part],
                    games.masks[part],
                    batch.observation[part],
                    batch.rewards[part],
                    batch.terminated[part],
                    batch.cut[part],
                    batch.scores[part],
                    batch.ranks[part],
                    self._last_raw[part],
                    batch.last_seeds[part],
                    NO_LOG,
                )

            self._chunks.run(play)
            return self._handed_out(batch)

    def sample(self, rng: np.random.Generator | None = None) -> np.ndarray:
        """Uniformly random legal actions, int64 (N,), drawn natively.

        Their random bits are the environment's own (seeded with it, apart from the games') or, if
        given, that of ``rng``.
        """
        self._must_be_started()
        if rng is None:
            self._bits += 1
            bits = (self._bits * 0x9E3779B97F4A7C15 + self.seed * _SAMPLER_SALT) % 2**64
        else:
            bits = int(rng.integers(0, 2**64, dtype=np.uint64))
        return self._games.sample(bits)

    # --- looking ---------------------------------------------------------------------------------

    def now(self) -> Batch:
        """The decisions the games wait for, as the latest step returned them; rewards are zero."""
        self._must_be_started()
        batch = self._outputs(fresh=True)
        batch.observation[...] = self.observe(self._games.seats)
        return self._handed_out(batch, fresh=True)

    def observe(self, seats: Any) -> np.ndarray:
        """What ``seats[i]`` (or one seat for all) sees of game i: float32 (N, *encoder shape)."""
        self._must_be_started()
        return self._games.observe(self._checked_seats(seats))

    @property
    def last_raw(self) -> np.ndarray:
        """uint8 (N, bytes), the state in which the latest game in each place ended; read only.

        All zero where none has ended yet; ``last_raw.view(game.layout.dtype)[:, 0]`` has fields.
        """
        view = self._last_raw.view()
        view.flags.writeable = False
        return view

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
        return self._games.position(self._checked_index(index))

    # --- copies ----------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that :meth:`load_state_dict` needs to go on from here, as plain arrays."""
        with self._chunks:
            return {
                "raw": self._games.raw.copy(),
                "last_raw": self._last_raw.copy(),
                "episodes": self._episodes.copy(),
                "seeds": np.maximum(self._games.seeds, 0),
                "master": np.array([self.seed, self._bits, self._started], np.int64),
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
        check_batch(self.game, self._setup.codes, self._kernels, arrays)

    def _take_over(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go on from a state dict of our own making, which is not checked."""
        games = self._games
        with self._chunks:
            games.raw[...] = arrays["raw"]
            self._last_raw[...] = arrays["last_raw"]
            self._episodes[...] = arrays["episodes"]
            games.seeds[...] = arrays["seeds"]
            self.seed, self._bits = int(arrays["master"][0]), int(arrays["master"][1])
            self._started = bool(arrays["master"][2])
            if self._started:
                self._kernels.mark_legal_all(games.raw, games.seats, games.masks)

    def clone(self) -> VectorEnv:
        """An independent copy, the random numbers to come included."""
        twin = VectorEnv.__new__(type(self))
        twin._make(self._setup, self.num_games, self.threads, self.copy, self._given_seed)
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
        self._must_be_started()
        wanted = self._checked_seats(self._games.seats if seats is None else seats)
        seeds = derived_seeds(checked_seed(seed), np.arange(self.num_games))
        twin = self.clone()
        self._kernels.deal_again_all(twin._games.raw, wanted, seeds)
        self._kernels.mark_legal_all(twin._games.raw, twin._games.seats, twin._games.masks)
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
        self._chunks.close()

    # --- inside ----------------------------------------------------------------------------------

    def _seed_all(self, seed: int) -> None:
        self.seed = seed
        self._bits = 0
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
        chosen = whole_numbers(actions, self.num_games, self.num_actions)
        wrong = int(self._kernels.first_illegal(self._games.masks, chosen))
        if wrong >= 0:
            refusal = self.position(wrong).refusal(int(np.asarray(actions)[wrong]))
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
            seat=self._games.seats,
            observation=np.empty((n, *self.encoder.shape), np.float32),
            mask=self._games.masks,
            seeds=self._games.seeds,
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

    @property
    def games(self) -> GameBatch:
        """The games in progress, as agents are asked about them; not to be played on or written to.

        Its observations are those of the latest step.
        """
        return self._games

    def _handed_out(self, batch: Batch, fresh: bool = False) -> Batch:
        """What the caller gets: nothing through which our own arrays could be changed."""
        self._games.observations = batch.observation
        if self.copy or fresh:
            return Batch(
                batch.seat.copy(),
                batch.observation,
                batch.mask.copy(),
                batch.seeds.copy(),
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


def _positive(name: str, value: Any) -> int:
    if not is_whole(value) or value < 1:
        raise RacegymError(f"{name} is a whole number from 1, not {value!r}")
    return int(value)
