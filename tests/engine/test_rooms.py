"""Every game is built alike: the same rooms, and no module that needs too many names of others."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import racegym

GAMES = Path(__file__).parents[2] / "racegym" / "games"
#: Modules, or folders of that name.
ROOMS = {"state", "rules", "validity", "observation", "notation", "board", "bots"}
#: Names that a module imports from racegym, at most.
MOST_NAMES = 25
MODULES = sorted(GAMES.rglob("*.py"))


def names_imported(source: str) -> list[str]:
    """The names that a module imports from racegym."""
    return [
        alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).startswith("racegym")
    ]


def test_every_game_has_the_same_rooms(game_name: str) -> None:
    folder = GAMES / racegym.game(game_name).name
    found = {path.stem for path in folder.iterdir() if path.stem not in ("__init__", "__pycache__")}
    assert found == ROOMS
    folders = [path for path in folder.iterdir() if path.is_dir() and path.stem in ROOMS]
    assert all((path / "__init__.py").is_file() for path in folders)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(GAMES)))
def test_no_module_needs_too_many_names(path: Path) -> None:
    names = names_imported(path.read_text("utf-8"))
    assert len(names) <= MOST_NAMES, f"{len(names)} names: {', '.join(sorted(names))}"


def test_names_are_counted_however_they_are_imported() -> None:
    source = "import numpy\nimport racegym.errors\ndef f():\n    from racegym.engine import a, b\n"
    assert names_imported(source) == ["racegym.errors", "a", "b"]
