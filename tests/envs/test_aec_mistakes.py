"""What the PettingZoo environment does with mistakes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import racegym
from racegym import Position
from racegym.envs import RawEnv, env
from racegym.errors import GameOver, IllegalAction, OptionError, RacegymError, SeedError

NO_ACTIONS = [
    None,
    float("nan"),
    np.nan,
    1.0,
    np.float32(0),
    True,
    np.True_,
    -1,
    np.int64(-1),
    10**6,
    2**70,
    np.uint64(2**64 - 1),
    "1",
    b"1",
    [0],
    (0,),
    np.array([0]),
    np.array(0.0),
    {},
    Ellipsis,
]


def snapshot(raw: RawEnv) -> bytes:
    """Everything that may not change."""
    return pickle.dumps(
        (
            raw.position,
            raw.agents,
            raw.agent_selection,
            raw.rewards,
            raw._cumulative_rewards,
            raw.terminations,
            raw.truncations,
            raw.options,
            {agent: sorted(info) for agent, info in raw.infos.items()},
        )
    )


@pytest.mark.parametrize("on_illegal", ["raise", "lose", "resample"])
@pytest.mark.parametrize("wrapped", [False, True], ids=["raw", "env"])
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_raises_in_every_mode(game, action, wrapped, on_illegal):
    """Pitfalls 36, 37: one clear line, nothing changed, and the game goes on."""
    single = (env if wrapped else RawEnv)(game, on_illegal=on_illegal)
    single.reset(seed=3)
    before = snapshot(single.unwrapped)
    with pytest.raises(IllegalAction) as caught:
        single.step(action)
    assert "\n" not in str(caught.value)
    assert snapshot(single.unwrapped) == before
    single.step(int(single.last()[0]["action_mask"].argmax()))


def illegal(raw: RawEnv) -> int:
    """An action of the action space that is not legal now."""
    return int(np.flatnonzero(raw.last()[0]["action_mask"] == 0)[0])


def test_illegal_actions_raise_by_default(table):
    raw = RawEnv(**table)
    raw.reset(seed=3)
    before, action = snapshot(raw), illegal(raw)
    with pytest.raises(
        IllegalAction, match=f"action {action} .* is not legal for player_"
    ) as caught:
        raw.step(action)
    assert isinstance(caught.value, ValueError)
    assert raw.position.action_to_text(action) in str(caught.value)
    assert snapshot(raw) == before


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_lose_ends_the_game_with_the_offender_last(table, reward, picker):
    """Pitfall 8: terminated and not truncated; the rewards are those of the reward scheme."""
    raw, choose = RawEnv(on_illegal="lose", reward=reward, **table), picker()
    raw.reset(seed=3)
    for _ in range(4):
        raw.step(choose(raw.last()[0]["action_mask"]))
    position, offender = raw.position, raw.agent_selection
    raw.step(illegal(raw))
    assert raw.position == position, "the game itself stays where it was"
    assert all(raw.terminations.values()) and not any(raw.truncations.values())
    sides = int(position.state.sides)
    rewards = {}
    for agent in raw.agent_iter():
        seen, rewards[agent], terminated, truncated, info = raw.last()
        assert (terminated, truncated) == (True, False)
        assert not seen["action_mask"].any() and not info["action_mask"].any()
        assert info["illegal_action_by"] == offender and "scores" not in info
        raw.step(None)
    guilty = int(offender.split("_")[1]) % sides
    last = [p % sides == guilty for p in range(len(rewards))]
    share = {"win": 1 / (sides - 1) ** 2, "rank": 1 / (sides - 1), "score": 1 / (sides - 1)}[reward]
    loss = {"win": -1 / (sides - 1), "rank": -1, "score": -1}[reward]
    assert list(rewards.values()) == pytest.approx([loss if g else share for g in last])
    assert info["ranks"] == [sides if g else 1 for g in last], "teams have one rank (DR-85)"


def test_resample_plays_a_legal_action_and_says_so(table):
    """The luck of the draw is not the game's, and the same seed draws the same."""
    for seed in range(5):
        raw = RawEnv(on_illegal="resample", **table)
        plain = Position(seed=seed, **table)
        raw.reset(seed=seed)
        played = []
        while not any(raw.terminations.values()):
            agent = raw.agent_selection
            raw.step(illegal(raw))
            played.append(raw.infos[agent]["resampled"])
            plain.apply(played[-1])
            assert raw.position == plain
        again = RawEnv(on_illegal="resample", **table)
        again.reset(seed=seed)
        for action in played:
            agent = again.agent_selection
            again.step(illegal(again))
            assert again.infos[agent]["resampled"] == action


def test_resampled_is_told_to_the_offender_alone(table):
    raw = RawEnv(on_illegal="resample", **table)
    raw.reset(seed=1)
    offender = raw.agent_selection
    raw.step(illegal(raw))
    assert [a for a in raw.agents if "resampled" in raw.infos[a]] == [offender]


