"""Checkpoints and exact resumption (PITFALLS 4, 10, 26, 49, 51)."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import yaml

from tests.training.configs import TINY, tiny
from training.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from training.interface import Context
from training.learner import Learner
from training.runs import Run
from training.train import Trainer, main

ROOT = Path(__file__).parents[2]


def started(folder: Path, *overrides: str) -> Trainer:
    return Trainer.new(tiny("--run.folder", str(folder), *overrides))


def comparable(run: Run) -> list[dict]:
    return [{k: v for k, v in line.items() if not k.startswith("speed/")} for line in run.metrics()]


def next_actions(learner: Learner, count: int = 1000) -> list[int]:
    actions: list[int] = []
    while len(actions) < count:
        chosen, _, _ = learner.act(learner.batch.observation, learner.batch.mask)
        actions += chosen.tolist()
        learner.batch = learner.fleet.step(chosen)
    return actions


def test_resuming_in_a_new_process_is_as_if_nothing_had_happened(tmp_path):
    """2N decisions at once, and N + save + a new process + N (PITFALL 4)."""
    settings = (
        "--network.normalise", "true", "--evaluation.interval", "1500",
        "--evaluation.against", "[random]",
    )  # fmt: skip
    whole = started(tmp_path / "whole", *settings)
    assert whole.train() == 0
    half = started(tmp_path / "half", *settings)
    for _ in range(4):
        half._advance(Silent())
    half._save()
    half.run.close()
    assert 0 < half.learner.decisions < whole.learner.decisions
    command = [sys.executable, "-m", "training.train", "--resume", str(half.run.folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(half.run.folder)
    one, two = (load_checkpoint(run.checkpoint()) for run in (whole.run, Run.open(half.run.folder)))
    assert one[0].keys() == two[0].keys()
    for name, tensor in one[0].items():
        assert torch.equal(tensor, two[0][name]), name
    for name in ("decisions", "iteration", "opponents"):
        assert one[1][name] == two[1][name]
    assert comparable(whole.run) == comparable(Run.open(half.run.folder))
    decisions = [line["decisions"] for line in Run.open(half.run.folder).metrics()]
    assert decisions == sorted(set(decisions))
    learners = []
    for state, trainer in ((one, whole), (two, half)):
        learner = Learner(Context(trainer.config))
        learner.load_state_dict(*state)
        learners.append(next_actions(learner))
    assert learners[0] == learners[1]


class Silent:
    """A display that shows nothing."""

    def show(self, decisions, figures):
        pass

    def say(self, text):
        pass


def test_saving_loading_and_saving_again_gives_the_same_bytes(tmp_path):
    learner = Learner(Context(tiny()))
    for _ in range(3):
        learner.iterate()
    one, two = tmp_path / "ein Ordner" / "é 1.safetensors", tmp_path / "2.safetensors"
    save_checkpoint(one, *learner.state_dict())
    again = Learner(Context(tiny()))
    again.load_state_dict(*load_checkpoint(str(one)))
    save_checkpoint(str(two), *again.state_dict())
    assert one.read_bytes() == two.read_bytes()
    assert sorted(p.name for p in one.parent.iterdir()) == [one.name]
    assert (
        again.iterate()["train/policy_gradient_loss"]
        == learner.iterate()["train/policy_gradient_loss"]
    )


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "c.safetensors"
    save_checkpoint(path, {"a": torch.ones(2)}, {"n": 1})
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda number: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save_checkpoint(path, {"a": torch.zeros(2)}, {"n": 2})
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["c.safetensors"]


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self):
        return (os.mkdir, (self.path,))


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    trainer = started(tmp_path_factory.mktemp("runs"), "--run.decisions", "1024")
    assert trainer.train() == 0
    return trainer.run.folder


def damaged(kind: str, path: Path) -> None:
    content = bytearray(path.read_bytes())
    if kind == "empty":
        content = bytearray()
    elif kind == "cut off":
        content = content[: len(content) // 2]
    elif kind == "a bit flipped":
        content[-5] ^= 4
    elif kind == "noise":
        content = bytearray(os.urandom(4096))
    elif kind == "pickle":
        content = bytearray(pickle.dumps(Trap(str(path.parent / "sprung"))))
    elif kind == "torch file":
        torch.save({"network": Trap(str(path.parent / "sprung"))}, path)
        return
    elif kind == "foreign":
        from safetensors.torch import save_file

        save_file({"a": torch.ones(1)}, path)
        return
    elif kind == "other config":
        save_checkpoint(path, *Learner(Context(tiny("--network.width", "8"))).state_dict())
        return
    elif kind == "folder":
        path.unlink()
        path.mkdir()
        return
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    "kind",
    [
        "empty", "cut off", "a bit flipped", "noise", "pickle", "torch file", "foreign",
        "other config", "folder",
    ],
)  # fmt: skip
def test_damaged_and_foreign_checkpoints_are_refused(kind, finished, tmp_path, capsys):
    from training.export import main as export

    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    path = Run.open(folder).checkpoint()
    damaged(kind, path)
    metrics = (folder / "metrics.jsonl").read_bytes()
    for call in (
        lambda: main(["--resume", str(folder)]),
        lambda: export([str(folder), "-o", str(tmp_path / "p.onnx")]),
    ):
        assert call() == 2
        told = capsys.readouterr().err.splitlines()
        assert len(told) == 1, told
        assert "checkpoint" in told[0] or "safetensors" in told[0]
    assert not (path.parent / "sprung").exists()
    assert not (tmp_path / "p.onnx").exists()
    assert (folder / "metrics.jsonl").read_bytes() == metrics


def test_only_tensors_and_json_are_in_a_checkpoint(finished):
    tensors, plain = load_checkpoint(Run.open(finished).checkpoint())
    assert all(isinstance(tensor, torch.Tensor) for tensor in tensors.values())
    assert isinstance(plain["decisions"], int)


def told(capsys) -> str:
    """The one line on stderr, without the program's name."""
    (line,) = capsys.readouterr().err.splitlines()
    return line.removeprefix("training.train: ")


