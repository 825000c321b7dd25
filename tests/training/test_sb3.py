"""MaskablePPO on the Gymnasium environment, exported like our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from racegym.agents.policy import PolicyAgent
from racegym.engine.registry import game
from training.fleet import Fleet
from training.reading import config_from_dict
from training.sb3 import Sb3Config, main, make_model

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*/sb3.yaml"))

CONFIG = """
run: {name: sb3, decisions: 128}
game: {name: cafe_race, num_players: [3, 4]}
sb3: {n_envs: 2, n_steps: 32, batch_size: 32, width: 8, depth: 1, n_epochs: 1}
evaluation: {deals: 1, against: [random]}
"""


def test_it_trains_evaluates_with_masks_and_exports(tmp_path, capsys):
    path = tmp_path / "sb3.yaml"
    path.write_text(CONFIG)
    assert main(["--config", str(path), "--run.folder", str(tmp_path)]) == 0
    told = capsys.readouterr()
    folder = Path(told.out.strip())
    assert "128 decisions of the learner" in told.err
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["decisions_per_second"] > 0
    assert "random/win_share" in summary["evaluation"]
    cafe_race = game("cafe_race")
    policy = PolicyAgent(folder / "policy.onnx", cafe_race)
    assert policy.metadata.provenance["trainer"] == "training.sb3"
    fleet = Fleet(cafe_race, policy.metadata.options, 10, 0)
    batch = fleet.reset()
    for _ in range(20):
        actions = policy.act(batch.observation, batch.mask, batch.seat)
        batch = fleet.step(actions)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.parent.name)
def test_every_shipped_config_trains(path, tmp_path):
    """A few decisions, evaluated and exported."""
    words = ["--run.folder", str(tmp_path), "--run.decisions", "64", "--sb3.n_steps", "4"]
    few = ["--sb3.batch_size", "32", "--evaluation.deals", "1", "--evaluation.against", "[random]"]
    assert main(["--config", str(path), *words, *few]) == 0
    (policy,) = tmp_path.glob("*/policy.onnx")
    PolicyAgent(policy, game(path.parent.name))


def test_every_combination_of_options_is_played_and_masks_reach_the_learner():
    config = config_from_dict(
        Sb3Config,
        {"game": {"name": "cafe_race", "num_players": [3, 4]}, "sb3": {"n_envs": 4, "n_steps": 8}},
        "x",
    )
    model = make_model(config)
    players = [env.options["num_players"] for env in model.env.envs]
    assert players == [3, 4, 3, 4]
    observation = model.env.reset()
    masks = np.stack(model.env.env_method("action_masks"))
    for _ in range(50):
        actions, _ = model.predict(observation, action_masks=masks)
        assert (masks[np.arange(4), actions] == 1).all()
        observation, *_ = model.env.step(actions)
        masks = np.stack(model.env.env_method("action_masks"))


def test_mistakes_are_one_line(tmp_path, capsys):
    path = tmp_path / "sb3.yaml"
    path.write_text(CONFIG)
    for overrides, wanted in (
        (["--sb3.width", "wide"], "command line: sb3.width takes a whole number, not 'wide'"),
        (["--sb3.n_env", "2"], "did you mean 'sb3.n_envs'?"),
        (["--sb3.n_envs", "1"], "sb3.n_envs must be at least 2"),
        (["--sb3.opponents", "nobody"], "command line: sb3.opponents: there is no agent 'nobody'"),
        (["--evaluation.against", "[nobody]"], "line: evaluation.against: there is no agent 'nob"),
        (["--run.device", "meta"], "command line: run.device 'meta' does not work here"),
    ):
        assert main(["--config", str(path), *overrides, "--run.folder", str(tmp_path / "r")]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1
        assert wanted in lines[0]
    assert not (tmp_path / "r").exists()
