"""A network of the user's own trains, goes on, is exported and plays; mistakes are one line."""

from __future__ import annotations

import os
import re
import runpy
import sys
from pathlib import Path

import pytest
import torch
import yaml

from racegym.agents import AgentError
from racegym.agents.policy import PolicyAgent
from racegym.arena import play_match
from tests.training.configs import TINY, tiny
from training.checkpoint import CheckpointError
from training.config import Config, ConfigError
from training.evaluation import NetworkAgent
from training.export import export_run
from training.export import main as export
from training.interface import Context
from training.learner import Learner
from training.networks import Normaliser
from training.reading import config_from_dict
from training.runs import Run, checkpoint_file
from training.train import Trainer, main

ROOT = Path(__file__).parents[2]

OWN = {
    "small": ("--network.kind", "tests.training.own:small", "--network.options", "{width: 6}"),
    "lstm": ("--network.kind", "tests.training.own:lstm", "--network.options.width", "6"),
    "scaled": ("--network.kind", "tests.training.own:small", "--network.normalise", "true"),
    "rows": ("--network.kind", "tests.training.own:small", "--network.encoder", "tokens"),
    "gru": ("--network.kind", "gru", "--network.normalise", "true"),
}


def run_of(folder: Path, *overrides: str) -> Trainer:
    trainer = Trainer.new(tiny("--run.folder", str(folder), *overrides))
    assert trainer.train() == 0
    return trainer


@pytest.mark.parametrize("kind", OWN)
def test_it_trains_goes_on_exactly_is_exported_and_plays(kind, tmp_path):
    whole = run_of(tmp_path, "--run.decisions", "2048", "--ppo.anneal_lr", "false", *OWN[kind])
    half = run_of(tmp_path, "--run.decisions", "1024", "--ppo.anneal_lr", "false", *OWN[kind])
    again = Trainer.resumed(str(half.run.folder), ("--run.decisions", "2048"))
    assert again.train() == 0
    wanted, found = whole.learner.state_dict(), again.learner.state_dict()
    assert wanted[0].keys() == found[0].keys()
    assert all(torch.equal(wanted[0][name], found[0][name]) for name in wanted[0])
    assert wanted[1]["config"]["network"]["kind"] == OWN[kind][1]
    metadata = export_run(whole.run.folder, tmp_path / "p.onnx")
    assert metadata.config["network"]["kind"] == OWN[kind][1]
    options = whole.config.combinations()[0]
    result = play_match("cafe_race", [str(tmp_path / "p.onnx"), "random"], 2, 1, options)
    assert result.decisions > 0


def test_its_options_reach_it():
    learner = Learner(Context(tiny(*OWN["small"])))
    assert learner.network.network.policy.in_features == 6


def test_the_normaliser_stands_before_it():
    learner = Learner(Context(tiny(*OWN["scaled"])))
    assert isinstance(learner.network.normaliser, Normaliser)
    learner.iterate()
    learner.iterate()
    assert learner.network.normaliser.count > 500
    assert learner.learn().n_samples > 0


@pytest.mark.parametrize("kind", ["small", "scaled", "rows"])
def test_ratios_are_one_while_nothing_has_changed(kind):
    learner = Learner(Context(tiny(*OWN[kind], "--ppo.n_epochs", "1")))
    for _ in range(3):
        learner.gather()
        assert learner.learn().first_ratio_error < 1e-5


