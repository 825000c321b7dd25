"""Warm starts: weights of runs, checkpoints and exported policies in a new run."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
import torch
import yaml

from racegym.errors import RacegymError
from tests.training.configs import TINY, tiny
from training.checkpoint import load_checkpoint, under_prefix
from training.export import export_run
from training.init import read_source
from training.runs import Run
from training.train import Trainer, main


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    """A finished run with a best checkpoint, for three players of the basic game."""
    folder = tmp_path_factory.mktemp("source")
    config = tiny(
        "--run.folder", str(folder), "--run.name", "taught", "--run.decisions", "2048",
        "--game.num_players", "3", "--game.vary", "{}", "--evaluation.against", "[random]",
        "--evaluation.interval", "1024", "--checkpoint.keep", "9",
    )  # fmt: skip
    trainer = Trainer.new(config)
    trainer.train()
    return trainer.run.folder


def weights_in(path: Path) -> dict[str, torch.Tensor]:
    return under_prefix("network", load_checkpoint(path)[0])


def assert_equal(network, weights):
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, weights[name]), name


def warm(tmp_path, source, *overrides):
    """A new run for other player counts and rules."""
    return Trainer.new(tiny("--run.folder", str(tmp_path), "--init", str(source), *overrides))


@pytest.mark.parametrize("which", ["", "@best", "@last", "@1024"])
def test_from_a_run(source, tmp_path, which):
    trainer = warm(tmp_path, f"{source}{which}")
    run = Run.open(source)
    path = run.checkpoint(which[1:] or "best")
    assert_equal(trainer.learner.network, weights_in(path))
    assert trainer.learner.decisions == 0
    noted = trainer.run.config().init
    assert noted.source == f"{source}{which}"
    assert noted.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert noted.decisions == load_checkpoint(path)[1]["decisions"]
    trainer.run.close()


def test_from_a_checkpoints_file_and_resumed_without_it(source, tmp_path, capsys):
    path = tmp_path / "kept.safetensors"
    shutil.copy(Run.open(source).checkpoint("1024"), path)
    config = tmp_path / "tiny.yaml"
    config.write_text(yaml.safe_dump({**TINY, "run": {"folder": str(tmp_path), "decisions": 1024}}))
    assert main(["--config", str(config), "--init", str(path)]) == 0
    folder = capsys.readouterr().out.strip()
    path.unlink()
    assert main(["--resume", folder, "--run.decisions", "2048"]) == 0
    plain = load_checkpoint(Run.open(folder).checkpoint())[1]
    assert plain["config"]["init"]["source"] == str(path)
    assert plain["config"]["init"]["decisions"] == 1024


def test_an_interrupted_warm_start_goes_on_exactly(source, tmp_path):
    words = ["--ppo.anneal_lr", "false"]
    whole = warm(tmp_path, source, *words, "--run.decisions", "2048")
    whole.train()
    half = warm(tmp_path, source, *words, "--run.decisions", "1024")
    half.train()
    again = Trainer.resumed(str(half.run.folder), ("--run.decisions", "2048"))
    again.train()
    assert_equal(whole.learner.network, again.learner.network.state_dict())


def test_from_an_exported_policy(source, tmp_path):
    policy = tmp_path / "policy.onnx"
    export_run(source, policy, "last")
    trainer = warm(tmp_path, policy)
    assert_equal(trainer.learner.network, weights_in(Run.open(source).checkpoint("last")))
    assert trainer.run.config().init.decisions == 2048
    trainer.run.close()


@pytest.mark.parametrize(
    "network",
    [
        ["--network.kind", "attention", "--network.encoder", "tokens"],
        ["--network.normalise", "true"],
    ],
)
def test_an_exported_policy_without_all_weights_by_name_is_refused(tmp_path, network):
    words = ["--run.folder", str(tmp_path), "--run.decisions", "512", *network]
    trainer = Trainer.new(tiny(*words))
    trainer.train()
    policy = tmp_path / "policy.onnx"
    export_run(trainer.run.folder, policy)
    with pytest.raises(RacegymError, match=r"does not hold all weights by name .*: start from the"):
        warm(tmp_path, policy, *network)
    again = warm(tmp_path, trainer.run.folder, *network)
    assert_equal(again.learner.network, trainer.learner.network.state_dict())
    again.run.close()


def test_it_helps_at_once(source, tmp_path):
    """The first update's values are those of the taught network, not of a fresh one."""
    fresh = Trainer.new(tiny("--run.folder", str(tmp_path)))
    taught = warm(tmp_path, source)
    figures = [t.learner.iterate()["train/value_loss"] for t in (fresh, taught)]
    assert figures[0] != figures[1]
    for trainer in (fresh, taught):
        trainer.run.close()


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["--network.width", "32"], "network.width is 16 there and 32 here"),
        (["--network.depth", "2"], "network.depth is 1 there and 2 here"),
        (
            ["--network.encoder", "tokens"],
            "network.encoder is 'flat' there and 'tokens' here",
        ),
        (
            ["--game.name", "dino_race", "--game.vary", "{}", "--game.num_players", "3"],
            "was trained for cafe_race, not for dino_race",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_one_line(source, tmp_path, capsys, overrides, told):
    config = tmp_path / "tiny.yaml"
    config.write_text(yaml.safe_dump(TINY))
    runs = ["--run.folder", str(tmp_path / "runs")]
    assert main(["--config", str(config), "--init", str(source), *runs, *overrides]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert told in message
    assert "init.source" in message
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("runs/none", "there is no run runs/none; it takes a run's folder, the file of a chec"),
        ("SOURCE@", "@ names no checkpoint: write @best, @last or @DECISIONS$"),
        ("none.safetensors", "there is no checkpoint none.safetensors"),
        ("none.onnx", "cannot read none.onnx"),
        ("SOURCE@7", "has no checkpoint '7'; it has: .*best"),
    ],
)
def test_what_is_not_there_is_told(source, tmp_path, name, told):
    with pytest.raises(RacegymError, match=told) as raised:
        warm(tmp_path, name.replace("SOURCE", str(source)))
    assert str(raised.value).startswith("init.source: ")


