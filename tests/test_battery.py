"""Every game of the library passes the battery, and has its tests, records and docs."""

from __future__ import annotations

import pathlib
import re

import pytest

import racegym
from racegym.testing import CHECKS, check_game, check_processes
from racegym.testing.play import hiding_encoders

ROOT = pathlib.Path(__file__).parent.parent


@pytest.mark.parametrize("check", CHECKS)
def test_battery(game_name: str, check: str) -> None:
    check_game(game_name, [check])


def test_another_process_plays_the_same_games(game_name: str) -> None:
    check_processes(racegym.game(game_name))


def test_player_counts_out_of_range_are_refused(game_name: str) -> None:
    game = racegym.game(game_name)
    for wrong in (game.min_players - 1, game.max_players + 1):
        with pytest.raises(racegym.OptionError):
            game.options.resolve({"num_players": wrong})


def test_game_has_all_encoders(game_name: str) -> None:
    game = racegym.game(game_name)
    assert {"flat", "full", "tokens"} <= {encoder.name for encoder in game.encoders}
    assert hiding_encoders(game)[0].name == "flat"


def test_game_states_its_invariants_and_its_longest_game(game_name: str) -> None:
    game = racegym.game(game_name)
    assert game.contradictions is not None and game.max_decisions is not None


def test_game_has_a_default_scripted_agent(game_name: str) -> None:
    assert racegym.game(game_name).bot().name == "default"


def test_game_has_clause_tests(game_name: str) -> None:
    files = list((ROOT / "tests" / "rules" / game_name).glob("test_*.py"))
    tests = [t for f in files for t in re.findall(r"^def (test_\w+)", f.read_text("utf-8"), re.M)]
    assert len(tests) >= 30, f"{game_name} has {len(tests)} clause tests"
    assert (ROOT / "tests" / "rules" / game_name / "test_coverage.py").exists()


def test_game_has_golden_games(game_name: str) -> None:
    assert len(list((ROOT / "tests" / "golden" / game_name).glob("*.jsonl"))) >= 3


def test_game_has_a_reference(game_name: str) -> None:
    assert (ROOT / "tests" / "reference" / f"{game_name}.py").exists()


def test_game_has_a_docs_page(game_name: str) -> None:
    """The page names every option, and every slice of every encoder."""
    page = ROOT / "docs" / "games" / f"{game_name}.md"
    assert page.exists(), f"{page.relative_to(ROOT)} is missing"
    text = page.read_text("utf-8")
    game = racegym.game(game_name)
    named = {option.name for option in game.options.declared}
    named |= {name for encoder in game.encoders for name in encoder.table.slices}
    missing = sorted(name for name in named if f"`{name}`" not in text)
    assert not missing, f"{page.name} does not name {missing}"
