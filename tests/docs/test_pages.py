"""The README and the game pages say what is so."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import re
from typing import Any

import pytest

import racegym

ROOT = pathlib.Path(__file__).parents[2]
PYTHON_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
ANCHOR = re.compile(r"\]\(([^)#:]*)#([^)]+)\)")
PAGES = ["README.md", *(p.relative_to(ROOT).as_posix() for p in sorted(ROOT.glob("docs/**/*.md")))]
EVENT_ROW = re.compile(r"^\| `(\w+)` \| (–|(?:`\w+`(?:, )?)+) \| ", re.M)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


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


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in LINK.findall(text):
        assert (ROOT / page).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_anchors_are_headings(page: str) -> None:
    for target, anchor in ANCHOR.findall((ROOT / page).read_text(encoding="utf-8")):
        path = (ROOT / page).parent / target if target else ROOT / page
        headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
        slugs = [re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings]
        assert anchor in slugs, (target, anchor)


def test_no_sentence_of_a_page_is_left_open() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert "@@" not in page.read_text(encoding="utf-8"), page


@pytest.mark.parametrize("name", [page.stem for page in sorted(ROOT.glob("docs/games/*.md"))])
def test_a_page_names_every_event_and_every_field_of_a_record(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    section = page[page.index("## In a record") : page.index("## What a player sees")]
    rows = {row[0]: set(re.findall(r"`(\w+)`", row[1])) for row in EVENT_ROW.findall(section)}
    named = set(re.findall(r"`(\w+)`", section))
    for file in sorted((ROOT / "tests" / "golden" / name).glob("*.jsonl")):
        for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            assert set(line.get("state", {})) <= named
            for event in line.get("events", []):
                assert rows[event["kind"]] == set(event) - {"kind"}, event
