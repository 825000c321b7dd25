"""Runs, checkpoints and policies made before settings and figures were renamed.

``before/run`` was made by the version before, as was what its continuation from 1,024 to 1,536
decisions gave: ``continued.jsonl`` and ``continued.safetensors`` (network, games, generators).
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from racegym.agents.policy import PolicyAgent
from racegym.engine.position import Position
from racegym.engine.registry import game
from tests.training.configs import tiny
from training.config import Config
from training.export import export_run
from training.renamed import FIGURES, SETTINGS, config_now, figures_now
from training.runs import Run
from training.sb3 import Sb3Config
from training.train import Trainer, main

BEFORE = Path(__file__).parent / "before"

#: Figures of before that depend on the machine, or that had a meaning of their own.
APART = ("speed/", "games/decisions")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A copy of the run made before."""
    return Run.open(shutil.copytree(BEFORE / "run", tmp_path / "run"))


def test_a_run_made_before_goes_on_as_it_would_have_then(run: Run) -> None:
    assert main(["--resume", str(run.folder), "--run.decisions", "1536"]) == 0
    tensors, _ = run.load()
    wanted = load_file(BEFORE / "continued.safetensors")
    for name, tensor in wanted.items():
        if name.startswith("network/"):  # other processors round otherwise
            torch.testing.assert_close(tensors[name], tensor, rtol=0, atol=1e-6)
        else:
            assert torch.equal(tensors[name], tensor), name
    texts = (BEFORE / "continued.jsonl").read_text().splitlines()
    lines = [figures_now(json.loads(text)) for text in texts]
    for old, new in zip(lines, run.metrics()[-len(lines) :], strict=True):
        same = {name: value for name, value in old.items() if not name.startswith(APART)}
        assert {name: new[name] for name in same} == pytest.approx(same, abs=1e-6)


def test_its_log_and_config_speak_todays_words_afterwards(run: Run) -> None:
    trainer = Trainer.resumed(str(run.folder), ("--run.decisions", "1280"))
    trainer.run.close()
    text = (run.folder / "config.yaml").read_text() + (run.folder / "metrics.jsonl").read_text()
    assert "gae_lambda: 0.9\n" in text
    assert "evaluation/random/relative_win_share" in text
    old = [key.rpartition(".")[2] for key in SETTINGS]
    assert not [key for key in old if f"\n  {key}:" in text]
    assert not [name for name in FIGURES if f'"{name}"' in text]


def test_its_best_evaluation_is_still_the_one_to_beat(run: Run) -> None:
    trainer = Trainer.resumed(str(run.folder))
    assert trainer.best == 1.0
    trainer.run.close()


def test_it_is_exported_and_an_export_of_then_still_plays(run: Run, tmp_path: Path) -> None:
    metadata = export_run(run.folder, tmp_path / "policy.onnx")
    assert metadata.evaluation["random/relative_win_share"] == 1.0
    assert metadata.config["ppo"]["clip_range"] == 0.25
    cafe_race = game("cafe_race")
    one = PolicyAgent(tmp_path / "policy.onnx", cafe_race)
    two = PolicyAgent(BEFORE / "policy.onnx", cafe_race)
    env = Position(cafe_race, seed=3)
    answers = [agent.evaluate(env.observation[None], env.mask[None]) for agent in (one, two)]
    for mine, theirs in zip(*answers, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("old", SETTINGS)
def test_an_old_key_is_answered_with_the_new_one(old: str, tmp_path: Path, capsys) -> None:
    section, _, key = old.partition(".")
    if section == "sb3":
        from training.sb3 import main
    else:
        from training.train import main
    path = tmp_path / "c.yaml"
    start = "game: {name: cafe_race}\n"
    path.write_text(start + f"{section}: {{{key}: 1}}\n")
    assert main(["--config", str(path)]) == 2
    assert capsys.readouterr().err.endswith(f" {path}: {old} is now {SETTINGS[old]}\n")
    path.write_text(start)
    assert main(["--config", str(path), f"--{old}", "1"]) == 2
    assert capsys.readouterr().err.endswith(f" command line: {old} is now {SETTINGS[old]}\n")


def test_the_table_leads_to_settings_that_there_are() -> None:
    known = {**Sb3Config().to_dict(), **Config().to_dict()}
    for old, new in SETTINGS.items():
        section, _, key = new.partition(".")
        assert key in known[section]
        assert old.partition(".")[2] not in known[section]
    stored = tiny().to_dict()
    assert config_now(stored) == stored
