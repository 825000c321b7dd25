"""The guide's commands, run as they stand (but short), and the demo."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from training import export, sb3, train

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "training.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    for line in block.splitlines()
]
MAINS = {"training.train": train.main, "training.export": export.main, "training.sb3": sb3.main}
SHORT = {
    "training.train": ["--run.decisions", "2048", "--rollout.n_envs", "32"],
    "training.sb3": ["--run.decisions", "512", "--sb3.n_steps", "32", "--sb3.batch_size", "64"],
}
FEW = ["--evaluation.deals", "1", "--evaluation.against", "[random]"]


def test_commands_of_the_guide_work_as_they_stand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    for name, block in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", GUIDE, re.DOTALL):
        (tmp_path / name).write_text(block)
    done = []
    for command in COMMANDS:
        words = shlex.split(command)
        if words[0] != "python":
            assert words[0] == "racegym"
            continue
        name, words = words[2], words[3:]
        if "--config" in words:
            words += SHORT[name] + FEW
        assert MAINS[name](words) == 0, command
        done.append(name)
    assert set(done) == set(MAINS)
    assert (tmp_path / "policy.onnx").is_file()


@pytest.mark.parametrize("section", ["run", "game", "rollout", "network", "ppo", "opponents"])
def test_the_guide_names_every_setting(section):
    from tests.training.configs import tiny

    for name in tiny().to_dict()[section]:
        assert f"| `{section}.{name}` |" in GUIDE


def test_the_demo_trains_exports_and_plays(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("demo", ROOT / "examples" / "demo.py")
    assert spec is not None and spec.loader is not None
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    words = ["--deals", "2", "--rollout.n_envs", "32", "--run.decisions", "2048", *FEW]
    assert demo.main(words) == 0
    told = capsys.readouterr()
    policy = Path("runs") / "cafe_race-demo-001" / "policy.onnx"
    assert policy.is_file()
    assert f"policy:   {policy}" in told.out
    assert told.out.count("fair win share") == 2
    assert demo.main(["--deals", "0"]) == 2
    assert capsys.readouterr().err.startswith("demo: ")
