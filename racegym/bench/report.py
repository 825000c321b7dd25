"""The whole benchmark as one JSON object, with the conditions it was made under."""

from __future__ import annotations

import datetime
import importlib.util
import os
import platform
import random
import sys
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from racegym.bench.measure import BATCH, STANDARD, Effort, aec_loop, best_of, measure_game
from racegym.bench.processes import measure_cold, measure_first, measure_import
from racegym.engine.game import Game

FORMAT = "racegym-bench/1"
_VERSIONS = ("racegym", "numpy", "numba", "gymnasium", "pettingzoo")


def full_report(
    games: Sequence[Game],
    options: Mapping[str, Any] | None = None,
    effort: Effort = STANDARD,
    cold: bool = False,
    finished: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Measure games.

    Args:
        games: what to measure.
        options: of the games; None means each game's defaults.
        effort: how long and how often.
        cold: measure compile times too (with an empty cache, about half a minute per game).
        finished: called after each of the ``len(games) + 1`` parts.

    Returns:
        JSON types: machine, versions, conditions, ``import_seconds``, ``peer`` (PettingZoo's own
        Connect Four in the same run) and one entry per game.
    """
    runs = min(effort.runs, 3)
    report: dict[str, Any] = {
        "format": FORMAT,
        "machine": machine(),
        "versions": versions(),
        "conditions": {
            "threads": 1,
            "runs": effort.runs,
            "seconds_per_run": effort.seconds,
            "batch": BATCH,
            "figure": "decisions per second, best of the runs; random legal play",
            "began": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        },
        "import_seconds": measure_import(runs),
        "peer": measure_peer(effort),
        "games": [],
    }
    finished()
    for game in games:
        figures = measure_game(game, options or {}, effort)
        figures["fresh_process_seconds"] = measure_first(game, runs)
        if cold:
            figures["cold_cache_seconds"] = measure_cold(game)
        figures["aec_to_peer"] = figures["aec"]["best"] / report["peer"]["best"]
        report["games"].append(figures)
        finished()
    return report


def measure_peer(effort: Effort) -> dict[str, Any]:
    """PettingZoo's ``connect_four_v3`` in the same loop as our AEC environments."""
    env = _peer_env()
    games = []
    for seed in range(20):
        rng = random.Random(seed)
        env.reset(seed=seed)
        actions: list[int] = []
        while not (env.last()[2] or env.last()[3]):
            legal = env.last()[0]["action_mask"].nonzero()[0].tolist()
            actions.append(rng.choice(legal))
            env.step(actions[-1])
        games.append((seed, actions))
    return {"name": "pettingzoo.classic.connect_four_v3", **best_of(aec_loop(env, games), effort)}


def _peer_env() -> Any:
    """Its module imports pygame, which only its pictures need: an empty one will do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stand_in = importlib.util.find_spec("pygame") is None
        if stand_in:
            sys.modules["pygame"] = types.ModuleType("pygame")
        try:
            from pettingzoo.classic import connect_four_v3

            return connect_four_v3.env()
        finally:
            if stand_in:
                del sys.modules["pygame"]


def machine() -> dict[str, Any]:
    """What this runs on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Versions of what the figures depend on."""
    from racegym import __version__

    found = {name: metadata.version(name) for name in _VERSIONS if name != "racegym"}
    return {"racegym": __version__, **found}
