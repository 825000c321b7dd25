"""Saved environments from outside: damaged ones are refused, and nothing is changed by them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.validity import write_fields
from racegym.envs import SoloVectorEnv, VectorEnv
from racegym.envs.aec import RawEnv
from racegym.errors import RacegymError

Change = Callable[[dict[str, np.ndarray]], Any]


@pytest.fixture
def batch(game: str) -> VectorEnv:
    """Three games under way, one of which has ended before."""
    env = VectorEnv(game, 3, seed=5)
    env.reset()
    while not env._last_raw.any():
        env.step(env.sample())
    return env


def states(env: VectorEnv, arrays: dict[str, np.ndarray], name: str = "raw") -> Any:
    """The records in a state dict, to write to."""
    return arrays[name].view(env.game.layout.dtype)[:, 0]


def over(env: VectorEnv, arrays: dict[str, np.ndarray]) -> None:
    """Put the game that has ended in the place of one that runs."""
    arrays["raw"][1] = arrays["last_raw"][arrays["last_raw"].any(axis=1)][0]


DAMAGES: dict[str, tuple[Callable[[VectorEnv, dict[str, np.ndarray]], Any], str]] = {
    "to_act": (
        lambda env, a: states(env, a)["to_act"].__setitem__(2, 77),
        "game 2 .* to_act is 77",
    ),
    "options": (
        lambda env, a: states(env, a)["max_turns"].__setitem__(0, 3),
        "game 0 .* max_turns is 3",
    ),
    "noise": (lambda env, a: a["raw"].__setitem__(1, 0xA5), "game 1 "),
    "over": (over, "game 1 is over"),
    "ended": (
        lambda env, a: states(env, a, "last_raw")["reward"].__setitem__(slice(None), 9),
        "reward is 9",
    ),
    "seeds": (lambda env, a: a["seeds"].__setitem__(0, -1), "'seeds' has negative"),
    "episodes": (lambda env, a: a["episodes"].__setitem__(0, -1), "'episodes' has negative"),
    "master": (lambda env, a: a["master"].__setitem__(0, -1), "'master' has negative"),
    "shape": (lambda env, a: a.__setitem__("raw", a["raw"][:2]), "'raw' differs"),
    "list": (lambda env, a: a.__setitem__("seeds", [1, 2, 3]), "'seeds' differs"),
    "missing": (lambda env, a: a.pop("last_raw"), "'last_raw' differs"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_batches_are_refused(batch: VectorEnv, damage: str) -> None:
    change, reason = DAMAGES[damage]
    before, arrays = pickle.dumps(batch), batch.state_dict()
    if damage == "ended":
        arrays["last_raw"][:] = arrays["last_raw"][arrays["last_raw"].any(axis=1)][0]
    change(batch, arrays)
    with pytest.raises(RacegymError, match=reason) as caught:
        batch.load_state_dict(arrays)
    assert "\n" not in str(caught.value)
    assert pickle.dumps(batch) == before
    forged = batch.__getstate__() | {"arrays": arrays}
    with pytest.raises(RacegymError, match=reason):
        VectorEnv.__new__(VectorEnv).__setstate__(forged)


def test_a_batch_in_which_somebody_is_stuck_is_refused() -> None:
    """States may have no legal action; batches would wait for one for ever."""
    env = VectorEnv("ave_caesar", 1, seed=5, num_players=3)
    env.reset()
    position = racegym.make("ave_caesar", seed=1, num_players=3)
    raw = position.raw.copy()
    fields = {
        "space": ["17.1", "12.1", "16.1"],
        "hands": [[6, 6, 6]] * 3,
        "decks": [[1, 2, 3]] * 3,
        "crossed": [1, 1, 1],
        "to_act": 0,
        "starter": 0,
    }
    write_fields(position.game, raw, fields)
    arrays = env.state_dict() | {"raw": raw[None]}
    with pytest.raises(RacegymError, match="the player to act has no legal action"):
        env.load_state_dict(arrays)


def test_batches_of_other_sizes_are_no_source(game: str) -> None:
    env, other = VectorEnv(game, 3, seed=1), VectorEnv(game, 2, seed=1)
    other.reset()
    with pytest.raises(RacegymError, match="of 3 games can be restored, not 2"):
        env.restore(other)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("_raw", 0xA5, "no state of"),
        ("_to_act", 3, "wait for others|no state"),
        ("seats", 50, "seats are 0 to"),
        ("seats", -1, "seats are 0 to"),
    ],
)
def test_damaged_solo_games_are_refused(game: str, name: str, value: int, reason: str) -> None:
    env = SoloVectorEnv(game, 3, seat=0)
    env.reset(seed=3)
    saved = env._games.__getstate__()
    saved[name] = np.full_like(saved[name], value)
    games = type(env._games).__new__(type(env._games))
    with pytest.raises(RacegymError, match=reason):
        games.__setstate__(saved)


def test_masks_of_saved_solo_games_are_not_believed(game: str) -> None:
    env = SoloVectorEnv(game, 3)
    env.reset(seed=3)
    masks = env.action_masks()
    saved = env._games.__getstate__()
    saved["masks"] = np.ones_like(masks)
    games = type(env._games).__new__(type(env._games))
    games.__setstate__(saved)
    assert np.array_equal(games.masks, masks)


def test_an_environment_takes_no_position_of_another_game() -> None:
    env = RawEnv("cafe_race")
    env.reset(seed=1)
    saved = env.__getstate__() | {"_position": racegym.make("horse_race", seed=1)}
    with pytest.raises(RacegymError, match="its position is of another game"):
        RawEnv.__new__(RawEnv).__setstate__(saved)
