"""The batched Gymnasium environment."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import racegym
from racegym.envs import SoloEnv, SoloVectorEnv, VectorEnv
from racegym.envs.registration import gymnasium_id
from racegym.errors import IllegalAction, OptionError, RacegymError, SeedError

MODES = ["SameStep", "NextStep"]


def assert_same(mine, theirs, where=""):
    """Equal values; dtypes may differ in width (Gymnasium's rewards are float64)."""
    if isinstance(mine, dict):
        assert mine.keys() == theirs.keys(), where
        for key in mine:
            assert_same(mine[key], theirs[key], f"{where}.{key}")
    elif isinstance(mine, np.ndarray) and mine.dtype.hasobject:
        for a, b in zip(mine, theirs, strict=True):
            assert_same(a, b, where)
    else:
        np.testing.assert_array_equal(mine, theirs, err_msg=where)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", ["random", "scripted", "own"])
def test_is_gymnasium_s_sync_vector_of_solo_envs(table, mode, opponents, picker, first_legal):
    """Pitfalls 11, 14: observations, masks, rewards, flags and infos, through many games."""
    n, choose = 5, picker()
    who = first_legal if opponents == "own" else opponents
    arguments = {"opponents": who, "seat": "rotate", "reward": "score", **table}
    ours = SoloVectorEnv(num_envs=n, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv([lambda: SoloEnv(**arguments)] * n, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    seeds = [4, 9, 2, 2, 11]
    mine, others = ours.reset(seed=seeds), theirs.reset(seed=seeds)
    games = 0
    while games < 2 * n:
        assert_same(mine[0], others[0])
        assert_same(mine[-1], others[-1])
        assert ours.observation_space.contains(mine[0])
        masks = mine[-1]["action_mask"]
        actions = np.array([choose(m) if m.any() else 0 for m in masks])
        mine, others = ours.step(actions), theirs.step(actions)
        for k in (1, 2, 3):
            assert_same(mine[k], others[k], f"part {k}")
        games += int((mine[2] | mine[3]).sum())


def test_same_step_keeps_the_end_of_the_old_game(table, picker):
    """Pitfall 11: where the last observation, reward and mask are."""
    vector, choose = SoloVectorEnv(num_envs=4, **table), picker()
    assert vector.autoreset_mode is AutoresetMode.SAME_STEP
    _, infos = vector.reset(seed=1)
    seen = 0
    while seen < 8:
        before = infos["seed"]
        _, rewards, terminated, truncated, infos = vector.step(
            [choose(mask) for mask in infos["action_mask"]]
        )
        ended = terminated | truncated
        assert (rewards[~ended] == 0).all()
        assert infos["action_mask"].any(axis=1).all(), "every game waits for the learner"
        for i in np.flatnonzero(ended):
            seen += 1
            final = infos["final_info"]
            assert infos["_final_obs"][i] and infos["_final_info"][i]
            assert final["seed"][i] == before[i] != infos["seed"][i]
            assert not final["action_mask"][i].any()
            assert sorted(final["ranks"][i])[0] == 1
            best = final["ranks"][i][final["seat"][i]] == 1
            assert (rewards[i] >= 0) == best, "0 when all are tied"


@pytest.mark.parametrize("mode", MODES)
def test_cut_games_have_ended(table, picker, mode):
    """Pitfall 8: nothing is truncated; infos say which games were cut."""
    vector, choose = SoloVectorEnv(num_envs=8, max_turns=1, autoreset_mode=mode, **table), picker()
    _, infos = vector.reset(seed=1)
    ended = cut = 0
    for _ in range(20):
        _, _, terminated, truncated, infos = vector.step(
            [choose(mask) if mask.any() else 0 for mask in infos["action_mask"]]
        )
        assert not truncated.any()
        final = infos.get("final_info", {}) if mode == "SameStep" else infos
        assert (final.get("_cut", np.zeros(8, bool)) == terminated).all()
        ended += terminated.sum()
        cut += final.get("cut", terminated).sum()
    assert ended
    if table["game"] != "dino_race":
        assert cut, "the game can be cut after one turn"


def test_one_seed_gives_the_batch_s_games(table):
    """Pitfall 21: all different, repeatable, those of ``VectorEnv``, however many there are."""
    vector = SoloVectorEnv(num_envs=256, **table)
    seeds = vector.reset(seed=3)[1]["seed"]
    assert len(set(seeds.tolist())) == 256
    assert (vector.reset(seed=3)[1]["seed"] == seeds).all()
    few = SoloVectorEnv(num_envs=3, **table)
    assert (few.reset(seed=3)[1]["seed"] == seeds[:3]).all()
    batch = VectorEnv(num_games=256, seed=3, **table)
    assert (batch.reset().seeds == seeds).all()
    assert (batch.reset().seeds == vector.reset()[1]["seed"]).all()
    assert not (set(vector.reset(seed=4)[1]["seed"].tolist()) & set(seeds.tolist()))


@pytest.mark.parametrize("mode", MODES)
def test_places_do_not_depend_on_each_other(table, mode, picker):
    """Results do not depend on the size of the batch."""
    many = SoloVectorEnv(num_envs=9, autoreset_mode=mode, **table)
    few = SoloVectorEnv(num_envs=4, autoreset_mode=mode, **table)
    (_, a), _ = many.reset(seed=6), few.reset(seed=6)
    for _ in range(60):
        first = [int(m.argmax()) for m in a["action_mask"]]
        (seen, rewards, *_, a), (other, others, *_) = many.step(first), few.step(first[:4])
        assert_same({k: v[:4] for k, v in seen.items()}, other)
        np.testing.assert_array_equal(rewards[:4], others)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize("mode", MODES)
def test_copies_go_on_alike(table, how, mode):
    """Pitfall 7."""
    vector = SoloVectorEnv(num_envs=3, autoreset_mode=mode, opponents="scripted", **table)
    _, infos = vector.reset(seed=6)
    for _ in range(15):
        twin, other = how(vector), how(vector)
        actions = infos["action_mask"].argmax(axis=1)
        for _ in range(3):
            mine, theirs = twin.step(actions), other.step(actions)
            assert_same(dict(enumerate(mine)), dict(enumerate(theirs)))
            actions = mine[-1]["action_mask"].argmax(axis=1)
        infos = vector.step(infos["action_mask"].argmax(axis=1))[-1]


def test_what_is_handed_out_is_the_caller_s(game):
    """Pitfall 15."""
    vector, twin = SoloVectorEnv(game, 3), SoloVectorEnv(game, 3)
    seen, infos = vector.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    twin.reset(seed=1)
    seen["observation"][:] = 0
    seen["action_mask"][:] = 1
    for array in infos.values():
        array[:] = 1
    vector.action_masks()[:] = 0
    mine, theirs = vector.step(actions), twin.step(actions)
    assert_same(dict(enumerate(mine)), dict(enumerate(theirs)))


def test_float32_and_int64(game):
    """Pitfalls 38, 57: no float64, no names; seats are numbers."""
    vector = SoloVectorEnv(game, 3)
    seen, infos = vector.reset(seed=1)
    _, rewards, *_ = vector.step(infos["action_mask"].argmax(axis=1))
    assert seen["observation"].dtype == rewards.dtype == np.float32
    assert seen["action_mask"].dtype == infos["action_mask"].dtype == np.int8
    assert infos["seat"].dtype == infos["seed"].dtype == np.int64


# --- mistakes ------------------------------------------------------------------------------------


def illegal(mask) -> int:
    return int(np.flatnonzero(mask == 0)[0])


def test_one_illegal_action_stops_all_and_changes_nothing(table):
    vector, twin = SoloVectorEnv(num_envs=4, **table), SoloVectorEnv(num_envs=4, **table)
    _, infos = vector.reset(seed=1)
    twin.reset(seed=1)
    good = infos["action_mask"].argmax(axis=1)
    bad = good.copy()
    bad[2] = illegal(infos["action_mask"][2])
    with pytest.raises(IllegalAction, match=r"game 2: action \d+ .* is not legal"):
        vector.step(bad)
    assert_same(dict(enumerate(vector.step(good))), dict(enumerate(twin.step(good))))


@pytest.mark.parametrize(
    "actions",
    [
        None,
        0,
        [0, 0],
        [0, 0, 0, 0],
        [0.0, 0.0, 0.0],
        [float("nan")] * 3,
        [True, True, True],
        [-1, 0, 0],
        [0, 0, 10**6],
        [0, 0, 2**70],
        ["0", "0", "0"],
        [[0], [0], [0]],
        [[0], 0, 0],
    ],
    ids=str,
)
@pytest.mark.parametrize("on_illegal", ["raise", "lose", "resample"])
def test_what_are_no_actions_raise_in_every_mode(game, actions, on_illegal):
    vector = SoloVectorEnv(game, 3, on_illegal=on_illegal)
    vector.reset(seed=1)
    before = pickle.dumps(vector)
    with pytest.raises(IllegalAction) as caught:
        vector.step(actions)
    assert "\n" not in str(caught.value)
    assert pickle.dumps(vector) == before


@pytest.mark.parametrize("on_illegal", ["lose", "resample"])
def test_illegal_actions_go_as_in_single_games(table, on_illegal):
    """Rows with and without an illegal action in one step."""
    arguments = {"on_illegal": on_illegal, "reward": "rank", **table}
    ours = SoloVectorEnv(num_envs=3, **arguments)
    theirs = SyncVectorEnv([lambda: SoloEnv(**arguments)] * 3, autoreset_mode="SameStep")
    mine, others = ours.reset(seed=[1, 2, 3]), theirs.reset(seed=[1, 2, 3])
    for k in range(30):
        masks = mine[-1]["action_mask"]
        actions = masks.argmax(axis=1)
        actions[k % 3] = illegal(masks[k % 3])
        mine, others = ours.step(actions), theirs.step(actions)
        for part, (a, b) in enumerate(zip(mine, others, strict=True)):
            assert_same(a, b, f"step {k}, part {part}")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"num_envs": 0}, "number of games"),
        ({"num_envs": 2.0}, "number of games"),
        ({"autoreset_mode": "Disabled"}, "autoreset_mode is one of SameStep, NextStep"),
        ({"autoreset_mode": None}, "autoreset_mode"),
        ({"seat": "x"}, "seat is"),
        ({"num_playrs": 4}, "did you mean 'num_players'"),
    ],
    ids=str,
)
def test_bad_arguments(game, arguments, words):
    with pytest.raises(OptionError, match=words):
        SoloVectorEnv(game, **{"num_envs": 2, **arguments})


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "ab", [1], [1, 2, 3], [1, -1], [1, "2"]])
def test_bad_seeds(game, seed):
    vector = SoloVectorEnv(game, 2)
    vector.reset(seed=1)
    before = pickle.dumps(vector)
    with pytest.raises(RacegymError) as caught:
        vector.reset(seed=seed)
    assert isinstance(caught.value, SeedError) or "list of" in str(caught.value)
    assert pickle.dumps(vector) == before