@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
def test_dead_steps(game, factory, picker):
    """Pitfall 23: None is due for a finished agent, and only for one."""
    single, choose = factory(game), picker()
    single.reset(seed=3)
    while not single.terminations[single.agent_selection]:
        single.step(choose(single.last()[0]["action_mask"]))
    agent = single.agent_selection
    for action in (0, 0.0, "x"):
        with pytest.raises(IllegalAction, match=rf"{agent} has finished.*step\(None\)"):
            single.step(action)
    assert agent in single.agents
    while single.agents:
        leaving = single.agent_selection
        single.step(None)
        assert leaving not in single.agents
        assert set(single.infos) == set(single.rewards) == set(single.agents)
    for action in (None, 0):
        with pytest.raises(GameOver, match=r"call reset\(\)"):
            single.step(action)
    with pytest.raises(GameOver, match=r"call reset\(\)"):
        single.last()
    single.reset()
    assert len(single.agents) == len(single.possible_agents)


@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
@pytest.mark.parametrize(
    "call",
    [
        lambda e: e.step(0),
        lambda e: e.last(),
        lambda e: e.observe("player_0"),
        lambda e: e.state(),
        lambda e: e.render(),
        lambda e: e.redeal("player_0"),
        lambda e: e.position,
    ],
    ids=["step", "last", "observe", "state", "render", "redeal", "position"],
)
def test_before_reset(game, factory, call):
    with pytest.raises(RacegymError, match=r"call reset\(\) before"):
        call(factory(game, render_mode="ansi"))


def test_agent_iter_before_reset(game):
    with pytest.raises(RacegymError, match=r"call reset\(\) before agent_iter"):
        env(game).agent_iter()


def test_a_loop_without_step_is_noticed(game):
    single = env(game)
    single.reset(seed=1)
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in single.agent_iter():
            pass


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"num_players": 99}, OptionError, "num_players takes"),
        ({"num_players": 1}, OptionError, "num_players takes"),
        ({"num_players": 3.0}, OptionError, "num_players takes"),
        ({"num_playres": 3}, OptionError, "did you mean 'num_players'"),
        ({"on_ilegal": "lose"}, OptionError, "did you mean 'on_illegal'"),
        ({"reward": "money"}, OptionError, "reward takes"),
        ({"on_illegal": "ignore"}, OptionError, "on_illegal is one of raise, lose, resample"),
        ({"on_illegal": None}, OptionError, "on_illegal is one of"),
        ({"render_mode": "human"}, OptionError, "render_mode is one of ansi"),
        ({"render_mode": 1}, OptionError, "render_mode is one of ansi"),
        ({"encoder": "flatt"}, RacegymError, "did you mean 'flat'"),
        ({"encoder": "full"}, RacegymError, "shows what players may not know"),
        ({"encoder": None}, RacegymError, "no encoder"),
    ],
    ids=str,
)
@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
def test_bad_arguments(game, factory, arguments, error, words):
    with pytest.raises(error, match=words) as caught:
        factory(game, **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["cafe_rase", "", 7, None])
def test_bad_games(name):
    with pytest.raises(RacegymError):
        RawEnv(name)


@pytest.mark.parametrize(
    "arguments, error",
    [
        ({"seed": -1}, SeedError),
        ({"seed": 2**63}, SeedError),
        ({"seed": 1.0}, SeedError),
        ({"seed": float("nan")}, SeedError),
        ({"seed": True}, SeedError),
        ({"seed": "7"}, SeedError),
        ({"seed": [7]}, SeedError),
        ({"options": {"rewrad": "win"}}, OptionError),
        ({"options": {"reward": "money"}}, OptionError),
        ({"options": {"max_turns": 0}}, OptionError),
        ({"options": ["reward"]}, OptionError),
        ({"options": "reward"}, OptionError),
        ({"seed": 4, "options": {"nonsense": 1}}, OptionError),
    ],
    ids=str,
)
@pytest.mark.parametrize("factory", [RawEnv, env], ids=["raw", "env"])
def test_bad_resets_change_nothing(game, factory, arguments, error):
    single = factory(game)
    single.reset(seed=3)
    single.step(int(single.last()[0]["action_mask"].argmax()))
    before = snapshot(single.unwrapped)
    with pytest.raises(error) as caught:
        single.reset(**arguments)
    assert "\n" not in str(caught.value)
    assert snapshot(single.unwrapped) == before
    fresh = factory(game)
    with pytest.raises(error):
        fresh.reset(**arguments)
    with pytest.raises(RacegymError, match=r"call reset\(\) before"):
        fresh.last()


def test_num_players_cannot_change_at_reset(game):
    description = racegym.game(game)
    raw = RawEnv(game, num_players=description.min_players)
    raw.reset(seed=1, options={"num_players": description.min_players})
    with pytest.raises(OptionError, match="make another one"):
        raw.reset(options={"num_players": description.max_players})


@pytest.mark.parametrize("agent", ["player_99", "playr_0", 0, None, ["player_0"]])
def test_unknown_agents(game, agent):
    raw = RawEnv(game)
    raw.reset(seed=1)
    for call in (raw.observe, raw.observation_space, raw.action_space, raw.redeal):
        with pytest.raises(RacegymError, match="there is no agent"):
            call(agent)


def test_render_needs_a_mode(game):
    raw = RawEnv(game)
    raw.reset(seed=1)
    with pytest.raises(RacegymError, match="render_mode"):
        raw.render()
