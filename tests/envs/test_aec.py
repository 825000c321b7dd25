"""The PettingZoo environment: what it hands out, step by step."""

from __future__ import annotations

import numpy as np
import pytest

import racegym
from racegym import Position
from racegym.envs import RawEnv, VectorEnv, env

SCHEMES = ("win", "rank", "score")


def test_is_position_step_by_step(table, picker):
    raw, position = RawEnv(**table), Position(seed=3, **table)
    raw.reset(seed=3)
    choose = picker()
    while not position.is_over:
        name = f"player_{position.seat}"
        assert raw.agent_selection == name
        seen, reward, terminated, truncated, info = raw.last()
        assert seen["observation"].tobytes() == position.observation.tobytes()
        assert seen["action_mask"].tobytes() == position.mask.tobytes()
        assert info["action_mask"].tobytes() == position.mask.tobytes()
        assert (reward, terminated, truncated, info["seed"]) == (0.0, False, False, 3)
        for p, agent in enumerate(raw.agents):
            other = raw.observe(agent)
            assert other["observation"].tobytes() == position.observe(p).tobytes()
            assert other["action_mask"].tobytes() == position.mask_of(p).tobytes()
            assert raw.infos[agent]["action_mask"].tobytes() == position.mask_of(p).tobytes()
        assert raw.state().tobytes() == position.with_encoder("full").observe(0).tobytes()
        assert raw.state_space.contains(raw.state())
        assert raw.position == position
        action = choose(position.mask)
        raw.step(action)
        position.apply(action)
    rewards = {}
    for agent in raw.agent_iter():
        seen, rewards[agent], terminated, truncated, info = raw.last()
        p = int(agent.split("_")[1])
        assert (terminated, truncated) == (True, False)
        assert not seen["action_mask"].any() and not info["action_mask"].any()
        assert seen["observation"].tobytes() == position.observe(p).tobytes()
        assert (info["scores"], info["ranks"]) == (position.scores(), position.ranks())
        raw.step(None)
    assert list(rewards.values()) == position.rewards()
    assert raw.agents == []


@pytest.mark.parametrize("games", [48, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("reward", SCHEMES)
def test_rewards_by_last_are_the_batch_s_rewards(table, reward, games, picker):
    """Pitfall 1: what comes through ``last()`` is what the batch and the game itself say."""
    batch_env = VectorEnv(num_games=16, seed=11, reward=reward, **table)
    single = env(reward=reward, **table)
    batch, choose, played = batch_env.reset(), picker(), 0
    moves: list[list[int]] = [[] for _ in range(16)]
    while played < games:
        actions = np.array([choose(mask) for mask in batch.mask])
        for i, action in enumerate(actions):
            moves[i].append(int(action))
        batch = batch_env.step(actions)
        for i in np.flatnonzero(batch.ended):
            totals = replayed(single, int(batch.last_seeds[i]), moves[i])
            expected = batch.rewards[i, : table["num_players"]].tolist()
            assert np.float32(list(totals.values())).tolist() == expected
            assert sum(expected) == pytest.approx(0, abs=1e-5)
            moves[i] = []
            played += 1


def replayed(single, seed, actions):
    """The sums of the rewards that each agent gets through ``last()``."""
    single.reset(seed=seed)
    totals = dict.fromkeys(single.possible_agents, 0.0)
    remaining = iter(actions)
    for agent in single.agent_iter():
        _, reward, terminated, truncated, _ = single.last()
        totals[agent] += reward
        single.step(None if terminated or truncated else next(remaining))
    assert next(remaining, None) is None
    return totals


def test_a_cut_game_has_ended(table, picker):
    """Pitfall 8: terminated, never truncated, told as cut; the last observation is true."""
    raw, choose = RawEnv(max_turns=1, **table), picker()
    cut = 0
    for seed in range(20):
        raw.reset(seed=seed)
        while not any(raw.terminations.values()):
            before = raw.position
            raw.step(choose(raw.last()[0]["action_mask"]))
        assert not before.is_over and all(raw.terminations.values())
        assert not any(raw.truncations.values())
        final = raw.position
        assert {info["cut"] for info in raw.infos.values()} == {final.is_truncated}
        cut += final.is_truncated
        for p, agent in enumerate(raw.agents):
            assert raw.observe(agent)["observation"].tobytes() == final.observe(p).tobytes()
            assert raw.rewards[agent] == final.rewards()[p]
    if table["game"] != "dino_race":
        assert cut, "the game can be cut after one turn"


def test_seeds_go_on_from_the_last_one_given(table):
    """Pitfall 54: ``info["seed"]`` makes that very game again, and the row can be repeated."""
    raw = RawEnv(**table)
    rows = []
    for _ in range(2):
        raw.reset(seed=5)
        seeds = []
        for _ in range(4):
            info = raw.last()[4]
            seeds.append(info["seed"])
            again = Position(seed=info["seed"], **table)
            assert again == raw.position
            raw.reset()
        rows.append(seeds)
    assert rows[0] == rows[1] and rows[0][0] == 5 and len(set(rows[0])) == 4
    raw.reset(seed=6)
    raw.reset()
    assert raw.last()[4]["seed"] not in rows[0]


def test_games_without_a_seed_differ(game):
    seeds = set()
    for _ in range(3):
        raw = RawEnv(game)
        raw.reset()
        seeds.add(raw.last()[4]["seed"])
    assert len(seeds) == 3


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint8, np.uint64])
def test_seeds_of_all_integer_types_are_the_same(game, kind):
    """Pitfall 55."""
    raw = RawEnv(game)
    raw.reset(seed=kind(17))
    assert raw.position == racegym.make(game, seed=17)


