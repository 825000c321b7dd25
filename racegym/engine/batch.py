"""Many games stepped together: what environments, matches, records and search share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from racegym.engine import registry
from racegym.engine.events import no_log
from racegym.engine.game import Game
from racegym.engine.indices import (
    check_room,
    checked_copies,
    checked_row,
    checked_rows,
    checked_seats,
    checked_seeds,
)
from racegym.engine.instances import kernels_of, sampler
from racegym.engine.options import is_whole
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, derived_seeds
from racegym.engine.setup import Setup, setup_for
from racegym.errors import IllegalAction, RacegymError, quoted

#: A log that takes nothing, for the kernels.
NO_LOG = no_log()
_UNUSED = np.zeros(0, np.int64)
_UNUSED_RAW = np.zeros((0, 0), np.uint8)
_ARRAYS = (
    "raw",
    "seeds",
    "seats",
    "masks",
    "observations",
    "rewards",
    "scores",
    "ranks",
    "cut",
    "_ended",
)


class GameBatch:
    """N games of one game, options and encoder; games that end stay as they ended.

    Args:
        game: a game's name or description.
        seeds: whole numbers 0 … 2^63-1 (N,), the seed of each game.
        encoder: name of the encoder of :attr:`observations`.
        **options: the game's options, the same for all games.

    Attributes:
        seats: int64 (N,), the seat to act, -1 where the game is over (or none was started).
        masks: int8 (N, actions), 1 = legal for that seat; all zero where the game is over.
        observations: float32 (N, *encoder shape), what that seat sees; where the game is over,
            what the last seat to act saw.
        rewards: float32 (N, most players), for all seats; zero before the end.
        scores, ranks: int32 (N, most players), zero before the end.
        cut: bool (N,), the game ended at ``max_turns``.
        seeds: int64 (N,), the seeds of the games, -1 where none was started or it was re-dealt.

    The arrays are the batch's own: read them, copy what you keep, write to none.

    Raises:
        OptionError, SeedError, RacegymError: for arguments that do not fit.
    """

    def __init__(self, game: str | Game, seeds: Any, encoder: str = "flat", **options: Any) -> None:
        setup = setup_for(registry.game(game), options, encoder)
        given = _seeds_given(seeds)
        self._make(setup, len(given))
        self.begin(given)

    @classmethod
    def idle(cls, setup: Setup, rows: int) -> GameBatch:
        """So many rows without a game in them yet, for settled options."""
        batch = cls.__new__(cls)
        batch._make(setup, rows)
        return batch

    @classmethod
    def of(cls, positions: Sequence[Position]) -> GameBatch:
        """Copies of positions of the same game, options and encoder; raises RacegymError."""
        if not positions:
            raise RacegymError("a batch is made of one position or more")
        first = positions[0]
        for other in positions[1:]:
            same = other.game is first.game and other._setup.options == first._setup.options
            if not same or other._setup.encoder is not first._setup.encoder:
                raise RacegymError("positions of one game, options and encoder make a batch")
        batch = cls.idle(first._setup, len(positions))
        raw = np.stack([position.raw for position in positions])
        batch.put(np.arange(len(batch)), raw, [position.seed for position in positions])
        return batch

    def _make(self, setup: Setup, rows: int) -> None:
        most = setup.game.max_players
        self._setup = setup
        self.raw = np.zeros((rows, setup.size), np.uint8)
        self.seeds = np.full(rows, -1, np.int64)
        self.seats = np.full(rows, -1, np.int64)
        self.masks = np.zeros((rows, setup.num_actions), np.int8)
        self.observations = np.zeros((rows, *setup.shape), np.float32)
        self.rewards = np.zeros((rows, most), np.float32)
        self.scores = np.zeros((rows, most), np.int32)
        self.ranks = np.zeros((rows, most), np.int32)
        self.cut = np.zeros(rows, bool)
        self._ended = np.zeros(rows, bool)

    def __len__(self) -> int:
        return len(self.raw)

    @property
    def setup(self) -> Setup:
        """What all rows share: game, settled options, encoder, kernels."""
        return self._setup

    @property
    def game(self) -> Game:
        """The game's description."""
        return self._setup.game

    @property
    def num_players(self) -> int:
        """Players in each game."""
        return int(self._setup.codes[0])

    @property
    def row_bytes(self) -> int:
        """What one game takes in memory, in bytes."""
        setup, most = self._setup, self.game.max_players
        return setup.size + setup.num_actions + 4 * int(np.prod(setup.shape)) + 12 * most + 18

    @property
    def is_over(self) -> np.ndarray:
        """bool (N,), nobody is to act."""
        return self.seats < 0

    @property
    def decisions(self) -> np.ndarray:
        """int64 (N,), decisions made so far in each game."""
        return self._records["decisions"].astype(np.int64)

    @property
    def _records(self) -> np.ndarray:
        return self.raw.view(self.game.layout.dtype)[:, 0]

    # --- playing ---------------------------------------------------------------------------------

    def settle(self, setup: Setup) -> None:
        """Start the games that begin from now on with the options of another setup."""
        assert (setup.game, setup.encoder) == (self.game, self._setup.encoder)
        self._setup = setup

    def begin(self, seeds: Any, rows: Any = None) -> None:
        """Start a game from ``seeds[k]`` in each of some rows (default: all).

        Args:
            seeds: whole numbers 0 … 2^63-1 (M,).
            rows: whole numbers (M,).
        """
        where = np.arange(len(self)) if rows is None else checked_rows(rows, len(self))
        wanted = np.full(len(self), -1, np.int64)
        wanted[where] = checked_seeds(seeds, len(where))
        started = wanted >= 0
        self.seeds[started] = wanted[started]
        for result in (self.rewards, self.scores, self.ranks, self.cut, self._ended):
            result[started] = 0
        self._setup.kernels.begin_all(
            self.raw, self._setup.codes, wanted, self.seats, self.masks, self.observations
        )

    def put(self, rows: np.ndarray, raw: np.ndarray, seeds: Any) -> None:
        """Go on in some rows from running games, given by their states, which are not checked.

        Args:
            rows: int64 (M,).
            raw: uint8 (M, bytes), states of the same game and options.
            seeds: int64 (M,), the seeds of those games.
        """
        self.raw[rows] = raw
        self.seeds[rows] = seeds
        for result in (self.rewards, self.scores, self.ranks, self.cut, self._ended):
            result[rows] = 0
        part = self.take(rows)
        part.look_again()
        for name in ("seats", "masks", "observations"):
            getattr(self, name)[rows] = getattr(part, name)

    def stop(self, row: int) -> None:
        """Leave a game as it stands: nobody is to act in it any more, though it is not over."""
        row = checked_row(row, len(self))
        self.seats[row] = -1
        self.masks[row] = 0

    def step(self, actions: Any) -> int:
        """Play one action in every running game; returns how many games ended.

        Args:
            actions: whole numbers (N,), for the seats to act; -1 leaves its row as it is, and must
                where the game is over.

        Raises:
            IllegalAction: malformed, or not legal in some game; nothing was changed anywhere.
        """
        chosen = self._checked(actions)
        setup = self._setup
        ended: int = setup.kernels.step_all(
            self.raw,
            setup.codes,
            0,
            0,
            _UNUSED,
            _UNUSED,
            chosen,
            False,
            self.seats,
            self.masks,
            self.observations,
            self.rewards,
            self._ended,
            self.cut,
            self.scores,
            self.ranks,
            _UNUSED_RAW,
            _UNUSED,
            NO_LOG,
        )
        return ended

    def _checked(self, actions: Any) -> np.ndarray:
        count = self._setup.num_actions
        chosen = whole_numbers(actions, len(self), count)
        outside = chosen >= count
        allowed = self.masks[np.arange(len(self)), np.where(outside, 0, np.maximum(chosen, 0))]
        wrong = (chosen != -1) & (outside | (chosen < 0) | (allowed == 0))
        if wrong.any():
            row = int(wrong.argmax())
            raise IllegalAction(f"game {row}: {self._refusal(row, int(np.asarray(actions)[row]))}")
        return chosen

    def _refusal(self, row: int, action: int) -> Exception | str:
        if self.seats[row] < 0:
            return "it is over: leave it alone with the action -1"
        return self.position(row).refusal(action)

    def sample(self, bits: Any) -> np.ndarray:
        """Uniformly random legal actions, int64 (N,), drawn natively; -1 where the game is over.

        Args:
            bits: 64 random bits as a whole number, or a NumPy generator to draw them from; or
                uint64 (N,), random bits for each game.
        """
        if isinstance(bits, np.random.Generator):
            bits = bits.integers(0, 2**64, dtype=np.uint64)
        actions = np.empty(len(self), np.int64)
        if is_whole(bits) and 0 <= bits < 2**64:
            sampler()(self.masks, np.uint64(bits), actions)
            return actions
        if not isinstance(bits, np.ndarray) or (bits.dtype, bits.shape) != (
            np.uint64,
            (len(self),),
        ):
            raise RacegymError(
                f"bits are a whole number from 0 to 2**64 - 1, a NumPy generator or uint64 "
                f"({len(self)},), not {quoted(bits)}"
            )
        sampler("sample_each")(self.masks, np.ascontiguousarray(bits), actions)
        return actions

    # --- looking ---------------------------------------------------------------------------------

    def observe(self, seats: Any, encoder: str | None = None, rows: Any = None) -> np.ndarray:
        """What seats see, in new arrays: float32 (M, *encoder shape).

        Args:
            seats: whole numbers (M,), or one for all rows.
            encoder: name of an encoder (default: that of the batch).
            rows: which games (default: all).

        Raises:
            RacegymError: seats, rows or an encoder that there are not.
        """
        raw = self.raw if rows is None else self.raw[checked_rows(rows, len(self))]
        setup = self._setup
        wanted = setup.encoder if encoder is None else setup.game.encoder(encoder)
        looking = checked_seats(seats, len(raw), self.num_players)
        observations = np.empty((len(raw), *wanted.shape), np.float32)
        kernels_of(setup.game, wanted).look_all(raw, looking, observations)
        return observations

    def texts(self, rows: Any = None) -> list[str]:
        """The encoder ``text``: what the seats to act may know, with their legal actions."""
        numbers = range(len(self)) if rows is None else checked_rows(rows, len(self)).tolist()
        return [self.position(row).text() for row in numbers]

    def position(self, row: int) -> Position:
        """One game as a :class:`racegym.Position` of its own; raises RacegymError."""
        row = checked_row(row, len(self))
        return Position._of(self._setup, max(int(self.seeds[row]), 0), self.raw[row].copy())

    # --- copies ----------------------------------------------------------------------------------

    def take(self, rows: Any) -> GameBatch:
        """A batch of copies of some rows (whole numbers, repeated as often as wanted).

        Raises RacegymError for rows that there are not, and for more than 4 GiB of copies.
        """
        rows = checked_rows(rows, len(self))
        check_room(len(rows), self.row_bytes)
        twin = type(self).__new__(type(self))
        twin._setup = self._setup
        for name in _ARRAYS:
            setattr(twin, name, np.ascontiguousarray(getattr(self, name)[rows]))
        return twin

    def copy(self) -> GameBatch:
        """An independent copy, the random numbers to come included."""
        return self.take(np.arange(len(self)))

    def redeal(self, seeds: Any, seats: Any = None, copies: int = 1) -> GameBatch:
        """Copies in which everything that a seat may not know of its game is guessed afresh.

        Row ``i * copies + j`` is the j-th guess at game i.  It follows from what the seat knows
        and from its seed, and from nothing else.

        Args:
            seeds: whole number 0 … 2^63-1, from which the seed of each row is derived; or int64
                (N * copies,), one for each row.
            seats: whole numbers (N,), or one for all (default: the seats to act).
            copies: how many guesses at each game; all of them may take 4 GiB.

        Raises:
            SeedError, RacegymError: for arguments that do not fit.
        """
        copies = checked_copies(copies, len(self), self.row_bytes)
        looking = np.maximum(self.seats, 0) if seats is None else seats
        looking = np.repeat(checked_seats(looking, len(self), self.num_players), copies)
        if isinstance(seeds, (np.ndarray, Sequence)) and not isinstance(seeds, (str, bytes)):
            seeds = checked_seeds(seeds, len(looking))
        else:
            seeds = derived_seeds(checked_seed(seeds), np.arange(len(looking)))
        twin = self.take(np.repeat(np.arange(len(self)), copies))
        kernels = self._setup.kernels
        kernels.deal_again_all(twin.raw, looking, seeds)
        kernels.mark_legal_all(twin.raw, twin.seats, twin.masks)
        kernels.look_all(twin.raw, np.maximum(twin.seats, 0), twin.observations)
        twin.seeds[:] = -1
        return twin

    def look_again(self) -> None:
        """Bring seats, masks and observations up to date with states written from outside."""
        kernels = self._setup.kernels
        kernels.mark_legal_all(self.raw, self.seats, self.masks)
        kernels.look_all(self.raw, np.maximum(self.seats, 0), self.observations)


def _seeds_given(seeds: Any) -> np.ndarray:
    """One seed or several, each checked, int64 (N,)."""
    if isinstance(seeds, (str, bytes)) or not np.iterable(seeds):
        return np.array([checked_seed(seeds)], np.int64)
    return np.array([checked_seed(seed) for seed in seeds], np.int64)


def whole_numbers(actions: Any, rows: int, num_actions: int) -> np.ndarray:
    """Actions as int64 (rows,), which need not be legal; too large ones become ``num_actions``.

    Raises:
        IllegalAction: they are no whole numbers, or not one per row.
    """
    try:
        given = np.asarray(actions)
    except (ValueError, OverflowError):
        given = np.empty(0, object)
    if given.dtype.kind not in "iu" or given.shape != (rows,):
        raise IllegalAction(
            f"step takes {rows} whole numbers, one per game, not {given.dtype} of shape "
            f"{given.shape}"
        )
    if given.dtype.kind == "u":
        given = np.minimum(given, given.dtype.type(min(num_actions, np.iinfo(given.dtype).max)))
    return np.ascontiguousarray(given, np.int64)
