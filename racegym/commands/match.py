"""``racegym match``: a paired evaluation match between agents."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from racegym.commands import AGENT_HELP, GAME_HELP
from racegym.commands.assignments import add_assignments
from racegym.engine.words import counted
from racegym.errors import RacegymError

if TYPE_CHECKING:
    from racegym.agents.play import Outcomes, Plan
    from racegym.arena.match import Match
    from racegym.arena.result import MatchResult
    from racegym.records import RecordWriter

_INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument(
        "agents",
        metavar="AGENT",
        nargs="+",
        help=f"at least two of: {AGENT_HELP}; with fewer agents than seats, the first takes "
        "one seat and the others share the rest (see --fill)",
    )
    parser.add_argument(
        "-n",
        "--deals",
        type=int,
        default=200,
        help="how many deals (default 200); each is played once per arrangement of the agents over "
        "the seats, with the same dice and cards",
    )
    parser.add_argument(
        "-s",
        "--seed",
        type=int,
        help="whole number from 0 that settles everything (default: drawn)",
    )
    add_assignments(parser, "options of the game; several: -O a=1 b=2")
    _add_schedule(parser)
    parser.add_argument(
        "--perfect-information",
        action="store_true",
        help="admit agents that see hidden information",
    )
    parser.add_argument("--json", metavar="FILE", help="write the result as JSON as well")
    parser.add_argument("--records", metavar="FILE", help="write the record of every game")


def _add_schedule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fill",
        default="focus",
        help="with fewer agents than seats: focus (default) gives the first agent one seat, even "
        "shares the seats among all",
    )
    parser.add_argument(
        "--most-arrangements",
        type=int,
        default=24,
        help="play a line-up in rotations only if it has more arrangements (default 24)",
    )
    parser.add_argument(
        "--until-settled",
        action="store_true",
        help="stop once the first agent is settled to win more, or less, than each other agent",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print its tables; the exit code."""
    from racegym.arena.report import print_report
    from racegym.files import written_whole

    outputs = [Path(name).resolve() for name in (arguments.json, arguments.records) if name]
    if len(outputs) > len(set(outputs)):
        raise RacegymError("--json and --records name the same file: give them two names")
    with ExitStack() as files:
        output = files.enter_context(written_whole(arguments.json)) if arguments.json else None
        result = _play(arguments)
        if output is not None:
            output.write(json.dumps(result.to_dict(), indent=1, allow_nan=False) + "\n")
    print_report(result)
    return _INTERRUPTED if result.interrupted else 0


def _play(arguments: argparse.Namespace) -> MatchResult:
    """The result; that of the whole deals finished if Ctrl-C ends the match."""
    from racegym.arena.match import looks_at
    from racegym.counts import checked_count
    from racegym.records import RecordWriter

    deals = checked_count("-n", arguments.deals)
    writer = RecordWriter(arguments.records) if arguments.records else None
    match = _match(arguments, writer)
    try:
        if writer is None:
            return _played(match, deals, arguments.until_settled)
        with writer:
            return _played(match, deals, arguments.until_settled)
    except KeyboardInterrupt:
        if match.deals == 0:
            raise
        looks = len(looks_at(deals)) if arguments.until_settled else 1
        settled = False if arguments.until_settled else None
        return match.result(looks=looks, settled=settled, interrupted=True)
    finally:
        if writer is not None and writer.written is not None:
            print(
                f"racegym: {counted(writer.games, 'game')} recorded in {writer.written}",
                file=sys.stderr,
            )


def _match(arguments: argparse.Namespace, writer: RecordWriter | None) -> Match:
    from racegym.arena.match import Match
    from racegym.engine import registry
    from racegym.engine.position import Position
    from racegym.records import Recorder

    game = registry.game(arguments.game)

    def note(match: Match, plan: Plan, outcomes: Outcomes) -> None:
        assert writer is not None
        for number, actions in enumerate(outcomes.actions):
            names = [match.names[k] for k in plan.seating[number]]
            start = Position(game, int(plan.seeds[number]), **match.options)
            recorder = Recorder(start, policies=names)
            for action in actions:
                recorder.apply(action)
            writer.add(recorder)

    match = Match(
        game,
        arguments.agents,
        seed=arguments.seed,
        options=game.options.parse(arguments.options or []),
        fill=arguments.fill,
        most_arrangements=arguments.most_arrangements,
        perfect_information=arguments.perfect_information,
        on_games=None if writer is None else note,
    )
    _remark_on_options(match)
    return match


def _remark_on_options(match: Match) -> None:
    """Say so on stderr if a policy was not trained on the options it plays."""
    from racegym.agents.metadata import PolicyMetadata

    for agent, name in zip(match.agents, match.names, strict=True):
        metadata = getattr(agent, "metadata", None)
        if isinstance(metadata, PolicyMetadata) and not metadata.covers(match.options):
            print(f"racegym: note: {name!r} was trained on other options", file=sys.stderr)


def _played(match: Match, deals: int, until_settled: bool) -> MatchResult:
    from racegym.arena.match import play_until_settled
    from racegym.console import progress

    with progress("playing", deals * match.schedule.games_per_deal) as shown:
        if until_settled:
            return play_until_settled(match, deals, finished=shown.advance)
        match.play(deals, shown.advance)
    return match.result()
