"""The Gymnasium environment for one learner."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import racegym
from racegym.agents import SeededAgent
from racegym.agents.random import RandomAgent
from racegym.envs import RawEnv, SoloEnv
from racegym.errors import GameOver, IllegalAction, OptionError, RacegymError, SeedError


class LastLegal(SeededAgent):
    """Always the highest legal action; reads ``tokens``; remembers what it was asked."""

    def __init__(self, encoder: str = "tokens") -> None:
        super().__init__("last legal", encoder)
        self.asked: list[tuple[np.ndarray, ...]] = []

    def choose(self, observations, masks, seats, bits):
        self.asked.append((observations, masks, seats, bits))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def episode(solo, choose, **reset):
    """All that one episode hands out."""
    seen, info = solo.reset(**reset)
    log, over = [(seen, info)], False
    while not over:
        step = solo.step(choose(info["action_mask"]))
        log.append(step)
        over, info = step[2] or step[3], step[4]
    return log


def same(a, b) -> bool:
    """Equal, arrays and nested dicts included."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(np.array_equal(a, b)) and np.asarray(a).dtype == np.asarray(b).dtype


def others_play(raw, learner):
    """As :class:`LastLegal` does, up to the learner's turn or the end."""
    while raw.agent_selection != learner and not raw.terminations[learner]:
        mask = raw.observe(raw.agent_selection)["action_mask"]
        raw.step(int(np.flatnonzero(mask)[-1]))


@pytest.mark.parametrize("seat", [0, 1, "random", "rotate"])
@pytest.mark.parametrize("reward", ["win", "score"])
def test_is_the_aec_game_seen_from_one_seat(table, seat, reward, picker):
    """Every decision of the learner comes once, with its own observation, and its own reward."""
    solo = SoloEnv(opponents=LastLegal(), seat=seat, reward=reward, **table)
    raw = RawEnv(reward=reward, **table)
    for k in range(4):
        log = iter(episode(solo, picker(k), seed=31 if k == 0 else None))
        seen, info = next(log)
        raw.reset(seed=info["seed"])
        learner = f"player_{info['seat']}"
        choose = picker(k)
        others_play(raw, learner)
        while not raw.terminations[learner]:
            now = raw.observe(learner)
            assert same(seen, now)
            assert same(info["action_mask"], now["action_mask"])
            raw.step(choose(now["action_mask"]))
            others_play(raw, learner)
            seen, reward_now, terminated, truncated, info = next(log)
            assert reward_now == np.float32(raw.rewards[learner])
            assert (terminated, truncated) == (raw.terminations[learner], False)
        assert same(seen, raw.observe(learner))
        assert info["scores"].tolist() == raw.infos[learner]["scores"]
        assert info["ranks"].tolist() == raw.infos[learner]["ranks"]
        assert next(log, None) is None
        raw.reset()


def test_opponents_see_only_their_own(table):
    """Their seats, in the encoder they ask for, read only, one agent for each seat in order."""
    n = table["num_players"]
    agents = [LastLegal("flat" if k % 2 else "tokens") for k in range(n - 1)]
    solo = SoloEnv(opponents=agents, seat=1, **table)
    episode(solo, lambda mask: int(mask.argmax()), seed=3)
    description = racegym.game(table["game"])
    for k, agent in enumerate(agents):
        assert agent.asked
        for observations, masks, seats, _ in agent.asked:
            assert seats.tolist() == [(1 + k + 1) % n]
            assert observations.shape == (1, *description.encoder(agent.encoder).shape)
            assert observations.dtype == np.float32 and masks.dtype == np.int8
            for array in (observations, masks, seats):
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 0


def test_seat_rotates_or_is_drawn_from_the_seed(table):
    n = table["num_players"]
    solo = SoloEnv(seat="rotate", **table)
    seats = [solo.reset(seed=3 if k == 0 else None)[1]["seat"] for k in range(2 * n)]
    assert seats == [k % n for k in range(2 * n)]
    solo = SoloEnv(seat="random", **table)
    drawn = [solo.reset(seed=k)[1]["seat"] for k in range(20 * n)]
    assert set(drawn) == set(range(n))
    assert drawn == [solo.reset(seed=k)[1]["seat"] for k in range(20 * n)]


@pytest.mark.parametrize("opponents", ["random", "scripted"])
def test_seed_and_seat_give_the_very_game_again(table, opponents, picker):
    """Pitfall 54: the opponents' choices included, whatever was played before."""
    solo = SoloEnv(opponents=opponents, seat="rotate", **table)
    solo.reset(seed=5)
    for k in range(3):
        log = episode(solo, picker(k))
        info = log[0][1]
        other = SoloEnv(opponents=opponents, seat=info["seat"], **table)
        other.reset(seed=99)
        assert same(log, episode(other, picker(k), seed=info["seed"]))


