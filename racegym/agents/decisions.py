"""Decisions as agents that search or remember get them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from racegym.agents.view import SeatView
from racegym.engine.batch import GameBatch
from racegym.engine.indices import checked_copies
from racegym.engine.seeds import checked_seed, derived_seeds


@dataclass(frozen=True)
class Decision:
    """One decision of :class:`Decisions`: a row of each of its arrays, and the view."""

    observation: Any
    mask: np.ndarray
    seat: int
    bits: int
    game: int
    view: SeatView


@dataclass(frozen=True)
class Decisions:
    """Decisions in N games that an agent is to make now.

    ``decisions[i]`` is one of them, a :class:`Decision`; ``len(decisions)`` is N.

    Attributes:
        observations: float32 (N, *shape of the agent's encoder); for the encoder ``text`` a list
            of N texts.
        masks: int8 (N, actions), 1 = legal.
        seats: int64 (N,), the seat to act.
        bits: uint64 (N,), 64 random bits for each decision.
        games: int64 (N,), which game it is: a number that no other game has within one match,
            environment, series of records or training.
        players: for each game who sits where, by name; None where that is not known.
        guess: a guess at each game, made from what the seat to act knows; see :meth:`redeal`.

    The arrays are read only.
    """

    observations: Any
    masks: np.ndarray
    seats: np.ndarray
    bits: np.ndarray
    games: np.ndarray
    players: tuple[tuple[str | None, ...], ...]
    guess: GameBatch

    def __len__(self) -> int:
        return len(self.seats)

    def __getitem__(self, i: int) -> Decision:
        return Decision(
            self.observations[i],
            self.masks[i],
            int(self.seats[i]),
            int(self.bits[i]),
            int(self.games[i]),
            self.views[i],
        )

    def __iter__(self) -> Iterator[Decision]:
        return (self[i] for i in range(len(self)))

    @cached_property
    def views(self) -> list[SeatView]:
        """Each game as the seat to act may know it."""
        return [SeatView(self.guess, i, names) for i, names in enumerate(self.players)]

    def redeal(self, copies: int, seed: int | None = None) -> GameBatch:
        """Guesses at all games at once, natively; row ``i * copies + j`` is the j-th at game i.

        Args:
            copies: how many for each game; all of them may take 4 GiB.
            seed: 0 … 2^63-1, settles them as it does for :meth:`SeatView.redeal`; None takes each
                decision's own random bits (``bits >> 1``).

        Raises:
            SeedError, RacegymError: for arguments that do not fit.
        """
        copies = checked_copies(copies, len(self), self.guess.row_bytes)
        bases = self.bits >> np.uint64(1) if seed is None else np.uint64(checked_seed(seed))
        shape = (len(self), copies)
        seeds = derived_seeds(
            np.broadcast_to(np.reshape(bases, (-1, 1)), shape), np.arange(copies)[None]
        )
        return self.guess.redeal(seeds.reshape(-1), copies=copies)
