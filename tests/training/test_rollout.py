"""Learning data per game and seat, against values worked out by hand (PITFALLS 1 and 8)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.training.configs import tiny
from training.interface import Context
from training.learner import Learner
from training.rollout import Rollout
from training.train import Trainer


def rollout_of(seats, values, rewards=(), ends=(), players=2):
    """One game: who acts at each step with which value; rewards as {step: per seat}."""
    rollout = Rollout(len(seats), 1, players, (1,), 2)
    rollout.begin()
    fill(rollout, seats, values, rewards, ends)
    return rollout


def fill(rollout, seats, values, rewards=(), ends=()):
    first = rollout.seats
    rollout.rewards[...] = 0
    rollout.ended[...] = False
    for t, (seat, value) in enumerate(zip(seats, values, strict=True)):
        rollout.seat[first + t] = max(seat, 0)
        rollout.taken[first + t] = seat >= 0
        rollout.value[first + t] = value
        rollout.action[first + t] = t % 2
    for t, per_seat in dict(rewards).items():
        rollout.rewards[t, 0] = per_seat
    for t in ends:
        rollout.ended[t] = True


def steps(rollout, array):
    return array[rollout.seats :, 0].tolist()


def test_each_seat_has_its_own_chain_and_gets_its_reward_on_its_last_decision():
    # Seats 0 1 0 1 0; seat 0's last move ends the game: seat 0 gets +1, seat 1 gets -1.
    rollout = rollout_of([0, 1, 0, 1, 0], [0.1, 0.2, 0.3, 0.4, 0.5], {4: (1, -1)}, [4])
    rollout.finish(gamma=1.0, gae_lambda=1.0)
    # With gamma and gae_lambda 1 the advantage is the final reward minus the value.
    wanted = [1 - 0.1, -1 - 0.2, 1 - 0.3, -1 - 0.4, 1 - 0.5]
    assert steps(rollout, rollout.advantage) == pytest.approx(wanted)
    assert steps(rollout, rollout.target) == pytest.approx([1, -1, 1, -1, 1])
    assert all(steps(rollout, rollout.closed))


def test_generalised_advantages_by_hand_with_irregular_turns():
    # Seat 0 acts at 0, 1, 4; seat 1 at 2, 3. gamma 0.9 per own decision, gae_lambda 0.5.
    rollout = rollout_of([0, 0, 1, 1, 0], [1.0, 2.0, 3.0, 4.0, 5.0], {4: (10, 20)}, [4])
    rollout.finish(gamma=0.9, gae_lambda=0.5)
    last_0 = 10 - 5
    middle_0 = 0.9 * 5 - 2 + 0.45 * last_0
    first_0 = 0.9 * 2 - 1 + 0.45 * middle_0
    last_1 = 20 - 4
    first_1 = 0.9 * 4 - 3 + 0.45 * last_1
    wanted = [first_0, middle_0, first_1, last_1, last_0]
    assert steps(rollout, rollout.advantage) == pytest.approx(wanted)


def test_rewards_in_between_belong_to_the_seat_they_were_given_to():
    # Seat 1 is given 2 while seat 0 moves, before and after its own decision at step 1.
    rewards = {0: (0, 7), 2: (0, 2), 3: (1, 3)}
    rollout = rollout_of([0, 1, 0, 0], [0, 0, 0, 0], rewards, [3])
    rollout.finish(gamma=1.0, gae_lambda=0.0)
    # The 7 came before seat 1 decided anything: no decision earned it.
    assert steps(rollout, rollout.target) == pytest.approx([0, 2 + 3, 0, 1])


def test_nothing_crosses_the_end_of_a_game():
    rollout = rollout_of([0, 1, 0, 1], [0.5, 0.5, 9.0, 9.0], {1: (1, -1), 3: (-1, 1)}, [1, 3])
    rollout.finish(gamma=1.0, gae_lambda=1.0)
    assert steps(rollout, rollout.target) == pytest.approx([1, -1, -1, 1])


def test_open_decisions_wait_for_the_next_rollout():
    rollout = rollout_of([0, 1, 0], [0.1, 0.2, 0.3])
    rollout.finish(gamma=1.0, gae_lambda=1.0)
    # Only the first decision has a successor of its seat; it is valued by it.
    assert steps(rollout, rollout.closed) == [True, False, False]
    assert steps(rollout, rollout.target)[0] == pytest.approx(0.3)
    assert rollout.open_decisions == 2
    rollout.begin()
    fill(rollout, [1, 1, 1], [0.4, 0.5, 0.6], {0: (0, 5), 2: (1, -1)}, [2])
    rollout.finish(gamma=1.0, gae_lambda=1.0)
    # Seat 0's open decision (value 0.3) is closed by the end, seat 1's (0.2) by its decision.
    assert rollout.closed[:2, 0].tolist() == [True, True]
    assert rollout.value[:2, 0].tolist() == pytest.approx([0.3, 0.2])
    assert rollout.target[:2, 0].tolist() == pytest.approx([1.0, 5 - 1.0])
    assert rollout.open_decisions == 0


def test_a_decision_that_stays_open_for_a_whole_rollout_keeps_its_rewards():
    rollout = rollout_of([1, 0], [0.7, 0.1], {0: (0, 1)})
    rollout.finish(1.0, 1.0)
    for reward in (2, 4):
        rollout.begin()
        fill(rollout, [0, 0], [0.1, 0.1], {1: (0, reward)})
        rollout.finish(1.0, 1.0)
        assert not rollout.closed[1, 0]
    rollout.begin()
    fill(rollout, [0, 0], [0.1, 0.1], {1: (0, 8)}, [1])
    rollout.finish(1.0, 1.0)
    assert rollout.closed[1, 0]
    assert rollout.target[1, 0] == pytest.approx(1 + 2 + 4 + 8)


def test_opponents_decisions_are_not_learned_from():
    rollout = rollout_of([0, -1, 0], [0.1, 0.2, 0.3], {2: (1, -1)}, [2])
    rollout.finish(1.0, 1.0)
    assert steps(rollout, rollout.closed) == [True, False, True]


def test_saving_the_open_decisions_changes_nothing():
    def play(rollout):
        rollout.begin()
        fill(rollout, [1, 0, 1], [0.4, 0.5, 0.6], {1: (1, 2)}, [1])
        rollout.finish(0.9, 0.8)
        return rollout.advantage.copy(), rollout.closed.copy()

    one = rollout_of([0, 1, 0], [0.1, 0.2, 0.3], {1: (3, 4)})
    one.finish(0.9, 0.8)
    two = Rollout(3, 1, 2, (1,), 2)
    two.load_state_dict(one.state_dict())
    for mine, theirs in zip(play(one), play(two), strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("scheme", ["win", "score"])
def test_rewards_in_the_buffer_equal_the_games_results(scheme):
    """Every learner's seat that decided gets exactly its game's reward, once (PITFALL 1)."""
    learner = Learner(Context(tiny("--game.options.reward", scheme, "--ppo.gamma", "1")))
    games = range(learner.fleet.num_games)
    decided = [set() for _ in games]
    wanted: list[float] = []
    found: list[float] = []
    step = learner.fleet.step

    def noted(actions):
        for i in games:
            seat = int(learner.batch.seat[i])
            if learner.opponents.controllers[i, seat] == 0:
                decided[i].add(seat)
        batch = step(actions)
        for i in np.flatnonzero(batch.ended):
            wanted.extend(float(batch.rewards[i, p]) for p in decided[i])
            decided[i] = set()
        return batch

    learner.fleet.step = noted
    for _ in range(6):
        learner.gather()
        rollout = learner.rollout
        rollout.value[...] = 0.0
        rollout.finish(gamma=1.0, gae_lambda=0.0)
        # Values zero and gae_lambda zero: the advantage of a decision is its own reward.
        rewards = rollout.advantage[rollout.closed]
        found.extend(rewards[rewards != 0].tolist())
    assert len(wanted) > 50
    assert sorted(found) == pytest.approx(sorted(r for r in wanted if r != 0))


def cut_games(max_turns, *overrides):
    """A learner in games of which most are cut."""
    limit = ("--game.options.max_turns", str(max_turns), "--game.options.reward", "rank")
    return Learner(Context(tiny("--opponents.agent_share", "0", *limit, *overrides)))


def test_advantages_at_a_cut_by_hand():
    """The last decision before a cut is paid its reward, and nothing is added to it."""
    learner = cut_games(1, "--rollout.n_steps", "64")
    rollout = learner.rollout
    assert learner.gather()["games/cut"] > 0
    rollout.value[...] = np.linspace(-1, 1, rollout.value.size).reshape(rollout.value.shape)
    rollout.finish(gamma=0.9, gae_lambda=0.5)
    checked = 0
    for t, i in np.argwhere(rollout.ended):
        for p in range(learner.fleet.players[i]):
            begun = np.flatnonzero(rollout.ended[:t, i])
            first = rollout.seats + (begun[-1] + 1 if len(begun) else 0)
            rows = np.arange(first, rollout.seats + t + 1)
            rows = rows[rollout.taken[rows, i] & (rollout.seat[rows, i] == p)]
            follows = 0.0
            for k, row in reversed(list(enumerate(rows))):
                last = k == len(rows) - 1
                gain = rollout.rewards[t, i, p] if last else 0.9 * rollout.value[rows[k + 1], i]
                follows = gain - rollout.value[row, i] + 0.45 * follows
                assert rollout.advantage[row, i] == pytest.approx(follows, abs=1e-5)
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("max_turns", [1, 2, 3, 10])
@pytest.mark.parametrize("gae_lambda", [0.0, 0.95, 1.0])
def test_no_target_leaves_the_range_of_rewards(max_turns, gae_lambda):
    """With any limit, as long as no value leaves it (rewards by rank are from -1 to 1)."""
    learner = cut_games(max_turns, "--rollout.n_steps", "64")
    rollout, rng, cut = learner.rollout, np.random.default_rng(max_turns), 0.0
    for _ in range(3):
        cut += learner.gather()["games/cut"]
        assert np.abs(rollout.rewards).max() <= 1
        rollout.value[...] = rng.uniform(-1, 1, rollout.value.shape)
        rollout.finish(gamma=1.0, gae_lambda=gae_lambda)
        assert rollout.closed.any()
        assert np.abs(rollout.target[rollout.closed]).max() <= 1 + 1e-5
    assert (cut > 0) == (max_turns < 10)  # few games last ten turns


def test_the_mean_length_of_games_is_that_of_the_games_that_ended():
    """Counted from the start of each game, however many updates it took (also when resumed)."""
    learner = Learner(Context(tiny("--rollout.n_steps", "8")))
    played = np.zeros(learner.fleet.num_games, int)
    lengths: list[int] = []
    step = learner.fleet.step

    def counted(actions):
        batch = step(actions)
        played[:] += 1
        lengths.extend(played[batch.ended].tolist())
        played[batch.ended] = 0
        return batch

    learner.fleet.step = counted
    seen, wanted = [], []
    for _ in range(12):
        lengths.clear()
        seen.append(learner.gather()["games/mean_length"])
        wanted.append(np.mean(lengths) if lengths else None)
        learner.rollout.finish(1.0, 1.0)
    assert seen == wanted
    assert wanted[0] is None
    assert any(length is not None and length > 8 for length in wanted)
    again = Learner(Context(learner.config))
    again.load_state_dict(*learner.state_dict())
    assert again._lengths.tolist() == played.tolist()


def test_no_game_that_ended_is_null_in_the_log(tmp_path):
    words = ("--run.folder", str(tmp_path), "--rollout.n_steps", "4", "--run.decisions", "64")
    trainer = Trainer.new(tiny(*words))
    assert trainer.train() == 0
    assert trainer.run.metrics()[0]["games/mean_length"] is None
