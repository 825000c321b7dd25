"""Recording a game while it is played, whoever plays it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racegym.engine.position import Position
from racegym.errors import RacegymError
from racegym.records.form import end_line, game_line, play, to_text


class Recorder:
    """Plays a game move by move and writes down each.

    Args:
        position: a game at its very start (as :func:`racegym.make` gives it); it is copied.
        policies: what plays each seat, as names, None where there is nothing to say; None for all.
        full: note the legal actions, events and state of every move as well.

    Raises:
        RacegymError: the position is not at its start, or was changed by hand, so that the record
            would not replay from its seed; or ``policies`` has not one entry per seat.

    Attributes:
        position: the game as it stands; look at it, but play through the recorder.
        lines: the record so far, one JSON text per line; complete when ``is_over``.
    """

    def __init__(
        self, position: Position, policies: Sequence[str | None] | None = None, full: bool = False
    ) -> None:
        self.position = position.clone()
        self.full = full
        self._moves = 0
        start = Position(position.game, seed=position.seed, **position.options)
        if position != start:
            raise RacegymError(
                "a record begins at the start of a game: give it a position from racegym.make() "
                "that was neither played on nor changed"
            )
        names = _checked_policies(policies, position.num_players)
        self._mask = self.position.mask  # every move makes a new one
        self.lines: list[str] = [to_text(game_line(self.position, names))]

    @property
    def is_over(self) -> bool:
        """True when the game is over and its record complete."""
        return self.position.is_over

    @property
    def moves(self) -> int:
        """Moves noted so far."""
        return self._moves

    def apply(self, action: int) -> None:
        """Play one action and note it.

        Raises:
            IllegalAction, GameOver: as :meth:`racegym.Position.apply`; nothing was changed.
            RacegymError: somebody played on ``position`` behind the recorder's back.
        """
        position = self.position
        if position.mask is not self._mask:
            raise RacegymError("the recorder's position was played on: use the recorder's apply()")
        line = play(position, position.checked_action(action), self._moves, self.full)
        self._mask = position.mask
        self.lines.append(to_text(line))
        self._moves += 1
        if position.is_over:
            self.lines.append(to_text(end_line(position)))

    def apply_text(self, text: str) -> None:
        """Play and note the action that the words mean; raises as :meth:`apply`."""
        self.apply(self.position.action_from_text(text))


def _checked_policies(policies: Any, num_players: int) -> list[str | None]:
    if policies is None:
        return [None] * num_players
    names = [policies] if isinstance(policies, str) else list(policies)
    if len(names) != num_players or not all(n is None or isinstance(n, str) for n in names):
        raise RacegymError(f"policies are {num_players} names or None, one per seat, not {names!r}")
    return names
