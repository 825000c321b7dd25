"""Copies of the PettingZoo environment: pickle, deepcopy, clone, restore, redeal."""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

from racegym.envs import RawEnv, env
from racegym.errors import RacegymError

COPIERS = {
    "pickle": lambda e: pickle.loads(pickle.dumps(e)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "clone": lambda e: e.clone(),
}


def played_on(single, steps: int = 10**6) -> str:
    """A hash of all that the rest of the game hands out, with samples from the action spaces."""
    digest = hashlib.sha256()
    while single.agents and steps:
        steps -= 1
        agent = single.agent_selection
        seen, reward, terminated, truncated, info = single.last()
        digest.update(seen["observation"].tobytes() + seen["action_mask"].tobytes())
        shown = {k: v.tobytes() if k == "action_mask" else v for k, v in info.items()}
        digest.update(repr((agent, reward, terminated, truncated, shown)).encode())
        digest.update(single.state().tobytes())
        done = terminated or truncated
        single.step(None if done else int(np.flatnonzero(seen["action_mask"])[-1]))
    return digest.hexdigest()


@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
@pytest.mark.parametrize("how", COPIERS)
def test_copies_at_every_moment_go_on_alike(table, factory, how, picker):
    """Pitfall 7: at each decision and dead step, and the original is not disturbed."""
    single, untouched = factory(**table), factory(**table)
    choose = picker(5)
    single.reset(seed=12)
    untouched.reset(seed=12)
    while single.agents:
        twin = COPIERS[how](single)
        assert type(twin) is type(single)
        reference = single.clone()
        assert played_on(twin, 5) == played_on(reference, 5)
        assert twin.position == reference.position
        seen, _, terminated, truncated, _ = single.last()
        action = None if terminated or truncated else choose(seen["action_mask"])
        single.step(action)
        untouched.step(action)
        assert single.position == untouched.position
        assert single.agents == untouched.agents
        assert single.rewards == untouched.rewards


@pytest.mark.parametrize("how", COPIERS)
def test_copies_before_reset_and_their_later_games(game, how):
    single = env(game)
    twin = COPIERS[how](single)
    with pytest.raises(RacegymError):
        twin.last()
    single.reset(seed=3)
    twin = COPIERS[how](single)
    single.reset()
    twin.reset()
    assert twin.position == single.position


@pytest.mark.parametrize("how", ["pickle", "deepcopy"])
def test_full_copies_take_the_spaces_luck_along(game, how):
    single = env(game)
    single.action_space("player_0").seed(3)
    twin = COPIERS[how](single)
    mine = [single.action_space("player_0").sample() for _ in range(9)]
    assert mine == [twin.action_space("player_0").sample() for _ in range(9)]


@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
def test_restore(table, factory):
    single = factory(**table)
    single.reset(seed=12)
    played_on(single, 3)
    saved = single.clone()
    rest = played_on(single)
    single.restore(saved)
    assert played_on(single) == rest
    other = factory(**table)
    other.restore(saved)
    assert played_on(other) == rest
    assert played_on(saved) == rest, "restoring from it did not use it up"


def test_restore_refuses_what_does_not_fit(game):
    single = env(game)
    single.reset(seed=1)
    other = env(game, encoder="tokens")
    other.reset(seed=1)
    with pytest.raises(RacegymError, match="same game"):
        single.restore(other)


@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
def test_redeal(table, factory, picker):
    single, choose = factory(**table), picker()
    single.reset(seed=4)
    for _ in range(6):
        for agent in single.agents:
            before = single.position
            guess = single.redeal(agent, seed=5)
            assert type(guess) is type(single)
            assert single.position == before
            seat = int(agent.split("_")[1])
            assert guess.position == before.redeal(seat, 5)
            seen = guess.last()[0]["action_mask"]
            assert seen.tobytes() == guess.infos[guess.agent_selection]["action_mask"].tobytes()
            guess.step(int(seen.argmax()))
        single.step(choose(single.last()[0]["action_mask"]))


def test_global_generators_are_neither_used_nor_disturbed(table):
    """Pitfall 5."""
    single = env(**table)
    single.reset(seed=9)
    expected = played_on(single)
    np.random.seed(1)
    random.seed(1)
    states = np.random.get_state()[1].tobytes(), random.getstate()
    single.reset(seed=9)
    assert played_on(single) == expected
    assert states == (np.random.get_state()[1].tobytes(), random.getstate())


def test_another_process_plays_the_same_game(game):
    """Pitfall 5: byte for byte."""
    single = env(game)
    single.reset(seed=21)
    script = (
        "import importlib.util as u, sys; from racegym.envs import env\n"
        f"spec = u.spec_from_file_location('here', {__file__!r})\n"
        "here = u.module_from_spec(spec); spec.loader.exec_module(here)\n"
        f"single = env({game!r}); single.reset(seed=21); print(here.played_on(single))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == played_on(single)
