"""The guide and the example do what they show."""

from __future__ import annotations

import json
import pathlib
import re
import runpy
import shlex
from typing import Any

import onnx
import pytest

import racegym
from racegym.arena import play_match
from racegym.cli import main
from tests.agents.graphs import linear_policy

ROOT = pathlib.Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "evaluation.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def test_python_blocks_run(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """One after the other, in a folder with an exported policy."""
    monkeypatch.chdir(tmp_path)
    onnx.save(linear_policy(racegym.game("cafe_race")), "policy.onnx")
    names: dict[str, Any] = {"__name__": "guide"}
    for code in blocks("python"):
        exec(compile(code, "evaluation.md", "exec"), names)
    assert "fair 0.333" in capsys.readouterr().out


@pytest.mark.parametrize("block", blocks("console"))
def test_commands_run(block: str, capsys: Any) -> None:
    for line in block.splitlines():
        program, *words = shlex.split(line.removeprefix("$ "))
        assert program == "racegym"
        assert main(words) == 0
        out = capsys.readouterr().out
        assert "Agents, per seat: fair win share 25.0 %" in out


def test_the_shown_table_has_the_real_columns(capsys: Any) -> None:
    assert main(["match", "cafe_race", "scripted", "random", "-n", "2", "--seed", "1"]) == 0
    header = next(line for line in capsys.readouterr().out.splitlines() if "agent" in line)
    (shown,) = blocks("text")
    assert header.replace(" ", "") in shown.replace(" ", "")


def test_every_key_of_the_json_is_described() -> None:
    written = play_match("cafe_race", ["random", "random"], 2, seed=1).to_dict()
    keys = {*written, *written["agents"][0], *written["comparisons"][0]}
    missing = [key for key in keys if f"`{key}`" not in GUIDE]
    assert not missing
    json.dumps(written)


def test_the_example_runs(capsys: Any) -> None:
    runpy.run_path(str(ROOT / "examples" / "evaluate.py"), run_name="__main__")
    assert "25% would be fair" in capsys.readouterr().out


def test_the_guide_to_agents_runs(capsys: Any) -> None:
    text = (ROOT / "docs" / "guides" / "agents.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "guide"}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "agents.md", "exec"), names)
    share, games = capsys.readouterr().out.split()
    assert float(share) > 0.25 and games == "8"


@pytest.mark.parametrize("name", ["search_agent", "text_agent"])
def test_examples_of_agents(name: str, capsys: Any) -> None:
    """The searching one beats random players, or it fails."""
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    assert "Agents, per seat" in capsys.readouterr().out
