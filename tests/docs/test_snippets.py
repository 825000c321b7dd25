"""The snippets of the pages are Python, and print what the pages say."""

from __future__ import annotations

import importlib.util
import pathlib
import re
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def load() -> Any:
    """``docs/snippets.py``, which is no module of a package."""
    spec = importlib.util.spec_from_file_location("snippets", ROOT / "docs" / "snippets.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


snippets = load()
PAGES = [page.relative_to(ROOT).as_posix() for page in snippets.pages()]


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_snippet_is_python(page: str) -> None:
    snippets.check_syntax(read(page), page)


@pytest.mark.parametrize("page", [page for page in PAGES if snippets.shows_output(read(page))])
def test_shown_outputs_are_up_to_date(page: str) -> None:
    assert snippets.renewed(read(page), page) == read(page), "run: python docs/snippets.py"


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/games/")])
def test_a_board_on_a_game_page_is_generated(page: str) -> None:
    """Horse Race's and Dino Race's pages once showed boards that their snippets do not print."""
    text = read(page)
    shown = text.count("```text\n")
    assert shown == len(snippets.OUTPUT.findall(text)) >= 1
    assert not re.search(r"^```\n[^`]+^```$", text, re.M), "a block that says not what it is"


def test_a_stale_output_is_noticed() -> None:
    page = "```python\nprint(6 * 7)\n```\n\n<!-- output -->\n```text\n41\n```\n<!-- end -->\n"
    assert snippets.renewed(page, "page.md") == page.replace("41", "42")


def test_snippets_of_a_page_share_names_and_one_folder(tmp_path: pathlib.Path) -> None:
    before = pathlib.Path.cwd()
    page = (
        '```python\nopen("kept.txt", "w").write("there")\nn = 1\n```\n'
        '```python\nprint(open("kept.txt").read(), n)  \n```\n'
        "<!-- output -->\n```text\n```\n<!-- end -->\n"
    )
    assert "```text\nthere 1\n```" in snippets.renewed(page, "page.md")
    assert pathlib.Path.cwd() == before
    assert not pathlib.Path("kept.txt").exists()


def test_a_snippet_that_is_not_run_has_to_be_python() -> None:
    page = "<!-- not run -->\n```python\nraise SystemExit\n```\n"
    assert snippets.renewed(page, "page.md") == page
    with pytest.raises(SyntaxError) as caught:
        snippets.check_syntax("one\n" + page.replace("raise", "raise raise"), "page.md")
    assert caught.value.lineno == 4


def test_a_session_shows_what_its_commands_print() -> None:
    page = (
        "<!-- session -->\n```console\n"
        "$ racegym record cafe_race -n 2 --seed 7 -o games.jsonl\n"
        "$ racegym verify games.jsonl\nnonsense\n"
        "```\n<!-- end -->\n"
    )
    new = snippets.renewed(page, "page.md")
    assert "nonsense" not in new
    assert "2 games" in new and "every line replays" in new
    assert new.index("$ racegym record") < new.index("$ racegym verify")
    assert snippets.renewed(new, "page.md") == new


def test_a_session_runs_nothing_but_racegym() -> None:
    page = "<!-- session -->\n```console\n$ rm -r /\n```\n<!-- end -->\n"
    with pytest.raises(ValueError, match="racegym only"):
        snippets.renewed(page, "page.md")
