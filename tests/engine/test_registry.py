"""Games by name, and games of one's own."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

import racegym
from racegym.engine import registry
from tests.engine import toy


def test_games_are_listed() -> None:
    """Also once modules of games have been loaded."""
    racegym.game("cafe_race")
    assert racegym.game_names()[: len(registry.BUILT_IN)] == list(registry.BUILT_IN)


def test_a_game_by_name_or_description() -> None:
    game = racegym.game("cafe_race")
    assert game.name == "cafe_race"
    assert racegym.game(game) is game
    assert racegym.game("cafe_race") is game


def test_a_game_need_not_be_registered_to_be_played() -> None:
    position = racegym.make(toy.GAME, seed=3, num_players=3)
    while not position.is_over:
        position.apply(position.legal_actions()[-1])
    assert "toy" not in racegym.game_names()
    assert sum(position.rewards()) == pytest.approx(0)


def test_registering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", [])
    monkeypatch.setattr(registry, "_games", dict(registry._games))
    racegym.register(toy.GAME)
    assert racegym.game_names()[-1] == "toy"
    assert racegym.make("toy", seed=1).game is toy.GAME
    with pytest.raises(racegym.RacegymError, match="there is a game 'toy' already"):
        racegym.register(toy.GAME)
    with pytest.raises(racegym.RacegymError, match="there is a game 'cafe_race' already"):
        racegym.register(dataclasses.replace(toy.GAME, name="cafe_race"))
    with pytest.raises(racegym.RacegymError, match="a game is named by"):
        racegym.register("toy")  # type: ignore[arg-type]


def test_a_game_without_a_source_file_can_be_played() -> None:
    """As in a notebook, or piped into Python."""
    source = Path(toy.__file__).read_text("utf-8")
    lines = "import racegym\nposition = racegym.make(GAME, seed=1)\nposition.apply(2)\nprint(position.decisions)\n"
    run = [sys.executable, "-c", f"{source}\n{lines}"]
    done = subprocess.run(run, capture_output=True, text=True, env=_uncompiled())
    assert done.stdout == "1\n", done.stderr


def _uncompiled() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}
