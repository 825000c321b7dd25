"""stable-baselines3 and MaskablePPO on the environment for one learner."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from racegym.envs import SoloEnv

pytest.importorskip("stable_baselines3")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mask_in_observation", [True, False])
def test_check_env(game, mask_in_observation):
    """It draws actions without looking at the mask, hence ``resample``."""
    from stable_baselines3.common.env_checker import check_env

    check_env(SoloEnv(game, on_illegal="resample", mask_in_observation=mask_in_observation))


@pytest.mark.parametrize("mask_in_observation, policy", [(True, "Multi"), (False, "Mlp")])
def test_maskable_ppo_learns_and_plays_without_an_illegal_action(game, mask_in_observation, policy):
    """Pitfall 2: ``on_illegal`` is ``raise``, so one illegal action would end this test."""
    contrib = pytest.importorskip("sb3_contrib")
    solo = SoloEnv(game, mask_in_observation=mask_in_observation)
    name = {"Multi": "MultiInputPolicy", "Mlp": "MlpPolicy"}[policy]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = contrib.MaskablePPO(name, solo, n_steps=64, batch_size=32, n_epochs=1, seed=1)
        model.learn(64)
    seen, info = solo.reset(seed=1)
    for _ in range(50):
        action, _ = model.predict(seen, action_masks=solo.action_masks())
        assert info["action_mask"][action] == 1
        seen, _, terminated, truncated, info = solo.step(action)
        if terminated or truncated:
            seen, info = solo.reset()
    assert isinstance(solo.action_masks(), np.ndarray)


def test_its_own_factory_of_environments_works() -> None:
    """``make_vec_env`` asks for frames first and does without when there are none."""
    from stable_baselines3.common.env_util import make_vec_env

    made = make_vec_env("racegym/CafeRace-v0", n_envs=2, seed=1)
    assert made.reset()["observation"].shape[0] == 2
    made.close()
