"""``racegym record``: play games and write their records."""

from __future__ import annotations

import argparse
import sys

from racegym.commands import AGENT_HELP, GAME_HELP
from racegym.commands.assignments import add_assignments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("-n", "--games", type=int, required=True, help="how many games")
    parser.add_argument(
        "-s",
        "--seed",
        type=int,
        help="whole number from 0 that settles everything; each game has a seed derived from it "
        "(default: drawn, and told on stderr)",
    )
    parser.add_argument(
        "--agents",
        metavar="A,B,…",
        help=f"one agent for all seats, or one per seat: {AGENT_HELP} (default: random)",
    )
    add_assignments(parser, "options of the game; several: -O a=1 b=2")
    parser.add_argument(
        "--full", action="store_true", help="note legal actions, events and state of each move too"
    )
    parser.add_argument(
        "--perfect-information",
        action="store_true",
        help="admit agents that see hidden information",
    )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write")


def run(arguments: argparse.Namespace) -> int:
    """Play and write; the exit code."""
    from racegym.console import progress
    from racegym.counts import checked_count
    from racegym.engine import registry
    from racegym.engine.seeds import fresh_seed
    from racegym.engine.words import counted
    from racegym.records import RecordWriter, record_games

    games = checked_count("-n", arguments.games)
    game = registry.game(arguments.game)
    seed = fresh_seed() if arguments.seed is None else arguments.seed
    played = record_games(
        game,
        games,
        seed,
        agents=arguments.agents.split(",") if arguments.agents is not None else None,
        options=game.options.parse(arguments.options or []),
        full=arguments.full,
        perfect_information=arguments.perfect_information,
    )
    writer = RecordWriter(arguments.output)
    try:
        if arguments.seed is None:
            print(f"racegym: seed {seed}", file=sys.stderr)
        with writer, progress("recording", games) as shown:
            for recorder in played:
                writer.add(recorder)
                shown.advance()
    except BaseException:
        if writer.written is not None:
            kept = f"kept the {counted(writer.games, 'game')} finished so far in {writer.written}"
            print(f"racegym: {kept}", file=sys.stderr)
        raise
    done = f"{counted(writer.games, 'game')} of {game.name}, {counted(writer.moves, 'move')}"
    print(f"{done}, in {arguments.output}")
    return 0
