"""``racegym games``: what can be played."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from racegym.commands import GAME_HELP

if TYPE_CHECKING:
    from racegym.engine.game import Game
    from racegym.engine.options import Option


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help=f"{GAME_HELP} (default: all of the library)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(arguments: argparse.Namespace) -> int:
    """Print the list; the exit code."""
    import racegym

    names = arguments.games or racegym.game_names()
    games = [described(racegym.game(name)) for name in names]
    if arguments.json:
        print(json.dumps({"games": games}, indent=2))
        return 0
    _print_overview(games)
    _print_options(games)
    return 0


def described(game: Game) -> dict[str, Any]:
    """What there is to say about a game, in JSON types."""
    from racegym.agents.scripted import spec_of

    defaults = game.options.resolve({})
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "version": game.version,
        "players": {"min": game.min_players, "max": game.max_players},
        "actions": game.num_actions,
        "observations": {encoder.id: list(encoder.shape) for encoder in game.encoders},
        "scripted": {spec_of(bot): bot.meaning for bot in game.bots},
        "options": [_option(option, defaults[option.name]) for option in game.options.declared],
    }


def _option(option: Option, default: Any) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": default,
        "depends": callable(option.default),
        "values": option.values,
        "meaning": option.meaning,
    }


def _print_overview(games: list[dict[str, Any]]) -> None:
    from racegym.console import print_table

    rows = []
    for game in games:
        sizes = ", ".join(
            f"{name} {'x'.join(map(str, shape))}" for name, shape in game["observations"].items()
        )
        players = f"{game['players']['min']}-{game['players']['max']}"
        scripted = ", ".join(game["scripted"]) or "none"
        rows.append([game["name"], game["title"], players, game["actions"], sizes, scripted])
    columns = ["game", "title", "players", "actions", "observation sizes", "scripted agents"]
    print_table("Games", columns, rows, right=[3])


def _print_options(games: list[dict[str, Any]]) -> None:
    from racegym.console import print_table

    rows = []
    for game in games:
        for option in game["options"]:
            default = json.dumps(option["default"])
            if option["depends"]:
                default += " (depends)"
            rows.append(
                [game["name"], option["name"], default, option["values"], option["meaning"]]
            )
    columns = ["game", "option", "default", "values", "meaning"]
    print_table("Options", columns, rows, names=2)
