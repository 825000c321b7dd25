"""What ``import racegym`` brings in, and how much memory long runs take."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

import racegym
from racegym.envs.vector import VectorEnv

HEAVY = (
    *("torch", "matplotlib", "tensorboard", "onnx", "onnxruntime", "stable_baselines3"),
    *("numba", "pygame", "rich", "jsonargparse", "aiohttp", "sb3_contrib"),
)


def test_import_is_light() -> None:
    code = f"import sys, racegym; print([m for m in {HEAVY!r} if m in sys.modules])"
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    seconds = time.perf_counter() - began
    assert done.stdout == "[]\n", done.stdout + done.stderr
    assert done.stderr == ""
    assert seconds < 5  # far below; the bench measures it


def test_playing_needs_no_torch() -> None:
    code = (
        "import sys, racegym\n"
        "racegym.make('cafe_race', seed=1).apply(0)\n"
        "print([m for m in ('torch', 'matplotlib', 'pygame') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


def test_version() -> None:
    assert racegym.__version__.count(".") == 2


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'positon'"):
        _ = racegym.positon


def resident() -> int:
    """Memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_million_games_leave_memory_as_it_was() -> None:
    env = VectorEnv("cafe_race", 1024, seed=1, num_players=3, max_turns=1)
    env.reset()
    games, before = 0, 0
    while games < 1_000_000:
        games += int(env.step(env.sample()).ended.sum())
        if games >= 10_000 and not before:
            before = resident()
    assert resident() - before < 20 * 2**20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_many_positions_leave_memory_as_it_was() -> None:
    def play(count: int) -> None:
        for seed in range(count):
            position = racegym.make("cafe_race", seed=seed, max_turns=1)
            while not position.is_over:
                position = position.clone()
                position.apply(0)

    play(1_000)
    before = resident()
    play(20_000)
    assert resident() - before < 20 * 2**20
