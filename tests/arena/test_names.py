"""What agents are called in tables, and what the names stand for."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import onnx
import pytest

import racegym
from racegym.arena.names import names_of
from racegym.cli import main
from racegym.counts import percent
from racegym.engine.words import counted
from tests.agents.graphs import linear_policy


@pytest.mark.parametrize(
    ("names", "specs", "wanted"),
    [
        (["a", "b"], ["x/a.onnx", "x/b.onnx"], ["a", "b"]),
        (["p", "p"], ["runs/a/p.onnx", "runs/b/p.onnx"], ["a/p", "b/p"]),
        (["p", "p"], ["a/x/p.onnx", "b/x/p.onnx"], ["a/x/p", "b/x/p"]),
        (["p", "p", "p"], ["a/p.onnx", "b/p.onnx", "a/p.onnx"], ["a/p", "b/p", "a/p #2"]),
        (["p", "p"], ["p.onnx", "b/p.onnx"], ["p", "b/p"]),
        (["p", "p"], ["a/p.onnx", None], ["p", "p #2"]),
        (["random", "random"], ["random", "random"], ["random", "random #2"]),
        (["p", "p?greedy"], ["a/p.onnx", "a/p.onnx?greedy"], ["p", "p?greedy"]),
    ],
)
def test_names(names: list[str], specs: list[str | None], wanted: list[str]) -> None:
    assert names_of(names, specs) == wanted


def test_a_legend_tells_where_policies_are(
    tmp_path: pathlib.Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for run in ("one", "two"):
        os.makedirs(f"runs/{run}")
        onnx.save(linear_policy(racegym.game("cafe_race")), f"runs/{run}/policy.onnx")
    words = "match cafe_race runs/one/policy.onnx runs/two/policy.onnx random -n 1 -s 1"
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    assert "│ one/policy " in out and "│ two/policy " in out
    assert "\n  one/policy: runs/one/policy.onnx\n  two/policy: runs/two/policy.onnx\n" in out
    assert "random: random" not in out
    assert "1 deal x 24 arrangements = 24 games" in out


def test_counts_agree_with_their_words(tmp_path: pathlib.Path, capsys: Any) -> None:
    assert (counted(1, "game"), counted(0, "game"), counted(2, "game")) == (
        "1 game",
        "0 games",
        "2 games",
    )
    assert counted(1, "game was", "games were") == "1 game was"
    assert percent(0.3123) == "31.2 %" and percent(0.05, "+") == "+5.0 %"
    file = str(tmp_path / "r.jsonl")
    assert main(["record", "cafe_race", "-n", "1", "-s", "1", "-o", file]) == 0
    assert "1 game of cafe_race" in capsys.readouterr().out
    assert main(["verify", file]) == 0
    out = capsys.readouterr().out
    assert "cafe_race: 1 game\n" in out and "r.jsonl: 1 game (" in out
