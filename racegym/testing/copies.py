"""Checks of copies, saved games and seeds."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys

import numpy as np

from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.testing.play import (
    Scenario,
    bytes_of,
    choose_random,
    digest,
    ensure,
    place_of,
    scenarios,
    seen_by,
    walk,
)
from racegym.testing.steps import is_json


def check_copies(game: Game, games: int = 8) -> None:
    """clone, copy, deepcopy, pickle and restore at every decision go on like the original."""
    for scenario in scenarios(game, games, seed=11):
        rng = random.Random(scenario.seed)
        position = scenario.start()
        copies: list[Position] = []
        while not position.is_over:
            place = place_of(scenario, position)
            copies = [*copies[:4], *_copies_of(position, scenario)]
            for twin in copies:
                _ensure_same(twin, position, place)
            action = choose_random(position, rng)
            kept = bytes_of(position)
            for twin in copies:
                twin.apply(action)
            ensure(bytes_of(position) == kept, "playing a copy changed the original", place)
            position.apply(action)
        for twin in [*copies, *_copies_of(position, scenario)]:
            _ensure_same(twin, position, place_of(scenario, position))


def _copies_of(position: Position, scenario: Scenario) -> list[Position]:
    restored = Position(scenario.game, seed=0, **scenario.options)
    restored.restore(position)
    return [
        position.clone(),
        copy.copy(position),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
        restored,
    ]


def _ensure_same(twin: Position, position: Position, place: str) -> None:
    ensure(twin is not position and twin == position, "a copy differs", place)
    ensure(hash(twin) == hash(position), "a copy has another hash", place)
    ensure(twin.seat == position.seat and twin.seed == position.seed, "a copy differs", place)
    ensure(twin.last_action == position.last_action, "a copy has another last action", place)
    ensure(twin.options == position.options, "a copy has other options", place)
    ensure(np.array_equal(twin.mask, position.mask), "a copy has another mask", place)
    ensure(np.array_equal(twin.observation, position.observation), "a copy sees others", place)


def check_state_dict(game: Game, games: int = 12) -> None:
    """The state as a dict holds everything, is made of JSON types, and can be read back.

    Fields that the layout says to be remembered are left out: no record tells them.
    """
    for scenario in scenarios(game, games, seed=12):
        fresh = Position(game, seed=scenario.seed + 1, **scenario.options)
        for position in walk(scenario):
            place = place_of(scenario, position)
            fields = position.to_dict()
            ensure(is_json(fields), f"not JSON: {fields}", place)
            same = position.with_state(**fields) == position
            ensure(same, "with_state(to_dict()) differs", place)
            ensure(position.to_dict() == fields, "with_state changed the original", place)
            twin = fresh.with_state(**fields)
            ensure(twin.to_dict() == fields, f"{fields} was read as {twin.to_dict()}", place)
            twin = _remembering(twin, position)
            ensure(np.array_equal(twin.mask, position.mask), "the mask is not told", place)
            for encoder in game.encoders:
                for seat in range(position.num_players):
                    mine, theirs = (seen_by(p, seat, encoder) for p in (twin, position))
                    ensure(np.array_equal(mine, theirs), f"{encoder.id} sees more", place)


def _remembering(twin: Position, position: Position) -> Position:
    state = twin.state
    for field in twin.game.layout:
        if field.remembered:
            state[field.name] = position.state[field.name]
    return twin._with_raw(state.raw)


# --- seeds ---------------------------------------------------------------------------------------


def check_seeds(game: Game, games: int = 12) -> None:
    """The same seed gives the same game, others give others; global generators have no part."""
    digests = set()
    for scenario in scenarios(game, games, seed=13):
        random.seed(1)
        np.random.seed(1)
        first = digest(scenario)
        random.seed(2)
        np.random.seed(2)
        ensure(digest(scenario) == first, "the same seed gives another game", scenario)
        other = Scenario(game, scenario.options, scenario.seed ^ 1)
        digests |= {first, digest(other)}
    ensure(len(digests) == 2 * games, "different seeds give the same game", game.name)
    for position in walk(scenario):
        state = random.getstate()
        position.observe(0)
        position.text(0)
        ensure(random.getstate() == state, "looking draws random numbers", scenario)


def check_processes(game: Game, games: int = 4, preamble: str = "") -> None:
    """Another process plays the same games from the same seeds.

    ``preamble`` is Python that makes the game known there (for games of your own).
    """
    code = (
        f"{preamble}\nimport racegym\n"
        "from racegym.testing.play import digest, scenarios\n"
        f"for s in scenarios(racegym.game({game.name!r}), {games}, seed=14): print(digest(s))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    ensure(done.returncode == 0, f"the other process failed: {done.stderr}", game.name)
    mine = [digest(scenario) for scenario in scenarios(game, games, seed=14)]
    ensure(done.stdout.split() == mine, "another process plays other games", game.name)
