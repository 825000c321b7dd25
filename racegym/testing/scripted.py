"""Hand-made positions with the dice and draws to come written down, for tests of single rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from racegym.engine import chance
from racegym.engine.game import Game
from racegym.engine.instances import Kernels
from racegym.engine.position import Position
from racegym.engine.setup import Setup

_STREAMS = {
    chance.DEALS: "deals",
    chance.DICE: "dice",
    chance.TIES: "ties",
    chance.REDEALS: "redeals",
}


class ScriptError(AssertionError):
    """The rules asked for other chance than was written down."""


@dataclass(frozen=True)
class Die:
    """One die roll: it shows ``value``.  A plain integer in a script means the same."""

    value: int
    stream: int | None = None


@dataclass(frozen=True)
class Pick:
    """One choice among equals: the one at ``index`` (from 0), of ``among`` if that is given."""

    index: int
    among: int | None = None
    stream: int | None = None


@dataclass(frozen=True)
class Order:
    """One shuffle: afterwards the items stand in this order.  A plain list means the same."""

    items: Sequence[int]
    stream: int | None = None


Entry = int | Die | Pick | Order | Sequence[int]


class Script:
    """The chance to come, in the order in which the rules will ask for it."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: list[Die | Pick | Order] = []
        self._used = 0
        self.extend(entries)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Write more chance down."""
        self._entries += [_entry(e) for e in entries]

    @property
    def left(self) -> list[Die | Pick | Order]:
        """What has not been used."""
        return self._entries[self._used :]

    def replacements(self) -> dict[Any, Any]:
        """What stands in the place of the engine's chance when rules run uncompiled."""
        return {chance.roll: self._roll, chance.below: self._below, chance.shuffle: self._shuffle}

    def check_used_up(self) -> None:
        """Raise ScriptError if anything is left."""
        if self.left:
            raise ScriptError(f"scripted chance that was never asked for: {self.left}")

    def _next(self, kind: type, asked: str, stream: int) -> Any:
        if not self.left:
            raise ScriptError(f"the rules ask for {asked}, and the script is used up")
        entry = self.left[0]
        if not isinstance(entry, kind):
            raise ScriptError(f"the rules ask for {asked}, the script goes on with {entry}")
        if entry.stream is not None and entry.stream != stream:
            expected = _STREAMS[entry.stream]
            raise ScriptError(f"the rules ask for {asked}, the script has it in {expected}")
        self._used += 1
        return entry

    def _roll(self, s: Any, stream: int, sides: int) -> int:
        asked = f"a die of {sides} sides ({_STREAMS[stream]})"
        value = int(self._next(Die, asked, stream).value)
        if not 1 <= value <= sides:
            raise ScriptError(f"the rules ask for {asked}, which cannot show {value}")
        return value

    def _below(self, s: Any, stream: int, n: int) -> int:
        asked = f"a pick among {n} ({_STREAMS[stream]})"
        entry = self._next(Pick, asked, stream)
        if not 0 <= entry.index < n or entry.among not in (None, n):
            raise ScriptError(f"the rules ask for {asked}, the script has {entry}")
        return int(entry.index)

    def _shuffle(self, s: Any, stream: int, items: Any, first: int, count: int) -> None:
        present = [int(items[first + i]) for i in range(count)]
        asked = f"a shuffle of {present} ({_STREAMS[stream]})"
        wanted = [int(i) for i in self._next(Order, asked, stream).items]
        if sorted(wanted) != sorted(present):
            raise ScriptError(f"the rules ask for {asked}, the script has {wanted}")
        for i in range(count):
            items[first + i] = wanted[i]


def _entry(entry: Entry) -> Die | Pick | Order:
    if isinstance(entry, (Die, Pick, Order)):
        return entry
    return Die(entry) if isinstance(entry, int) else Order(entry)


class ScriptedPosition:
    """A position whose chance is written down; see :func:`scripted`.

    As a context manager it checks at the end that the script is used up.

    Attributes:
        position: the position itself, with all its methods; it runs uncompiled.
        events: the events of the latest action.
        history: the events of all actions so far.
    """

    def __init__(self, position: Position, script: Script) -> None:
        self.position = position
        self.events: list[dict[str, Any]] = []
        self.history: list[dict[str, Any]] = []
        self._script = script

    def apply(self, *actions: str | int, chance: Iterable[Entry] | None = None) -> ScriptedPosition:
        """Play actions, given in words or as numbers, one after the other.

        With ``chance``, exactly that chance must be used up by them.
        """
        if chance is not None:
            self._script.check_used_up()
            self._script.extend(chance)
        for action in actions:
            number = self.position.action_from_text(action) if isinstance(action, str) else action
            self.events = self.position.apply_with_events(number)
            self.history += self.events
        if chance is not None:
            self._script.check_used_up()
        return self

    def script(self, *entries: Entry) -> ScriptedPosition:
        """Write more chance down."""
        self._script.extend(entries)
        return self

    def state(self) -> dict[str, Any]:
        """The whole state as a record writes it."""
        return self.position.to_dict()

    def __getitem__(self, field: str) -> Any:
        """One field of :meth:`state`."""
        return self.state()[field]

    def legal(self) -> list[str]:
        """The legal actions in words, sorted."""
        return self.position.legal_texts()

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """The events of the latest action that are of one kind."""
        return [e for e in self.events if e["kind"] == kind]

    def close(self) -> None:
        """Raise ScriptError if any scripted chance is left."""
        self._script.check_used_up()

    def __enter__(self) -> ScriptedPosition:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()


def scripted(
    game: str | Game,
    options: Mapping[str, Any] | None = None,
    fields: Mapping[str, Any] | None = None,
    chance: Iterable[Entry] = (),
    setup: Iterable[Entry] | None = None,
    seed: int = 0,
    encoder: str = "flat",
) -> ScriptedPosition:
    """A hand-made position with scripted chance.

    Args:
        game: a game's name or description.
        options: the game's options.
        fields: state fields to change, as :meth:`racegym.Position.with_state` takes them.
        chance: the dice (integers or :class:`Die`), picks (:class:`Pick`) and shuffles (lists or
            :class:`Order`) to come, in the order in which the rules will ask.
        setup: the same for the set-up of the game, used up by it; None takes it from ``seed``.
        seed: settles the set-up when ``setup`` is None.
        encoder: what ``position.observe`` means.

    Raises:
        ScriptError: the script does not fit what the rules ask for (also from ``apply``).
    """
    position = Position(game, seed=seed, encoder=encoder, **(options or {}))
    script = Script(setup or ())
    shared = Setup(position.game, position.options, position.game.encoder(encoder))
    shared.kernels = Kernels(shared.game, shared.encoder, script.replacements())
    position._setup = shared
    if setup is not None:
        shared.kernels.begin(position._raw, shared.codes, seed)
        script.check_used_up()
    script.extend(chance)
    return ScriptedPosition(position.with_state(**(fields or {})), script)
