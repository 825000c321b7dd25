"""Measure every game with its default options and print JSON.

    python benchmarks/run.py [GAME …] [--runs R] [--seconds S] [--cold] > results.json

``racegym bench`` prints the same figures as a table.
"""

from __future__ import annotations

import argparse
import json

import racegym
from racegym.bench import Effort, full_report


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="games to measure (default: all)")
    parser.add_argument("--runs", type=int, default=5, help="runs per figure, the best counts")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a run")
    parser.add_argument("--cold", action="store_true", help="measure compiling too (slow)")
    arguments = parser.parse_args()
    games = [racegym.game(name) for name in arguments.games or racegym.game_names()]
    effort = Effort(arguments.runs, arguments.seconds)
    print(json.dumps(full_report(games, effort=effort, cold=arguments.cold), indent=1))


if __name__ == "__main__":
    main()
