"""The import graph points one way: the engine has no circles and knows nothing above it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "racegym" / "engine"
PACKAGE = "racegym.engine"
#: What lies beside or below the engine.
ALLOWED = ("racegym.engine", "racegym.errors", "racegym.importing")


def imports_of(source: str, modules: set[str]) -> Iterator[str]:
    """Modules of racegym that a source imports: lazily and for type checkers only, too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module


def graph() -> dict[str, set[str]]:
    """What every module of the engine imports of racegym."""
    sources = {f"{PACKAGE}.{path.stem}": path.read_text("utf-8") for path in ENGINE.glob("*.py")}
    modules = set(sources)
    return {
        name: {found for found in imports_of(source, modules) if found.startswith("racegym")}
        for name, source in sources.items()
    }


def test_the_engine_has_no_circle() -> None:
    try:
        order = list(TopologicalSorter(graph()).static_order())
    except CycleError as error:
        pytest.fail(f"modules import each other: {' -> '.join(error.args[1])}")
    assert order.index(f"{PACKAGE}.game") < order.index(f"{PACKAGE}.position")


def test_the_engine_imports_nothing_above_it() -> None:
    for name, found in graph().items():
        above = [other for other in found if not other.startswith(ALLOWED)]
        assert not above, f"{name} imports {above}"


def test_a_circle_would_be_seen() -> None:
    lazy = "def f():\n    from racegym.engine import position\n"
    typed = "if TYPE_CHECKING:\n    from racegym.engine.game import Game\n"
    modules = {f"{PACKAGE}.position", f"{PACKAGE}.game"}
    assert list(imports_of(lazy, modules)) == [f"{PACKAGE}.position"]
    assert list(imports_of(typed, modules)) == [f"{PACKAGE}.game"]
