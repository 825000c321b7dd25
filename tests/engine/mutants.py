"""States damaged at random, and plain Python that plays on with them and notices every fault.

Uncompiled, NumPy raises where compiled rules would write beyond their memory; here negative
indexes, which NumPy counts from the end, are refused as well.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np

from racegym.engine.compile import uncompiled
from racegym.engine.events import new_log
from racegym.engine.game import Game
from racegym.engine.instances import Kernels
from racegym.engine.state import FieldArray, State
from racegym.engine.validity import MISTAKES, check_states

SECONDS = 20  #: longer than any step takes, so that an endless loop is noticed


class StrictArray(np.ndarray):
    """An array that refuses negative indexes."""

    def __getitem__(self, index: Any) -> Any:
        _refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_negative(index)
        super().__setitem__(index, value)


def _refuse_negative(index: Any) -> None:
    kind = type(index)
    if kind is tuple:
        for part in index:
            _refuse_negative(part)
    elif kind is not slice and index < 0:
        raise IndexError(f"negative index {index}")


class _Part(FieldArray):
    """An array field (or part of one) that refuses negative indexes."""

    def __getitem__(self, index: Any) -> Any:
        _refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_negative(index)
        super().__setitem__(index, value)


class _State(State):
    """A state whose array fields refuse negative indexes."""

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if isinstance(found, np.ndarray):
            found = self.__dict__[name] = found.view(_Part)
        return found


class _StrictNumpy:
    """NumPy, but that new arrays are strict."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if name in ("zeros", "full", "empty"):
            return lambda *sizes: found(*sizes).view(StrictArray)
        return found


class PlainGame:
    """A game's kernels, encoders and scripted agents in plain Python, strict about indexes."""

    def __init__(self, game: Game) -> None:
        copies: dict[Any, Any] = {}
        self.game = game
        self.seen_by = {e.id: Kernels(game, e, copies) for e in game.encoders}
        self.kernels = self.seen_by[game.encoder().id]
        chosen = [(game.encoder(bot.encoder).id, bot.choose) for bot in game.bots]
        self.bots = [(encoder, uncompiled(choose, copies)) for encoder, choose in chosen]
        for kernels in self.seen_by.values():
            for names in (kernels._rules.names, kernels._observing.names):
                names["view"] = lambda raw: [_State(game.layout, raw)]
        for copy in copies.values():
            _make_strict(getattr(copy, "py_func", copy).__globals__)

    def play_on(self, codes: np.ndarray, raw: np.ndarray, rng: random.Random, steps: int) -> None:
        """Look at a state in every way, redeal it, and play on; anything but that raises.

        What comes of a state that was accepted must be accepted, too.
        """
        raw = raw.copy()
        state = State(self.game.layout, raw)
        mask = np.zeros(self.game.num_actions, np.int8).view(StrictArray)
        seat = self.kernels.mark_legal(raw, mask)
        self.look(raw, rng)
        for _ in range(steps):
            for viewer in rng.sample(range(state.num_players), 2):
                twin = raw.copy()
                self.kernels.deal_again(twin, viewer, rng.randrange(2**63))
                check_states(self.game, codes, twin[None])
                self.look(twin, rng, [rng.choice(list(self.seen_by))])
            if seat < 0 or not mask.any():
                break
            action = self.choose(raw, int(seat), mask, rng)
            log = new_log(self.game.max_events).view(StrictArray)
            out = _blank(self.kernels.encoder.shape)
            seat = self.kernels.advance(raw, action, mask, out, log)
            check_states(self.game, codes, raw[None])
            self.look(raw, rng, [rng.choice(list(self.seen_by))])
        if seat < 0:
            results = (np.zeros(self.game.max_players, kind) for kind in ("i4", "i4", "f8"))
            self.kernels.conclude(raw, *(array.view(StrictArray) for array in results))

    def look(
        self, raw: np.ndarray, rng: random.Random, encoders: Iterable[str] | None = None
    ) -> None:
        """One seat's view by some encoders (default: all), and in words."""
        fields = State(self.game.layout, raw, read_only=True)
        seat = rng.randrange(fields.num_players)
        for encoder in self.seen_by if encoders is None else encoders:
            kernels = self.seen_by[encoder]
            out = _blank(kernels.encoder.shape)
            kernels.look(raw, seat, out)
            assert np.isfinite(out).all()
        self.game.notation.describe(fields, seat)
        self.game.notation.state_to_dict(fields)

    def choose(self, raw: np.ndarray, seat: int, mask: np.ndarray, rng: random.Random) -> int:
        """A legal action by chance, after all scripted agents have chosen one, too."""
        legal = np.flatnonzero(mask).tolist()
        fields = State(self.game.layout, raw, read_only=True)
        for action in legal:
            self.game.notation.action_to_text(fields, action)
        chosen = rng.choice(legal)
        for encoder, choose in self.bots:
            out = _blank(self.seen_by[encoder].encoder.shape)
            self.seen_by[encoder].look(raw, seat, out)
            action = int(choose(out, mask, rng.randrange(2**62)))
            assert action in legal, f"a scripted agent chose {action}"
            chosen = rng.choice([chosen, action])
        return chosen