def test_largest_seed(game):
    raw = RawEnv(game)
    raw.reset(seed=2**63 - 1)
    assert raw.last()[4]["seed"] == 2**63 - 1


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint64, np.array])
def test_actions_of_all_integer_types_are_taken(game, kind):
    """Pitfall 37: ints, NumPy integers and 0-d arrays."""
    raw = RawEnv(game)
    raw.reset(seed=1)
    twin = raw.clone()
    action = int(raw.last()[0]["action_mask"].argmax())
    raw.step(action)
    twin.step(kind(action))
    assert raw.position == twin.position


def test_options_at_reset_hold_for_later_games(game):
    """Pitfall 54: they last until they are given anew; the other options stay as they were."""
    raw = RawEnv(game, reward="rank", max_turns=9)
    raw.reset(seed=1, options={"reward": "score"})
    assert (raw.options["reward"], raw.options["max_turns"]) == ("score", 9)
    raw.reset(options={})
    assert (raw.options["reward"], raw.options["max_turns"]) == ("score", 9)
    raw.reset(options={"max_turns": 7})
    assert raw.position.options == raw.options
    assert (raw.options["reward"], raw.options["max_turns"]) == ("score", 7)


def test_spaces_hold_what_is_handed_out(table, picker):
    """Pitfall 38: same objects at every call, right dtypes, in bounds, finite."""
    for encoder in ("flat", "tokens"):
        raw, choose = RawEnv(encoder=encoder, **table), picker()
        spaces = [(raw.observation_space(a), raw.action_space(a)) for a in raw.possible_agents]
        raw.reset(seed=4)
        while raw.agents:
            for k, agent in enumerate(raw.possible_agents):
                space, actions = spaces[k]
                assert raw.observation_space(agent) is space
                assert raw.action_space(agent) is actions
                seen = raw.observe(agent)
                assert space.contains(seen)
                assert seen["observation"].dtype == np.float32
                assert seen["action_mask"].dtype == np.int8
                assert np.isfinite(seen["observation"]).all()
            seen, _, terminated, truncated, _ = raw.last()
            raw.step(None if terminated or truncated else choose(seen["action_mask"]))


def test_spaces_do_not_depend_on_players_or_options(game, players):
    """Pitfall 41: one network plays every number of players."""
    description = racegym.game(game)
    found = []
    for count in description.num_players_allowed:
        arguments = players(game, count)
        if arguments is None:
            continue
        raw = RawEnv(**arguments)
        assert raw.possible_agents == [f"player_{p}" for p in range(count)]
        found.append((raw.observation_space("player_0"), raw.action_space("player_0")))
    assert len(found) >= 3 and all(pair == found[0] for pair in found)


def test_masks_work_with_gymnasium_s_sampler(table):
    """Pitfalls 12, 22: int8, never empty for the agent to act, the same in both places."""
    single = env(**table)
    single.reset(seed=8)
    for agent in single.agent_iter():
        seen, _, terminated, truncated, info = single.last()
        assert seen["action_mask"].tobytes() == info["action_mask"].tobytes()
        if terminated or truncated:
            single.step(None)
            continue
        assert seen["action_mask"].any()
        action = single.action_space(agent).sample(seen["action_mask"])
        assert seen["action_mask"][action] == 1
        single.step(action)


