"""Masked distributions and networks (PITFALLS 3, 13, 14, 30, 31)."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from racegym.errors import RacegymError
from tests.training.configs import tiny
from training.evaluation import NetworkAgent
from training.interface import Context
from training.learner import Learner
from training.networks import build_network, draw, entropy_of, masked_log_probs
from training.sections import NetworkConfig


def masks_of(actions: int) -> torch.Tensor:
    """Rows with 1, 2, half, all but one and all actions legal."""
    counts = sorted({1, min(2, actions), max(1, actions // 2), actions - 1, actions} - {0})
    mask = torch.zeros(len(counts), actions, dtype=torch.int8)
    generator = torch.Generator().manual_seed(actions)
    for row, count in enumerate(counts):
        mask[row, torch.randperm(actions, generator=generator)[:count]] = 1
    return mask


def logits_of(kind: str, shape: tuple[int, int]) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    if kind == "mild":
        return torch.randn(shape, generator=generator)
    if kind == "extreme":
        return (torch.rand(shape, generator=generator) > 0.5) * 2e4 - 1e4
    return torch.full(shape, {"high": 1e4, "low": -1e4}[kind])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("kind", ["mild", "extreme", "high", "low"])
@pytest.mark.parametrize("actions", [2, 17, 300, 4096])
def test_masked_distributions_are_finite_and_renormalised(dtype, kind, actions):
    mask = masks_of(actions)
    logits = logits_of(kind, tuple(mask.shape)).to(dtype).requires_grad_(True)
    log_probs = masked_log_probs(logits, mask)
    entropy = entropy_of(log_probs)
    probability = log_probs.exp()
    assert torch.isfinite(log_probs).all()
    assert torch.isfinite(entropy).all()
    assert (entropy >= -1e-6).all()
    assert (entropy <= mask.sum(-1).log() + 1e-3).all()
    assert (probability[mask == 0] == 0).all()
    torch.testing.assert_close(probability.sum(-1), torch.ones(len(mask)), atol=1e-5, rtol=0)
    single = mask.sum(-1) == 1
    assert (probability.max(-1).values[single] >= 1 - 1e-6).all()
    chosen = mask.float().argmax(-1)
    (log_probs.gather(1, chosen[:, None]).mean() + entropy.mean()).backward()
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[mask == 0] == 0).all()


@pytest.mark.parametrize("kind", ["mild", "extreme"])
def test_drawn_actions_are_legal_and_follow_the_probabilities(kind):
    mask = masks_of(17)
    log_probs = masked_log_probs(logits_of(kind, tuple(mask.shape)), mask)
    generator = torch.Generator().manual_seed(5)
    counts = torch.zeros_like(log_probs)
    for _ in range(4000):
        action = draw(log_probs, generator)
        counts[torch.arange(len(mask)), action] += 1
    assert (counts[mask == 0] == 0).all()
    torch.testing.assert_close(counts / 4000, log_probs.exp(), atol=0.04, rtol=0)


def test_a_row_without_a_legal_action_is_an_error():
    with pytest.raises(RacegymError, match="no legal action"):
        masked_log_probs(torch.zeros(2, 3), torch.tensor([[1, 0, 0], [0, 0, 0]]))


def test_every_row_uses_its_own_mask():
    """Games in different phases; each action is legal in its own game (PITFALL 14)."""
    learner = Learner(Context(tiny("--rollout.n_envs", "256")))
    phases = set()
    for _ in range(400):
        actions, _, _ = learner.act(learner.batch.observation, learner.batch.mask)
        assert (learner.batch.mask[np.arange(256), actions] == 1).all()
        phases.add(len(np.unique(learner.batch.mask, axis=0)))
        learner.batch = learner.fleet.step(actions)
    assert max(phases) > 3


def test_ratios_are_one_while_nothing_has_changed():
    learner = Learner(Context(tiny("--network.normalise", "true", "--ppo.n_epochs", "1")))
    for _ in range(4):
        learner.gather()
        assert learner.learn().first_ratio_error < 1e-5
    # With the learning rate zero that holds for decisions carried over as well.
    frozen = Learner(Context(tiny("--ppo.learning_rate", "1e-30")))
    frozen.gather()
    frozen.learn()
    frozen.gather()
    losses = frozen.learn()
    assert losses.first_ratio_error < 1e-5
    assert losses.clip_fraction == 0
    assert abs(losses.approx_kl) < 1e-6


def test_the_entropy_bonus_fades_in_a_straight_line():
    """By the updates made, as the learning rate does; without an end it stays."""
    fading = Learner(Context(tiny("--ppo.ent_coef", "0.04", "--ppo.ent_coef_end", "0.01")))
    staying = Learner(Context(tiny("--ppo.ent_coef", "0.04")))
    per_update = fading.config.rollout.n_envs * fading.config.rollout.n_steps
    for done in (0, 1, 2):
        left = 1 - done * per_update / fading.config.run.decisions
        assert 0 < left <= 1
        for learner, weight in ((fading, 0.01 + 0.03 * left), (staying, 0.04)):
            assert learner.ent_coef == pytest.approx(weight)
            assert learner.iterate()["train/ent_coef"] == learner.ent_coef
    fading.iteration = 10**6
    assert fading.ent_coef == pytest.approx(0.01)


ATTENTION = ("--network.kind", "attention", "--network.encoder", "tokens")


@pytest.mark.parametrize("overrides", [(), ("--network.layer_norm", "true"), ATTENTION])
def test_networks_have_the_right_shapes_and_start_near_uniform(overrides):
    config = tiny(*overrides)
    game = config.description
    shape = game.encoder(config.network.encoder).shape
    network = build_network(config.network, shape, game.num_actions)
    logits, value = network(torch.rand(5, *shape))
    assert logits.shape == (5, game.num_actions)
    assert value.shape == (5,)
    assert logits.abs().max() < 1


def test_attention_ignores_empty_rows():
    network = build_network(NetworkConfig(kind="attention", width=16, heads=4), (6, 5), 3)
    rows = torch.rand(1, 6, 5)
    rows[:, 4:] = 0
    shorter, _ = network(rows[:, :4])
    whole, _ = network(rows)
    torch.testing.assert_close(shorter, whole)


def test_attention_needs_rows():
    with pytest.raises(RacegymError, match="tokens"):
        build_network(NetworkConfig(kind="attention"), (10,), 3)


def test_the_normaliser_is_part_of_the_network_and_evaluation_leaves_it_alone():
    learner = Learner(Context(tiny("--network.normalise", "true")))
    for _ in range(3):
        learner.iterate()
    normaliser = learner.network.normaliser
    assert normaliser is not None
    before = {name: t.clone() for name, t in learner.network.state_dict().items()}
    assert "normaliser.mean" in before
    assert before["normaliser.count"] > 1000
    seen = learner.rollout.observation[learner.rollout.closed]
    assert np.abs(before["normaliser.mean"].numpy() - seen.mean(0)).max() < 0.15
    agent = NetworkAgent(learner.network, learner.encoder.id)
    agent.act(learner.batch.observation, learner.batch.mask, learner.batch.seat)
    for name, tensor in learner.network.state_dict().items():
        torch.testing.assert_close(tensor, before[name], rtol=0, atol=0)


def test_statistics_of_the_normaliser_are_those_of_all_batches_together():
    network = build_network(NetworkConfig(width=4, normalise=True), (3,), 2)
    data = torch.randn(500, 3) * 3 + 1
    for part in data.split([7, 93, 150, 250]):
        network.normaliser.update(part)
    torch.testing.assert_close(network.normaliser.mean, data.mean(0), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(
        network.normaliser.variance, data.var(0, unbiased=False), atol=1e-3, rtol=1e-3
    )


def test_agents_play_in_evaluation_mode_and_repeatably():
    learner = Learner(Context(tiny("--network.layer_norm", "true")))
    learner.network.train()
    agent = NetworkAgent(learner.network, learner.encoder.id, greedy=True)
    batch = learner.batch
    first = agent.act(batch.observation, batch.mask, batch.seat)
    assert not any(module.training for module in learner.network.modules())
    np.testing.assert_array_equal(first, agent.act(batch.observation, batch.mask, batch.seat))
    sampled = NetworkAgent(learner.network, learner.encoder.id)
    sampled.reset(4)
    one = sampled.act(batch.observation, batch.mask, batch.seat)
    sampled.reset(4)
    np.testing.assert_array_equal(one, sampled.act(batch.observation, batch.mask, batch.seat))
    assert (batch.mask[np.arange(len(one)), one] == 1).all()
