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
from tests.agents import stand_ins
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
        ("cafe_race random random -n 99999999999999999999", "from 1 to 1,000,000,000, not 99999"),
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
        (f"cafe_race random {STAND_INS}:FailingReset -n 2", "agent 'own' failed: KeyError: 'luck'"),
        (f"cafe_race random {STAND_INS}:Leaving -n 2", "agent 'leaving' failed: SystemExit: 0 ("),
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


@pytest.mark.parametrize(
    ("agent", "said", "line"),
    [
        ("Failing", "RuntimeError: out of ideas", 'raise RuntimeError("out of\\nideas")'),
        ("FailingReset", "KeyError: 'luck'", 'raise KeyError("luck")'),
        ("FailingElsewhere", "LinAlgError: ", "np.linalg.inv(observations)"),
        ("broken_factory", "RuntimeError: no agent today", 'RuntimeError("no agent today")'),
    ],
)
@pytest.mark.parametrize("command", ["match", "record"])
def test_an_agent_that_fails_is_told_with_its_place(
    agent: str, said: str, line: str, command: str, tmp_path: pathlib.Path, capsys: Any
) -> None:
    """The error's type and text, and file and line in the agent's code, not in NumPy's."""
    spec = f"{STAND_INS}:{agent}"
    words = {
        "match": ["random", spec, "-n", "2"],
        "record": ["--agents", spec, "-n", "2", "-s", "1", "-o", str(tmp_path / "x")],
    }
    assert main([command, "cafe_race", *words[command]]) == 2
    (told,) = [text for text in capsys.readouterr().err.splitlines() if "compiling" not in text]
    assert f"failed: {said}" in told
    lines = pathlib.Path(stand_ins.__file__).read_text().splitlines()
    number = 1 + next(k for k, text in enumerate(lines) if line in text)
    assert told.partition("; asked for player_")[0].endswith(f"stand_ins.py:{number})")


def test_options_may_stand_anywhere(capsys: Any) -> None:
    orders = [
        "cafe_race random scripted -n 2 -s 1 -O num_players=3 rules=advanced",
        "-O num_players=3 rules=advanced cafe_race random scripted -n 2 -s 1",
        "-O num_players=3 -O rules=advanced -n 2 -s 1 cafe_race random scripted",
        "cafe_race -Onum_players=3 rules=advanced random -n 2 scripted -s 1",
        "cafe_race random -O num_players=3 rules=advanced scripted -n 2 -s 1",
    ]
    shown = []
    for words in orders:
        assert main(["match", *words.split()]) == 0
        shown.append(capsys.readouterr().out)
    assert "3 players" in shown[0]
    assert len(set(shown)) == 1


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
