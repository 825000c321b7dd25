"""Runs are agents: in matches, as opponents, in environments and records, without an export."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import racegym
from racegym.agents import AgentError, agent_from_spec
from racegym.arena.match import Match
from racegym.cli import main
from racegym.envs.solo import SoloEnv
from racegym.envs.vector import VectorEnv
from tests.training.configs import tiny
from training.export import export_run
from training.train import Trainer

ROOT = Path(__file__).parents[2]
GAME = racegym.game("cafe_race")


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A finished run for three players of the basic game, evaluated twice."""
    config = tiny(
        "--run.folder", str(tmp_path_factory.mktemp("runs")), "--run.decisions", "1024",
        "--run.name", "taught", "--game.num_players", "3", "--game.vary", "{}",
        "--evaluation.against", "[random]", "--evaluation.interval", "512",
        "--checkpoint.interval", "512",
    )  # fmt: skip
    trainer = Trainer.new(config)
    trainer.train()
    return trainer.run.folder


@pytest.mark.parametrize(
    ("which", "name", "checkpoint"),
    [
        ("", "taught-001", "best"),
        ("@best", "taught-001@best", "best"),
        ("@last", "taught-001@last", "last"),
        ("@512", "taught-001@512", "512"),
        ("/checkpoints/000000000512.safetensors", "taught-001@512", "512"),
        ("?greedy", "taught-001?greedy", "best"),
    ],
)
def test_it_plays_as_the_exported_policy_does(run, tmp_path, which, name, checkpoint):
    policy = tmp_path / "policy.onnx"
    export_run(run, policy, checkpoint)
    agent = agent_from_spec(f"{run}{which}", GAME)
    assert agent.name == name
    mode = "?greedy" if "greedy" in which else ""
    twin = agent_from_spec(f"{policy}{mode}", GAME)
    assert agent.metadata == twin.metadata
    env = VectorEnv(GAME, 64, seed=1, num_players=3)
    batch, rng = env.reset(), np.random.default_rng(0)
    for _ in range(20):
        bits = rng.integers(0, 2**64, 64, dtype=np.uint64)
        given = (batch.observation, batch.mask, batch.seat, bits)
        mine, theirs = agent.choose(*given), twin.choose(*given)
        assert (mine != theirs).mean() < 0.02, "but for rounding"
        batch = env.step(mine)


def test_in_a_match_on_the_command_line(run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(run.parent)
    words = ["match", "cafe_race", "taught-001", "./taught-001@last", "random", "-n", "2"]
    found = tmp_path / "match.json"
    assert main([*words, "--seed", "1", "-O", "num_players=3", "--json", str(found)]) == 0
    told = capsys.readouterr()
    assert "trained on other options" not in told.err
    names = [agent["name"] for agent in json.loads(found.read_text())["agents"]]
    assert names == ["taught-001", "taught-001@last", "random"]


def test_other_options_are_remarked_on(run, capsys):
    words = ["match", "cafe_race", str(run), "random", "-n", "1", "--seed", "1"]
    assert main([*words, "-O", "num_players=4"]) == 0
    assert "note: 'taught-001' was trained on other options" in capsys.readouterr().err


def test_as_opponent_in_training_and_evaluation(run, tmp_path):
    config = tiny(
        "--run.folder", str(tmp_path), "--run.decisions", "1024", "--opponents.agents", f"[{run}]",
        "--opponents.agent_share", "0.6", "--evaluation.against", f"['{run}@last']",
    )  # fmt: skip
    trainer = Trainer.new(config)
    assert trainer.train() == 0
    lines = trainer.run.metrics()
    assert f"opponents/{run}" in lines[-1]
    assert f"evaluation/{run}@last/win_share" in lines[-1]


def test_in_environments_and_records(run, tmp_path, capsys):
    env = SoloEnv("cafe_race", opponents=str(run), num_players=3)
    _, info = env.reset(seed=1)
    for _ in range(5):
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        if over:
            break
    path = tmp_path / "games.jsonl"
    words = ["record", "cafe_race", "-n", "2", "--seed", "1", "--agents", f"{run},random,random"]
    assert main([*words, "-O", "num_players=3", "-o", str(path)]) == 0
    assert "taught-001" in path.read_text()
    assert main(["verify", str(path)]) == 0
    capsys.readouterr()


def test_a_match_is_the_same_again(run):
    def played():
        match = Match(GAME, [str(run), "random"], seed=3, options={"num_players": 3})
        match.play(5)
        return match.result().agents[0].win_share.value

    assert played() == played()


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("runs/none", "there is no run runs/none"),
        ("RUN@", "@ names no checkpoint: write @best, @last or @DECISIONS"),
        ("runs?", "there is no agent 'runs?'; known: random, scripted, scripted:NAME, FILE.onnx,"),
        ("FIL.onn", "there is no agent 'FIL.onn'; known: random"),
        ("randon", "there is no agent 'randon'; did you mean 'random'?"),
        ("RUN@7", "has no checkpoint '7'; it has: 512, 1024, best"),
        ("none.safetensors", "there is no checkpoint none.safetensors"),
        ("RUN?gready", "a policy plays ?sample or ?greedy; did you mean 'greedy'?"),
    ],
)
def test_what_is_not_there_is_told(run, spec, told):
    with pytest.raises(AgentError) as raised:
        agent_from_spec(spec.replace("RUN", str(run)), GAME)
    assert told in str(raised.value)


def test_a_run_of_maskable_ppo_plays_what_it_exported(run, tmp_path):
    folder = tmp_path / "sb3-001"
    folder.mkdir()
    (folder / "config.yaml").write_text("sb3: {}\n")
    export_run(run, folder / "policy.onnx")
    assert agent_from_spec(str(folder), GAME).name == "sb3-001"
    assert agent_from_spec(f"{folder}?greedy", GAME).name == "sb3-001?greedy"


def test_damage_and_other_games_are_told(run, tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"nothing")
    with pytest.raises(AgentError, match="is no safetensors file, or it is damaged"):
        agent_from_spec(str(path), GAME)
    with pytest.raises(AgentError, match="it was trained for cafe_race, not for dino_race"):
        agent_from_spec(str(run), racegym.game("dino_race"))


def test_without_the_extra_one_line_names_it(run, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['torch'] = None\n")
    words = ["-m", "racegym", "match", "cafe_race", str(run), "random", "-n", "1", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("this needs torch: pip install 'racegym[train]'\n")
