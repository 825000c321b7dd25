"""Train a policy from nothing, export it, and let it play a match: what ``make demo`` runs.

About four minutes on two cores.  Everything that is made lies in one folder below ``runs/``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from racegym.arena.match import Match
from racegym.arena.report import print_report
from racegym.cli import Parser, run_command
from racegym.errors import RacegymError

CONFIG = Path(__file__).parents[1] / "configs" / "cafe_race" / "demo.yaml"


def main(words: Sequence[str] | None = None) -> int:
    """Run the demo; returns the exit code (130 if the training was interrupted)."""
    return run_command("demo", _main, sys.argv[1:] if words is None else words)


def _main(words: Sequence[str]) -> int:
    # Here, so that a missing extra is told in one line.
    from training.config import Config
    from training.export import export_run
    from training.reading import blamed, read_config
    from training.train import Trainer

    parser = Parser(
        prog="examples/demo.py",
        description="Train a policy, export it, and let it play a match.",
        epilog="Any setting of configs/cafe_race/demo.yaml: --section.key value",
        allow_abbrev=False,
    )
    parser.add_argument("--deals", type=int, default=50, help="paired deals per opponent")
    arguments, overrides = parser.parse_known_args(words)
    if arguments.deals < 1:
        raise RacegymError(f"--deals takes a whole number from 1, not {arguments.deals}")
    config = read_config(Config, CONFIG, overrides)
    with blamed(str(CONFIG), overrides):
        trainer = Trainer.new(config)
    code = trainer.train()
    if code:
        return code
    folder = trainer.run.folder
    policy = folder / "policy.onnx"
    export_run(folder, policy)
    for opponent in ("random", "scripted"):
        match = Match(config.game.name, [str(policy), opponent], seed=1)
        match.play(arguments.deals)
        print_report(match.result())
    print(f"policy:   {policy}")
    print(f"run:      {folder}")
    print(f"again:    racegym match {config.game.name} {policy} scripted -n 200 --seed 1")
    return 0


if __name__ == "__main__":
    sys.exit(main())