def test_a_config_that_notes_a_digest_refuses_another_file(source, tmp_path):
    noted = {**TINY, "init": {"source": f"{source}@last", "digest": "0" * 64}}
    config = tmp_path / "noted.yaml"
    config.write_text(yaml.safe_dump(noted))
    assert main(["--config", str(config)]) == 2


def test_a_config_of_a_warm_run_can_be_used_again(source, tmp_path):
    first = warm(tmp_path, f"{source}@last")
    first.run.close()
    words = ["--config", str(first.run.folder / "config.yaml"), "--run.decisions", "512"]
    assert main(words) == 0


def test_a_warm_run_can_be_the_source_of_the_next_with_its_own_config(source, tmp_path, capsys):
    """As the message about settings that --resume refuses says it."""
    first = warm(tmp_path, f"{source}@1024", "--run.decisions", "512")
    first.train()
    capsys.readouterr()
    folder = first.run.folder
    assert main(["--resume", str(folder), "--ppo.gamma", "0.9"]) == 2
    words = capsys.readouterr().err.rpartition("begin a new run with ")[2].split()
    assert words == ["--config", str(folder / "config.yaml"), "--init", str(folder)]
    assert main([*words, "--ppo.gamma", "0.9", "--run.decisions", "512"]) == 0
    noted = Run.open(capsys.readouterr().out.split()[-1]).config().init
    assert (noted.source, noted.decisions) == (str(folder), 512)


def test_resuming_with_init_is_refused(source, capsys):
    assert main(["--resume", str(source), "--init", "runs/other"]) == 2
    assert "--init belongs to --config" in capsys.readouterr().err
    assert main(["--resume", str(source), "--init.source", "runs/other"]) == 2
    assert "init.source cannot be changed in a run" in capsys.readouterr().err


def test_own_learners_start_warm_as_well(source, tmp_path):
    trainer = warm(tmp_path, source, "--algorithm=tests.training.doors:Steady")
    weights = read_source(str(source), trainer.config.description).weights
    assert_equal(trainer.learner.network, weights)
    trainer.run.close()
