"""What an agent may look at beside arrays: the game as the acting seat may know it."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.engine.indices import checked_copies
from racegym.engine.position import Position
from racegym.engine.seeds import checked_seed, derived_seeds
from racegym.errors import RacegymError


class SeatView:
    """One decision as the seat to act may know it; it can be asked at any later time.

    Behind it stands a guess at the game, made from what the seat knows alone, and never the game
    itself: whatever two games have in common for a seat, its views of them are equal.

    Args:
        guess: a batch of re-dealt games; its other rows are none of this view's.
        row: the game in it.
        players: who sits where, by name; None where that is not known.
    """

    __slots__ = ("_guess", "_position", "_row", "players")

    #: Who sits where: the agents' names by seat, None where that is not known.
    players: tuple[str | None, ...]

    def __init__(self, guess: GameBatch, row: int, players: tuple[str | None, ...]) -> None:
        self._guess = guess
        self._row = row
        self._position: Position | None = None
        self.players = players

    # --- what is played --------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game's description."""
        return self._guess.game

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game, defaults included (a copy)."""
        return self._looked_at.options

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self._guess.seats[self._row])

    @property
    def num_players(self) -> int:
        """Players in the game."""
        return self._guess.num_players

    @property
    def sides(self) -> int:
        """Competing sides; seat p plays for side p modulo this number."""
        return int(self._looked_at.state.sides)

    @property
    def decisions(self) -> int:
        """Decisions made in the game so far, by all seats."""
        return self._looked_at.decisions

    # --- what the seat sees and may do -----------------------------------------------------------

    def observe(self, encoder: str = "flat") -> np.ndarray:
        """What the seat sees through an encoder: float32 of its shape, a new array.

        Raises RacegymError for an encoder that there is not, or that shows hidden things.
        """
        if not self.game.encoder(encoder).hides:
            raise RacegymError(f"the encoder {encoder!r} shows what seats may not know")
        return self._guess.observe(self.seat, encoder, rows=[self._row])[0]

    def text(self) -> str:
        """The situation and the legal actions, in words."""
        return self._looked_at.text()

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending."""
        return self._looked_at.legal_actions()

    def legal_texts(self) -> list[str]:
        """The legal actions in words, sorted as strings."""
        return self._looked_at.legal_texts()

    def action_to_text(self, action: int) -> str:
        """An action in words; raises IllegalAction for what is no action of the game."""
        return self._looked_at.action_to_text(action)

    def action_from_text(self, text: str) -> int:
        """The action that the words mean; raises IllegalAction when they mean none."""
        return self._looked_at.action_from_text(text)

    # --- guessing --------------------------------------------------------------------------------

    def redeal(self, copies: int, seed: int) -> GameBatch:
        """Guesses at the whole game, all equally likely for what the seat knows, to be played on.

        Args:
            copies: how many; all of them may take 4 GiB.
            seed: 0 … 2^63-1; settles the guesses, the random numbers to come included.

        Raises:
            SeedError, RacegymError: for arguments that do not fit.
        """
        copies = checked_copies(copies, 1, self._guess.row_bytes)
        seeds = derived_seeds(checked_seed(seed), np.arange(copies))
        return self._guess.take([self._row]).redeal(seeds, copies=copies)

    def position(self, seed: int) -> Position:
        """One guess as a :class:`racegym.Position`: the first of :meth:`redeal`."""
        return self.redeal(1, seed).position(0)

    @property
    def _looked_at(self) -> Position:
        if self._position is None:
            self._position = self._guess.position(self._row)
        return self._position

    def __repr__(self) -> str:
        return f"<{self.game.title} as player_{self.seat} may know it>"
