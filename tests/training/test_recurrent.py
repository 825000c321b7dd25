"""Recurrent networks: a memory per game and seat, in training, in files and in matches."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

from racegym.agents import AgentError
from racegym.agents.memory import SeatMemory
from racegym.agents.policy import PolicyAgent, PolicyError
from racegym.arena import play_match
from racegym.arena.match import Match
from racegym.engine.registry import game
from tests.training.configs import recall, tiny
from training.evaluation import NetworkAgent
from training.export import export_run
from training.interface import Context
from training.learner import Learner
from training.opponents import LEARNER
from training.recurrence import sequences_of, unrolled
from training.rollout import Rollout
from training.train import Trainer

GRU = ("--network.kind", "gru")
LSTM = ("--network.kind", "tests.training.own:lstm")


def mean_score(learner: Learner) -> float:
    """In a match against an agent without a plan: 2 if every card was named."""
    agent = NetworkAgent(learner.network, learner.encoder.id)
    result = play_match(learner.game, [agent, "random"], 200, 1)
    return result.agents[0].mean_score.value


@pytest.mark.parametrize(
    ("overrides", "learned"),
    [(GRU, True), (LSTM, True), ((), False)],
)
def test_what_was_shown_is_learned_only_with_a_memory(overrides, learned):
    learner = Learner(Context(recall(*overrides)))
    for _ in range(40):
        learner.iterate()
    assert mean_score(learner) > 1.9 if learned else mean_score(learner) < 1.2


@pytest.mark.parametrize("kind", [GRU, LSTM])
@pytest.mark.parametrize("longest", ["1", "3", "64"])
def test_ratios_are_one_while_nothing_has_changed(kind, longest):
    one_pass = ("--ppo.n_epochs", "1", "--ppo.n_minibatches", "1")
    learner = Learner(Context(tiny(*kind, *one_pass, "--ppo.sequence_length", longest)))
    for _ in range(4):
        learner.gather()
        losses = learner.learn()
        assert losses.first_ratio_error < 1e-5
        assert losses.n_samples == int(learner.rollout.closed.sum())
    # With the learning rate zero that holds for decisions carried over as well.
    frozen = Learner(
        Context(tiny(*kind, "--ppo.learning_rate", "1e-30", "--ppo.sequence_length", longest))
    )
    frozen.gather()
    frozen.learn()
    frozen.gather()
    losses = frozen.learn()
    assert losses.first_ratio_error < 1e-5
    assert losses.clip_fraction == 0
    assert abs(losses.approx_kl) < 1e-6


def test_the_memory_is_a_seats_own_and_empty_when_a_game_starts():
    """States kept with the decisions are those the network itself would have come to."""
    learner = Learner(Context(tiny(*GRU)))
    states = np.zeros_like(learner.states)
    fresh = 0
    for _ in range(3):
        started = learner.batch.observation.copy(), learner.batch.seat.copy()
        learner.gather()
        rollout = learner.rollout
        for t in range(rollout.steps):
            row = rollout.seats + t
            seat = rollout.seat[row]
            for i in np.flatnonzero(rollout.taken[row]):
                np.testing.assert_allclose(rollout.state[row, i], states[i, seat[i]], atol=1e-5)
                fresh += not rollout.state[row, i].any()
                seen = torch.from_numpy(rollout.observation[row, i][None])
                with torch.inference_mode():
                    after = learner.network(seen, torch.from_numpy(states[i, seat[i]][None]))[2]
                states[i, seat[i]] = after[0].numpy()
            states[rollout.ended[t]] = 0
        assert started[0].shape[0] == rollout.games
    assert fresh > 100


def test_snapshots_have_a_memory_of_their_own():
    learner = Learner(Context(tiny(*GRU, "--opponents.agents", "[]", "--opponents.agent_share", "0",
                           "--opponents.snapshot_share", "1")))  # fmt: skip
    learner.opponents.store(learner.network, 0)
    for _ in range(3):
        learner.gather()
        learner.learn()
    theirs = learner.opponents.controllers != LEARNER
    absent = np.arange(learner.game.max_players) >= learner.fleet.players[:, None]
    remembers = learner.states.any(-1)
    assert (theirs & remembers).any()
    assert (~theirs & remembers).any()
    assert not (absent & remembers).any()


def test_sequences_stay_within_a_game_and_a_seat():
    rng = np.random.default_rng(5)
    rollout = Rollout(20, 6, 3, (1,), 2, state_shape=(2,))
    for _ in range(3):
        rollout.begin()
        steps = slice(rollout.seats, None)
        rollout.seat[steps] = rng.integers(3, size=(20, 6))
        rollout.taken[steps] = rng.random((20, 6)) < 0.8
        rollout.ended[...] = rng.random((20, 6)) < 0.1
        rollout.finish(1.0, 0.95)
        for longest in (1, 2, 5, 100):
            table = sequences_of(rollout, longest).numpy()
            check_sequences(rollout, table, longest)


def check_sequences(rollout: Rollout, table: np.ndarray, longest: int) -> None:
    used = table[table >= 0]
    np.testing.assert_array_equal(np.sort(used), np.flatnonzero(rollout.closed))
    assert table.shape[1] <= longest
    ends = np.cumsum(rollout.ended, axis=0) - rollout.ended
    heads = set()
    for line in table:
        line = line[line >= 0]
        rows, games = np.divmod(line, rollout.games)
        assert len(set(games)) == len(set(rollout.seat[rows, games])) == 1
        assert (np.diff(rows) > 0).all()
        if rows[0] < rollout.seats:
            assert len(rows) == 1  # carried over
            continue
        assert len(set(ends[rows - rollout.seats, games])) == 1
        # Nothing of the seat lies between two decisions of a sequence.
        between = np.arange(rows[0], rows[-1] + 1)
        of_seat = rollout.closed[between, games[0]] & (
            rollout.seat[between, games[0]] == rollout.seat[rows[0], games[0]]
        )
        assert of_seat.sum() == len(rows)
        heads.add(
            (games[0], rollout.seat[rows[0], games[0]], ends[rows[0] - rollout.seats, games[0]])
        )
    if longest == 100:
        assert len(heads) == sum(line[0] // rollout.games >= rollout.seats for line in table)


def test_the_gradient_goes_back_through_the_sequence_and_no_further():
    learner = Learner(Context(recall(*GRU)))
    network = learner.network
    observation = torch.rand(6, 3, requires_grad=True)
    state = torch.rand(6, 16)
    sequences = torch.tensor([[4, -1, -1], [0, 2, 3], [1, 5, -1]])
    indices, logits, values = unrolled(network, sequences, observation, state)
    assert sorted(indices.tolist()) == [0, 1, 2, 3, 4, 5]
    values[indices == 3].sum().backward()
    assert observation.grad.any(1).tolist() == [True, False, True, True, False, False]
    memory = state[0][None]
    for at in (0, 2, 3):
        wanted, value, memory = network(observation[at][None], memory)
        torch.testing.assert_close(logits[indices == at], wanted)
        torch.testing.assert_close(values[indices == at], value)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    trainer = Trainer.new(tiny("--run.folder", str(folder), "--run.decisions", "1024", *GRU,
                               "--evaluation.against", "[random]"))  # fmt: skip
    assert trainer.train() == 0
    export_run(trainer.run.folder, folder / "p.onnx")
    return trainer, folder / "p.onnx"


def games_of(agents, batch):
    """The actions of every game of a small match, and its result."""
    played = []

    def keep(match, plan, outcomes):
        played.extend(outcomes.actions)

    options = {"num_players": 3}
    match = Match("cafe_race", agents, seed=3, batch=batch, options=options, on_games=keep)
    match.play(6)
    return played, match.result()


@pytest.mark.parametrize("mode", ["?sample", "?greedy"])
def test_a_match_plays_the_same_games_whatever_the_batch(trained, mode):
    _, path = trained
    one, result = games_of([f"{path}{mode}", "scripted"], 1)
    many, _ = games_of([f"{path}{mode}", "scripted"], 64)
    assert [list(actions) for actions in one] == [list(actions) for actions in many]
    assert result.agents[0].win_share is not None


def test_the_file_plays_as_the_network_does_and_forgets_games_that_ended(trained):
    trainer, path = trained
    agent = PolicyAgent(path, trainer.learner.game, greedy=True)
    network = NetworkAgent(trainer.learner.network, trainer.learner.encoder.id, greedy=True)
    one, _ = games_of([agent, "random"], 8)
    other, _ = games_of([network, "random"], 8)
    assert [list(actions) for actions in one] == [list(actions) for actions in other]
    assert len(agent.memory) == len(network.memory) == 0


def test_the_file_says_what_its_memory_is(trained):
    trainer, path = trained
    agent = PolicyAgent(path, trainer.learner.game)
    assert agent.metadata.state_shape == [16]
    feed = trainer.learner.batch
    with pytest.raises(AgentError, match="has a memory of its games: ask it by decide"):
        agent.act(feed.observation, feed.mask, feed.seat)
    with pytest.raises(AgentError, match="has a memory of its games: ask it by decide"):
        agent.evaluate(feed.observation, feed.mask)
    states = np.zeros((len(feed.seat), 16), np.float32)
    logits, _, after = agent.evaluate(feed.observation, feed.mask, states)
    assert after.shape == states.shape
    again, _, _ = agent.evaluate(feed.observation, feed.mask, after)
    assert np.abs(logits - again).max() > 0


def test_a_file_whose_metadata_deny_its_memory_is_refused(trained, monkeypatch):
    from racegym.agents.metadata import PolicyMetadata

    _, path = trained
    original = PolicyMetadata.from_props

    def forgetful(props):
        return original({k: v for k, v in props.items() if k != "racegym.state_shape"})

    monkeypatch.setattr(PolicyMetadata, "from_props", forgetful)
    with pytest.raises(PolicyError, match="its inputs are"):
        PolicyAgent(path, game("cafe_race"))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_a_copy_of_an_agent_has_a_copy_of_its_memory(trained, copied):
    trainer, path = trained
    agent = PolicyAgent(path, trainer.learner.game)
    places = np.array([7]), np.array([1])
    agent.begin(*places)
    agent.memory.write(*places, np.full((1, 16), 2, np.float32))
    twin = copied(agent)
    agent.memory.write(*places, np.ones((1, 16), np.float32))
    assert (twin.memory.read(*places) == 2).all()
    twin.end(*places, np.zeros((1, 3), np.int32))
    assert (len(twin.memory), len(agent.memory)) == (0, 1)
    one, _ = games_of([agent, "random"], 8)
    other, _ = games_of([twin, "random"], 8)
    assert [list(actions) for actions in one] == [list(actions) for actions in other]


def test_seats_are_told_apart_and_unknown_games_refused():
    memory = SeatMemory((2,))
    games, seats = np.array([3, 3, 5]), np.array([0, 1, 1])
    memory.begin(games, seats)
    states = np.arange(6, dtype=np.float32).reshape(3, 2)
    memory.write(games, seats, states)
    np.testing.assert_array_equal(memory.read(games[::-1], seats[::-1]), states[::-1])
    memory.end(games[:1], seats[:1])
    with pytest.raises(AgentError, match="seat 0 of game 3 has not begun"):
        memory.read(games, seats)
    memory.begin(games[1:2], seats[1:2])
    assert not memory.read(games[1:2], seats[1:2]).any()


def test_a_recurrent_policy_is_an_opponent_in_training(trained):
    _, path = trained
    learner = Learner(
        Context(tiny("--opponents.agents", f"[{path}]", "--opponents.agent_share", "0.6"))
    )
    learner.iterate()
    assert learner.opponents.report()[str(path)]["games"] > 0


def test_a_recurrent_run_is_an_agent_without_an_export(trained):
    trainer, path = trained
    one, _ = games_of([f"{trainer.run.folder}@best?greedy", "random"], 8)
    other, _ = games_of([f"{path}?greedy", "random"], 8)
    assert [list(actions) for actions in one] == [list(actions) for actions in other]