def test_seeded_rows_of_games_repeat(table, picker):
    solo = SoloEnv(**table)
    first = [episode(solo, picker(1), seed=7)] + [episode(solo, picker(1)) for _ in range(2)]
    again = [episode(solo, picker(1), seed=7)] + [episode(solo, picker(1)) for _ in range(2)]
    assert same(first, again)
    assert len({log[0][1]["seed"] for log in first}) == 3


def test_a_cut_game_has_ended(table, picker):
    """Pitfall 8: terminated, told as cut; the last observation is the state's own."""
    solo = SoloEnv(max_turns=1, **table)
    cut = 0
    for seed in range(20):
        seen, _, terminated, truncated, info = episode(solo, picker(), seed=seed)[-1]
        assert (terminated, truncated) == (True, False)
        position = solo.position
        assert info["cut"] is position.is_truncated
        cut += info["cut"]
        assert seen["observation"].tobytes() == position.observe(info["seat"]).tobytes()
        assert not seen["action_mask"].any()
    if table["game"] != "dino_race":
        assert cut, "the game can be cut after one turn"


@pytest.mark.parametrize("how", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize(
    "opponents", ["random", "scripted", RandomAgent()], ids=["random", "scripted", "object"]
)
def test_copies_at_every_decision_go_on_alike(table, how, opponents, picker):
    """Pitfall 7."""
    solo = SoloEnv(opponents=opponents, **table)
    _, info = solo.reset(seed=2)
    choose, over = picker(), False
    while not over:
        twin, other = how(solo), how(solo)
        ends = []
        for single in (twin, other):
            mask, log = info["action_mask"], []
            while mask.any() and len(log) < 3:
                log.append(single.step(int(mask.argmax())))
                mask = log[-1][4]["action_mask"]
            log.append(single.reset())
            ends.append(log)
        assert same(*ends)
        _, _, terminated, truncated, info = solo.step(choose(info["action_mask"]))
        over = terminated or truncated


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mask_in_observation", [True, False])
def test_gymnasium_s_check(game, mask_in_observation):
    """It draws actions without looking at the mask, hence ``resample``."""
    solo = gymnasium.make(
        racegym.envs.registration.gymnasium_id(game),
        on_illegal="resample",
        mask_in_observation=mask_in_observation,
        render_mode="ansi",
    )
    check_env(solo.unwrapped)


@pytest.mark.filterwarnings("error")
def test_spaces_hold_what_is_handed_out(table, picker):
    """Pitfalls 22, 38."""
    for encoder in ("flat", "tokens"):
        for inside in (True, False):
            solo = SoloEnv(encoder=encoder, mask_in_observation=inside, **table)
            for seen, *_, info in episode(solo, picker(), seed=1):
                assert solo.observation_space.contains(seen)
                if inside:
                    assert same(seen["action_mask"], info["action_mask"])
                    assert seen["action_mask"].dtype == np.int8


def test_what_is_handed_out_is_the_caller_s(game):
    """Pitfall 15."""
    solo, twin = SoloEnv(game), SoloEnv(game)
    seen, info = solo.reset(seed=1)
    _, expected = twin.reset(seed=1)
    seen["observation"][:] = 0
    seen["action_mask"][:] = 1
    info["action_mask"][:] = 1
    solo.action_masks()[:] = 1
    assert same(solo.action_masks(), expected["action_mask"])
    action = int(expected["action_mask"].argmax())
    assert same(solo.step(action), twin.step(action))


def test_options_at_reset_hold_for_later_games(game):
    solo = SoloEnv(game, reward="rank")
    solo.reset(seed=1, options={"max_turns": 7})
    solo.reset()
    assert solo.options == solo.position.options
    assert (solo.options["max_turns"], solo.options["reward"]) == (7, "rank")


def test_render(game):
    solo = SoloEnv(game, seat=1, render_mode="ansi")
    solo.reset(seed=1)
    assert solo.render() == solo.position.text(1)


# --- mistakes ------------------------------------------------------------------------------------

NO_ACTIONS = [None, float("nan"), 1.0, np.float32(0), True, np.True_, -1, 10**6, 2**70, "1", [0]]


@pytest.mark.parametrize("on_illegal", ["raise", "lose", "resample"])
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_raises_in_every_mode(game, action, on_illegal):
    solo = SoloEnv(game, on_illegal=on_illegal)
    _, info = solo.reset(seed=1)
    before = solo.position
    with pytest.raises(IllegalAction) as caught:
        solo.step(action)
    assert "\n" not in str(caught.value)
    assert solo.position == before
    solo.step(int(info["action_mask"].argmax()))


def illegal(info) -> int:
    return int(np.flatnonzero(info["action_mask"] == 0)[0])


def test_illegal_actions_raise_by_default(table):
    solo = SoloEnv(**table)
    _, info = solo.reset(seed=1)
    before = solo.position
    with pytest.raises(IllegalAction, match=r"is not legal for player_\d now.*on_illegal"):
        solo.step(illegal(info))
    assert solo.position == before


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_lose(table, reward):
    solo, raw = [
        make(on_illegal="lose", reward=reward, **extra, **table)
        for make, extra in ((SoloEnv, {"seat": 0}), (RawEnv, {}))
    ]
    _, info = solo.reset(seed=1)
    raw.reset(seed=1)
    while raw.agent_selection != "player_0":
        raw.step(int(raw.last()[0]["action_mask"].argmax()))
    raw.step(illegal(info))
    _, got, terminated, truncated, info = solo.step(illegal(info))
    assert (terminated, truncated) == (True, False)
    assert got == np.float32(raw.rewards["player_0"]) < 0
    assert info["ranks"].tolist() == raw.infos["player_0"]["ranks"]
    assert "scores" not in info and not info["action_mask"].any()
    with pytest.raises(GameOver, match=r"call reset\(\)"):
        solo.step(0)


def test_resample(table):
    solo = SoloEnv(on_illegal="resample", **table)
    for seed in range(3):
        _, info = solo.reset(seed=seed)
        over = False
        while not over:
            legal = info["action_mask"]
            _, _, terminated, truncated, info = solo.step(illegal(info))
            assert legal[info["resampled"]] == 1
            over = terminated or truncated
        assert "resampled" not in solo.reset()[1]


def test_after_the_end_and_before_reset(game, picker):
    solo = SoloEnv(game, render_mode="ansi")
    for call in (lambda: solo.step(0), solo.render, solo.action_masks, lambda: solo.position):
        with pytest.raises(RacegymError, match=r"call reset\(\) before"):
            call()
    episode(solo, picker(), seed=1)
    with pytest.raises(GameOver, match=r"call reset\(\)"):
        solo.step(0)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"seat": 99}, "seat is a whole number from 0 to"),
        ({"seat": -1}, "seat is"),
        ({"seat": 1.0}, "seat is"),
        ({"seat": True}, "seat is"),
        ({"seat": "rotates"}, "seat is"),
        ({"opponents": "scriptd"}, "did you mean 'scripted'"),
        ({"opponents": 7}, "is no agent"),
        ({"opponents": []}, "a list of"),
        ({"opponents": ["random"] * 20}, "not a list of 20"),
        ({"opponent": "random"}, "did you mean 'opponents'"),
        ({"num_players": 99}, "num_players takes"),
        ({"encoder": "full"}, "may not know"),
        ({"encoder": "text"}, "no encoder 'text'"),
        ({"on_illegal": "ignore"}, "on_illegal is one of"),
        ({"render_mode": "human"}, "render_mode is one of"),
    ],
    ids=str,
)
def test_bad_arguments(game, arguments, words):
    with pytest.raises(RacegymError, match=words) as caught:
        SoloEnv(game, **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments, error",
    [
        ({"seed": -1}, SeedError),
        ({"seed": 2**63}, SeedError),
        ({"seed": 1.5}, SeedError),
        ({"seed": True}, SeedError),
        ({"seed": "7"}, SeedError),
        ({"options": {"rewrad": "win"}}, OptionError),
        ({"options": {"num_players": 99}}, OptionError),
        ({"options": 7}, OptionError),
    ],
    ids=str,
)
def test_bad_resets_change_nothing(game, arguments, error):
    solo = SoloEnv(game)
    solo.reset(seed=1)
    before, generator = solo.position, solo.np_random.bit_generator.state
    with pytest.raises(error):
        solo.reset(**arguments)
    assert solo.position == before and solo.np_random.bit_generator.state == generator


def test_numpy_seeds(game):
    """Pitfall 55: Gymnasium itself refuses them."""
    solo = SoloEnv(game)
    assert solo.reset(seed=np.int64(4))[1]["seed"] == 4


class Cheater(LastLegal):
    """Answers with an action that is not legal."""

    def choose(self, observations, masks, seats, bits):
        return masks.argmin(axis=1)


def test_an_opponent_s_illegal_action_is_named(game):
    solo = SoloEnv(game, opponents=Cheater(), seat=0)
    with pytest.raises(IllegalAction, match="agent 'last legal' chose the illegal action"):
        _, info = solo.reset(seed=1)
        for _ in range(100):
            info = solo.step(int(info["action_mask"].argmax()))[4]
    with pytest.raises(RacegymError, match=r"call reset\(\)"):
        solo.step(0)