def _make_strict(names: dict[str, Any]) -> None:
    for name, value in names.items():
        if isinstance(value, np.ndarray):
            names[name] = value.view(StrictArray)
        elif value is np:
            names[name] = _StrictNumpy()
        elif name == "GUESSES":  # hands that Ave Caesar tries: plain Python takes long for many
            names[name] = 20


def _blank(shape: tuple[int, ...]) -> Any:
    return np.full(shape, 0, np.float32).view(StrictArray)


@contextmanager
def bounded_time() -> Iterator[None]:
    """Raise TimeoutError when what is done within takes too long (where there are such alarms)."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("an endless loop")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def mutant(game: Game, states: list[np.ndarray], rng: random.Random) -> np.ndarray:
    """One of the states with some things changed: single numbers, or fields as records have them.

    May raise what a notation raises for fields that make no state.
    """
    raw = rng.choice(states).copy()
    record = State(game.layout, raw)
    if rng.random() < 0.4:
        _change_fields(game, record, rng.choice(states), rng)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 5))):
        if rng.random() < 0.03:
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        else:
            _change_number(game, record, rng.choice(states), rng)
    return raw


def _change_fields(game: Game, record: Any, other: np.ndarray, rng: random.Random) -> None:
    """Give some fields of a record's state those of another state, or other numbers."""
    mine, theirs = (game.notation.state_to_dict(State(game.layout, r)) for r in (record.raw, other))
    fields = {}
    for name in rng.sample(sorted(mine), rng.choice((1, 1, 2, 3, 6))):
        fields[name] = theirs[name] if rng.random() < 0.7 else _varied(mine[name], rng)
    game.notation.state_from_dict(record, fields)


def _varied(value: Any, rng: random.Random) -> Any:
    """A JSON value with one number in it changed, or two of its parts swapped."""
    if isinstance(value, list) and value:
        i, k = rng.randrange(len(value)), rng.randrange(len(value))
        changed = list(value)
        if rng.random() < 0.5:
            changed[i], changed[k] = value[k], value[i]
        else:
            changed[i] = _varied(value[i], rng)
        return changed
    if isinstance(value, dict) and value:
        name = rng.choice(sorted(value))
        return {**value, name: _varied(value[name], rng)}
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 1, rng.randint(-9, 9)))
    return value if isinstance(value, str) else rng.choice((None, 0, 1, 2))


def _change_number(game: Game, record: Any, other: np.ndarray, rng: random.Random) -> None:
    """Change a number within bounds mostly, swap two, or take a field over from another state."""
    field = rng.choice(game.layout.fields)
    if rng.random() < 0.15:
        record[field.name] = State(game.layout, other)[field.name]
        return
    values = np.atleast_1d(np.array(record[field.name], field.dtype))
    at = tuple(rng.randrange(size) for size in values.shape)
    if values.size > 1 and rng.random() < 0.2:
        second = tuple(rng.randrange(size) for size in values.shape)
        values[at], values[second] = values[second].copy(), values[at].copy()
    else:
        values[at] = _another(field, values, at, rng)
    record[field.name] = values.reshape(field.shape)


def _another(field: Any, values: np.ndarray, at: tuple[int, ...], rng: random.Random) -> int:
    limits = np.iinfo(values.dtype)
    low, high = field.bounds
    high = 7 if high is None else high
    drawn = rng.random()
    if drawn < 0.4:
        chosen = int(values[at]) + rng.choice((-1, 1))
    elif drawn < 0.9:
        lowest, highest = (int(np.broadcast_to(b, values.shape)[at]) for b in (low, high))
        chosen = rng.randint(lowest, min(highest, lowest + 300))
    else:
        chosen = rng.randint(limits.min, limits.max)
    return max(min(chosen, limits.max), limits.min)


def accepted_mutant(
    game: Game, codes: np.ndarray, states: list[np.ndarray], rng: random.Random
) -> np.ndarray | None:
    """A mutant that may come in from outside, None if the one made may not."""
    try:
        raw = mutant(game, states, rng)
        check_states(game, codes, raw[None])
    except MISTAKES:  # StateError is a ValueError
        return None
    return raw
