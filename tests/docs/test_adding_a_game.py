"""The guide on adding a game quotes the examples, and what it says to type works."""

from __future__ import annotations

import pathlib
import re
import runpy
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "adding_a_game.md").read_text(encoding="utf-8")
GAME = (ROOT / "examples" / "own_game.py").read_text(encoding="utf-8")
ENCODER = (ROOT / "examples" / "own_encoder.py").read_text(encoding="utf-8")


def test_the_guide_quotes_the_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        assert block in GAME or block in ENCODER, block


def test_the_game_is_as_small_as_the_guide_says() -> None:
    assert len([line for line in GAME.splitlines() if line.strip()]) <= 150


def test_the_encoder_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "own_encoder.py"), run_name="__main__")
    assert "shape (4, 19)" in capsys.readouterr().out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A user's folder, with a space in its name."""
    place = tmp_path_factory.mktemp("a game of my own") / "my game"
    place.mkdir()
    for name in ("own_game.py", "own_game.yaml", "own_encoder.py"):
        shutil.copy(ROOT / "examples" / name, place)
    return place


def racegym(folder: pathlib.Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "racegym", *words], cwd=folder, capture_output=True, text=True
    )


def test_a_game_of_ones_own_is_trained_exported_and_matched(folder: pathlib.Path) -> None:
    trained = racegym(folder, "train", "--config", "own_game.yaml", "--run.decisions", "20000")
    assert trained.returncode == 0, trained.stderr
    assert trained.stdout.strip() == str(pathlib.Path("runs") / "scramble-001")
    done = racegym(folder, "export", "runs/scramble-001", "-o", "scramble.onnx")
    assert done.returncode == 0, done.stderr
    agents = ("scramble.onnx", "scripted", "random")
    done = racegym(folder, "match", "own_game:GAME", *agents, "-n", "4", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "Scramble, 3 players: 4 deals x 6 arrangements = 24 games, seed 1" in done.stdout
    done = racegym(folder, "match", "cafe_race", "scramble.onnx", "random", "-n", "1")
    assert done.returncode == 2
    assert "it was trained for scramble, not for cafe_race" in done.stderr


def test_an_encoder_of_ones_own_is_used_by_name(folder: pathlib.Path) -> None:
    config = folder / "hurried.yaml"
    config.write_text(
        "run: {name: hurried, decisions: 4000}\n"
        "game: {name: 'own_encoder:GAME'}\n"
        "rollout: {n_envs: 32, n_steps: 20}\n"
        "network: {encoder: hurried, width: 16, depth: 1}\n"
        "evaluation: {deals: 2, against: [random]}\n"
    )
    trained = racegym(folder, "train", "--config", config.name)
    assert trained.returncode == 0, trained.stderr
    done = racegym(folder, "export", "runs/hurried-001", "-o", "hurried.onnx")
    assert done.returncode == 0, done.stderr
    done = racegym(folder, "match", "own_encoder:GAME", "hurried.onnx", "random", "-n", "2")
    assert done.returncode == 0, done.stderr
    done = racegym(folder, "match", "cafe_race", "hurried.onnx", "random", "-n", "2")
    assert done.returncode == 2
    assert "it needs the encoder 'hurried-1', cafe_race has" in done.stderr
