"""One game in progress, as a light object for search, notebooks and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from racegym.engine import registry
from racegym.engine.events import new_log, no_log
from racegym.engine.game import Game
from racegym.engine.kernels import ILLEGAL
from racegym.engine.options import is_whole
from racegym.engine.seeds import checked_seed, fresh_seed
from racegym.engine.setup import Setup, setup_for
from racegym.engine.state import State
from racegym.engine.validity import check_masks, check_states, write_fields
from racegym.errors import GameOver, IllegalAction, RacegymError

_NO_LOG = no_log()


class Position:
    """One game in progress.

    Args:
        game: a game's name or description.
        seed: whole number 0 … 2^63-1 that settles everything random; None draws one.
        encoder: name of the encoder for :meth:`observe` (default ``flat``).
        **options: the game's options.

    Raises:
        OptionError: for an unknown option or a value it does not take.
        SeedError: for a seed out of range or of another type.

    Two positions are equal when game, options and every byte of the state agree, the random
    numbers to come included; equal positions have equal hashes.  ``copy``, ``deepcopy`` and
    ``pickle`` work at any moment.
    """

    __slots__ = (
        "_fields_read",
        "_raw",
        "_seed",
        "_setup",
        "last_action",
        "mask",
        "observation",
        "seat",
    )

    #: Seat to act, -1 when the game is over.
    seat: int
    #: int8, one entry per action, 1 = legal for the seat to act; all zero when the game is over.
    mask: np.ndarray
    #: float32, what the seat to act sees (what seat 0 sees when the game is over).
    observation: np.ndarray
    #: The latest action played, None at the start.
    last_action: int | None

    def __init__(
        self, game: str | Game, seed: int | None = None, encoder: str = "flat", **options: Any
    ) -> None:
        description = registry.game(game)
        self._setup = setup_for(description, options, encoder)
        self._seed = fresh_seed() if seed is None else checked_seed(seed)
        self._raw = np.zeros(self._setup.size, np.uint8)
        self._setup.kernels.begin(self._raw, self._setup.codes, self._seed)
        self.last_action = None
        self._look_again()

    # --- what it is ------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game's description."""
        return self._setup.game

    @property
    def options(self) -> dict[str, Any]:
        """All options of this game, defaults included (a copy)."""
        return deepcopy(self._setup.options)

    @property
    def seed(self) -> int:
        """The seed the game was started from."""
        return self._seed

    @property
    def state(self) -> State:
        """The state, field by field (a copy; hidden information included)."""
        return State(self.game.layout, self._raw.copy())

    @property
    def raw(self) -> np.ndarray:
        """The bytes of the state as the kernels take them: uint8, not a copy, not to be written."""
        return self._raw

    def _fields(self) -> State:
        """The state as notations read it, good until the next change."""
        known: State | None = getattr(self, "_fields_read", None)
        if known is None or known.raw is not self._raw:
            known = self._fields_read = State(self.game.layout, self._raw, read_only=True)
        else:
            known.read_again()
        return known

    @property
    def num_players(self) -> int:
        """Players in the game."""
        return int(self._setup.codes[0])

    @property
    def decisions(self) -> int:
        """Decisions made so far."""
        return int(self._fields().decisions)

    @property
    def is_over(self) -> bool:
        """True when nobody is to act any more."""
        return self.seat < 0

    @property
    def is_truncated(self) -> bool:
        """True when the game was cut at its ``max_turns``."""
        return bool(self._fields().truncated)

    # --- playing ---------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The actions open to the seat to act, ascending; empty when the game is over."""
        return self.mask.nonzero()[0].tolist()

    def apply(self, action: int) -> None:
        """Play one action (int or NumPy integer).

        Raises:
            IllegalAction: malformed or not legal now; nothing was changed.
            GameOver: the game is over.
        """
        setup = self._setup
        if type(action) is not int:
            action = self.checked_action(action)
        if self.seat < 0:
            raise GameOver(f"the game of {setup.game.title} is over: no more actions")
        mask = np.empty(setup.num_actions, np.int8)
        observation = np.empty(setup.shape, np.float32)
        if not -1 < action < setup.num_actions:
            raise self.refusal(action)
        seat = setup.kernels.advance(self._raw, action, mask, observation, _NO_LOG)
        if seat == ILLEGAL:
            raise self.refusal(action)
        self.seat = seat
        self.mask = mask
        self.observation = observation
        self.last_action = action

    def apply_text(self, text: str) -> None:
        """Play the action that the words mean; raises as :meth:`apply`."""
        self.apply(self.action_from_text(text))

    def apply_with_events(self, action: int, seat: int | None = None) -> list[dict[str, Any]]:
        """As :meth:`apply`, and return what happened, in the form of a record's events.

        Args:
            action: the action.
            seat: whose view of the events is wanted; None gives them all as they are, with what
                is hidden from others (see :meth:`events_seen`).
        """
        seat = None if seat is None else self._checked_seat(seat)
        action = self.checked_action(action)
        if self.seat < 0:
            raise GameOver(f"the game of {self.game.title} is over: no more actions")
        setup = self._setup
        if not -1 < action < setup.num_actions:
            raise self.refusal(action)
        log = new_log(setup.game.max_events)
        mask, observation = np.empty_like(self.mask), np.empty_like(self.observation)
        to_act = setup.kernels.advance(self._raw, action, mask, observation, log)
        if to_act == ILLEGAL:
            raise self.refusal(action)
        self.seat, self.mask, self.observation, self.last_action = to_act, mask, observation, action
        to_dict, n = setup.game.events.to_dict, self.num_players
        events = [to_dict(row, n) for row in log[1 : log[0, 0] + 1].tolist()]
        return events if seat is None else self.events_seen(events, seat)

    def events_seen(self, events: Iterable[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
        """Events as a seat sees them: what it may not know is None (the card another drew …)."""
        seat = self._checked_seat(seat)
        return [self.game.events.seen_by(event, seat) for event in events]

    def checked_action(self, action: Any) -> int:
        """The action as a Python int; raises IllegalAction for what is no whole number."""
        if isinstance(action, np.ndarray) and action.ndim == 0:
            action = action[()]
        if action is None:
            raise IllegalAction("None is no action: this seat is to act, choose a legal action")
        if not is_whole(action):
            raise IllegalAction(
                f"an action is a whole number from 0 to {self._setup.num_actions - 1}, "
                f"not {action!r}"
            )
        return int(action)

    def refusal(self, action: int) -> IllegalAction:
        """The error for an action that does not exist or is not legal now."""
        if not 0 <= action < self._setup.num_actions:
            return IllegalAction(
                f"action {action} does not exist: {self.game.name} has the actions 0 to "
                f"{self._setup.num_actions - 1}"
            )
        legal = self.legal_actions()
        shown = ", ".join(f"{a} ({self.action_to_text(a)})" for a in legal[:8])
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return IllegalAction(
            f"action {action} ({self.action_to_text(action)}) is not legal for player_{self.seat} "
            f"now; legal: {shown}{more}"
        )

    # --- seeing ----------------------------------------------------------------------------------

    def observe(self, seat: int | None = None) -> np.ndarray:
        """What a seat sees (default: the seat to act), float32 of the encoder's shape; a new array.

        Valid for every seat at any time, with no side effect.
        """
        setup = self._setup
        seat = max(self.seat, 0) if seat is None else self._checked_seat(seat)
        observation = np.empty(setup.shape, np.float32)
        setup.kernels.look(self._raw, seat, observation)
        return observation

    def mask_of(self, seat: int) -> np.ndarray:
        """The action mask of a seat (int8): all zero unless it is to act."""
        seat = self._checked_seat(seat)
        return self.mask.copy() if seat == self.seat else np.zeros_like(self.mask)

    def text(self, seat: int | None = None) -> str:
        """The encoder ``text``: the situation a seat may know and its legal actions, in words."""
        seat = max(self.seat, 0) if seat is None else self._checked_seat(seat)
        lines = [self.game.notation.describe(self._fields(), seat)]
        if seat == self.seat:
            lines.append("Legal actions: " + ", ".join(self.legal_texts()))
        return "\n".join(lines)

    def action_to_text(self, action: int) -> str:
        """An action in words; raises IllegalAction for what is no action of the game."""
        number = self.checked_action(action)
        if not 0 <= number < self._setup.num_actions:
            raise self.refusal(number)
        return self.game.notation.action_to_text(self._fields(), number)

    def action_from_text(self, text: str) -> int:
        """The action that the words mean; raises IllegalAction when they mean none."""
        if not isinstance(text, str):
            raise IllegalAction(f"an action in words is a text, not {text!r}")
        return self.game.notation.action_from_text(self._fields(), text)

    def legal_texts(self) -> list[str]:
        """The legal actions in words, sorted as strings."""
        fields, to_text = self._fields(), self.game.notation.action_to_text
        return sorted(to_text(fields, action) for action in self.legal_actions())

    # --- results ---------------------------------------------------------------------------------

    def _conclusion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self.seat >= 0:
            raise RacegymError("scores, ranks and rewards are known when the game is over")
        most = self.game.max_players
        scores, ranks = np.zeros(most, np.int32), np.zeros(most, np.int32)
        rewards = np.zeros(most, np.float64)
        self._setup.kernels.conclude(self._raw, scores, ranks, rewards)
        n = self.num_players
        return scores[:n], ranks[:n], rewards[:n]

    def scores(self) -> list[int]:
        """The game's own points per seat, once it is over."""
        return self._conclusion()[0].tolist()

    def ranks(self) -> list[int]:
        """Ranks per seat (1 = best; equal for those tied), once it is over."""
        return self._conclusion()[1].tolist()

    def rewards(self) -> list[float]:
        """Rewards per seat by the option ``reward``, summing to zero; zeros before the end."""
        if self.seat >= 0:
            return [0.0] * self.num_players
        return self._conclusion()[2].tolist()

    # --- copies ----------------------------------------------------------------------------------

    def clone(self) -> Position:
        """An independent copy, the random numbers to come included."""
        twin = Position.__new__(Position)
        twin._setup = self._setup
        twin._seed = self._seed
        twin._raw = self._raw.copy()
        twin.seat = self.seat
        twin.mask = self.mask.copy()
        twin.observation = self.observation.copy()
        twin.last_action = self.last_action
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.clone()

    def restore(self, other: Position) -> None:
        """Become a copy of another position of the same game and options."""
        fits = isinstance(other, Position) and other.game is self.game
        if not fits or other._setup.options != self._setup.options:
            raise RacegymError("only a position of the same game and options can be restored")
        self._raw = other._raw.copy()
        self._seed = other._seed
        self.last_action = other.last_action
        self._look_again()

    def redeal(self, seat: int, seed: int | None = None) -> Position:
        """A copy in which everything that ``seat`` may not know is guessed afresh.

        Consistent with all that the seat has seen: its observation is the same.  What will be drawn
        is new as well.  ``seed`` (0 … 2^63-1) settles the guess; None draws one.
        """
        seat = self._checked_seat(seat)
        twin = self.clone()
        chosen = fresh_seed() if seed is None else checked_seed(seed)
        self._setup.kernels.deal_again(twin._raw, seat, chosen)
        twin._look_again()
        return twin

    def with_encoder(self, encoder: str) -> Position:
        """A copy whose :meth:`observe` uses another encoder."""
        twin = self.clone()
        twin._setup = Setup(self.game, self._setup.options, self.game.encoder(encoder))
        twin._look_again()
        return twin

    def to_dict(self) -> dict[str, Any]:
        """The whole state as the record format writes it, hidden information included."""
        return self.game.notation.state_to_dict(self._fields())

    def with_state(self, **fields: Any) -> Position:
        """A copy with some fields of :meth:`to_dict` changed, for hand-made positions.

        Raises StateError for fields and values that the game does not know, and for states that
        its rules cannot go on from (counts that disagree, nobody who could act …).  Nothing checks
        that the position can come about in play.
        """
        raw = self._raw.copy()
        write_fields(self.game, raw, fields)
        return self._with_state(raw, self.last_action)

    def with_bytes(self, raw: bytes) -> Position:
        """A copy with the bytes of another state of the same game and options.

        Raises RacegymError for other bytes, as :meth:`with_state` does.
        """
        if not isinstance(raw, (bytes, bytearray, memoryview)) or len(raw) != self._setup.size:
            raise RacegymError("these bytes are no state of this game")
        return self._with_state(np.frombuffer(raw, np.uint8).copy(), None)

    def _with_state(self, raw: np.ndarray, last_action: int | None) -> Position:
        """A copy with a state from outside; raises StateError if the rules cannot cope with it."""
        setup = self._setup
        check_states(setup.game, setup.codes, raw[None])
        twin = self._with_raw(raw, last_action)
        check_masks(setup.game, np.array([twin.seat]), twin.mask[None])
        return twin

    def _with_raw(self, raw: np.ndarray, last_action: int | None = None) -> Position:
        """A copy with a state of our own making, which is not checked (and not copied)."""
        return Position._of(self._setup, self._seed, raw, last_action)

    @classmethod
    def begun(cls, setup: Setup, seed: int) -> Position:
        """A new game with options that are settled already; else as ``Position(…)``."""
        raw = np.zeros(setup.size, np.uint8)
        setup.kernels.begin(raw, setup.codes, seed)
        return cls._of(setup, seed, raw)

    @classmethod
    def _of(
        cls, setup: Setup, seed: int, raw: np.ndarray, last_action: int | None = None
    ) -> Position:
        """A position made of settled options and a state of our own making, both not checked."""
        position = cls.__new__(cls)
        position._setup = setup
        position._seed = seed
        position._raw = raw
        position.last_action = last_action
        position._look_again()
        return position

    def _checked_seat(self, seat: Any) -> int:
        if not is_whole(seat) or not 0 <= seat < self.num_players:
            raise RacegymError(f"seats are 0 to {self.num_players - 1}, not {seat!r}")
        return int(seat)

    def _look_again(self) -> None:
        setup = self._setup
        self.mask = np.empty(setup.num_actions, np.int8)
        self.seat = setup.kernels.mark_legal(self._raw, self.mask)
        self.observation = np.empty(setup.shape, np.float32)
        setup.kernels.look(self._raw, max(self.seat, 0), self.observation)

    # --- Python's protocols ----------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            _restored,
            (
                registry.reference(self.game),
                self._setup.options,
                self._setup.encoder.id,
                self._seed,
                self.last_action,
                self._raw.tobytes(),
            ),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.game is other.game
            and self._setup.options == other._setup.options
            and self._raw.tobytes() == other._raw.tobytes()
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self._raw.tobytes()))

    def __repr__(self) -> str:
        to_act = "over" if self.seat < 0 else f"player_{self.seat} to act"
        return f"<{self.game.title}, {self.num_players} players, {to_act}>"

    def __str__(self) -> str:
        return self.text()


def _restored(
    name: str,
    options: Mapping[str, Any],
    encoder: str,
    seed: int,
    last_action: int | None,
    raw: bytes,
) -> Position:
    position = Position(name, seed=seed, encoder=encoder, **options)
    if not isinstance(raw, bytes) or len(raw) != position._setup.size:
        raise RacegymError("this position was saved by a racegym with another layout of the state")
    if last_action is not None and not 0 <= position.checked_action(last_action) < (
        position._setup.num_actions
    ):
        raise position.refusal(last_action)
    return position._with_state(np.frombuffer(raw, np.uint8).copy(), last_action)


def make(name: str | Game, seed: int | None = None, **options: Any) -> Position:
    """A new game in progress: ``racegym.make("cafe_race", seed=7, num_players=5)``.

    See :class:`racegym.Position` for arguments and errors.
    """
    return Position(name, seed=seed, **options)
