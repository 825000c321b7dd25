"""``racegym bench``: decisions per second of each way to play."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from racegym.commands import GAME_HELP
from racegym.commands.assignments import add_assignments

if TYPE_CHECKING:
    from racegym.engine.game import Game

#: Rows of the table: a figure's path in a game's entry of the report, and what it is.
_RATES = (
    ("kernel", "compiled rollout"),
    ("vector", "vector env, 1,024 games"),
    ("vector_in_place", "vector env, copy=False"),
    ("position", "Position, one game"),
    ("aec", "AEC env, last() and step()"),
    ("records.write_compact", "write compact records"),
    ("records.verify_compact", "verify compact records"),
    ("records.write_full", "write full records"),
    ("records.verify_full", "verify full records"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help=f"{GAME_HELP} (default: all of the library)"
    )
    parser.add_argument("--json", metavar="FILE", help="write all figures as JSON as well")
    add_assignments(parser, "options of the games (default: each game's own); several: -O a=1 b=2")
    parser.add_argument("--cold", action="store_true", help="measure compiling too (slow)")
    parser.add_argument("--runs", type=int, default=5, help="runs per figure, the best counts")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a run")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print the table, write the JSON; the exit code."""
    from racegym.console import progress
    from racegym.files import written_whole

    games = _games(arguments.games)
    options = _options(games, arguments.options)
    effort = _effort(arguments)
    from racegym.bench import full_report

    with ExitStack() as files:
        output = files.enter_context(written_whole(arguments.json)) if arguments.json else None
        with progress("measuring", len(games) + 1, unit="parts") as shown:
            report = full_report(games, options, effort, arguments.cold, shown.advance)
        if output is not None:
            output.write(json.dumps(report, indent=1, allow_nan=False) + "\n")
    _print(report)
    return 0


def _games(names: list[str]) -> list[Game]:
    import racegym

    return [racegym.game(name) for name in names or racegym.game_names()]


def _options(games: list[Game], assignments: list[str] | None) -> dict[str, Any] | None:
    """The options given, which must fit every game."""
    if assignments is None:
        return None
    for game in games:
        given = game.options.parse(assignments)
        game.options.resolve(given)
    return given


def _effort(arguments: argparse.Namespace) -> Any:
    from racegym.bench import Effort
    from racegym.errors import RacegymError

    if arguments.runs < 1:
        raise RacegymError(f"--runs is a whole number from 1, not {arguments.runs}")
    if not 0 < arguments.seconds <= 60:
        raise RacegymError(f"--seconds is more than 0 and at most 60, not {arguments.seconds}")
    return Effort(arguments.runs, arguments.seconds)


def _print(report: dict[str, Any]) -> None:
    from racegym.console import print_table

    games = report["games"]
    rows = [
        [meaning, *(_rate(_at(game, path)["best"]) for game in games)] for path, meaning in _RATES
    ]
    columns = ["decisions per second", *(_title(game) for game in games)]
    conditions = report["conditions"]
    title = (
        f"{report['machine']['processor']}, one thread, best of {conditions['runs']} runs of "
        f"{conditions['seconds_per_run']} s"
    )
    right = list(range(1, len(columns)))
    print_table(title, columns, rows, right)
    print_table("Beside it", ["", *columns[1:]], _other_rows(report), right)
    print(f"import racegym: {report['import_seconds']:.3f} s in a fresh process")
    peer = report["peer"]
    print(f"{peer['name']} in the same AEC loop: {_rate(peer['best'])} decisions per second")


def _other_rows(report: dict[str, Any]) -> list[list[str]]:
    games = report["games"]
    rows = [
        ["AEC env to PettingZoo's Connect Four", *(f"{g['aec_to_peer']:.1f} x" for g in games)],
        ["bytes of a state", *(str(g["memory"]["state_bytes"]) for g in games)],
        [
            "bytes per game in a batch of 100,000",
            *(f"{g['memory']['bytes_per_game']:.0f}" for g in games),
        ],
    ]
    for kind, state in (("fresh_process_seconds", "warm"), ("cold_cache_seconds", "cold")):
        for step, meaning in (("make", "first game"), ("vector_step", "first vector step")):
            if games and kind in games[0]:
                times = (f"{game[kind][step]:.2f} s" for game in games)
                rows.append([f"{meaning} in a fresh process, {state} cache", *times])
    return rows


def _title(game: dict[str, Any]) -> str:
    import racegym

    defaults = racegym.game(game["game"]).options.resolve({})
    changed = [f"{k}={v}" for k, v in game["options"].items() if v != defaults[k]]
    return " ".join([game["game"], *changed])


def _at(entry: dict[str, Any], path: str) -> Any:
    for name in path.split("."):
        entry = entry[name]
    return entry


def _rate(value: float) -> str:
    return f"{value:,.0f}"
