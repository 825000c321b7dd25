"""An algorithm of one's own: the trainer does all the rest, and names what goes wrong."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

import racegym
from racegym.agents import agent_from_spec
from racegym.errors import RacegymError
from tests.training.configs import TINY, tiny
from training.checkpoint import CheckpointError, packed, unpacked
from training.config import ConfigError
from training.export import export_run
from training.runs import Run
from training.train import Trainer, main

ROOT = Path(__file__).parents[2]
OWN = "tests.training.doors"


def own(folder, learner="Steady", *overrides):
    return tiny("--run.folder", str(folder), f"--algorithm={OWN}:{learner}", *overrides)


def test_it_trains_evaluates_logs_exports_and_plays(tmp_path):
    words = ["--evaluation.against", "[random]", "--run.decisions", "1024"]
    trainer = Trainer.new(own(tmp_path, "WithMeetings", *words))
    assert trainer.train() == 0
    run = trainer.run
    lines = run.metrics()
    assert [line["decisions"] for line in lines] == [256, 512, 768, 1024]
    assert all(line["train/sum"] > 0 and line["train/nothing"] is None for line in lines)
    assert all(line["speed/decisions_per_second"] > 0 for line in lines)
    assert lines[0]["opponents/a friend"] == 0.75
    assert "evaluation/random/win_share" in lines[-1]
    summary = run.summary()
    assert (summary["decisions"], summary["updates"], summary["shares"]) == (1024, 4, {})
    assert summary["best"] == lines[-1]["evaluation/random/relative_win_share"]
    assert run.has_best
    policy = tmp_path / "own.onnx"
    export_run(run.folder, policy)
    game = racegym.game("cafe_race")
    assert (
        agent_from_spec(str(policy), game)
        .metadata.config["algorithm"]["kind"]
        .endswith(":WithMeetings")
    )
    assert agent_from_spec(str(run.folder), game).name == "tiny-001"


def test_a_resumed_run_goes_on_exactly(tmp_path):
    whole = Trainer.new(own(tmp_path, "Steady", "--run.decisions", "2048"))
    whole.train()
    half = Trainer.new(own(tmp_path, "Steady", "--run.decisions", "1024"))
    half.train()
    again = Trainer.resumed(str(half.run.folder), ("--run.decisions", "2048"))
    again.train()
    sums = [[line["train/sum"] for line in t.run.metrics()] for t in (whole, again)]
    assert sums[0] == sums[1]
    for name, one in whole.learner.network.state_dict().items():
        assert torch.equal(one, again.learner.network.state_dict()[name])


def test_interrupted_and_checkpointed_as_any_run(tmp_path):
    words = ["--run.decisions", "1024", "--checkpoint.interval", "300", "--checkpoint.keep", "9"]
    trainer = Trainer.new(own(tmp_path, "Steady", *words))
    trainer.train()
    names = sorted(int(p.stem) for p in trainer.run.checkpoints.glob("*.safetensors"))
    assert names == [512, 768, 1024]


@pytest.mark.parametrize(
    ("learner", "told"),
    [
        ("Nothing", "has no callable Nothing"),
        ("Unmade", "cannot be made: KeyError: 'no such thing' (tests/training/doors.py:"),
        ("Bare", "it has no decisions"),
        ("OwnWeights", "its network must be one that context.new_network() made"),
        (
            "Unsaved",
            "its state cannot be saved: the data hold object at 'what', which is no JSON "
            "(tests/training/doors.py:",
        ),
        ("Deep", "the data hold int64 at 'memory.0.games', which is no JSON (tests/training/doo"),
        ("NoPair", "state_dict returned dict, not (tensors, data) (tests/training/doors.py:"),
        ("NoTensor", "cannot be saved: the tensors hold list at 'sums' (tests/training/doors.py:"),
        ("Sparse", "the tensors hold a float32 sparse_coo one at 'sums' (tests/training/doors.py"),
        ("Undecided", "failed in is_done: ZeroDivisionError: division by zero (tests/training/d"),
    ],
)
def test_a_wrong_one_is_told_at_the_start(tmp_path, capsys, learner, told):
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump({**TINY, "algorithm": f"{OWN}:{learner}"}))
    assert main(["--config", str(path), "--run.folder", str(tmp_path / "runs")]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert message.startswith(f"training.train: {path}: algorithm.kind '{OWN}:{learner}'")
    assert told in message
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("learner", "told"),
    [
        ("Failing", r"failed in iterate: ZeroDivisionError: division by zero \(tests/training/d"),
        ("Strange", "iterate returned list, not a dict of figures"),
        ("StandingStill", "iterate played nothing: it still has 0 decisions"),
        ("Diverging", r"the training has diverged after 256 decisions \(train/loss is not finite"),
    ],
)
def test_what_goes_wrong_later_is_told_with_its_place(tmp_path, learner, told):
    trainer = Trainer.new(own(tmp_path, learner, "--run.decisions", "256"))
    with pytest.raises(RacegymError, match=told):
        trainer.train()


def test_a_learner_that_does_not_restore_its_decisions_is_told(tmp_path):
    trainer = Trainer.new(own(tmp_path, "Forgetful", "--run.decisions", "256"))
    trainer.train()
    with pytest.raises(RacegymError, match="load_state_dict left it at 0 decisions, not 256"):
        Trainer.resumed(str(trainer.run.folder))


def test_options_are_handed_over_and_checked_if_declared(tmp_path):
    example = str(ROOT / "examples")
    words = ["--algorithm=own_learner:Reinforce", "--algorithm.options.learning_rate", "0.5"]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(example)
        made = Trainer.new(tiny("--run.folder", str(tmp_path), *words))
        assert made.learner._made.options.learning_rate == 0.5
        made.run.close()
        for option, told in (
            ("learning_rat=1", "learning_rat'; did you mean 'learning_rate'"),
            ("learning_rate=fast", "^algorithm.options.learning_rate takes a number, not 'fast'$"),
        ):
            with pytest.raises(ConfigError, match=told):
                Trainer.new(tiny(words[0], f"--algorithm.options.{option}"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--algorithm=dqn"], "algorithm.kind takes 'ppo' or package.module:Learner, not 'dqn'"),
        (["--algorithm.options.x=1"], "the settings of ppo stand in the section ppo"),
        (
            [f"--algorithm={OWN}:Steady", f"--reward={OWN}:places"],
            f"reward.function: {OWN}:Steady uses no own reward",
        ),
    ],
)
def test_settings_that_do_not_fit(tmp_path, words, told):
    with pytest.raises(ConfigError, match=told):
        Trainer.new(tiny("--run.folder", str(tmp_path), *words))


def test_nested_state_is_packed_and_unpacked():
    network = torch.nn.Linear(2, 2)
    optimiser = torch.optim.Adam(network.parameters())
    network(torch.ones(1, 2)).sum().backward()
    optimiser.step()
    state = {
        "optimiser": optimiser.state_dict(),
        "array": np.arange(3, dtype=np.uint8),
        "plain": [1, 2.5, None, "text", True, np.int64(4)],
        "tuple": (1, (2, 3)),
        "$odd": {1: "a"},
    }
    tensors, plain = packed(state)
    again = unpacked(tensors, json.loads(json.dumps(plain)))
    torch.optim.Adam(network.parameters()).load_state_dict(again["optimiser"])
    assert torch.equal(
        again["optimiser"]["state"][0]["exp_avg"], state["optimiser"]["state"][0]["exp_avg"]
    )
    assert again["array"].tolist() == [0, 1, 2] and again["array"].dtype == np.uint8
    assert again["plain"] == [1, 2.5, None, "text", True, 4]
    assert again["tuple"] == (1, (2, 3)) and again["$odd"] == {1: "a"}
    with pytest.raises(CheckpointError, match=r"the state holds object at 'a\.0'"):
        packed({"a": [object()]})


def test_the_example_runs(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    runpy.run_path(str(ROOT / "examples" / "own_learner.py"), run_name="__main__")
    assert "reinforce" in capsys.readouterr().out


def test_runs_of_an_own_learner_are_opened_like_any_other(tmp_path):
    trainer = Trainer.new(own(tmp_path, "Steady", "--run.decisions", "256"))
    trainer.train()
    config = Run.open(trainer.run.folder).config()
    assert config.algorithm.kind == f"{OWN}:Steady"
