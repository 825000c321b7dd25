"""Exported policies give the network's answers (PITFALLS 9, 13, 28, 46)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from racegym.agents.metadata import PolicyMetadata
from racegym.agents.onnx_file import DIGEST
from racegym.agents.policy import PolicyAgent, PolicyError
from tests.training.configs import tiny
from training import export
from training.export import ExportError, export_network, export_run, load_policy, main
from training.fleet import Fleet
from training.runs import Run
from training.train import Trainer

KINDS = {
    "mlp": ("--network.normalise", "true", "--network.layer_norm", "true"),
    "attention": ("--network.kind", "attention", "--network.encoder", "tokens"),
}


@pytest.fixture(scope="module", params=KINDS)
def trainer(request, tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("runs"))
    trainer = Trainer.new(
        tiny("--run.folder", folder, "--run.decisions", "1536", *KINDS[request.param])
    )
    assert trainer.train() == 0
    return trainer


@pytest.fixture(scope="module")
def policy(trainer):
    path = trainer.run.folder / "Ordner é" / "my policy.onnx"
    path.parent.mkdir()
    assert main([str(trainer.run.folder), "-o", str(path)]) == 0
    return PolicyAgent(path, trainer.learner.game)


def test_the_file_names_no_folder_of_the_machine_that_wrote_it(trainer, policy):
    assert policy.metadata.game == "cafe_race"
    content = (trainer.run.folder / "Ordner é" / "my policy.onnx").read_bytes()
    for place in (Path(export.__file__).parent, Path(torch.__file__).parent):
        assert str(place).encode() not in content


def test_a_thousand_real_decisions_get_the_same_answers(trainer, policy):
    network, config, _ = load_policy(trainer.run, "last")
    fleet = Fleet(policy_game(trainer), config.combinations(), 50, 9, policy.encoder)
    batch = fleet.reset()
    for _ in range(20):
        logits, value = policy.evaluate(batch.observation, batch.mask)
        with torch.inference_mode():
            wanted, wanted_value = network(torch.from_numpy(batch.observation))
        wanted = np.where(batch.mask != 0, wanted.numpy(), -1e9)
        np.testing.assert_allclose(logits, wanted, atol=1e-4)
        np.testing.assert_allclose(value, wanted_value.numpy(), atol=1e-4)
        best = np.sort(wanted, axis=1)
        clear = best[:, -1] - best[:, -2] > 1e-4
        np.testing.assert_array_equal(logits.argmax(1)[clear], wanted.argmax(1)[clear])
        batch = fleet.step(policy.act(batch.observation, batch.mask, batch.seat))


def policy_game(trainer):
    return trainer.learner.game


@pytest.mark.parametrize("count", [1, 2, 7, 300])
def test_the_batch_axis_is_free_and_a_single_legal_action_is_certain(trainer, policy, count):
    game = policy_game(trainer)
    rng = np.random.default_rng(count)
    shape = game.encoder(policy.encoder).shape
    observation = rng.random((count, *shape), np.float32) * 100
    mask = np.zeros((count, game.num_actions), np.int8)
    only = rng.integers(game.num_actions, size=count)
    mask[np.arange(count), only] = 1
    logits, value = policy.evaluate(observation, mask)
    probability = np.exp(logits - logits.max(1, keepdims=True))
    probability /= probability.sum(1, keepdims=True)
    assert (probability[np.arange(count), only] >= 1 - 1e-6).all()
    assert value.shape == (count,)
    np.testing.assert_array_equal(policy.act(observation, mask, np.zeros(count, int)), only)


def test_the_file_says_what_it_is(trainer, policy):
    metadata = policy.metadata
    assert metadata.game == "cafe_race"
    assert metadata.options == trainer.config.combinations()
    assert metadata.config == trainer.config.to_dict()
    assert metadata.provenance["decisions"] == 1536
    assert [p.name for p in (trainer.run.folder / "Ordner é").iterdir()] == ["my policy.onnx"]


def test_a_flipped_byte_is_noticed(trainer, policy, tmp_path):
    """Anywhere in the graph, the weights or the metadata."""
    content = (trainer.run.folder / "Ordner é" / "my policy.onnx").read_bytes()
    entry = content.rindex(DIGEST.encode()) - 4  # where the entry of the digest begins
    text = content.index(b"learning_rate") + 15  # in the metadata
    path = tmp_path / "p.onnx"
    for at in [*np.linspace(0, entry - 1, 25, dtype=int).tolist(), text, len(content) - 1]:
        spoilt = bytearray(content)
        spoilt[at] ^= 1
        path.write_bytes(spoilt)
        with pytest.raises(PolicyError):
            PolicyAgent(path, policy_game(trainer))
    weights = bytearray(content)
    weights[len(content) // 2] ^= 1
    path.write_bytes(weights)
    with pytest.raises(PolicyError, match=r"it is damaged: its contents do not match the digest"):
        PolicyAgent(path, policy_game(trainer))


def test_a_file_that_answers_otherwise_is_not_written(trainer, tmp_path, monkeypatch):
    network, config, _ = load_policy(trainer.run, "last")
    game = config.description
    encoder = game.encoder(config.network.encoder)
    metadata = PolicyMetadata.of(game, encoder)
    original = export._as_onnx

    def of_another(policy, *rest):
        other, _, _ = load_policy(trainer.run, "last")
        with torch.no_grad():
            other.policy.bias += 0.01
        return original(export.MaskedPolicy(other), *rest)

    monkeypatch.setattr(export, "_as_onnx", of_another)
    with pytest.raises(ExportError, match=r"differs from the network by 0\.01"):
        export_network(network, game, encoder, metadata, tmp_path / "p.onnx")
    assert os.listdir(tmp_path) == []


def test_the_best_checkpoint_is_taken_if_there_is_one(tmp_path):
    trainer = Trainer.new(
        tiny("--run.folder", str(tmp_path), "--run.decisions", "1024",
             "--evaluation.against", "[random]", "--evaluation.interval", "512")
    )  # fmt: skip
    assert trainer.train() == 0
    metadata = export_run(trainer.run.folder, tmp_path / "p.onnx")
    assert metadata.evaluation["random/relative_win_share"] == trainer.best
    metadata = export_run(str(trainer.run.folder), str(tmp_path / "p.onnx"), "last")
    assert metadata.provenance["decisions"] == 1024


def test_mistakes_are_one_line(trainer, tmp_path, capsys):
    folder = str(trainer.run.folder)
    for words, wanted in (
        ([folder, "-o", str(tmp_path / "p.pt")], "is named FILE.onnx, not 'p.pt'"),
        ([folder, "-o", str(tmp_path / "no" / "p.onnx")], "there is no folder"),
        ([folder, "-o", str(tmp_path / "p.onnx"), "--checkpoint", "7"], "no checkpoint '7'; it"),
        ([str(tmp_path), "-o", str(tmp_path / "p.onnx")], "is no folder of a run"),
        ([str(tmp_path / "no"), "-o", str(tmp_path / "p.onnx")], "there is no run"),
        ([folder], "-o/--output"),
    ):
        assert main(words) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1
        assert wanted in lines[0]
    assert Run.open(folder).folder.is_dir()
    assert os.listdir(tmp_path) == []


def test_where_it_goes_is_checked_before_the_work(trainer, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("training.export.load_policy", None)
    place = tmp_path / "p.onnx"
    place.mkdir()
    assert main([str(trainer.run.folder), "-o", str(place)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "p.onnx is no plain file: name a file to write to" in line
    assert main([str(trainer.run.folder), "-o", "/proc/p.onnx"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("training.export: /proc/p.onnx: ")
    assert os.listdir(tmp_path) == ["p.onnx"]
