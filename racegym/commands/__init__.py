"""The subcommands of ``racegym``, one module each.

A command's module offers two functions:

``add_arguments(parser)``   add its arguments to an ``argparse.ArgumentParser``
``run(arguments)``          do the work and return the exit code (0, or 1 for a failed check)

or, if it reads its words by itself, ``main(words)``, which returns the exit code.

A caller's mistake is a :class:`racegym.errors.RacegymError` (or an ``OSError`` of a file):
:mod:`racegym.cli` prints it as one line and exits with 2.  Results go to stdout, everything else
to stderr (:mod:`racegym.console` has the progress bar and tables).  Modules are imported when
their command is asked for, and should import what is heavy inside ``run``.
"""

from __future__ import annotations

import argparse
from typing import Protocol

#: Every command with the line that ``racegym --help`` shows; the module has the command's name.
COMMANDS = {
    "games": "list the games: players, actions, observation sizes, options",
    "record": "play games and write their records",
    "verify": "replay every game of a record file and compare",
    "match": "play a paired evaluation match between agents",
    "train": "train a policy by self-play, from a config",
    "export": "export a trained policy as one ONNX file",
    "bench": "measure speed: decisions per second of each way to play",
}

#: What stands for GAME.
GAME_HELP = "a game's name, see 'racegym games', or package.module:GAME for one of your own"

#: What may stand for AGENT.
AGENT_HELP = (
    "random, scripted, scripted:NAME, FILE.onnx, runs/NAME, runs/NAME@best (or @last, "
    "@DECISIONS), FILE.safetensors, a policy with ?greedy behind it, module:callable"
)


class Command(Protocol):
    """What a module of this package offers."""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""

    @staticmethod
    def run(arguments: argparse.Namespace) -> int:
        """Do the work; the exit code."""
