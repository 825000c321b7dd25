"""Write the golden files of a game anew: ``python -m tests.golden.make GAME``.

A deliberate act: a changed golden file means that old records and policies no longer fit, so it
goes with a new version of the game (or encoder) and a line in the changelog.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import random
import sys

import racegym
from racegym.engine.game import Game
from racegym.testing.play import Scenario, choose_random, seen_by
from tests.full_record import full_record
from tests.golden.variants import VARIANTS

FOLDER = pathlib.Path(__file__).parent


def record_text(game: Game, name: str) -> str:
    """One golden game as the text of its file."""
    variant = VARIANTS[game.name][name]
    lines = full_record(Scenario(game, variant.options, variant.seed))
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def action_text(game: Game) -> str:
    """What every action number means, one a line."""
    return "".join(f"{number}\t{meaning}\n" for number, meaning in game.action_table)


def layout_text(game: Game) -> str:
    """Every encoder's shape and slices, one a line."""
    lines = []
    for encoder in game.encoders:
        lines.append(f"{encoder.id}\t{encoder.shape}")
        for part in encoder.table.slices.values():
            lines.append(f"{encoder.id}\t{part.start}\t{part.stop}\t{part.name}\t{part.meaning}")
    return "".join(line + "\n" for line in lines)


def observation_text(game: Game) -> str:
    """For every encoder a hash of all that is seen in the golden games."""
    lines = []
    for encoder in game.encoders:
        whole = hashlib.sha256()
        for variant in VARIANTS[game.name].values():
            position = Scenario(game, variant.options, variant.seed).start()
            rng = random.Random(variant.seed)
            while not position.is_over:
                for seat in range(position.num_players):
                    whole.update(seen_by(position, seat, encoder).astype("<f4").tobytes())
                position.apply(choose_random(position, rng))
        lines.append(f"{encoder.id}\t{whole.hexdigest()}\n")
    return "".join(lines)


def golden_files(game: Game) -> dict[str, str]:
    """All golden files of a game: name and text."""
    files = {f"{name}.jsonl": record_text(game, name) for name in VARIANTS[game.name]}
    files["actions.txt"] = action_text(game)
    files["layout.txt"] = layout_text(game)
    files["observations.txt"] = observation_text(game)
    return files


def main() -> None:
    """Write the files of the games named on the command line."""
    for name in sys.argv[1:]:
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        for file, text in golden_files(racegym.game(name)).items():
            (folder / file).write_text(text, "utf-8", newline="\n")
            print(folder / file)


if __name__ == "__main__":
    main()
