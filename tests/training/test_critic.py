"""A critic that sees more than the policy: in training only, and not through the policy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from racegym.agents.policy import PolicyAgent
from racegym.engine.batch import GameBatch
from tests.training.configs import recall, tiny
from training.checkpoint import under_prefix
from training.export import export_run
from training.interface import Context
from training.learner import Learner
from training.train import Trainer

FULL = ("--network.critic", "full")
KINDS = {
    "mlp": FULL,
    "scaled": (*FULL, "--network.normalise", "true"),
    "attention": ("--network.critic", "tokens", "--network.critic_kind", "attention"),
    "own": (*FULL, "--network.critic_kind", "tests.training.own:critic"),
    "gru": (*FULL, "--network.kind", "gru"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_trains_and_goes_on_exactly(kind, tmp_path):
    def trainer(decisions):
        words = ("--run.folder", str(tmp_path), "--run.decisions", decisions)
        return Trainer.new(tiny(*words, "--ppo.anneal_lr", "false", *KINDS[kind]))

    whole, half = trainer("2048"), trainer("1024")
    before = {name: t.clone() for name, t in whole.learner.critic.state_dict().items()}
    assert whole.train() == half.train() == 0
    again = Trainer.resumed(str(half.run.folder), ("--run.decisions", "2048"))
    assert again.train() == 0
    wanted, found = whole.learner.state_dict()[0], again.learner.state_dict()[0]
    assert wanted.keys() == found.keys()
    assert all(torch.equal(wanted[name], found[name]) for name in wanted)
    learned = under_prefix("critic", wanted)
    assert all(not torch.equal(learned[name], before[name]) for name in before)


def test_values_come_from_the_critic_and_ratios_are_one():
    learner = Learner(Context(tiny(*FULL, "--ppo.n_epochs", "1", "--ppo.n_minibatches", "1")))
    learner.gather()
    rollout = learner.rollout
    with torch.inference_mode():
        values = learner.critic(torch.from_numpy(rollout.critic_observation[rollout.taken]))
        own = learner.network(torch.from_numpy(rollout.observation[rollout.taken]))[1]
    np.testing.assert_allclose(rollout.value[rollout.taken], values.numpy(), atol=1e-5)
    assert np.abs(values.numpy() - own.numpy()).max() > 1e-3
    assert learner.learn().first_ratio_error < 1e-5


def test_the_critic_reads_the_seat_to_act_of_every_game():
    learner = Learner(Context(tiny(*FULL)))
    learner.gather()
    row = learner.rollout.seats
    rollout = learner.rollout
    fresh = Learner(Context(tiny(*FULL)))
    seen = np.concatenate([
        games.observe(fresh.batch.seat[first : first + len(games)], "full")
        for first, games in fresh.fleet.groups()
    ])  # fmt: skip
    np.testing.assert_array_equal(rollout.critic_observation[row], seen)


AVE_CAESAR = ("--game.name", "ave_caesar", "--game.vary", "{}", "--game.num_players", "3")


@pytest.mark.parametrize("config", [recall(*FULL), tiny(*FULL, *AVE_CAESAR)], ids=["recall", "ave"])
def test_what_a_seat_may_not_know_changes_the_critic_but_not_the_policy(config):
    """Re-deals: states that the seat to act cannot tell apart."""
    learner = Learner(Context(config))
    learner.iterate()
    ((_, games),) = learner.fleet.groups()
    one = games.take(np.arange(len(games)))
    other = one.redeal(np.arange(len(one)) + 7)
    logits, values, judged = zip(*(answered(learner, batch) for batch in (one, other)), strict=True)
    assert torch.equal(logits[0], logits[1])
    assert torch.equal(values[0], values[1])
    assert (judged[0] - judged[1]).abs().max() > 1e-4


@torch.inference_mode()
def answered(learner: Learner, batch: GameBatch) -> tuple[torch.Tensor, ...]:
    seen = torch.from_numpy(batch.observe(batch.seats))
    more = torch.from_numpy(batch.observe(batch.seats, "full"))
    return *learner.network(seen), learner.critic(more)


def test_the_file_holds_the_policy_with_a_value_by_what_it_sees(tmp_path):
    with_critic = Trainer.new(tiny("--run.folder", str(tmp_path), "--run.decisions", "1024", *FULL,
                                   "--network.width", "32"))  # fmt: skip
    without = Trainer.new(tiny("--run.folder", str(tmp_path), "--run.decisions", "1024",
                               "--network.width", "32"))  # fmt: skip
    for name, trainer in (("with", with_critic), ("without", without)):
        assert trainer.train() == 0
        export_run(trainer.run.folder, tmp_path / f"{name}.onnx")
    sizes = [(tmp_path / f"{name}.onnx").stat().st_size for name in ("with", "without")]
    assert abs(sizes[0] - sizes[1]) < 200  # of the weights there are as many
    agent = PolicyAgent(tmp_path / "with.onnx", with_critic.learner.game)
    batch = with_critic.learner.batch
    _, values = agent.evaluate(batch.observation, batch.mask)
    with torch.inference_mode():
        wanted = with_critic.learner.network(torch.from_numpy(batch.observation))[1]
    np.testing.assert_allclose(values, wanted.numpy(), atol=1e-4)


def test_the_policys_own_values_learn_as_well():
    learner = Learner(
        Context(tiny(*FULL, "--run.decisions", "1000000", "--ppo.learning_rate", "3e-3"))
    )
    before = after = 0.0
    for update in range(12):
        learner.gather()
        learner.rollout.finish(1.0, 0.95)
        closed = learner.rollout.closed
        with torch.inference_mode():
            value = learner.network(torch.from_numpy(learner.rollout.observation[closed]))[1]
        error = float(np.square(value.numpy() - learner.rollout.target[closed]).mean())
        before, after = (error, error) if update == 0 else (before, error)
        learner.learn()
    assert after < before
