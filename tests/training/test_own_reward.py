"""A reward of one's own: exact per seat, the best policy kept, unseen by evaluation."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
import torch

import racegym
from tests.training.configs import tiny
from training.config import ConfigError
from training.interface import Context
from training.learner import Learner
from training.reward import OwnReward
from training.rollout import Rollout
from training.sections import RewardConfig
from training.train import Trainer

ROOT = Path(__file__).parents[2]
OWN = "tests.training.doors"
GAME = racegym.game("cafe_race")


def reward_of(function, gamma=1.0, games=1, **settings):
    return OwnReward(RewardConfig(f"{OWN}:{function}", **settings), GAME, games, gamma)


def states_at(*positions):
    """States of Café Race in which the workers stand there."""
    states = np.zeros(len(positions), GAME.layout.dtype)
    for state, places in zip(states, positions, strict=True):
        state["position"][: len(places)] = places
    return states


def at(*values):
    return np.array(values, np.int64)


def played(reward, first_value=0.0):
    """Advantages of one game: seats 0 1 0 0, workers walk, the game ends with seat 0 winning."""
    rollout = Rollout(4, 1, GAME.max_players, (1,), 2)
    rollout.extra = np.zeros((4, 1), np.float32)
    rollout.begin()
    walk = [(3, 0), (3, 6), (9, 6), (12, 6)]
    for t, (seat, places) in enumerate(zip((0, 1, 0, 0), walk, strict=True)):
        row = rollout.seats + t
        rollout.seat[row], rollout.taken[row], rollout.value[row] = seat, True, (t + 1) / 10
        rollout.extra[t] = reward.decided(states_at(places), at(0), at(seat))
    rollout.rewards[3, 0, :2] = 1, -1
    rollout.rewards[3] += reward.ended(states_at((15, 6)), at(0))
    rollout.ended[3] = True
    return rollout


def test_shaped_advantages_by_hand():
    rollout = played(reward_of("places", gamma=0.9))
    rollout.finish(gamma=0.9, gae_lambda=0.5)
    # Seat 0 decides at 3, 9 and 12 of 30 spaces: phi 0.1, 0.3, 0.4, and 0 behind the end.
    last = (1 + 0.9 * 0 - 0.4) - 0.4
    middle = (0.9 * 0.4 - 0.3) + 0.9 * 0.4 - 0.3 + 0.45 * last
    first = (0.9 * 0.3 - 0.1) + 0.9 * 0.3 - 0.1 + 0.45 * middle
    # Seat 1 decides once, at 6: phi 0.2.
    other = (-1 - 0.2) - 0.2
    found = rollout.advantage[rollout.seats :, 0].tolist()
    assert found == pytest.approx([first, other, middle, last])


def test_additive_rewards_by_hand():
    rollout = played(reward_of("steps_made", potential=False, weight=0.5))
    rollout.finish(gamma=1.0, gae_lambda=1.0)
    # Seat 0 walks 6, 3 and 3 spaces, each worth a half; seat 1 none.
    targets = rollout.target[rollout.seats :, 0].tolist()
    assert targets == pytest.approx([1 + 3 + 1.5 + 1.5, -1, 1 + 1.5 + 1.5, 1 + 1.5])


def test_the_sum_of_shaping_telescopes():
    """Undiscounted, a seat gets minus the potential of its first decision, whatever it did."""
    rng = np.random.default_rng(0)
    reward = reward_of("places", games=3)
    total = np.zeros((3, GAME.max_players))
    first = np.full((3, GAME.max_players), np.nan)
    for _ in range(60):
        games = np.flatnonzero(rng.random(3) < 0.7)
        seats = rng.integers(0, 3, len(games))
        places = rng.integers(0, 30, (len(games), 3))
        total[games, seats] += reward.decided(states_at(*places), games, seats)
        now = places[np.arange(len(games)), seats] / 30
        first[games, seats] = np.where(np.isnan(first[games, seats]), now, first[games, seats])
    total += reward.ended(states_at((29, 0, 0), (1, 1, 1), (2, 2, 2)), np.arange(3))
    np.testing.assert_allclose(total, -np.nan_to_num(first), atol=1e-5)
    assert reward.collected() == pytest.approx(-np.nansum(first), abs=1e-4)
    assert not reward.decided(states_at((5,)), at(1), at(0)).any(), "a new game starts afresh"


def test_options_and_weight_reach_the_function():
    reward = reward_of("places_scaled", weight=2.0, options={"scale": 10})
    reward.decided(states_at((3,)), at(0), at(0))
    assert reward.ended(states_at((9,)), at(0))[0, 0] == pytest.approx(-2 * 10 * 3 / 30)


def learner(*overrides):
    return Learner(Context(tiny("--opponents.agent_share", "0", *overrides)))


class Watched:
    """A learner's games, with every state before a decision and behind an end written down."""

    def __init__(self, shaped):
        self.step, self.envs = shaped.fleet.step, shaped.fleet.envs
        self.steps = []
        shaped.fleet.step = self

    def __call__(self, actions):
        before = self.positions(lambda env: env.games.raw)
        batch = self.step(actions)
        after = self.positions(lambda env: env.last_raw)
        self.steps.append((before, after, batch.rewards.copy(), batch.ended.copy()))
        return batch

    def positions(self, raw):
        parts = [raw(env).view(GAME.layout.dtype)["position"][:, 0] for env in self.envs]
        return np.concatenate(parts).astype(float)


