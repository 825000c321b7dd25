"""Checks that one game, many games and uncompiled rules are the same games."""

from __future__ import annotations

import random

import numpy as np

from racegym.engine.events import new_log
from racegym.engine.game import Game
from racegym.engine.instances import Kernels, chooser_of, kernels_of
from racegym.engine.position import Position
from racegym.envs.batch import Batch
from racegym.envs.vector import VectorEnv
from racegym.testing.play import (
    Scenario,
    bytes_of,
    choose_random,
    ensure,
    place_of,
    scenarios,
    seen_by,
)


def check_uncompiled(game: Game, games: int = 8) -> None:
    """The rules run as plain Python give the same games, views, events and results.

    Plain Python refuses a number that does not fit a field, so this shows too that no field
    ever wraps around.
    """
    plain = [Kernels(game, encoder, replaced={}) for encoder in game.encoders]
    for scenario in scenarios(game, games, seed=31):
        _compare_kernels(scenario, kernels_of(game, game.encoders[0]), plain)


def _compare_kernels(scenario: Scenario, compiled: Kernels, plain: list[Kernels]) -> None:
    game, shape = scenario.game, compiled.encoder.shape
    position = scenario.start()
    rng = random.Random(scenario.seed)
    codes = game.options.encode(position.options)
    raws = [np.zeros(game.layout.size, np.uint8) for _ in range(2)]
    for kernels, raw in zip((compiled, plain[0]), raws, strict=True):
        kernels.begin(raw, codes, scenario.seed)
    while not position.is_over:
        action = choose_random(position, rng)
        results = []
        for kernels, raw in zip((compiled, plain[0]), raws, strict=True):
            log = new_log(game.max_events)
            mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(shape, np.float32)
            seat = kernels.advance(raw, action, mask, seen, log)
            results.append([np.array(seat), mask, seen, log, raw])
        position.apply(action)
        place = place_of(scenario, position)
        same = all(np.array_equal(a, b) for a, b in zip(*results, strict=True))
        ensure(same, "compiled and plain rules differ", place)
        ensure(raws[0].tobytes() == position.raw.tobytes(), "a position differs", place)
        ensure(results[0][3][0, 0] <= game.max_events, "more events than max_events", place)
        _compare_views(position, plain, rng.randrange(position.num_players), place)
    _compare_ends(scenario, compiled, plain[0], raws)


def _compare_views(position: Position, plain: list[Kernels], seat: int, place: str) -> None:
    raw = np.frombuffer(bytes_of(position), np.uint8).copy()
    for kernels in plain:
        seen = np.zeros(kernels.encoder.shape, np.float32)
        kernels.look(raw, seat, seen)
        same = np.array_equal(seen, seen_by(position, seat, kernels.encoder))
        ensure(same, f"{kernels.encoder.id} uncompiled sees other things", place)


def _compare_ends(
    scenario: Scenario, compiled: Kernels, plain: Kernels, raws: list[np.ndarray]
) -> None:
    most = scenario.game.max_players
    results = []
    for kernels, raw in zip((compiled, plain), raws, strict=True):
        scores, ranks = np.zeros(most, np.int32), np.zeros(most, np.int32)
        rewards = np.zeros(most, np.float64)
        kernels.conclude(raw, scores, ranks, rewards)
        kernels.deal_again(raw, 1, 7)
        results.append([scores, ranks, rewards, raw])
    same = all(np.array_equal(a, b) for a, b in zip(*results, strict=True))
    ensure(same, "compiled and plain rules end a game differently", scenario)


def check_vector(game: Game, batches: int = 6, steps: int = 250) -> None:
    """Every row of a batch is the game that :class:`racegym.Position` plays from its seed."""
    for number, scenario in enumerate(scenarios(game, batches, seed=32)):
        env = VectorEnv(game, 7, seed=scenario.seed, threads=1 + number % 2, **scenario.options)
        batch = env.reset()
        ensure(len(set(batch.seeds.tolist())) == 7, "games of a batch share seeds", scenario)
        rows = [Position(game, seed=int(s), **scenario.options) for s in batch.seeds]
        for _ in range(steps):
            _compare_rows(batch, rows, scenario)
            actions = env.sample()
            batch = env.step(actions)
            for i, row in enumerate(rows):
                row.apply(actions[i])
                if row.is_over:
                    _compare_end(batch, i, row, scenario)
                    rows[i] = Position(game, seed=int(batch.seeds[i]), **scenario.options)
                else:
                    ensure(not batch.ended[i] and not batch.rewards[i].any(), "early", scenario)
        env.close()


