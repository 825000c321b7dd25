"""Record and verify many full games of a game over all its options, by the commands themselves.

``python -m tests.records.many GAME GAMES [FOLDER]`` plays at least GAMES games in batches, each
with other options (every player count, every value of every option, then random mixtures, courses
of the user's own included), and stops at the first batch that does not verify.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import racegym
from racegym.cli import main as command
from racegym.testing.play import option_samples
from tests.rules.ave_caesar.test_own_course import small

BATCH = 40


def batches(name: str) -> Any:
    """Sets of options without end."""
    rng = random.Random(f"many records of {name}")
    samples = option_samples(racegym.game(name), rng)
    for number, options in enumerate(samples):
        if name == "ave_caesar" and number % 6 == 5:
            yield {"course": small(), "num_players": 3, "direction": rng.choice(["cw", "ccw"])}
        yield options


def assignment(key: str, value: Any, folder: Path) -> str:
    """An option as the command line takes it; objects go through a file."""
    if isinstance(value, dict):
        file = folder / f"{key}.json"
        file.write_text(json.dumps(value))
        value = str(file)
    return f"{key}={value if isinstance(value, str) else json.dumps(value)}"


def record_and_verify(name: str, games: int, folder: Path) -> tuple[int, int, int]:
    """How many games, moves and sets of options were recorded and verified."""
    played = moves = sets = 0
    for number, options in enumerate(batches(name)):
        if played >= games:
            break
        file = folder / f"{name}-{number}.jsonl"
        given = [assignment(key, value, folder) for key, value in options.items()]
        words = ["record", name, "-n", str(BATCH), "-s", str(number), "--full", "-o", str(file)]
        if command([*words, *(["-O", *given] if given else [])]) or command(["verify", str(file)]):
            raise SystemExit(f"{name} with {options}: see {file}")
        with file.open() as lines:
            moves += sum('"type":"move"' in line.replace(" ", "") for line in lines)
        file.unlink()
        played, sets = played + BATCH, sets + 1
    return played, moves, sets


def main() -> None:
    """The command line."""
    name, games, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory(dir=rest[0] if rest else None) as folder:
        played, moves, sets = record_and_verify(name, int(games), Path(folder))
    print(f"{name}: {played} games, {moves} moves, {sets} sets of options: no divergence")


if __name__ == "__main__":
    main()
