"""Compare the compiled kernels with hand-written C: the same games, one thread, turn by turn.

    python benchmarks/compare_c.py [--decisions N] [--runs R] [--cc COMPILER]

Builds the programs in ``benchmarks/c`` with -O3 -march=native, checks that both sides play the
same games (equal checksums), times them alternately and prints JSON: decisions per second of CPU
time (best of the runs) and the ratio kernel / C (of the best, and the median over the pairs).
"""

from __future__ import annotations

import argparse
import json
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

import racegym
from racegym.engine.events import no_log
from racegym.engine.instances import kernels_of

SOURCES = pathlib.Path(__file__).parent / "c"

#: Per game with a C program: the options to compare, and the program's arguments for them.
CASES: dict[str, list[tuple[dict[str, Any], list[str]]]] = {
    "cafe_race": [
        ({"num_players": 4}, ["4", "0"]),
        ({"num_players": 4, "rules": "advanced"}, ["4", "1"]),
        ({"num_players": 6}, ["6", "0"]),
        ({"num_players": 6, "rules": "advanced"}, ["6", "1"]),
    ],
    "dino_race": [
        ({"num_players": 2}, ["2", "0", "0", "1"]),
        ({"num_players": 4}, ["4", "0", "0", "1"]),
        ({"num_players": 4, "variant": "survive"}, ["4", "0", "1", "1"]),
        ({"num_players": 6, "teams": True}, ["6", "1", "0", "1"]),
    ],
}


class Rollout:
    """The kernel rollout of a game with options."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        game = racegym.game(name)
        encoder = game.encoder()
        self._rollout = kernels_of(game, encoder).rollout
        most = game.max_players
        self._before = (
            np.zeros(game.layout.size, np.uint8),
            game.options.encode(game.options.resolve(options)),
        )
        self._after = (
            np.zeros(game.num_actions, np.int8),
            np.zeros(encoder.shape, np.float32),
            no_log(),
            np.zeros(most, np.int32),
            np.zeros(most, np.int32),
            np.zeros(most, np.float32),
        )

    def run(self, decisions: int, seed: int) -> tuple[float, int, float]:
        """CPU seconds, games finished and checksum."""
        began = time.process_time()
        games, checksum = self._rollout(*self._before, seed, decisions, *self._after)
        return time.process_time() - began, games, checksum


def build(name: str, compiler: str, folder: str) -> str:
    """Compile the C program of a game; returns its path."""
    program = str(pathlib.Path(folder) / name)
    source = str(SOURCES / f"{name}.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
    return program


def compare(
    name: str, options: dict[str, Any], program: list[str], decisions: int, runs: int
) -> dict[str, Any]:
    """Time kernel and C alternately and compare them."""
    rollout = Rollout(name, options)
    rollout.run(1000, 1)
    kernel, by_hand = [], []
    for _ in range(runs):
        seconds, games, checksum = rollout.run(decisions, 1)
        kernel.append(seconds)
        arguments = [program[0], str(decisions), "1", *program[1:]]
        answer = json.loads(subprocess.run(arguments, capture_output=True, check=True).stdout)
        by_hand.append(answer["cpu_seconds"])
        if answer["games"] != games or abs(answer["checksum"] - checksum) > 1e-6 * abs(checksum):
            sys.exit(f"{name} {options}: the C program plays other games: {answer} {checksum}")
    ratios = [c / k for c, k in zip(by_hand, kernel, strict=True)]
    return {
        "game": name,
        "options": options,
        "kernel_per_s": round(decisions / min(kernel)),
        "c_per_s": round(decisions / min(by_hand)),
        "ratio_of_best": round(min(by_hand) / min(kernel), 3),
        "ratio_median_of_pairs": round(statistics.median(ratios), 3),
    }


def main() -> None:
    """Run all comparisons and print JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="*", help="games to compare (default: all with a program)")
    parser.add_argument("--decisions", type=int, default=500_000)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--cc", default="cc")
    arguments = parser.parse_args()
    if shutil.which(arguments.cc) is None:
        sys.exit(f"there is no compiler {arguments.cc!r} here; name one with --cc")
    unknown = [name for name in arguments.games if name not in CASES]
    if unknown:
        parser.error(f"no C program for {unknown[0]!r}; there are: {', '.join(CASES)}")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.games or CASES:
            program = build(name, arguments.cc, folder)
            for options, words in CASES[name]:
                results.append(
                    compare(name, options, [program, *words], arguments.decisions, arguments.runs)
                )
    conditions = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "decisions": arguments.decisions,
        "runs": arguments.runs,
        "threads": 1,
    }
    print(json.dumps({"conditions": conditions, "results": results}, indent=2))


if __name__ == "__main__":
    main()
