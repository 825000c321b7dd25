"""PettingZoo's own tests, with warnings as errors."""

from __future__ import annotations

import importlib
import time

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from racegym.envs import RawEnv, VectorEnv, env

#: The three things that PettingZoo's test says of every environment with a mask in its
#: observations that is not on its own list of names.
KNOWN = [
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
    "ignore:Action mask numpy array is all zeros",
]
pytestmark = [pytest.mark.filterwarnings(w) for w in ["error", *KNOWN]]


@pytest.mark.parametrize("encoder", ["flat", "tokens"])
@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
def test_api(table, factory, encoder):
    """Pitfall 39."""
    api_test(factory(encoder=encoder, **table), num_cycles=60)


def test_api_with_resampling(table):
    api_test(env(on_illegal="resample", **table), num_cycles=20)


def test_seed(table):
    seed_test(lambda: env(**table), num_cycles=40)


def test_render(game):
    """PettingZoo's test makes a ``human`` environment first and does not use it."""
    render_test(lambda render_mode: env(game, render_mode=render_mode.replace("human", "ansi")))


def test_state_and_its_space(table):
    single = env(on_illegal="resample", **table)  # this test does not look at the mask
    single.reset(seed=1)
    check_state_space(single)
    check_state(single, 30)


def test_modules_make_the_environments(game):
    module = importlib.import_module(f"racegym.{game}_v0")
    assert isinstance(module.raw_env(), RawEnv)
    assert isinstance(module.env(num_players=3).unwrapped, RawEnv)
    assert isinstance(module.vector_env(2), VectorEnv)
    assert str(module.env()) == f"{game}_v0"


def microseconds_per_decision(single, decisions: int) -> float:
    """The loop of the guide, lowest legal actions."""
    made, began = 0, time.perf_counter()
    while made < decisions:
        single.reset(seed=made)
        for _ in single.agent_iter():
            seen, _, terminated, truncated, _ = single.last()
            done = terminated or truncated
            single.step(None if done else int(np.argmax(seen["action_mask"])))
            made += not done
    return (time.perf_counter() - began) / made * 1e6


@pytest.mark.filterwarnings("default")
def test_at_least_five_times_as_fast_as_connect_four(game):
    """Measured side by side, several times, and the best pair counts: the machine may be busy."""
    pytest.importorskip("pygame", reason="PettingZoo's classic games need it")
    from pettingzoo.classic.connect_four import connect_four

    ours, theirs = env(game), connect_four.env()
    microseconds_per_decision(ours, 100)
    ratios = [
        microseconds_per_decision(theirs, 400) / microseconds_per_decision(ours, 1600)
        for _ in range(5)
    ]
    assert max(ratios) > 5, ratios
