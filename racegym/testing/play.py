"""What all checks need: which games to play, how to play them, and how to say what is wrong."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym.engine.game import Encoder, Game
from racegym.engine.instances import kernels_of
from racegym.engine.options import Choice, Flag, Option, WholeNumber, WholeNumbers
from racegym.engine.position import Position
from racegym.errors import OptionError

#: Decisions after which a game counts as endless.
LIMIT = 100_000

Choose = Callable[[Position, random.Random], int]


class CheckFailed(AssertionError):
    """A game does not do what every game must do."""


def ensure(condition: Any, problem: str, place: Any = "") -> None:
    """Raise CheckFailed with the problem and where it was seen, unless the condition holds."""
    if not condition:
        raise CheckFailed(f"{place}: {problem}" if place != "" else problem)


@dataclass(frozen=True)
class Scenario:
    """One game to play: options and seed."""

    game: Game
    options: dict[str, Any]
    seed: int

    def start(self, encoder: str = "flat") -> Position:
        """A new game."""
        return Position(self.game, seed=self.seed, encoder=encoder, **self.options)

    def __str__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"{self.game.name}(seed={self.seed}{options})"


def scenarios(game: Game, count: int, seed: int = 0) -> Iterator[Scenario]:
    """``count`` games: every player count, then every single option value, then random mixtures."""
    rng = random.Random(f"{game.name} {seed}")
    for options in itertools.islice(option_samples(game, rng), count):
        yield Scenario(game, options, rng.randrange(2**63))


def option_samples(game: Game, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Options to play a game with, without end."""
    declared = game.options.declared
    single: list[dict[str, Any]] = [{"num_players": n} for n in game.num_players_allowed]
    single += [{option.name: v} for option in declared[1:] for v in _some_values(option, rng)]
    yield from (given for given in single if is_allowed(game, given))
    while True:
        drawn = [(o.name, _some_values(o, rng)) for o in declared if rng.random() < 0.6]
        given = {name: rng.choice(values) for name, values in drawn if values}
        if is_allowed(game, given):
            yield given


def is_allowed(game: Game, options: dict[str, Any]) -> bool:
    """True if the game can be played with these options."""
    try:
        game.options.resolve(options)
    except OptionError:
        return False
    return True


def _some_values(option: Option, rng: random.Random) -> list[Any]:
    """A few values that the option takes; single choices completely."""
    if isinstance(option, Choice):
        return list(option.choices)
    if isinstance(option, Flag):
        return [False, True]
    if isinstance(option, WholeNumbers):
        return [_composition(option, rng)]
    if isinstance(option, WholeNumber):
        near = rng.randint(option.low, min(option.high, option.low + 20))
        return sorted({option.low, near})
    return []


def _composition(option: WholeNumbers, rng: random.Random) -> list[int]:
    """Random whole numbers within the option's bounds and with its sum."""
    if option.total is None:
        return [rng.randint(option.low, option.high) for _ in range(option.length)]
    numbers = [option.low] * option.length
    while sum(numbers) < option.total:
        i = rng.randrange(option.length)
        numbers[i] += numbers[i] < option.high
    return numbers


def choose_random(position: Position, rng: random.Random) -> int:
    """A uniformly random legal action."""
    return rng.choice(position.legal_actions())


def choose_first(position: Position, rng: random.Random) -> int:
    """The first legal action."""
    return position.legal_actions()[0]


def choose_last(position: Position, rng: random.Random) -> int:
    """The last legal action."""
    return position.legal_actions()[-1]


def walk(
    scenario: Scenario, choose: Choose = choose_random, limit: int | None = None
) -> Iterator[Position]:
    """Play a game to its end, giving the position at every decision and at the end.

    It is one object, played on between one and the next.
    """
    position = scenario.start()
    yield position
    yield from play_on(position, random.Random(scenario.seed), choose, limit, scenario)


def play_on(
    position: Position,
    rng: random.Random,
    choose: Choose = choose_random,
    limit: int | None = None,
    place: Any = "",
) -> Iterator[Position]:
    """Play a position to its end, giving it after every decision.

    ``limit`` is how many decisions it may take (default :data:`LIMIT`).
    """
    limit = LIMIT if limit is None else limit
    for _ in range(limit):
        if position.is_over:
            return
        position.apply(choose(position, rng))
        yield position
    ensure(position.is_over, f"the game goes on after {limit} decisions", place)


def place_of(scenario: Scenario, position: Position) -> str:
    """Where a check is, for messages."""
    return f"{scenario} after {position.decisions} decisions"


def seen_by(position: Position, seat: int, encoder: Encoder) -> np.ndarray:
    """What a seat sees through an encoder."""
    observation = np.empty(encoder.shape, np.float32)
    raw = np.frombuffer(bytes_of(position), np.uint8).copy()
    kernels_of(position.game, encoder).look(raw, seat, observation)
    return observation


def bytes_of(position: Position) -> bytes:
    """The bytes of a position's state."""
    return position.raw.tobytes()


def hiding_encoders(game: Game) -> list[Encoder]:
    """The encoders that show a seat no more than it may know."""
    return [e for e in game.encoders if e.hides]


def complete_encoders(game: Game) -> list[Encoder]:
    """Those of them that are meant to tell all that a seat may know."""
    return [e for e in hiding_encoders(game) if e.complete]


def digest(scenario: Scenario) -> str:
    """A hash of all that happens and is seen in a random game, the same on every machine."""
    whole = hashlib.sha256()
    for position in walk(scenario):
        whole.update(bytes_of(position))
        whole.update(position.mask.tobytes())
        whole.update(position.observation.tobytes())
    whole.update(repr((position.scores(), position.ranks(), position.rewards())).encode())
    return whole.hexdigest()
