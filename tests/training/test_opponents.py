"""Self-play opponents (PITFALL 27)."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.training.configs import tiny
from training.interface import Context
from training.learner import Learner
from training.opponents import LEARNER, learner_share


def test_opponents_stay_to_the_end_of_their_game_and_every_seat_is_trained():
    learner = Learner(Context(tiny("--rollout.n_envs", "32")))
    seats = set()
    step = learner.fleet.step

    def noted(actions):
        before = learner.opponents.controllers.copy()
        batch = step(actions)
        noted.kept.append((before, batch.ended.copy()))
        return batch

    noted.kept = []
    learner.fleet.step = noted
    for _ in range(6):
        learner.iterate()
        rollout = learner.rollout
        seats |= set(zip(*_seats_and_counts(learner, rollout), strict=True))
    after = [before for before, _ in noted.kept[1:]] + [learner.opponents.controllers]
    for (before, ended), later in zip(noted.kept, after, strict=True):
        np.testing.assert_array_equal(before[~ended], later[~ended])
    assert seats == {(p, n) for n in (3, 5) for p in range(n)}


def _seats_and_counts(learner, rollout):
    rows, games = np.nonzero(rollout.closed)
    return rollout.seat[rows, games].tolist(), learner.fleet.players[games].tolist()


def test_tables_have_learner_and_at_most_one_opponent_on_real_seats():
    learner = Learner(Context(tiny("--rollout.n_envs", "200", "--opponents.agent_share", "0.6")))
    opponents = learner.opponents
    mixed = 0
    for i, seated in enumerate(opponents.controllers):
        n = int(learner.fleet.players[i])
        assert (seated[n:] == LEARNER).all()
        kinds = set(seated[:n].tolist())
        assert LEARNER in kinds
        assert len(kinds) <= 2
        mixed += len(kinds) == 2
    assert 80 < mixed < 160  # 60 % of 200


def test_teammates_are_controlled_alike():
    learner = Learner(Context(tiny("--opponents.agent_share", "0.6")))
    opponents = learner.opponents
    opponents.start(np.full(300, 6), np.full(300, 3))
    for seated in opponents.controllers:
        np.testing.assert_array_equal(seated[:3], seated[3:6])


def test_snapshots_do_not_change_when_training_goes_on():
    learner = Learner(Context(tiny()))
    learner.iterate()
    learner.opponents.store(learner.network, learner.decisions)
    number = learner.opponents.snapshots[-1]
    stored = learner.opponents.known[number].network
    before = {name: t.clone() for name, t in stored.state_dict().items()}
    for _ in range(2):
        learner.iterate()
    assert not any(p.requires_grad for p in stored.parameters())
    assert not stored.training
    moved = False
    for name, tensor in stored.state_dict().items():
        torch.testing.assert_close(tensor, before[name], rtol=0, atol=0)
        moved |= not torch.equal(tensor, learner.network.state_dict()[name])
    assert moved


def test_the_pool_is_bounded_and_retired_snapshots_finish_their_games():
    learner = Learner(
        Context(tiny("--opponents.pool_size", "2", "--opponents.snapshot_share", "0.8"))
    )
    for _ in range(12):
        learner.iterate()
        opponents = learner.opponents
        assert len(opponents.snapshots) <= 2
        seated = set(np.unique(opponents.controllers).tolist()) - {LEARNER}
        assert seated <= set(opponents.known)
        retired = {n for n, o in opponents.known.items() if not o.in_pool}
        assert retired <= seated


@pytest.mark.parametrize("rule", ["uniform", "recent", "hard"])
def test_sampling_rules(rule):
    config = tiny(
        "--opponents.sampling", rule, "--opponents.pool_size", "3",
        "--opponents.agent_share", "0", "--opponents.snapshot_share", "1",
    )  # fmt: skip
    learner = Learner(Context(config))
    opponents = learner.opponents
    for decisions in (1, 2, 3):
        opponents.store(learner.network, decisions)
    easy, _, hard = opponents.snapshots
    opponents.known[easy].games, opponents.known[easy].learner_won = 100, 95.0
    opponents.known[hard].games, opponents.known[hard].learner_won = 100, 10.0
    drawn = [n for n in (opponents._drawn_opponent() for _ in range(6000)) if n in (easy, hard)]
    share = drawn.count(hard) / len(drawn)
    low, high = {"uniform": (0.45, 0.55), "recent": (0.7, 0.8), "hard": (0.8, 0.95)}[rule]
    assert low < share < high


def test_who_met_whom_is_reported():
    learner = Learner(Context(tiny()))
    finished = 0
    games: dict[str, float] = {}
    for _ in range(6):
        finished += learner.iterate()["games/ended"]
        for name, meeting in learner.opponents.report().items():
            games[name] = games.get(name, 0) + meeting["games"]
            assert 0 <= meeting["learner_share"] <= 1
    assert sum(games.values()) == finished
    assert games["self"] > 0
    assert games["random"] > 0
    assert any(name.startswith("snapshot-") for name in games)


def test_learner_share_counts_pairs_of_seats():
    assert learner_share(np.array([1]), np.array([2, 3])) == 1
    assert learner_share(np.array([1, 4]), np.array([2, 2])) == 0.5
    assert learner_share(np.array([1]), np.array([1])) == 0.5


def test_agents_that_read_another_encoder_are_shown_it():
    config = tiny(
        "--network.encoder", "tokens", "--opponents.agent_share", "0.5",
        "--opponents.agents", "[scripted]", "--opponents.snapshot_share", "0",
    )  # fmt: skip
    learner = Learner(Context(config))
    (agent,) = learner.opponents.agents.agents
    shapes = set()
    choose = agent.choose
    agent.choose = lambda o, *more: shapes.add(o.shape[1:]) or choose(o, *more)
    learner.gather()
    assert shapes == {learner.game.encoder("flat").shape}
