"""What recurrent policies remember of the games that they are in."""

from __future__ import annotations

import numpy as np

from racegym.agents.protocol import AgentError


class SeatMemory:
    """A state for every game and seat that is being played; all zeros when a game begins.

    Args:
        shape: of a state.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self._states: dict[tuple[int, int], np.ndarray] = {}

    def __len__(self) -> int:
        """Seats in games that have begun and not ended."""
        return len(self._states)

    def begin(self, games: np.ndarray, seats: np.ndarray) -> None:
        """As :meth:`racegym.agents.protocol.Rememberer.begin`."""
        for place in _places(games, seats):
            self._states[place] = np.zeros(self.shape, np.float32)

    def end(self, games: np.ndarray, seats: np.ndarray) -> None:
        """Forget them."""
        for place in _places(games, seats):
            self._states.pop(place, None)

    def read(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The states of some seats: float32 (N, *shape), a copy.

        Raises:
            AgentError: a game that has not begun, or not with this seat.
        """
        states = np.empty((len(games), *self.shape), np.float32)
        for row, (game, seat) in enumerate(_places(games, seats)):
            try:
                states[row] = self._states[game, seat]
            except KeyError:
                raise AgentError(f"seat {seat} of game {game} has not begun: call begin") from None
        return states

    def write(self, games: np.ndarray, seats: np.ndarray, states: np.ndarray) -> None:
        """Keep new states of some seats, (N, *shape)."""
        for place, state in zip(_places(games, seats), states, strict=True):
            self._states[place] = state.copy()


def _places(games: np.ndarray, seats: np.ndarray) -> list[tuple[int, int]]:
    return list(zip(games.tolist(), seats.tolist(), strict=True))
