"""``racegym verify``: replay every game of a record file and compare every line."""

from __future__ import annotations

import argparse
import os
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="a file of game records")
    parser.add_argument(
        "--game",
        metavar="MODULE:GAME",
        action="append",
        default=[],
        help="a game of your own that the file may hold (records import nothing by themselves)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Verify; 0 if every line is right, 1 at the first that is not."""
    from racegym.console import progress
    from racegym.engine import registry
    from racegym.engine.words import counted
    from racegym.errors import RecordError
    from racegym.records import verify

    for name in arguments.game:
        registry.game(name)  # from here on it is known by the name that records have
    size = os.stat(arguments.file).st_size
    done = 0
    try:
        with progress("verifying", size, unit="bytes") as shown:

            def advance(read: int) -> None:
                nonlocal done
                shown.advance(read - done)
                done = read

            verified = verify(arguments.file, advance)
    except RecordError as error:
        if error.line == 0:  # the file cannot be read: a mistake in the call
            raise
        print(f"{arguments.file}:{error}", file=sys.stderr)
        return 1
    for name, count in verified.games.items():
        print(f"{name}: {counted(count, 'game')}")
    full, cut = verified.full, verified.truncated
    games, moves = counted(verified.total, "game"), counted(verified.moves, "move")
    print(f"{arguments.file}: {games} ({full} full, {cut} truncated), {moves}: every line replays")
    return 0
