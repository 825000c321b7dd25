"""The command, its folder and logs, and that shipped configs learn (PITFALLS 27, 29, 48, 49)."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import yaml

import racegym
from racegym.arena.match import Match
from racegym.engine.game import Game
from racegym.engine.options import Flag
from racegym.errors import OptionError, RacegymError
from tests.training.configs import TINY, tiny
from training.config import Config
from training.evaluation import NetworkAgent
from training.extras import require
from training.reading import config_from_dict, read_config
from training.runs import Run
from training.train import Trainer, main

ROOT = Path(__file__).parents[2]


def config_in(folder: Path) -> str:
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY))
    return str(path)


def test_a_run_leaves_everything_in_its_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["--config", config_in(tmp_path), "--evaluation.against", "[random]"]
    assert main(words) == 0
    told = capsys.readouterr()
    folder = Path(told.out.strip())
    assert str(folder) == os.path.join("runs", "tiny-001")
    assert f"run folder: {folder}" in told.err
    assert "against random: " in told.err
    assert Path.cwd() == tmp_path
    assert sorted(os.listdir()) == ["runs", "tiny.yaml"]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["decisions"] == 4096
    assert summary["decisions_per_second"] > 0
    assert 0 < sum(summary["shares"].values()) <= 1
    assert 0 <= summary["evaluation"]["random/win_share"] <= 1
    lines = Run.open(folder).metrics()
    assert [line["decisions"] for line in lines] == list(range(512, 4097, 512))
    texts = (folder / "opponents.jsonl").read_text().splitlines()
    meetings = [json.loads(text) for text in texts]
    names = {name for line in meetings for name in line["against"]}
    assert {"self", "random"} <= names
    assert any(name.startswith("snapshot-") for name in names)
    assert any((folder / "tensorboard").iterdir())


def test_training_runs_without_tensorboard(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    trainer = Trainer.new(tiny("--run.folder", str(tmp_path), "--run.decisions", "1024"))
    assert trainer.train() == 0
    assert len(trainer.run.metrics()) == 2
    assert not (trainer.run.folder / "tensorboard").exists()


def test_evaluation_has_no_influence_on_training(tmp_path):
    plain = Trainer.new(tiny("--run.folder", str(tmp_path), "--run.decisions", "2048"))
    plain.train()
    evaluated = Trainer.new(
        tiny("--run.folder", str(tmp_path), "--run.decisions", "2048",
             "--evaluation.interval", "512", "--evaluation.against", "[random]")
    )  # fmt: skip
    evaluated.train()
    for one, two in zip(plain.run.metrics(), evaluated.run.metrics(), strict=True):
        assert one["train/policy_gradient_loss"] == two["train/policy_gradient_loss"]


def test_the_same_config_gives_the_same_run_and_another_seed_another(tmp_path):
    def first_losses(*overrides):
        trainer = Trainer.new(tiny("--run.folder", str(tmp_path), *overrides))
        return [trainer.learner.iterate()["train/policy_gradient_loss"] for _ in range(2)]

    assert first_losses() == first_losses()
    assert first_losses() != first_losses("--run.seed", "4")


@pytest.mark.parametrize(
    ("entry", "missing", "extra", "prefix"),
    [
        ("training.train", "torch", "train", ""),
        ("training.export", "safetensors", "train", ""),
        ("training.sb3", "torch", "sb3", ""),
        ("training.sb3", "sb3_contrib", "sb3", ""),
        ("examples/demo.py", "torch", "train", "demo: "),
    ],
)
def test_a_missing_extra_is_told_in_one_line(entry, missing, extra, prefix, tmp_path):
    """Of the entry points that need one; the module is hidden at the start of the process."""
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules[{missing!r}] = None\n")
    call = [str(ROOT / entry)] if entry.endswith(".py") else ["-m", entry]
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *call], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"{prefix}this needs {missing}: pip install 'racegym[{extra}]'\n"


def test_a_missing_module_in_a_library_call():
    with pytest.raises(ImportError, match=r"this needs no_such_module: pip install"):
        require("train", "no_such_module")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for child processes")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_saves_and_the_run_can_go_on(tmp_path, stop):
    command = [
        sys.executable, "-m", "training.train", "--config", config_in(tmp_path),
        "--run.decisions", "100000000", "--run.folder", str(tmp_path),
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "decisions/s" in line:
                break
        process.send_signal(stop)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    run = Run.open(out.strip())
    decisions = int(run.checkpoint().stem)
    assert run.metrics()[-1]["decisions"] == decisions
    assert main(["--resume", str(run.folder), "--run.decisions", str(decisions + 512)]) == 0
    assert Run.open(run.folder).metrics()[-1]["decisions"] == decisions + 512


def test_a_short_training_beats_random_play_over_all_seats(tmp_path):
    """Some seconds of self-play win clearly more than the fair share (PITFALL 29)."""
    config = tiny(
        "--run.folder", str(tmp_path), "--run.decisions", "200000", "--game.num_players", "3",
        "--game.vary.rules", "[basic]", "--rollout.n_envs", "128", "--network.width", "64",
        "--ppo.learning_rate", "0.003", "--opponents.snapshot_interval", "50000",
        "--checkpoint.interval", "1000000",
    )  # fmt: skip
    trainer = Trainer.new(config)
    assert trainer.train() == 0
    learner = trainer.learner
    agent = NetworkAgent(learner.network, learner.encoder.id)
    match = Match("cafe_race", [agent, "random"], seed=5, options={"num_players": 3})
    match.play(100)
    won = match.result().agents[0]
    assert won.win_share.low is not None
    assert won.win_share.low > 1 / 3 + 0.05
    assert all(seat.value > 1 / 3 for seat in won.win_share_by_place)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", sorted((ROOT / "configs").glob("*/d*.yaml")), ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_every_shipped_config_learns(path, tmp_path):
    overrides = ["--run.folder", str(tmp_path), "--run.decisions", "600000"]
    config = read_config(Config, path, [*overrides, "--evaluation.against", "[random]"])
    trainer = Trainer.new(config)
    assert trainer.train() == 0
    assert trainer.run.summary()["evaluation"]["random/relative_win_share"] > 1.2


def playable(game: Game, num_players: int) -> list[dict]:
    """Option sets for a player count: as it is, and with each flag that the game has."""
    flags = [o.name for o in game.options.declared if isinstance(o, Flag)]
    sets = [{}, *({name: True} for name in flags)]
    found = []
    for more in sets:
        with contextlib.suppress(OptionError):
            game.options.resolve({"num_players": num_players, **more})
            found.append({"num_players": num_players, **more})
    return found


def test_every_game_trains(game_name, tmp_path):
    """Two updates with all player counts of the game at once, opponents included."""
    game = racegym.game(game_name)
    sets = [s for n in game.num_players_allowed for s in playable(game, n)]
    settings = {
        **TINY,
        "game": {"name": game_name, "sets": sets},
        "run": {"name": "all", "folder": str(tmp_path), "decisions": 1024},
    }
    config = config_from_dict(Config, settings, "all")
    trainer = Trainer.new(config)
    assert trainer.train() == 0
    lines = trainer.run.metrics()
    assert [line["decisions"] for line in lines] == [512, 1024]
    assert all(line["train/first_ratio_error"] < 1e-5 for line in lines)


def test_a_training_that_diverges_stops_and_says_so(tmp_path, capsys):
    """A loss that is not finite ends the run with one line."""
    config = tiny("--run.folder", str(tmp_path), "--run.decisions", "100000")
    trainer = Trainer.new(config)
    with torch.no_grad():
        trainer.learner.network.value.weight.fill_(float("nan"))
    with pytest.raises(RacegymError, match="diverged"):
        trainer.train()
    policy = Trainer.new(config)
    with torch.no_grad():
        policy.learner.network.policy.weight.fill_(float("nan"))
    with pytest.raises(RacegymError, match=r"diverged after 0 decisions \(a probability is not"):
        policy.train()