@pytest.mark.parametrize("potential", [True, False])
def test_in_training_each_reward_is_of_one_seats_two_decisions(potential):
    """Through rollouts, with opponents at the tables: recounted from the games one by one."""
    function = "places" if potential else "steps_made"
    words = [f"--reward={OWN}:{function}", f"--reward.potential={str(potential).lower()}"]
    shaped = learner(*words, "--ppo.gamma", "0.9", "--rollout.n_steps", "16")
    watched = Watched(shaped)
    earlier: dict[tuple[int, int], float] = {}
    ends = given = 0
    for _ in range(12):
        watched.steps.clear()
        shaped.iterate()
        rollout = shaped.rollout
        for t, (before, after, rewards, ended) in enumerate(watched.steps):
            row = rollout.seats + t
            for i in np.flatnonzero(rollout.taken[row]).tolist():
                seat = int(rollout.seat[row, i])
                now, then = before[i, seat], earlier.get((i, seat))
                wanted = 0.0
                if then is not None:
                    wanted = (0.9 * now - then) / 30 if potential else now - then
                assert rollout.extra[t, i] == pytest.approx(wanted, abs=1e-6)
                earlier[i, seat] = now
                given += wanted != 0
            for i in np.flatnonzero(ended).tolist():
                ends += 1
                for seat in range(GAME.max_players):
                    then = earlier.pop((i, seat), None)
                    wanted = 0.0
                    if then is not None:
                        wanted = -then / 30 if potential else after[i, seat] - then
                    extra = rollout.rewards[t, i, seat] - rewards[i, seat]
                    assert extra == pytest.approx(wanted, abs=1e-6)
    assert ends > 20
    assert given > 500


def test_a_resumed_run_is_bit_for_bit_the_same(tmp_path):
    for function, potential in (("places", "true"), ("steps_made", "false")):
        words = [
            "--run.folder", str(tmp_path), f"--reward={OWN}:{function}",
            "--reward.potential", potential, "--ppo.anneal_lr", "false",
        ]  # fmt: skip
        whole = Trainer.new(tiny(*words, "--run.decisions", "2048"))
        whole.train()
        half = Trainer.new(tiny(*words, "--run.decisions", "1024"))
        half.train()
        again = Trainer.resumed(str(half.run.folder), ("--run.decisions", "2048"))
        again.train()
        tensors = [t.learner.state_dict()[0] for t in (whole, again)]
        assert any(name.startswith("reward/") for name in tensors[0])
        for name, tensor in tensors[0].items():
            assert torch.equal(tensor, tensors[1][name]), name
        lines = [[m["train/own_reward"] for m in t.run.metrics()] for t in (whole, again)]
        assert lines[0] == lines[1]


def test_evaluation_knows_nothing_of_it(tmp_path):
    """With no weight the training is the plain one; with any, matches count the game's results."""

    def figures(*words):
        trainer = Trainer.new(
            tiny("--run.folder", str(tmp_path), "--run.decisions", "512",
                 "--evaluation.against", "[random]", *words)
        )  # fmt: skip
        trainer.train()
        return trainer

    plain = figures()
    empty = figures(f"--reward={OWN}:places", "--reward.weight", "0")
    for one, two in zip(plain.run.metrics(), empty.run.metrics(), strict=True):
        shared = [name for name in one if not name.startswith("speed/")]
        assert {name: one[name] for name in shared} == {name: two[name] for name in shared}
    # The same weights in the same matches, the reward as large as can be: the figures stay.
    loud = Trainer.new(
        tiny("--run.folder", str(tmp_path), "--run.decisions", "512",
             f"--reward={OWN}:steps_made", "--reward.potential=false", "--reward.weight", "1000",
             "--evaluation.against", "[random]")
    )  # fmt: skip
    loud.learner.network.load_state_dict(plain.learner.network.state_dict())

    class Silent:
        def say(self, text):
            pass

        def show(self, decisions, figures):
            pass

    assert loud._evaluate(Silent()) == plain._evaluate(Silent())
    loud.run.close()


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("too_many", "must answer with an array of 16 numbers, not float64 (17,)"),
        ("words", "must answer with an array of 16 numbers, not a list of str"),
        ("nothing", "must answer with an array of 16 numbers, not None"),
        ("one_number", "must answer with an array of 16 numbers, not float"),
        ("ragged", "failed: ValueError: setting an array element with a sequence."),
        ("endless", "answered with numbers that are not finite"),
        ("broken", "failed: ValueError: no field of name positions (tests/training/doors.py:"),
        ("no_such", "has no callable no_such"),
    ],
)
def test_a_wrong_function_is_told_at_the_start(tmp_path, function, told):
    with pytest.raises(ConfigError) as raised:
        Trainer.new(tiny("--run.folder", str(tmp_path), f"--reward={OWN}:{function}"))
    assert str(raised.value).startswith(f"reward.function '{OWN}:{function}'")
    assert told in str(raised.value)
    assert not list(tmp_path.iterdir())


def test_what_is_no_reference_is_told():
    with pytest.raises(ConfigError, match=r"reward.function takes package.module:function, not"):
        tiny("--reward", "win")


def test_the_example_runs(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    runpy.run_path(str(ROOT / "examples" / "own_reward.py"), run_name="__main__")
    assert "with the reward: " in capsys.readouterr().out
