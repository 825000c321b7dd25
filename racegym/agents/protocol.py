"""What an agent is, and the checks that every user of agents shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from racegym.agents.randomness import random_bits
from racegym.engine.game import Encoder, Game
from racegym.engine.seeds import checked_seed
from racegym.engine.words import counted
from racegym.errors import IllegalAction, RacegymError

if TYPE_CHECKING:
    from racegym.agents.decisions import Decisions


class AgentError(RacegymError, ValueError):
    """An agent that cannot be made, was asked wrongly, or answered wrongly."""


@runtime_checkable
class Agent(Protocol):
    """Chooses actions for a batch of situations.

    Attributes:
        name: shown in tables and errors.
        encoder: name (``flat``) or id (``flat-1``) of the encoder whose observations it reads, or
            ``text``: its observations are then a list of texts, each a situation and its legal
            actions in words.

    All else is optional.  An agent may also have

    - ``choose(observations, masks, seats, bits)``: as ``act``, but with one random number per row
      (uint64, all 64 bits random) in place of its own generator.  The bits follow from game and
      decision, so that results do not depend on which games are played side by side.
      :class:`SeededAgent` gives both from ``choose`` alone;
    - ``decide(decisions)`` in place of both, see :class:`Decider`: for agents that search, read
      words or want to know which game it is;
    - ``begin`` and ``end``, see :class:`Rememberer`: for agents that keep something per game.

    ``decide`` is preferred to ``choose``, and ``choose`` to ``act``.
    """

    name: str
    encoder: str

    def reset(self, seed: int) -> None:
        """Start its own generator anew from a seed 0 … 2^63-1; it never touches a game's."""

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Choose one legal action per row.

        Args:
            observations: float32 (N, \\*shape of the encoder), read only.
            masks: int8 (N, A), 1 = legal; every row has a legal action; read only.
            seats: int64 (N,), the seat to act in each row; read only.

        Returns:
            int64 (N,), actions.
        """


@runtime_checkable
class Decider(Protocol):
    """An agent that is asked with more than arrays.  It needs neither ``act`` nor ``reset``."""

    name: str
    encoder: str

    def decide(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action for each of N decisions, int64 (N,).

        :class:`~racegym.agents.decisions.Decisions` has the arrays, each decision's random bits,
        the numbers of the games, and each game as the seat to act may know it, to re-deal and play
        on.
        """


@runtime_checkable
class Rememberer(Protocol):
    """What an agent that keeps something per game has beside its way to choose.

    A game is known by its number, which no other game has within one match, environment, series of
    records or training; :attr:`Decisions.games` tells it at every decision.  A copy of an
    environment that goes on from the middle of a game has a copy of the agent, memory included.
    A training that is resumed begins the games that it goes on with once more, under new numbers.
    """

    def begin(self, games: np.ndarray, seats: np.ndarray) -> None:
        """Games begin in which it plays.

        Args:
            games: int64 (M,), their numbers; a game in which it has several seats comes as often.
            seats: int64 (M,), its seats.
        """

    def end(self, games: np.ndarray, seats: np.ndarray, ranks: np.ndarray) -> None:
        """They have ended.

        Args:
            games, seats: as they began.
            ranks: int32 (M, players), of all seats; all zero where a game was given up before its
                end (the environment was reset, the match interrupted).
        """


#: What can be asked for actions.
AnyAgent = Agent | Decider

#: The encoder of agents that read words.
TEXT = "text"


def encoder_of(game: Game, agent: AnyAgent) -> Encoder | None:
    """The encoder an agent reads, None for words; raises RacegymError for one there is not."""
    return None if agent.encoder == TEXT else game.encoder(agent.encoder)


def takes_bits(agent: AnyAgent) -> bool:
    """True if the agent is given random bits with every decision and needs none of its own."""
    return hasattr(agent, "choose") or hasattr(agent, "decide")


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
        bits = random_bits(self._key, np.arange(self._drawn, self._drawn + count))
        self._drawn += count
        return self.choose(*batch, bits)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, bits: np.ndarray
    ) -> np.ndarray:
        """Choose one legal action per row, int64 (N,); ``bits`` is uint64 (N,)."""
        raise NotImplementedError


def read_only(array: np.ndarray) -> np.ndarray:
    """A C-contiguous view (or copy) of an array that cannot be written to."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def checked_batch(
    name: str, observations: Any, masks: Any, seats: Any
) -> tuple[Any, np.ndarray, np.ndarray]:
    """A batch for the agent ``name``, as read-only arrays; texts stay a list of texts.

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
    in_words = isinstance(observations, list) and all(isinstance(o, str) for o in observations)
    if not in_words:
        observations = read_only(np.asarray(observations, np.float32))
    seats = np.asarray(seats, np.int64)
    if not np.shape(observations)[:1] == seats.shape == masks.shape[:1]:
        raise AgentError(
            f"agent {name!r} was given {np.shape(observations)[:1]} observations, "
            f"{masks.shape[:1]} masks and {seats.shape} seats: one of each per row, please"
        )
    empty = ~masks.any(axis=1)
    if empty.any():
        raise AgentError(f"agent {name!r} has no legal action in row {int(empty.argmax())}")
    return observations, read_only(masks), read_only(seats)


def checked_actions(
    name: str,
    actions: Any,
    masks: np.ndarray,
    situation: Callable[[int, int], str] = lambda row, action: f"row {row}",
    where: Callable[[], str] | None = None,
) -> np.ndarray:
    """What the agent ``name`` answered, as int64 (N,), every entry legal.

    Args:
        actions: the answer of ``act``.
        masks: int8 (N, A), the masks it was asked with.
        situation: ``situation(row, action)`` says in words where an illegal action was chosen.
        where: says where it was asked.

    Raises:
        AgentError: an answer of another type or shape.
        IllegalAction: an action that does not exist or is not legal.
    """
    try:
        found = np.asarray(actions)
    except ValueError:  # rows of unequal length
        found = np.empty(0, object)
    if found.dtype.kind not in "iu" or found.shape != masks.shape[:1]:
        asked = "" if where is None else f"; asked for {where()}"
        raise AgentError(
            f"agent {name!r} must answer with {counted(len(masks), 'whole number')}, "
            f"not {found.dtype} {found.shape}{asked}"
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
