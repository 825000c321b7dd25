"""What each command does and prints."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

import racegym
from racegym.agents import agent_from_spec
from racegym.cli import main
from racegym.records import read_games, record_games, verify

CAFE = ["record", "cafe_race"]


def test_games_lists_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """Games, players, actions, observation sizes, options with values and defaults."""
    assert main(["games"]) == 0
    table = capsys.readouterr().out
    for name in racegym.game_names():
        game = racegym.game(name)
        for shown in (name, game.title, f"{game.min_players}-{game.max_players}"):
            assert shown in table
        for encoder in game.encoders:
            assert f"{encoder.id} {'x'.join(map(str, encoder.shape))}" in table
        for option in game.options.declared:
            assert option.name in table
            assert option.values in table
            assert option.meaning in table


def test_games_as_json(capsys: pytest.CaptureFixture[str], game_name: str) -> None:
    """The same for programs."""
    assert main(["games", "--json"]) == 0
    games = {game["name"]: game for game in json.loads(capsys.readouterr().out)["games"]}
    game, entry = racegym.game(game_name), games[game_name]
    assert list(games) == racegym.game_names()
    assert entry["actions"] == game.num_actions
    assert entry["players"] == {"min": game.min_players, "max": game.max_players}
    assert entry["observations"] == {e.id: list(e.shape) for e in game.encoders}
    assert {o["name"]: o["default"] for o in entry["options"]} == game.options.resolve({})
    assert list(entry["scripted"].values()) == [bot.meaning for bot in game.bots]
    for spec in entry["scripted"]:
        assert agent_from_spec(spec, game).name == spec
    assert main(["games"]) == 0
    assert ", ".join(entry["scripted"]) in capsys.readouterr().out


def test_record_and_verify(
    game_name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Records of every game, compact and full; the same as those of the library."""
    for words, full in (([], False), (["--full"], True)):
        path = tmp_path / f"{full}.jsonl"
        call = ["record", game_name, "-n", "3", "--seed", "5", *words, "-o", str(path)]
        assert main(call) == 0
        assert re.search(rf"^3 games of {game_name}, \d+ moves, in ", capsys.readouterr().out)
        assert main(["verify", str(path)]) == 0
        assert f"{game_name}: 3 games" in capsys.readouterr().out
        lines = [line for r in record_games(game_name, 3, seed=5, full=full) for line in r.lines]
        assert path.read_text(encoding="ascii").splitlines() == lines


def test_record_tells_the_seed_that_it_draws(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On stderr; with it the same games are recorded again."""
    first, again, other = (tmp_path / name for name in ("first", "again", "other"))
    assert main([*CAFE, "-n", "2", "-o", str(first)]) == 0
    (seed,) = re.findall(r"^racegym: seed (\d+)$", capsys.readouterr().err, re.MULTILINE)
    assert main([*CAFE, "-n", "2", "-s", seed, "-o", str(again)]) == 0
    assert "seed" not in capsys.readouterr().err
    assert first.read_bytes() == again.read_bytes()
    assert main([*CAFE, "-n", "2", "-o", str(other)]) == 0
    assert first.read_bytes() != other.read_bytes()


def test_record_with_options_and_agents(tmp_path: pathlib.Path) -> None:
    """Options one by one or together, one agent for all or one for each."""
    path = tmp_path / "games.jsonl"
    common = [*CAFE, "-n", "2", "--seed", "1", "-o", str(path)]
    options = ["-O", "num_players=3", "rules=advanced", "-O", "reward=rank"]
    assert main([*common, *options, "--agents", "random,scripted,scripted:careful"]) == 0
    for record in read_games(path):
        wanted = {"num_players": 3, "rules": "advanced", "reward": "rank", "max_turns": 200}
        assert record.header["options"] == wanted
        assert len(set(record.header["policies"])) == 3
    assert verify(path).total == 2
    assert main([*common, "--agents", "scripted"]) == 0
    assert all(len(set(record.header["policies"])) == 1 for record in read_games(path))


def test_verify_names_the_first_wrong_line(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1; nothing on stdout; file, line and reason on stderr."""
    path = tmp_path / "games.jsonl"
    assert main([*CAFE, "-n", "2", "--seed", "1", "-o", str(path)]) == 0
    lines = path.read_text().splitlines()
    lines[-1] = lines[-1].replace('"scores":[', '"scores":[1')
    path.write_text("\n".join(lines))
    capsys.readouterr()
    assert main(["verify", str(path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"{path}:line {len(lines)}: scores[0]: expected ")
    assert shown.err.count("\n") == 1


def test_verify_reads_a_pipe(tmp_path: pathlib.Path) -> None:
    """Line by line, without knowing how long it is."""
    path = tmp_path / "games.jsonl"
    assert main([*CAFE, "-n", "2", "--seed", "1", "-o", str(path)]) == 0
    if not pathlib.Path("/dev/stdin").exists():
        pytest.skip("no /dev/stdin here")
    done = subprocess.run(
        [sys.executable, "-m", "racegym", "verify", "/dev/stdin"],
        input=path.read_bytes(),
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_bench_measures_everything(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A short run: every figure there, positive, with its conditions."""
    path = tmp_path / "bench.json"
    short = ["--runs", "1", "--seconds", "0.01"]
    options = ["-O", "rules=advanced", "num_players=3"]
    assert main(["bench", "cafe_race", *short, *options, "--json", str(path)]) == 0
    table = capsys.readouterr().out
    report = json.loads(path.read_text(encoding="utf-8"))
    assert report["format"] == "racegym-bench/1"
    assert report["machine"]["cores"] >= 1
    assert set(report["versions"]) >= {"racegym", "numpy", "numba", "pettingzoo"}
    assert report["conditions"]["threads"] == report["conditions"]["runs"] == 1
    (game,) = report["games"]
    assert game["options"]["rules"] == "advanced"
    rates = [game[way] for way in ("kernel", "vector", "vector_in_place", "position", "aec")]
    rates += [
        game["records"][f"{way}_{kind}"]
        for way in ("write", "verify")
        for kind in ("compact", "full")
    ]
    for rate in rates:
        assert rate["best"] >= rate["median"] > 0
        assert f"{rate['best']:,.0f}" in table
    assert game["aec_to_peer"] == game["aec"]["best"] / report["peer"]["best"]
    assert game["memory"]["bytes_per_game"] >= racegym.game("cafe_race").layout.size
    assert 0 < game["fresh_process_seconds"]["make"] <= game["fresh_process_seconds"]["vector_step"]
    assert report["import_seconds"] > 0


@pytest.mark.slow
def test_a_cold_cache_is_measured(tmp_path: pathlib.Path) -> None:
    """Compiling takes longer than loading."""
    path = tmp_path / "bench.json"
    assert (
        main(
            [
                "bench",
                "cafe_race",
                "--runs",
                "1",
                "--seconds",
                "0.01",
                "--cold",
                "--json",
                str(path),
            ]
        )
        == 0
    )
    (game,) = json.loads(path.read_text(encoding="utf-8"))["games"]
    assert game["cold_cache_seconds"]["make"] > game["fresh_process_seconds"]["make"]


@pytest.mark.slow
def test_a_thousand_full_games(game_name: str, tmp_path: pathlib.Path) -> None:
    """Practical for every game, and every line replays."""
    path = tmp_path / "games.jsonl"
    assert main(["record", game_name, "-n", "1000", "--seed", "1", "--full", "-o", str(path)]) == 0
    assert verify(path).total == 1_000
