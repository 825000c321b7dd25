"""Decisions per second of every way to play a game, in this process and on one thread."""

from __future__ import annotations

import math
import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from racegym.engine.events import no_log
from racegym.engine.game import Game
from racegym.engine.instances import kernels_of
from racegym.engine.position import Position
from racegym.envs import env as aec_env
from racegym.envs.vector import VectorEnv
from racegym.records import RecordWriter, record_games, verify

#: Games in the batch that is timed, and in the one whose memory is measured.
BATCH = 1024
LARGE_BATCH = 100_000
SEED = 7


@dataclass(frozen=True)
class Effort:
    """How much to measure: each figure is the best of ``runs`` of about ``seconds`` each."""

    runs: int = 5
    seconds: float = 0.5


STANDARD = Effort()


def measure_game(game: Game, options: Mapping[str, Any], effort: Effort) -> dict[str, Any]:
    """All figures of a game with options.

    Every part plays random legal actions.  ``best`` and ``median`` are decisions per second;
    ``kernel``, ``vector`` and ``position`` give every decision its observation (encoder ``flat``)
    and mask, and games that end start again.
    """
    resolved = game.options.resolve(dict(options))
    return {
        "game": game.name,
        "version": game.version,
        "options": resolved,
        "kernel": best_of(_kernel(game, resolved), effort),
        "vector": best_of(_vector(game, resolved, copy=True), effort),
        "vector_in_place": best_of(_vector(game, resolved, copy=False), effort),
        "position": best_of(_position(game, resolved), effort),
        "aec": best_of(_aec(game, resolved), effort),
        "records": measure_records(game, resolved, effort),
        "memory": measure_memory(game, resolved),
    }


def best_of(work: Callable[[float], tuple[int, float]], effort: Effort) -> dict[str, Any]:
    """Run ``work(seconds)`` → (decisions, seconds it took), after a first time to warm up."""
    work(min(effort.seconds, 0.05))
    results = [work(effort.seconds) for _ in range(effort.runs)]
    rates = [decisions / seconds for decisions, seconds in results]
    return {"best": max(rates), "median": statistics.median(rates), "runs": len(rates)}


# --- the ways to play ----------------------------------------------------------------------------


def _kernel(game: Game, options: dict[str, Any]) -> Callable[[float], tuple[int, float]]:
    """One call that plays game after game natively."""
    encoder = game.encoder()
    most = game.max_players
    rollout = kernels_of(game, encoder).rollout
    before = (np.zeros(game.layout.size, np.uint8), game.options.encode(options))
    after = (
        np.zeros(game.num_actions, np.int8),
        np.zeros(encoder.shape, np.float32),
        no_log(),
        np.zeros(most, np.int32),
        np.zeros(most, np.int32),
        np.zeros(most, np.float32),
    )

    def work(seconds: float) -> tuple[int, float]:
        decisions = 2000
        while True:  # as many decisions as take about that long
            begun = time.perf_counter()
            rollout(*before, SEED, decisions, *after)
            took = time.perf_counter() - begun
            if took >= 0.7 * seconds:
                return decisions, took
            decisions = int(decisions * min(10.0, max(1.5, seconds / max(took, 1e-6))))

    return work


def _vector(
    game: Game, options: dict[str, Any], copy: bool
) -> Callable[[float], tuple[int, float]]:
    """A batch of 1,024 games stepped from Python, its actions sampled natively."""
    env = VectorEnv(game, BATCH, seed=SEED, copy=copy, **options)
    env.reset()

    def work(seconds: float) -> tuple[int, float]:
        steps = 0
        begun = time.perf_counter()
        while (took := time.perf_counter() - begun) < seconds:
            for _ in range(10):
                env.step(env.sample())
            steps += 10
        return steps * BATCH, took

    return work