BAD = {
    "no_module": "returned int, not a torch.nn.Module",
    "no_weights": "returned a module without trainable parameters",
    "fails": "failed: KeyError: 'size' (tests/training/own.py:",
    "one_output": "its forward returned float32 (3, 117), not (logits, values)",
    "column_of_values": "its forward returned values as float32 (3, 1), not float32 (3,)",
    "too_few_logits": "its forward returned logits as float32 (3, 116), not float32 (3, 117)",
    "half_precision": "its forward returned logits as float16 (3, 117), not float32 (3, 117)",
    "not_finite": "its forward returned values that are not finite",
    "mixes_rows": "its forward answers a situation differently beside others in a batch",
    "forward_fails": "its forward failed: RuntimeError: ",
    "dropout": "its forward answers differently in training mode (dropout, batch norm)",
    "state_of_text": "has state_shape 'wide', not a tuple of whole numbers above 0",
    "forgets_its_state": "its forward failed: IndexError",
    "odd_state": "has dict in its state_dict at '_extra_state', no tensor",
    "smal": "tests.training.own has no callable smal; did you mean 'small'?",
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_told_at_the_start_in_one_line(name):
    with pytest.raises(ConfigError) as caught:
        Learner(Context(tiny("--network.kind", f"tests.training.own:{name}")))
    text = str(caught.value)
    assert text.startswith(f"network.kind 'tests.training.own:{name}': ")
    assert (
        BAD[name].replace("117", str(num_actions())).replace("116", str(num_actions() - 1)) in text
    )
    assert "\n" not in text


def num_actions() -> int:
    return tiny().description.num_actions


def test_the_place_in_the_users_own_file_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("import torch\n\nraise RuntimeError('not\\nyet')\n")
    Path("r.yaml").write_text(yaml.safe_dump({**TINY, "network": {"kind": "mine:build"}}))
    assert main(["--config", "r.yaml"]) == 2
    Path("mine.py").write_text(
        "from torch import nn\n\nclass Net(nn.Linear):\n    def forward(self, seen):\n"
        "        return super().forward(seen)\n\ndef build(spec):\n    return Net(2, 3)\n"
    )
    sys.modules.pop("mine", None)
    assert main(["--config", "r.yaml"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == (
        "training.train: r.yaml: network.kind 'mine:build': cannot import mine: "
        "RuntimeError: not yet (mine.py:3)"
    )
    assert lines[1].startswith("training.train: r.yaml: network.kind 'mine:build': its forward fai")
    assert lines[1].endswith("(mine.py:5)")
    assert len(lines) == 2
    assert sorted(os.listdir()) in (["mine.py", "r.yaml"], ["__pycache__", "mine.py", "r.yaml"])
    sys.modules.pop("mine", None)


@pytest.mark.parametrize(
    ("overrides", "wanted"),
    [
        (("--network.kind", "grus"), "did you mean 'gru'"),
        (("--network.kind", "a b:c"), "takes one of 'mlp', 'attention', 'gru', or package.module:"),
        (("--network.critic_kind", "gru"), "network.critic_kind takes one of 'mlp', 'attention'"),
        (("--network.options", "{width: 3}"), "network.options is for networks of your own"),
        (("--network.critic", "ful"), "did you mean 'full'"),
        (("--network.encoder", "full"), "shows hidden information"),
    ],
)
def test_settings_that_do_not_fit_are_refused(overrides, wanted):
    with pytest.raises(ConfigError, match=wanted):
        tiny(*overrides)


def test_a_checkpoint_of_another_network_is_refused(tmp_path):
    trainer = run_of(tmp_path, "--run.decisions", "512", *OWN["small"])
    config = trainer.run.folder / "config.yaml"
    config.write_text(config.read_text().replace("width: 6", "width: 7"))
    with pytest.raises(CheckpointError, match="does not fit"):
        export_run(trainer.run.folder, tmp_path / "p.onnx")
    with pytest.raises(CheckpointError, match="does not fit"):
        Trainer.resumed(str(trainer.run.folder))
    assert Run.open(trainer.run.folder).checkpoints.is_dir()


def test_an_exported_policy_does_not_need_the_users_code(tmp_path, monkeypatch):
    trainer = run_of(tmp_path, "--run.decisions", "512", *OWN["small"])
    export_run(trainer.run.folder, tmp_path / "p.onnx")
    monkeypatch.setitem(sys.modules, "tests.training.own", None)
    PolicyAgent(tmp_path / "p.onnx", trainer.learner.game)


def test_the_example_trains_both_networks_and_lets_them_meet(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    runpy.run_path(str(ROOT / "examples" / "own_network.py"), run_name="__main__")
    assert "build_recurrent" in capsys.readouterr().out


def test_the_interface_in_the_guide_works_as_it_stands(tmp_path, monkeypatch):
    guide = (ROOT / "docs" / "guides" / "networks.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    first, second = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("my_networks.py").write_text(code)
    own, critic = (
        config_from_dict(Config, {**TINY, **yaml.safe_load(part)}, "guide")
        for part in (first, second)
    )
    assert Learner(Context(own)).network.network.policy.in_features == 32
    assert Learner(Context(critic)).critic is not None
    sys.modules.pop("my_networks", None)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("not_onnx", "torch cannot write the network as ONNX: "),
        ("one_shape", "the network fixes the size of the batch when it is exported: "),
        ("one_size", "the network fixes the size of the batch when it is exported: "),
    ],
)
def test_a_network_that_cannot_be_exported_is_told_in_one_line(name, wanted, tmp_path, capsys):
    own = f"tests.training.own:{name}"
    trainer = run_of(tmp_path, "--run.decisions", "512", "--network.kind", own)
    capsys.readouterr()
    assert export([str(trainer.run.folder), "-o", str(tmp_path / "p.onnx")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"training.export: {wanted}")
    assert not (tmp_path / "p.onnx").exists()


@pytest.mark.parametrize("kind", ["small", "lstm"])
def test_steps_at_which_only_opponents_act_need_no_network(kind):
    words = ("--rollout.n_envs", "2", "--game.num_players", "3", "--game.vary", "{}")
    shares = ("--opponents.snapshot_share", "0", "--opponents.agent_share", "1")
    learner = Learner(Context(tiny(*OWN[kind], *words, *shares, "--network.critic", "full")))
    learner.iterate()
    learner.iterate()
    assert (~learner.rollout.taken[learner.rollout.seats :].any(axis=1)).any()


FAILING = {
    "gathering": ("counting", 8, "fails"),
    "updating": ("counting", 4 + 70, "fails"),
    "another form": ("counting", 8, "short"),
    "critic": ("counting_critic", 8, "fails"),
}


@pytest.mark.parametrize("case", FAILING)
def test_a_forward_that_fails_later_is_told_like_one_that_fails_at_the_start(
    case, tmp_path, capsys
):
    name, calls, late = FAILING[case]
    door = "network.critic_kind" if "critic" in name else "network.kind"
    words = [f"--{door}=tests.training.own:{name}", f"--network.options.calls={calls}"]
    words += [f"--network.options.late={late}", "--opponents.snapshot_share=0"]
    words += ["--network.critic=full"] if "critic" in name else []
    config = tmp_path / "r.yaml"
    config.write_text(yaml.safe_dump(TINY))
    assert main(["--config", str(config), "--run.folder", str(tmp_path), *words]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    told = " failed: ValueError: too often (tests/training/own.py:"
    if late == "short":
        told = ": its forward returned float32 ("
    assert last.startswith(f"training.train: {door} 'tests.training.own:{name}'{told}")


def test_checkpoints_stay_when_a_forward_fails_and_all_who_play_it_tell_so(tmp_path, capsys):
    words = ["--network.kind=tests.training.own:counting", "--opponents.snapshot_share=0"]
    words += ["--network.options.calls=9999", "--run.decisions=1024"]
    run = run_of(tmp_path, *words).run
    config = run.folder / "config.yaml"
    config.write_text(config.read_text().replace("calls: 9999", "calls: 5"))
    kept = [path.read_bytes() for path in run.checkpoints.iterdir()]
    again = ["--run.decisions", "9999"]
    assert main(["--resume", str(run.folder), *again]) == 2
    assert "too often (tests/training/own.py:" in capsys.readouterr().err.splitlines()[-1]
    assert [path.read_bytes() for path in run.checkpoints.iterdir()] == kept
    config.write_text(config.read_text().replace("calls: 5", "calls: 3"))
    assert export([str(run.folder), "-o", str(tmp_path / "p.onnx")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert " failed: ValueError: too often (tests/training/own.py:" in line


def test_a_match_names_the_place_in_the_users_network(tmp_path):
    game = tiny().description
    config = tiny("--network.kind=tests.training.own:counting", "--network.options.calls=5")
    learner = Learner(Context(config))
    agent = NetworkAgent(learner.network, config.network.encoder)
    agent.encoder = game.encoder("flat").id
    with pytest.raises(AgentError) as caught:
        play_match(game, [agent, "random"], 2, 1)
    text = str(caught.value)
    assert text.startswith("agent 'learner' failed: network.kind 'tests.training.own:counting' ")
    assert "too often (tests/training/own.py:" in text
    assert text.count("own.py:") == 1


LATE = """import torch
from torch import nn

class Late(nn.Module):
    def __init__(self, spec, critic):
        super().__init__()
        self.body, self.calls, self.critic = nn.Linear(spec.shape[0], 8), 0, critic
        self.policy, self.value = nn.Linear(8, spec.num_actions), nn.Linear(8, 1)

    def forward(self, seen):
        self.calls += 1
        if self.calls > 60:
            raise RuntimeError("not any more")
        features = self.body(seen).relu()
        value = self.value(features).squeeze(-1)
        return value if self.critic else (self.policy(features), value)

def policy(spec):
    return Late(spec, False)

def critic(spec):
    return Late(spec, True)
"""


@pytest.mark.parametrize(
    ("key", "overrides"),
    [
        ("network.kind", ("--network.kind", "late:policy")),
        (
            "network.critic_kind",
            ("--network.critic", "full", "--network.critic_kind", "late:critic"),
        ),
    ],
)
def test_a_failure_at_work_is_told_in_one_line(key, overrides, tmp_path, monkeypatch, capsys):
    """Wherever it happens; checkpoints written before stay."""
    monkeypatch.chdir(tmp_path)
    Path("late.py").write_text(LATE)
    Path("r.yaml").write_text(yaml.safe_dump(TINY))
    sys.modules.pop("late", None)
    assert main(["--config", "r.yaml", "--run.decisions", "20000", *overrides]) == 2
    *_, line = capsys.readouterr().err.splitlines()
    name = overrides[-1]
    assert line == (
        f"training.train: {key} '{name}' failed: RuntimeError: not any more (late.py:13)"
    )
    sys.modules.pop("late", None)


def test_a_run_is_named_with_a_checkpoint_or_without(tmp_path):
    run_of(tmp_path, "--run.decisions", "512")
    (run,) = tmp_path.iterdir()
    with pytest.raises(CheckpointError, match="names no checkpoint: write @best, @last"):
        checkpoint_file(f"{run}@")
    with pytest.raises(CheckpointError, match="is a file, not the folder of a run"):
        Run.open(run / "config.yaml")
