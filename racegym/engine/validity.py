"""Whether states that come from outside are ones that the rules can go on from.

Compiled rules check no index: a number out of range would make them write beyond their memory,
or never end.  So whatever was made by hand, unpickled or read from a file is held to what the
layout and the game declare before they see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from racegym.engine.game import Game, Unreachable
from racegym.engine.instances import kernels_of
from racegym.engine.layout import Field
from racegym.engine.state import State
from racegym.errors import StateError, quoted


def check_states(game: Game, codes: np.ndarray, raw: np.ndarray, reachable: bool = False) -> None:
    """Raise StateError for the first of some states that is none, in one line.

    Args:
        game: the game's description.
        codes: its options, encoded.
        raw: uint8 (N, bytes of a state).
        reachable: refuse what is :class:`~racegym.engine.game.Unreachable` too.
    """
    fresh = np.zeros(game.layout.size, np.uint8)
    kernels_of(game, game.encoder()).begin(fresh, codes, 0)
    reference = State(game.layout, fresh)
    states = np.ascontiguousarray(raw).view(game.layout.dtype)[:, 0]
    for field in game.layout:
        _check_field(game, field, states[field.name], reference)
    _check_padding(game, raw)
    if game.contradictions is not None:
        for wrong, reason in game.contradictions(states):
            if wrong.any() and (reachable or not isinstance(reason, Unreachable)):
                raise _refusal(game, wrong, reason)


def check_masks(game: Game, seats: np.ndarray, masks: np.ndarray) -> None:
    """Raise StateError if somebody is to act in a state and can do nothing.

    Args:
        game: the game's description.
        seats: whole numbers (N,), the seats to act, negative ones in games that are over.
        masks: int8 (N, actions), their legal actions.
    """
    stuck = (seats >= 0) & ~masks.any(axis=1)
    if stuck.any():
        raise _refusal(game, stuck, "the player to act has no legal action")


def _check_field(game: Game, field: Field, values: np.ndarray, reference: Any) -> None:
    if field.fixed:
        low = high = reference[field.name]
    else:
        low, high = field.bounds
        if high is None:
            high = reference.num_players - 1
    wrong = ~((values >= low) & (values <= high))  # NaN is wrong as well
    if not wrong.any():
        return
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    lowest, highest = (np.broadcast_to(bound, field.shape)[at[1:]] for bound in (low, high))
    allowed = f"{lowest}" if lowest == highest else f"{lowest} to {highest}"
    name = "".join((field.name, *(f"[{i}]" for i in at[1:])))
    reason = f"{name} is {values[at]}, not {allowed}"
    raise _refusal(game, wrong, reason)


def _check_padding(game: Game, raw: np.ndarray) -> None:
    """Bytes between the fields are zero, else equal states would not be equal."""
    unused = np.ones(game.layout.size, bool)
    for dtype, offset, *_ in (game.layout.dtype.fields or {}).values():
        unused[offset : offset + dtype.itemsize] = False
    wrong = raw[:, unused] != 0
    if wrong.any():
        raise _refusal(game, wrong, "bytes between its fields are not zero")


def _refusal(game: Game, wrong: np.ndarray, reason: str) -> StateError:
    """The error for the first of the states concerned: bool (N, …)."""
    which = "this" if len(wrong) == 1 else f"game {int(np.argwhere(wrong)[0, 0])}"
    return StateError(f"{which} is no state of {game.title}: {reason}")


# --- states made by hand -------------------------------------------------------------------------

#: What notations may raise for fields that make no state.
MISTAKES = (ValueError, TypeError, OverflowError, KeyError, IndexError, AttributeError)
#: What NumPy and Python say of lists that are none, or of another length or depth.
_OF_FORM = (
    *("broadcast", "sequence", "dimension", "inhomogeneous", "unpack"),
    *("has no len()", "not iterable", "not reversible", "not subscriptable", "unhashable"),
    *("int() argument", "list indices", "no attribute"),
)


def write_fields(game: Game, raw: np.ndarray, fields: Mapping[str, Any]) -> None:
    """Write fields of a record into a state, which is not checked yet.

    Args:
        game: the game's description.
        raw: uint8, the bytes of one started state.
        fields: some of those that the game's notation knows.

    Raises:
        StateError: for other fields, and values that they do not take; the state is spoilt then.
    """
    fractions = any(np.dtype(f.dtype).kind == "f" for f in game.layout)
    before = raw.copy()
    try:
        plain = _in_plain_types(fields, fractions)
        _write(game, raw, plain)
        reason = _misread(plain, game.notation.state_to_dict(State(game.layout, raw)))
    except MISTAKES as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        if any(words in reason for words in _OF_FORM):
            reason = _misshapen(game, before, plain)
    if reason is not None:
        raise StateError(f"this is no state of {game.title}: {reason}") from None


def _write(game: Game, raw: np.ndarray, fields: Mapping[str, Any]) -> None:
    game.notation.state_from_dict(State(game.layout, raw), dict(fields))


def _misshapen(game: Game, raw: np.ndarray, fields: Mapping[str, Any]) -> str:
    """What is wrong with fields that NumPy or Python could not read as lists, in our words."""
    room = {field.name: field.shape for field in game.layout}
    for name, value in fields.items():
        try:
            _write(game, raw.copy(), {name: value})
        except MISTAKES:
            shape = room.get(name, ())
            if isinstance(value, list) and len(shape) == 1 and len(value) > shape[0]:
                return f"{name} has room for {shape[0]} values, not {len(value)}"
            return f"{name} is not written like this: {quoted(value)}"
    return f"{', '.join(fields)} do not go together"


def _misread(given: Mapping[str, Any], read: Mapping[str, Any]) -> str | None:
    """Which list given was taken for one of another length (NumPy repeats single values)."""
    for name, value in given.items():
        if name in read and not _as_long(value, read[name]):
            return f"{name} is not written like this: {quoted(value)}"
    return None


def _as_long(given: Any, read: Any) -> bool:
    """True unless a list was read that was not given, or was given with another length."""
    if not isinstance(read, list):
        return True
    if not isinstance(given, list) or len(given) != len(read):
        return False
    return all(_as_long(*pair) for pair in zip(given, read, strict=True))


def _in_plain_types(value: Any, fractions: bool) -> Any:
    """Fields of a state without NumPy's numbers, which would wrap around where they do not fit.

    Raises ValueError for numbers that are not whole, which NumPy would cut off, unless the layout
    has such (``fractions``).
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, float) and not fractions:
        raise ValueError(f"{value!r} is no whole number")
    if isinstance(value, Mapping):
        return {name: _in_plain_types(part, fractions) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_in_plain_types(part, fractions) for part in value]
    return value