def test_a_config_of_a_run_that_cannot_be_read_is_told_with_the_line(tmp_path, capsys):
    run = Run.create(tiny("--run.folder", str(tmp_path)))
    path = run.folder / "config.yaml"
    path.write_text("run: {}\nrun: {}\n")
    assert main(["--resume", str(run.folder)]) == 2
    assert told(capsys) == f"{path}: the key 'run' stands twice (line 2)"


def test_damaged_lines_of_the_log_are_told_when_a_run_goes_on(finished, tmp_path, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(finished, folder)
    path = folder / "metrics.jsonl"
    lines = path.read_text().splitlines()
    at = [json.loads(line)["decisions"] for line in lines]
    for text, wanted in (
        (["{bad", *lines[1:]], "1 line could not be read and left out"),
        ([*lines, "{cut o"], None),
        (lines[:-1], f"nothing is logged between {at[-2]:,} and {at[-1]:,} decisions"),
        ([], f"nothing is logged between 0 and {at[-1]:,} decisions"),
    ):
        path.write_text("".join(line + "\n" for line in text))
        capsys.readouterr()
        trainer = Trainer.resumed(str(folder))
        trainer.run.close()
        notes = [n for n in capsys.readouterr().err.splitlines() if "metrics.jsonl" in n]
        assert notes == ([] if wanted is None else [f"{path}: {wanted}"])


def test_a_folder_of_runs_that_is_a_file_is_told(tmp_path, capsys):
    config = tmp_path / "small.yaml"
    config.write_text(yaml.safe_dump(TINY))
    assert main(["--config", str(config), "--run.folder", str(config)]) == 2
    assert told(capsys) == f"command line: run.folder: {config} is a file, not a folder"


def test_what_is_no_run_is_told(tmp_path, capsys):
    assert main(["--resume", str(tmp_path)]) == 2
    assert "is no folder of a run" in capsys.readouterr().err
    run = Run.create(tiny("--run.folder", str(tmp_path)))
    assert main(["--resume", str(run.folder)]) == 2
    assert f"{run.folder} has no checkpoints: it ended before its first" in told(capsys)
    assert main(["--resume", str(tmp_path / "no")]) == 2
    assert told(capsys) == f"there is no run {tmp_path / 'no'}"
    for name, wanted in (
        ("p.yaml", "is a file, not the folder of a run"),
        ("p.onnx", ": that is an exported policy: --init takes it"),
        ("p.safetensors", ": that is a checkpoint: --init takes it"),
    ):
        (tmp_path / name).touch()
        assert main(["--resume", str(tmp_path / name)]) == 2
        assert told(capsys).endswith(f"{name}{wanted}" if wanted[0] == ":" else f"{name} {wanted}")
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        load_checkpoint(tmp_path / "nothing.safetensors")


def test_resuming_allows_only_changes_that_fit(finished, capsys):
    for words, wanted in (
        (["--network.width", "8"], "network.width cannot be changed in a run; only run.decisions"),
        (
            ["--ppo.gamma", "0.9"],
            f"is a warm start, not a resume: begin a new run with --config "
            f"{finished / 'config.yaml'} --init {finished}",
        ),
        (["--network.widht", "8"], "unknown key 'network.widht'; did you mean 'network.width'?"),
        (["--run.threads", "x"], "command line: run.threads takes a whole number, not 'x'"),
        (["--evaluation.against=[randon]"], "command line: evaluation.against: there is no agent"),
    ):
        assert main(["--resume", str(finished), *words]) == 2
        assert wanted in capsys.readouterr().err


@pytest.mark.parametrize(
    ("anneal", "wanted"),
    [
        (
            "true",
            "the learning rate goes on at 0.0005 and falls to zero at 2,048 decisions; planned for "
            "1,024, it would be 0 now",
        ),
        ("false", "the learning rate stays 0.001 (ppo.anneal_lr is off)"),
    ],
)
def test_a_longer_run_says_what_happens_to_the_learning_rate(anneal, wanted, tmp_path, capsys):
    trainer = started(tmp_path, "--run.decisions", "1024", "--ppo.anneal_lr", anneal)
    assert trainer.train() == 0
    words = ["--resume", str(trainer.run.folder)]
    assert main(words) == 0
    told = capsys.readouterr().err
    assert ("and raises the learning rate again" in told) == (anneal == "true")
    assert "learning rate goes on" not in told
    assert main([*words, "--run.decisions", "2048"]) == 0
    assert wanted in capsys.readouterr().err.splitlines()
    rates = [line["train/learning_rate"] for line in trainer.run.metrics()]
    assert rates[2] == pytest.approx(0.00025 if anneal == "true" else 0.001)


TRAINED_ELSEWHERE = """
import sys
from tests.training.configs import tiny
from training.runs import Run
run = Run.open(sys.argv[1])
run.lock()
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_run_is_trained_by_one_process_at_a_time(finished, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != ".lock"}
    words = ["--resume", str(folder), "--run.decisions", "1536"]
    command = [sys.executable, "-c", TRAINED_ELSEWHERE, str(folder)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        assert main(words) == 2
        told = capsys.readouterr().err.splitlines()
        assert told == [
            f"training.train: {folder} is being trained by another process: wait for its end, or "
            "stop it"
        ]
        assert {p: p.read_bytes() for p in before} == before
        other.kill()  # a process that crashes leaves nothing behind
    assert main(words) == 0
    assert main(words) == 0  # nor does one that ends


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked up otherwise")
def test_what_killed_saves_left_is_removed_when_the_run_is_opened(finished, tmp_path):
    folder = shutil.copytree(finished, tmp_path / "run")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = folder / "checkpoints" / f".000000000512.safetensors.{gone.pid}.tmp"
    living = folder / "checkpoints" / f".000000000512.safetensors.{os.getpid()}.tmp"
    for path in (left, living):
        path.write_bytes(b"half")
    assert main(["--resume", str(folder)]) == 0
    assert not left.exists()
    assert living.exists()


def test_a_new_run_is_locked_until_it_ends(tmp_path, capsys):
    trainer = started(tmp_path, "--run.decisions", "512")
    assert main(["--resume", str(trainer.run.folder)]) == 2
    assert "is being trained by another process" in capsys.readouterr().err
    assert trainer.train() == 0
    assert main(["--resume", str(trainer.run.folder)]) == 0


def test_a_damaged_checkpoint_names_the_sound_ones_and_they_go_on(tmp_path, capsys):
    from training.export import main as export

    trainer = started(
        tmp_path / "runs", "--run.decisions", "2048", "--checkpoint.interval", "512",
        "--checkpoint.keep", "4", "--evaluation.against", "[random]",
    )  # fmt: skip
    assert trainer.train() == 0
    run, policy = trainer.run, str(tmp_path / "p.onnx")
    whole = comparable(run)
    for decisions in ("1024", "2048"):
        damaged("a bit flipped", run.checkpoint(decisions))
    capsys.readouterr()
    for call in (
        lambda: main(["--resume", str(run.folder)]),
        lambda: export([str(run.folder), "-o", policy, "--checkpoint", "last"]),
    ):
        assert call() == 2
        (told,) = capsys.readouterr().err.splitlines()
        assert "000000002048.safetensors is damaged" in told
        assert told.endswith("; sound are 512, 1536, best: choose one with --checkpoint")
    assert comparable(run) == whole
    assert main(["--resume", str(run.folder), "--checkpoint", "7"]) == 2
    assert "it has: 512, 1024, 1536, 2048, best" in capsys.readouterr().err
    assert main(["--resume", str(run.folder), "--checkpoint", "512"]) == 0
    assert comparable(run) == whole
    assert load_checkpoint(run.checkpoint())[1]["decisions"] == 2048
    for path in run.checkpoints.iterdir():
        load_checkpoint(path)


def test_later_checkpoints_go_when_an_older_one_has_gone_on(tmp_path):
    trainer = started(
        tmp_path,
        "--run.decisions",
        "2048",
        "--checkpoint.interval",
        "512",
        "--checkpoint.keep",
        "4",
    )
    assert trainer.train() == 0
    again = Trainer.resumed(str(trainer.run.folder), checkpoint="512")
    assert len(list(again.run.checkpoints.iterdir())) == 4
    again._advance(Silent())
    again.run.close()
    names = sorted(p.name for p in again.run.checkpoints.iterdir())
    assert names == ["000000000512.safetensors", "000000001024.safetensors"]


def test_only_a_resumed_run_takes_a_checkpoint(tmp_path, capsys):
    assert main(["--config", "r.yaml", "--checkpoint", "512"]) == 2
    assert "--checkpoint belongs to --resume" in capsys.readouterr().err


def test_a_finished_run_can_be_made_longer_and_its_x_axis_goes_on(finished, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    assert main(["--resume", str(folder)]) == 0
    assert "has played its 1,024 decisions" in capsys.readouterr().err
    with (folder / "metrics.jsonl").open("a") as log:  # a stretch that was lost, and a torn line
        log.write('{"decisions": 1536, "train/policy_gradient_loss": 9}\n{"decisions": 20')
    assert main(["--resume", str(folder), "--run.decisions", "2048"]) == 0
    lines = Run.open(folder).metrics()
    assert [line["decisions"] for line in lines] == [512, 1024, 1536, 2048]
    assert all(line["train/policy_gradient_loss"] != 9 for line in lines)
    assert yaml.safe_load((folder / "config.yaml").read_text())["run"]["decisions"] == 2048


def test_the_last_checkpoints_and_the_best_are_kept(tmp_path):
    trainer = started(
        tmp_path, "--evaluation.interval", "1024", "--evaluation.against", "[random]",
        "--checkpoint.interval", "512", "--run.decisions", "3072",
    )  # fmt: skip
    assert trainer.train() == 0
    names = sorted(p.name for p in trainer.run.checkpoints.iterdir())
    assert names == ["000000002560.safetensors", "000000003072.safetensors", "best.safetensors"]
    evaluated = {
        line["decisions"]: line["evaluation/random/relative_win_share"]
        for line in trainer.run.metrics()
        if "evaluation/random/relative_win_share" in line
    }
    assert list(evaluated) == [1024, 2048, 3072]
    _, plain = load_checkpoint(trainer.run.checkpoint("best"))
    assert evaluated[plain["decisions"]] == max(evaluated.values())
    _, plain = load_checkpoint(trainer.run.checkpoint("2560"))
    assert plain["decisions"] == 2560


def test_the_tiny_config_is_what_these_tests_think():
    assert TINY["rollout"]["n_envs"] * TINY["rollout"]["n_steps"] == 512
