"""What a user waits for in a fresh process: imports, first games, compiling."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from racegym.engine.game import Game
from racegym.engine.registry import reference
from racegym.errors import RacegymError

_IMPORT = """
import time, json
begun = time.perf_counter()
import racegym
print(json.dumps(time.perf_counter() - begun))
"""

_FIRST = """
import time, json
begun = time.perf_counter()
import racegym
racegym.make({name!r}, seed=0)
made = time.perf_counter() - begun
from racegym.envs.vector import VectorEnv
env = VectorEnv({name!r}, 1024, seed=0)
env.reset()
reset = time.perf_counter() - begun
env.step(env.sample())
step = time.perf_counter() - begun
print(json.dumps([made, reset, step]))
"""


def measure_import(runs: int) -> float:
    """Seconds that ``import racegym`` takes in a fresh process, best of some."""
    return min(_output(_IMPORT) for _ in range(runs))


def measure_first(game: Game, runs: int) -> dict[str, float]:
    """Seconds from the start of a fresh process's imports, compiled code being in the cache.

    To a game made by ``racegym.make``, then to the first reset of a batch of 1,024 games, then to
    its first step; best of some.
    """
    results = [_output(_FIRST.format(name=reference(game))) for _ in range(runs)]
    made, reset, step = (min(column) for column in zip(*results, strict=True))
    return {"make": made, "vector_reset": reset, "vector_step": step}


def measure_cold(game: Game) -> dict[str, float]:
    """As :func:`measure_first`, once, with an empty cache: everything is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        made, reset, step = _output(_FIRST.format(name=reference(game)), RACEGYM_CACHE_DIR=folder)
    return {"make": made, "vector_reset": reset, "vector_step": step}


def _output(program: str, **environment: str) -> Any:
    """The JSON that a Python program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        reason = (done.stderr.strip() or "no message").splitlines()[-1]
        raise RacegymError(f"a fresh process failed: {reason}")
    return json.loads(done.stdout)
