"""``racegym match`` as it is typed."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import onnx
import pytest

import racegym
from racegym.cli import main
from racegym.records import read_games, verify
from tests.agents.graphs import linear_policy

STAND_INS = "tests.agents.stand_ins"


def test_prints_the_tables(capsys: Any) -> None:
    words = "match cafe_race scripted random -n 20 --seed 1 -O num_players=3 rules=advanced"
    assert main(words.split()) == 0
    out, _ = capsys.readouterr()
    assert "Café Race, 3 players: 20 deals x 3 arrangements = 60 games, seed 1" in out
    assert "fair win share 33.3 %" in out
    for word in ("scripted", "random", "seat 2", "ranks ahead", "better"):
        assert word in out
    assert main(words.split()) == 0
    assert capsys.readouterr().out == out


def test_writes_json_and_records(tmp_path: pathlib.Path, capsys: Any) -> None:
    """PITFALL 58: every game of a match can be saved and replayed."""
    result, records = tmp_path / "r.json", tmp_path / "r.jsonl"
    words = ["match", "cafe_race", "scripted", "random", "-n", "4", "-s", "2"]
    assert main([*words, "--json", str(result), "--records", str(records)]) == 0
    written = json.loads(result.read_text())
    assert written["games"] == 16
    assert verify(records).games == {"cafe_race": 16}
    games = list(read_games(records))
    policies = [game.header["policies"] for game in games]
    assert policies[:4] == [
        ["scripted" if seat == focus else "random" for seat in range(4)] for focus in range(4)
    ]
    assert [game.header["seed"] for game in games] == [
        s for s in written["deal_seeds"] for _ in range(4)
    ]
    shares = [
        (game.end["ranks"][seat] == 1) / game.end["ranks"].count(1)
        for game in games
        for seat in range(4)
        if game.header["policies"][seat] == "scripted"
    ]
    found = written["agents"][0]["win_share"]["value"]
    assert found == pytest.approx(sum(shares) / len(shares))
    assert sorted(os.listdir(tmp_path)) == ["r.json", "r.jsonl"]


def test_until_settled(capsys: Any) -> None:
    words = "match cafe_race scripted random -n 2000 -s 1 --until-settled"
    assert main(words.split()) == 0
    assert "intervals widened for it: settled" in capsys.readouterr().out


def test_policies(tmp_path: pathlib.Path, capsys: Any) -> None:
    path = tmp_path / "mine.onnx"
    onnx.save(linear_policy(racegym.game("cafe_race")), path)
    assert main(["match", "cafe_race", f"{path}?greedy", str(path), "-n", "3", "-s", "1"]) == 0
    out, err = capsys.readouterr()
    assert "mine?greedy" in out
    assert "other options" not in err
    words = ["match", "cafe_race", str(path), "random", "-n", "3", "-O", "num_players=5"]
    assert main(words) == 0
    assert "'mine' was trained on other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("cafe_rac random random", "did you mean 'cafe_race'"),
        ("cafe_race random", "at least two agents"),
        ("cafe_race", "required: AGENT"),
        ("cafe_race random randm", "did you mean 'random'"),
        ("cafe_race random none.onnx", "cannot read none.onnx"),
        ("cafe_race random random -n 0", "-n is a whole number from 1"),
        ("cafe_race random random -n many", "invalid int value"),
        ("cafe_race random random -s -1", "a seed is a whole number"),
        ("cafe_race random random -O num_player=3", "did you mean 'num_players'"),
        ("cafe_race random random -O num_players", "key=value"),
        ("cafe_race random random -O num_players=9", "from 3 to 6"),
        ("cafe_race random random --fill odd", "'focus' or 'even'"),
        ("cafe_race random random --most-arrangements 0", "whole number from 1"),
        ("cafe_race random random --json no/such/folder.json", "no/such/folder.json: No such"),
        ("cafe_race random random --json .", "no plain file"),
        ("cafe_race random random --records .", "no plain file"),
        (f"cafe_race random {STAND_INS}:Failing -n 2", "agent 'failing' failed: RuntimeError"),
        (f"cafe_race random {STAND_INS}:Illegal -n 2", "'illegal' chose the illegal action"),
        (f"cafe_race random {STAND_INS}:Seeing -n 2", "--perfect-information"),
    ],
)
def test_mistakes(words: str, reason: str, capsys: Any) -> None:
    """Exit code 2 and one line on stderr."""
    assert main(["match", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    told = [line for line in err.splitlines() if "compiling" not in line]
    assert len(told) == 1
    assert reason in told[0]


def test_a_failed_match_leaves_files_as_they_were(tmp_path: pathlib.Path) -> None:
    result = tmp_path / "r.json"
    result.write_text("old")
    words = ["match", "cafe_race", "random", f"{STAND_INS}:Failing", "--json", str(result)]
    assert main(words) == 2
    assert result.read_text() == "old"
    assert os.listdir(tmp_path) == ["r.json"]


def test_an_interrupted_match_prints_what_was_finished(tmp_path: pathlib.Path, capsys: Any) -> None:
    result, records = tmp_path / "r.json", tmp_path / "r.jsonl"
    words = ["match", "cafe_race", f"{STAND_INS}:Interrupted", "random", "-n", "3000", "-s", "1"]
    assert main([*words, "--json", str(result), "--records", str(records)]) == 130
    out, err = capsys.readouterr()
    written = json.loads(result.read_text())
    assert written["interrupted"] is True
    assert 0 < written["deals"] < 3000
    assert f"{written['deals']} deals" in out
    assert "Interrupted" in out
    assert verify(records).games == {"cafe_race": written["games"]}
    assert f"{written['games']} games recorded" in err


def test_interrupted_before_anything_was_finished(capsys: Any) -> None:
    assert main(["match", "cafe_race", f"{STAND_INS}:InterruptedAtOnce", "random"]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert "interrupted" in err


def test_two_outputs_need_two_files(tmp_path: pathlib.Path, capsys: Any) -> None:
    path = tmp_path / "both"
    words = ["match", "cafe_race", "random", "random", "-n", "1"]
    same = str(tmp_path / "." / "both")
    assert main([*words, "--json", str(path), "--records", same]) == 2
    assert "name the same file" in capsys.readouterr().err
    assert not path.exists()