def test_seeds_for_some_places_only(game):
    vector = SoloVectorEnv(game, 3)
    vector.reset(seed=1)
    going_on = vector.reset()[1]["seed"]
    vector.reset(seed=1)
    mixed = vector.reset(seed=[None, 7, None])[1]["seed"]
    assert mixed.tolist() == [going_on[0], 7, going_on[2]]


def test_before_reset(game):
    vector = SoloVectorEnv(game, 2, render_mode="ansi")
    for call in (lambda: vector.step([0, 0]), vector.render, vector.action_masks):
        with pytest.raises(RacegymError, match=r"call reset\(\) before"):
            call()
    vector.reset(seed=1)
    assert len(vector.render()) == 2
    vector.close()


# --- through Gymnasium ---------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
def test_make_vec(game):
    vector = gymnasium.make_vec(gymnasium_id(game), num_envs=3, seat=0)
    assert isinstance(vector, SoloVectorEnv)
    vector.reset(seed=1)
    vector.step(vector.action_masks().argmax(axis=1))
    vector.close()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_make_vec_with_workers(game, mode):
    """Pitfall 25: ``spawn`` works, and the workers play the same games."""
    context = {"context": "spawn"} if mode == "async" else {}
    vector = gymnasium.make_vec(
        gymnasium_id(game), num_envs=2, vectorization_mode=mode, vector_kwargs=context
    )
    try:
        _, infos = vector.reset(seed=[1, 2])
        assert infos["seed"].tolist() == [1, 2]
        single = SoloEnv(game)
        _, info = single.reset(seed=2)
        action = int(info["action_mask"].argmax())
        got = vector.step([int(infos["action_mask"][0].argmax()), action])
        expected = single.step(action)
        assert (got[0]["observation"][1] == expected[0]["observation"]).all()
    finally:
        vector.close()


def test_ids_and_versions(game):
    spec = gymnasium.spec(gymnasium_id(game))
    assert spec.id.endswith(f"-v{racegym.game(game).version}")
    with gymnasium.make(spec.id, num_players=racegym.game(game).min_players) as solo:
        assert solo.unwrapped.options["num_players"] == racegym.game(game).min_players
