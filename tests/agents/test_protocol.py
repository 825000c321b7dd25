"""The protocol: specs, masks, what agents are shown and what they may answer."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.agents import (
    Agent,
    AgentError,
    SeededAgent,
    agent_from_spec,
    checked_actions,
    checked_batch,
    read_only,
)
from racegym.engine.registry import BUILT_IN
from racegym.envs.vector import VectorEnv
from racegym.errors import IllegalAction, RacegymError
from tests.agents.stand_ins import Own

GAME = racegym.game("cafe_race")
HERE = "tests.agents.stand_ins"


def situations(game: str = "cafe_race", rows: int = 32, **options: Any) -> tuple[np.ndarray, ...]:
    batch = VectorEnv(game, rows, seed=1, **options).reset()
    return batch.observation, batch.mask, batch.seat


# --- specs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_agent_plays_legally_to_the_end(name: str) -> None:
    """PITFALLS 2, 14, 50: every scripted agent, in every row, until its games have ended."""
    game = racegym.game(name)
    specs = ["random", *(f"scripted:{bot.name}" for bot in game.bots)]
    for spec in specs:
        agent = agent_from_spec(spec, game)
        assert isinstance(agent, Agent)
        env = VectorEnv(game, 64, seed=5, encoder=agent.encoder)
        batch, ended = env.reset(), np.zeros(64, bool)
        for _ in range(100_000):
            actions = agent.act(batch.observation, batch.mask, batch.seat)
            checked_actions(agent.name, actions, batch.mask)
            batch = env.step(actions)
            ended |= batch.ended
            if ended.all():
                break
        assert ended.all(), f"{spec} does not end its games of {name}"


@pytest.mark.parametrize("spec", ["random", "scripted"])
def test_luck_is_the_agents_own(spec: str) -> None:
    """PITFALL 5: global generators neither matter nor are touched; reset repeats the choices."""
    agent = agent_from_spec(spec, GAME)
    batch = situations()
    agent.reset(9)
    first = [agent.act(*batch) for _ in range(3)]
    before = np.random.get_state()[1].copy()  # type: ignore[union-attr]
    agent.reset(9)
    np.testing.assert_array_equal(first, [agent.act(*batch) for _ in range(3)])
    np.testing.assert_array_equal(before, np.random.get_state()[1])


def test_random_is_uniform() -> None:
    observations, masks, seats = (np.repeat(a[:1], 60_000, 0) for a in situations())
    actions = agent_from_spec("random", GAME).act(observations, masks, seats)
    found = np.bincount(actions, minlength=GAME.num_actions)
    legal = int(masks[0].sum())
    wanted = 60_000 / legal
    assert np.abs(found[masks[0] == 1] - wanted).max() < 5 * np.sqrt(wanted)


def test_own_agents() -> None:
    made = agent_from_spec(f"{HERE}:Own", GAME)
    assert isinstance(made, Own)
    assert agent_from_spec(made, GAME) is made


def test_modules_in_the_current_folder(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_agent_of_mine.py").write_text(
        "from racegym.agents.random import RandomAgent\n"
        "def make(game):\n    return RandomAgent('mine')\n"
    )
    monkeypatch.chdir(tmp_path)
    assert agent_from_spec("my_agent_of_mine:make", GAME).name == "mine"


BAD_SPECS = [
    ("rnadom", "did you mean 'random'"),
    ("scriptd", "did you mean 'scripted'"),
    ("scripted:defualt", "did you mean 'default'"),
    ("", "there is no agent ''"),
    ("none.onnx", "cannot read none.onnx: No such file"),
    ("policy.onx", "there is no agent 'policy.onx'"),
    ("no_such_module:make", "cannot import no_such_module: ModuleNotFoundError"),
    (f"{HERE}:Onw", "did you mean 'Own'"),
    (f"{HERE}:annotations", "no callable annotations"),
    (f"{HERE}:broken_factory", "failed: RuntimeError: no agent today"),
    (f"{HERE}:nothing", "is no agent: it has no name"),
    (f"{HERE}:odd_encoder", "did you mean 'flat'"),
    (None, "None is no agent"),
    (Own, "it is a class"),
]


@pytest.mark.parametrize(("spec", "reason"), BAD_SPECS, ids=[str(s) for s, _ in BAD_SPECS])
def test_bad_specs(spec: Any, reason: str) -> None:
    with pytest.raises(RacegymError) as caught:
        agent_from_spec(spec, GAME)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


# --- what an agent needs -------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["random", "scripted"])
def test_masks_are_needed(spec: str) -> None:
    """PITFALLS 2, 12, 22."""
    agent = agent_from_spec(spec, GAME)
    observations, masks, seats = situations()
    with pytest.raises(AgentError, match=f"'{spec}' needs the action masks"):
        agent.act(observations, None, seats)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        agent.act(observations)  # type: ignore[call-arg]
    empty = masks.copy()
    empty[7] = 0
    with pytest.raises(AgentError, match=f"agent '{spec}' has no legal action in row 7"):
        agent.act(observations, empty, seats)


@pytest.mark.parametrize(
    "change",
    [
        lambda o, m, s: (o, m.astype(float), s),
        lambda o, m, s: (o, m.astype(bool), s),
        lambda o, m, s: (o, m[0], s),
        lambda o, m, s: (o, m[:-1], s),
        lambda o, m, s: (o[:-1], m, s),
        lambda o, m, s: (o, m, s[:-1]),
        lambda o, m, s: (o, m, 0),
    ],
)
def test_malformed_batches(change: Any) -> None:
    with pytest.raises(AgentError):
        checked_batch("x", *change(*situations()))


def test_agents_are_shown_read_only_arrays() -> None:
    """PITFALLS 15, 35."""

    class Looking(SeededAgent):
        def choose(self, observations: Any, masks: Any, seats: Any, bits: Any) -> np.ndarray:
            assert not any(a.flags.writeable for a in (observations, masks, seats))
            return masks.argmax(axis=1)

    Looking("looking").act(*situations())
    array = np.zeros((4, 4), np.float32)
    assert not read_only(array[:, ::2]).flags.writeable
    assert array.flags.writeable


# --- what an agent may answer --------------------------------------------------------------------

MASKS = np.array([[1, 0, 1], [0, 1, 0]], np.int8)


@pytest.mark.parametrize(
    "answer",
    [[0, 1], np.array([2, 1], np.uint8), np.array([0, 1], np.int32), (np.int64(0), np.int64(1))],
)
def test_good_answers(answer: Any) -> None:
    found = checked_actions("x", answer, MASKS)
    assert found.dtype == np.int64
    assert found.tolist() == [int(a) for a in answer]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ([0.0, 1.0], AgentError),
        ([True, True], AgentError),
        (None, AgentError),
        (0, AgentError),
        ([0], AgentError),
        ([[0], [1]], AgentError),
        (["0", "1"], AgentError),
        ([2**70, 1], AgentError),
        (np.array([2**64 - 1, 1], np.uint64), IllegalAction),
        ([1, 1], IllegalAction),
        ([-1, 1], IllegalAction),
        ([-3, 1], IllegalAction),
        ([0, 3], IllegalAction),
    ],
)
def test_bad_answers(answer: Any, error: type[Exception]) -> None:
    """PITFALL 37."""
    with pytest.raises(error, match="'x'"):
        checked_actions("x", answer, MASKS)