def _position(game: Game, options: dict[str, Any]) -> Callable[[float], tuple[int, float]]:
    """One game in Python: its observation, its mask and an action at every decision."""
    rng = random.Random(SEED)

    def work(seconds: float) -> tuple[int, float]:
        decisions = 0
        begun = time.perf_counter()
        while (took := time.perf_counter() - begun) < seconds:
            position = Position(game, seed=rng.getrandbits(60), **options)
            while position.seat >= 0:
                assert position.observation is not None
                legal = position.mask.nonzero()[0].tolist()
                position.apply(legal[int(rng.random() * len(legal))])
                decisions += 1
        return decisions, took

    return work


def _aec(game: Game, options: dict[str, Any]) -> Callable[[float], tuple[int, float]]:
    """PettingZoo's loop over ``last()`` and ``step()``, its actions settled beforehand."""
    env = aec_env(game, **options)
    return aec_loop(env, [random_game(game, options, seed) for seed in range(20)])


def random_game(game: Game, options: dict[str, Any], seed: int) -> tuple[int, list[int]]:
    """Seed and actions of a game played at random."""
    rng = random.Random(seed)
    position = Position(game, seed=seed, **options)
    actions = []
    while position.seat >= 0:
        actions.append(rng.choice(position.legal_actions()))
        position.apply(actions[-1])
    return seed, actions


def aec_loop(env: Any, games: list[tuple[int, list[int]]]) -> Callable[[float], tuple[int, float]]:
    """Replay games (seed, actions) through ``last()`` and ``step()``, dead steps included.

    Choosing the actions is no part of what is timed, so that it weighs on no environment.
    """

    def work(seconds: float) -> tuple[int, float]:
        decisions = 0
        begun = time.perf_counter()
        while (took := time.perf_counter() - begun) < seconds:
            for seed, actions in games:
                env.reset(seed=seed)
                for action in actions:
                    env.last()
                    env.step(action)
                while env.agents:
                    env.last()
                    env.step(None)
                decisions += len(actions)
        return decisions, took

    return work


# --- records and memory --------------------------------------------------------------------------


def measure_records(game: Game, options: dict[str, Any], effort: Effort) -> dict[str, Any]:
    """Decisions per second of playing and writing records, and of verifying them."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("compact", "full"):
            path = Path(folder) / f"{kind}.jsonl"
            write = _written(game, options, path, full=kind == "full")
            figures[f"write_{kind}"] = best_of(write, effort)
            figures[f"verify_{kind}"] = best_of(_verified(path), effort)
            with open(path, "rb") as file:
                moves = sum(b'"type":"move"' in line for line in file)
            figures[f"bytes_per_move_{kind}"] = path.stat().st_size / moves
    return figures


def _written(
    game: Game, options: dict[str, Any], path: Path, full: bool
) -> Callable[[float], tuple[int, float]]:
    games = 64

    def work(seconds: float) -> tuple[int, float]:
        nonlocal games
        while True:  # as many games as take about that long
            begun = time.perf_counter()
            with RecordWriter(path) as writer:
                for recorder in record_games(game, games, SEED, options=options, full=full):
                    writer.add(recorder)
            took = time.perf_counter() - begun
            if took >= 0.7 * seconds:
                return writer.moves, took
            games = 64 * math.ceil(games / 64 * min(10.0, seconds / took))

    return work


def _verified(path: Path) -> Callable[[float], tuple[int, float]]:
    def work(seconds: float) -> tuple[int, float]:
        moves = 0
        begun = time.perf_counter()
        while (took := time.perf_counter() - begun) < seconds or moves == 0:
            moves += verify(path).moves
        return moves, took

    return work


def measure_memory(game: Game, options: dict[str, Any]) -> dict[str, Any]:
    """Bytes per game that a batch of 100,000 games takes, the arrays it hands out included."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        env = VectorEnv(game, LARGE_BATCH, seed=SEED, copy=False, **options)
        env.reset()
        env.step(env.sample())
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return {
        "games": LARGE_BATCH,
        "state_bytes": game.layout.size,
        "bytes_per_game": (held - before) / LARGE_BATCH,
        "peak_bytes_per_game": (peak - before) / LARGE_BATCH,
    }
