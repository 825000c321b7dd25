"""Environments after a fork, and used by several threads."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from typing import Any

import numpy as np
import pytest

from racegym.envs import SoloVectorEnv, VectorEnv
from racegym.errors import RacegymError

_PATIENCE = 60


def _played_in_child(env: VectorEnv, results: Any) -> None:
    batch = env.step(env.now().mask.argmax(axis=1))
    again = env.reset(seed=3)
    env.close()
    results.put((batch.observation.tobytes(), again.observation.tobytes()))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_goes_on_in_a_child_process(threads: int) -> None:
    """Threads do not survive a fork: the child makes new ones, and plays the same."""
    env = VectorEnv("cafe_race", 8, seed=1, threads=threads)
    batch = env.reset()
    for _ in range(3):
        batch = env.step(batch.mask.argmax(axis=1))
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=_played_in_child, args=(env, results))
    child.start()
    try:
        stepped, begun = results.get(timeout=_PATIENCE)
    finally:
        child.kill()
        child.join()
    assert stepped == env.step(batch.mask.argmax(axis=1)).observation.tobytes()
    assert begun == env.reset(seed=3).observation.tobytes()
    env.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_may_close_what_its_parent_made() -> None:
    env = VectorEnv("cafe_race", 8, seed=1, threads=2)
    env.reset()
    child = os.fork()
    if not child:
        env.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    env.step(env.sample())
    env.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_several_threads_are_refused_and_spoil_nothing(threads: int) -> None:
    """Two at once would spoil the states (it used to crash): the second gets a line."""
    env = VectorEnv("cafe_race", 64, seed=1, threads=threads)
    env.reset()
    refused: list[str] = []
    failed: list[BaseException] = []

    def play() -> None:
        for _ in range(400):
            try:
                env.step(env.sample())
            except RacegymError as error:
                refused.append(str(error))
            except BaseException as error:
                failed.append(error)

    workers = [threading.Thread(target=play) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed
    # An action drawn before another thread's step may be illegal after it: that is told, too.
    assert all("another thread" in line or "is not legal" in line for line in refused)
    env.load_state_dict(env.state_dict())
    env.step(env.sample())
    env.close()


def test_a_thread_that_holds_a_batch_is_told() -> None:
    env = VectorEnv("cafe_race", 4, seed=1)
    env.reset()
    vector = SoloVectorEnv("cafe_race", 4)
    vector.reset(seed=1)
    with env._chunks, vector._games._alone:
        for call in (
            lambda: env.step(np.zeros(4, int)),
            env.reset,
            env.state_dict,
            lambda: vector.step(vector.action_masks().argmax(axis=1)),
            vector.reset,
        ):
            with pytest.raises(RacegymError, match="another thread is using this environment"):
                call()
    env.step(env.sample())
    vector.step(vector.action_masks().argmax(axis=1))