def test_what_is_handed_out_is_the_caller_s(game):
    """Pitfall 15: changing it changes nothing in the environment."""
    raw = RawEnv(game)
    raw.reset(seed=2)
    agent = raw.agent_selection
    seen, _, _, _, info = raw.last()
    kept = seen["observation"].copy(), seen["action_mask"].copy()
    seen["observation"][:] = -5
    seen["action_mask"][:] = 1 - seen["action_mask"]
    info["action_mask"][:] = 1
    again = raw.observe(agent)
    assert (again["observation"] == kept[0]).all() and (again["action_mask"] == kept[1]).all()
    illegal = int(np.flatnonzero(kept[1] == 0)[0])
    with pytest.raises(racegym.IllegalAction):
        raw.step(illegal)
    raw.agents.remove(agent)
    assert agent in raw.possible_agents


def test_observe_has_no_side_effects(table, picker):
    """Pitfall 52: any agent, at any time, as often as one likes."""
    quiet, busy = RawEnv(**table), RawEnv(**table)
    quiet.reset(seed=6)
    busy.reset(seed=6)
    choose = picker()
    while quiet.agents:
        for agent in busy.possible_agents:
            busy.observe(agent)
            busy.state()
        seen, _, terminated, truncated, _ = quiet.last()
        action = None if terminated or truncated else choose(seen["action_mask"])
        quiet.step(action)
        busy.step(action)
        assert quiet.position == busy.position
        assert quiet.agent_selection == busy.agent_selection


def test_exactly_one_live_agent_is_to_act(table, picker):
    """Pitfall 53: chance is settled inside; between steps somebody is to act or all are done."""
    raw, choose = RawEnv(**table), picker()
    for seed in range(5):
        raw.reset(seed=seed)
        while not raw.terminations[raw.agent_selection]:
            masks = [raw.observe(a)["action_mask"].any() for a in raw.agents]
            assert masks.count(True) == 1
            assert raw.agents[masks.index(True)] == raw.agent_selection
            raw.step(choose(raw.last()[0]["action_mask"]))
        assert all(raw.terminations.values())


def test_hidden_things_are_in_nothing_an_agent_gets(table, picker):
    """Pitfall 6: a world that the agent cannot tell apart looks the same to it everywhere."""
    differed = 0
    for encoder in ("flat", "tokens", "text"):
        raw = RawEnv(encoder=encoder, render_mode="ansi", **table)
        choose = picker()
        raw.reset(seed=9)
        while not any(raw.terminations.values()):
            for agent in raw.agents[choose.rng.integers(3) :: 3]:
                other = raw.redeal(agent, seed=77)
                differed += other.position.to_dict() != raw.position.to_dict()
                mine, theirs = raw.observe(agent), other.observe(agent)
                assert np.array_equal(mine["observation"], theirs["observation"])
                assert np.array_equal(mine["action_mask"], theirs["action_mask"])
                assert_same_info(raw.infos[agent], other.infos[agent])
                if agent == raw.agent_selection:
                    assert raw.render() == other.render()
            raw.step(choose(raw.last()[0]["action_mask"]))
    assert differed, "the re-deals never changed anything: this test shows nothing"


def assert_same_info(mine, theirs):
    assert mine.keys() == theirs.keys()
    for key, value in mine.items():
        assert np.array_equal(value, theirs[key]), key


def test_text_observations(table, picker):
    """The encoder ``text``: words in the space, the legal actions among them."""
    raw, choose = RawEnv(encoder="text", **table), picker()
    raw.reset(seed=1)
    while raw.agents:
        for agent in raw.agents:
            seen = raw.observe(agent)
            assert raw.observation_space(agent).contains(seen)
            assert ("Legal actions: " in seen["observation"]) == bool(seen["action_mask"].any())
        seen, _, terminated, truncated, _ = raw.last()
        if not (terminated or truncated):
            assert all(t in seen["observation"] for t in raw.position.legal_texts())
        raw.step(None if terminated or truncated else choose(seen["action_mask"]))


def test_render_shows_the_view_of_the_agent_to_act(table):
    raw = RawEnv(render_mode="ansi", **table)
    raw.reset(seed=1)
    first = raw.render()
    assert first == raw.position.text(raw.position.seat)
    raw.step(int(raw.last()[0]["action_mask"].argmax()))
    assert raw.render() != first


def test_str_and_metadata(game):
    single = env(game)
    version = racegym.game(game).version
    assert str(single) == single.metadata["name"] == f"{game}_v{version}"
    assert single.metadata["render_modes"] == ["ansi"]
    assert single.metadata["is_parallelizable"] is False
