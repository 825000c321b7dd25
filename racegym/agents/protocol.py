"""What an agent is, and the checks that every user of agents shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from racegym.agents.luck import luck_of
from racegym.engine.seeds import checked_seed
from racegym.errors import IllegalAction, RacegymError


class AgentError(RacegymError, ValueError):
    """An agent that cannot be made, was asked wrongly, or answered wrongly."""


@runtime_checkable
class Agent(Protocol):
    """Chooses actions for a batch of situations; it keeps nothing from one call to the next.

    Attributes:
        name: shown in tables and errors.
        encoder: name (``flat``) or id (``flat-1``) of the encoder whose observations it reads.

    An agent may also have ``choose(observations, masks, seats, luck)``: as ``act``, but with one
    random number per row (uint64, all 64 bits random) in place of its own generator.  Matches then
    derive the luck of each decision from game and agent, so that results do not depend on which
    games are played side by side.  :class:`SeededAgent` gives both from ``choose`` alone.
    """

    name: str
    encoder: str

    def reset(self, seed: int) -> None:
        """Start its own generator anew from a seed 0 … 2^63-1.  It never touches a game's luck."""

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Choose one legal action per row.

        Args:
            observations: float32 (N, \\*shape of the encoder), read only.
            masks: int8 (N, A), 1 = legal; every row has a legal action; read only.
            seats: int64 (N,), the seat to act in each row; read only.

        Returns:
            int64 (N,), actions.
        """


class SeededAgent:
    """Base for agents whose choice is a function of the situation and one random number.

    A subclass defines :meth:`choose`.  A new agent is as after ``reset(0)``.
    """

    def __init__(self, name: str, encoder: str = "flat") -> None:
        self.name = name
        self.encoder = encoder
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start the agent's own generator anew from a seed 0 … 2^63-1."""
        self._key = checked_seed(seed)
        self._drawn = 0

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """As :meth:`Agent.act`; raises AgentError for a missing or empty mask."""
        batch = checked_batch(self.name, observations, masks, seats)
        count = len(batch[1])
        luck = luck_of(self._key, np.arange(self._drawn, self._drawn + count))
        self._drawn += count
        return self.choose(*batch, luck)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, luck: np.ndarray
    ) -> np.ndarray:
        """Choose one legal action per row, int64 (N,); ``luck`` is uint64 (N,)."""
        raise NotImplementedError


def read_only(array: np.ndarray) -> np.ndarray:
    """A C-contiguous view (or copy) of an array that cannot be written to."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def checked_batch(
    name: str, observations: Any, masks: Any, seats: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A batch for the agent ``name``, as read-only arrays.

    Raises:
        AgentError: no mask, a mask of another form, a row without a legal action, or arrays of
            unequal length.
    """
    if masks is None:
        raise AgentError(f"agent {name!r} needs the action masks: pass an int8 array (N, actions)")
    masks = np.asarray(masks)
    if masks.dtype != np.int8 or masks.ndim != 2:
        raise AgentError(
            f"agent {name!r} needs action masks as an int8 array (N, actions), "
            f"not {masks.dtype} {masks.shape}"
        )
    observations = np.asarray(observations, np.float32)
    seats = np.asarray(seats, np.int64)
    if not observations.shape[:1] == seats.shape == masks.shape[:1]:
        raise AgentError(
            f"agent {name!r} was given {observations.shape[:1]} observations, {masks.shape[:1]} "
            f"masks and {seats.shape} seats: one of each per row, please"
        )
    empty = ~masks.any(axis=1)
    if empty.any():
        raise AgentError(f"agent {name!r} has no legal action in row {int(empty.argmax())}")
    return read_only(observations), read_only(masks), read_only(seats)


def checked_actions(
    name: str,
    actions: Any,
    masks: np.ndarray,
    situation: Callable[[int, int], str] = lambda row, action: f"row {row}",
) -> np.ndarray:
    """What the agent ``name`` answered, as int64 (N,), every entry legal.

    Args:
        actions: the answer of ``act``.
        masks: int8 (N, A), the masks it was asked with.
        situation: ``situation(row, action)`` says in words where an illegal action was chosen.

    Raises:
        AgentError: an answer of another type or shape.
        IllegalAction: an action that does not exist or is not legal.
    """
    try:
        found = np.asarray(actions)
    except ValueError:  # rows of unequal length
        found = np.empty(0, object)
    if found.dtype.kind not in "iu" or found.shape != masks.shape[:1]:
        raise AgentError(
            f"agent {name!r} must answer with {len(masks)} whole numbers, "
            f"not {found.dtype} {found.shape}"
        )
    inside = (found >= 0) & (found < masks.shape[1])
    found = found.astype(np.int64)
    legal = inside & (masks[np.arange(len(masks)), np.where(inside, found, 0)] != 0)
    if not legal.all():
        row = int((~legal).argmax())
        action = int(found[row])
        raise IllegalAction(
            f"agent {name!r} chose the illegal action {action} ({situation(row, action)})"
        )
    return found
