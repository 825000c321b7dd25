"""The README and the game pages say what is so."""

from __future__ import annotations

import importlib.util
import pathlib
import re
from typing import Any

import pytest

import racegym

ROOT = pathlib.Path(__file__).parents[2]
PYTHON_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")


def _tables() -> Any:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", racegym.game_names())
def test_generated_tables_are_up_to_date(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    tables = _tables()
    marked = {m[1] for m in re.findall(tables.MARKED, page)}
    assert marked >= {"options", "actions", "state", "flat", "full", "tokens", "bots"}
    assert tables.renewed(page, racegym.game(name)) == page, "run: python docs/tables.py"


def test_a_stale_table_is_noticed() -> None:
    tables = _tables()
    stale = "<!-- table:actions -->\n| action | text |\n<!-- end -->"
    assert tables.renewed(stale, racegym.game("cafe_race")) != stale


@pytest.mark.parametrize(
    "page", ["README.md", *(f"docs/games/{n}.md" for n in racegym.game_names())]
)
def test_python_blocks_run_as_they_stand(page: str, tmp_path: pathlib.Path) -> None:
    blocks = PYTHON_BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize(
    "page",
    ["README.md", *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md"))],
)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in LINK.findall(text):
        assert (ROOT / page).parent.joinpath(target).exists(), target


def test_no_sentence_of_a_page_is_left_open() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert "@@" not in page.read_text(encoding="utf-8"), page