def _compare_rows(batch: Batch, rows: list[Position], scenario: Scenario) -> None:
    for i, row in enumerate(rows):
        ensure(batch.seat[i] == row.seat, f"seat of game {i}", scenario)
        ensure(np.array_equal(batch.mask[i], row.mask), f"mask of game {i}", scenario)
        same = np.array_equal(batch.observation[i], row.observation)
        ensure(same, f"observation of game {i}", scenario)


def _compare_end(batch: Batch, i: int, row: Position, scenario: Scenario) -> None:
    n = row.num_players
    found = [getattr(batch, name)[i] for name in ("scores", "ranks", "rewards")]
    wanted = [row.scores(), row.ranks(), np.asarray(row.rewards(), np.float32).tolist()]
    for mine, theirs in zip(found, wanted, strict=True):
        ensure(mine[:n].tolist() == theirs and not mine[n:].any(), f"end of game {i}", scenario)
    ensure(batch.terminated[i], f"termination of game {i}", scenario)
    ensure(batch.cut[i] == row.is_truncated, f"cut of game {i}", scenario)
    ensure(batch.last_seeds[i] == row.seed, f"seed of game {i}", scenario)


def check_batch_size(game: Game, steps: int = 120) -> None:
    """What happens in a row depends neither on the batch's size nor on the threads."""
    seed = 5
    small, large = VectorEnv(game, 3, seed=seed), VectorEnv(game, 8, seed=seed, threads=3)
    a, b = small.reset(), large.reset()
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        for name in ("seat", "observation", "mask", "seeds", "rewards", "terminated", "scores"):
            mine, theirs = getattr(a, name), getattr(b, name)[:3]
            ensure(np.array_equal(mine, theirs), f"{name} depends on the batch", game.name)
        actions = large.sample(rng)
        a, b = small.step(actions[:3]), large.step(actions)
    large.close()


def check_bots(game: Game, steps: int = 300) -> None:
    """Scripted agents play legal actions only, end their games, and repeat themselves."""
    for bot in game.bots:
        choose = chooser_of(game, bot)
        for scenario in scenarios(game, 6, seed=34):
            env = VectorEnv(game, 16, seed=1, encoder=bot.encoder, **scenario.options)
            batch, ended = env.reset(), 0
            for number in range(steps):
                bits = np.arange(16) * 7919 + number
                actions, again = np.full((2, 16), -1, np.int64)
                choose(batch.observation, batch.mask, bits, actions)
                choose(batch.observation, batch.mask, bits, again)
                allowed = (actions >= 0) & (actions < game.num_actions)
                legal = allowed.all() and batch.mask[np.arange(16), actions].all()
                ensure(legal, f"scripted:{bot.name} plays an illegal action", scenario)
                ensure((actions == again).all(), f"scripted:{bot.name} wavers", scenario)
                batch = env.step(actions)
                ended += int(batch.ended.sum())
            ensure(ended or steps < 300, f"scripted:{bot.name} ends no game", scenario)


def check_rollout(game: Game, decisions: int = 400) -> None:
    """The kernel that plays random games in one call does what its plain-Python form does."""
    encoder = game.encoder()
    for scenario in scenarios(game, 3, seed=33):
        codes = game.options.encode(scenario.start().options)
        results = []
        for kernels in (kernels_of(game, encoder), Kernels(game, encoder, replaced={})):
            raw, mask = np.zeros(game.layout.size, np.uint8), np.zeros(game.num_actions, np.int8)
            seen, log = np.zeros(encoder.shape, np.float32), new_log(0)[:0]
            results_of = [np.zeros(game.max_players, t) for t in (np.int32, np.int32, np.float32)]
            done = kernels.rollout(
                raw, codes, scenario.seed, decisions, mask, seen, log, *results_of
            )
            results.append((int(done[0]), raw.tobytes(), float(done[1])))
        ensure(results[0][:2] == results[1][:2], "rollouts differ", scenario)
        # Plain Python adds the checksum up in float32.
        ensure(np.isclose(results[0][2], results[1][2], rtol=1e-4), "checksums differ", scenario)
