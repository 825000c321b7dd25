"""Matches: paired, repeatable, fair, and plain about agents that misbehave."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import onnx
import pytest

import racegym
from racegym.agents import AgentError
from racegym.agents.play import Outcomes, Plan
from racegym.agents.random import RandomAgent
from racegym.arena import Match, play_match
from racegym.engine.registry import BUILT_IN
from racegym.errors import IllegalAction, OptionError, RacegymError, SeedError
from tests.agents.graphs import linear_policy
from tests.agents.stand_ins import (
    ByTokens,
    Failing,
    Floats,
    Illegal,
    Last,
    Meddling,
    Outside,
    Own,
    Seeing,
    Short,
)
from tests.arena.team_game import TEAM_GAME

GAME = racegym.game("cafe_race")


def games_of(agents: list[Any], deals: int, **more: Any) -> tuple[Any, Plan, Outcomes]:
    """Result, plan and outcomes of a match."""
    seen: list[tuple[Plan, Outcomes]] = []
    match = Match(GAME, agents, on_games=lambda m, plan, out: seen.append((plan, out)), **more)
    match.play(deals)
    ((plan, outcomes),) = seen
    return match.result(), plan, outcomes


# --- pairing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_deal_is_the_same_for_every_arrangement(players: int) -> None:
    """PITFALL 19: same seed for all arrangements, so the same dice."""
    result, plan, _ = games_of(["scripted", "random"], 20, seed=1, options={"num_players": players})
    assert result.games_per_deal == players == result.places
    seeds = plan.seeds.reshape(20, players)
    assert (seeds == seeds[:, :1]).all()
    assert len(set(seeds[:, 0].tolist())) == 20
    assert seeds[:, 0].tolist() == result.deal_seeds
    first = plan.seating.reshape(20, players, players) == 0
    assert (first.sum(axis=1) == 1).all()


def test_outcomes_are_those_of_the_games_played_one_by_one() -> None:
    """The batch plays the very games that single positions play with the same actions."""
    options = {"num_players": 5, "rules": "advanced", "max_turns": 6}
    result, plan, outcomes = games_of(["scripted", "random", Last()], 6, seed=3, options=options)
    assert result.games == len(plan.seeds) == len(outcomes.actions)
    for number, actions in enumerate(outcomes.actions):
        position = racegym.make("cafe_race", seed=int(plan.seeds[number]), **options)
        for action in actions:
            position.apply(action)
        assert position.is_over
        assert position.decisions == outcomes.decisions[number]
        assert position.ranks() == outcomes.ranks[number].tolist()
        assert position.scores() == outcomes.scores[number].tolist()
        assert np.float32(position.rewards()).tolist() == outcomes.rewards[number].tolist()
        assert position.is_truncated == outcomes.truncated[number]
    assert result.truncated == outcomes.truncated.sum() > 0


def test_figures_from_first_principles() -> None:
    result, plan, outcomes = games_of(["scripted", "random"], 15, seed=4)
    wins: list[list[float]] = [[], []]
    for seating, ranks in zip(plan.seating.tolist(), outcomes.ranks.tolist(), strict=True):
        for agent, rank in zip(seating, ranks, strict=True):
            wins[agent].append((rank == 1) / ranks.count(1))
    for k, agent in enumerate(result.agents):
        assert agent.appearances == len(wins[k])
        assert agent.win_share.value == pytest.approx(np.mean(wins[k]))
        by_place = [e.value for e in agent.win_share_by_place]
        assert np.mean(by_place) == pytest.approx(agent.win_share.value)
    one, three = (agent.win_share.value for agent in result.agents)
    assert one + 3 * three == pytest.approx(1)
    assert result.comparisons[0].win_share.value == pytest.approx(one - three)
    rewards = [agent.mean_reward.value for agent in result.agents]
    assert rewards[0] + 3 * rewards[1] == pytest.approx(0, abs=1e-6)


# --- repeatable ----------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_batch(tmp_path: Any) -> None:
    path = tmp_path / "policy.onnx"
    onnx.save(linear_policy(GAME, scale=0.2), path)
    agents = [str(path), "scripted", "random"]
    played = [games_of(agents, 4, seed=5, batch=batch) for batch in (1, 7, 512)]
    for result, _, outcomes in played[1:]:
        assert outcomes.actions == played[0][2].actions
        assert result == played[0][0]


def test_results_do_not_depend_on_how_the_match_is_cut() -> None:
    whole = play_match(GAME, ["scripted", "random"], 30, seed=6)
    match = Match(GAME, ["scripted", "random"], seed=6)
    for deals in (1, 9, 20):
        match.play(deals)
    assert match.result() == whole


def test_the_seed_settles_everything() -> None:
    """PITFALL 18: the same seed gives the same table, another gives another."""
    agents = ["scripted", "random"]
    first, again, other = (play_match(GAME, agents, 20, seed=s).to_dict() for s in (7, 7, 8))
    assert first == again
    assert first["deal_seeds"] != other["deal_seeds"]
    assert first["agents"] != other["agents"]
    drawn = play_match(GAME, agents, 3)
    assert play_match(GAME, agents, 3, seed=drawn.seed) == drawn


def test_agents_are_reset_with_seeds_of_their_own() -> None:
    one, two = Own(), Own()
    Match(GAME, [one, two], seed=9)
    assert len({*one.seeds, *two.seeds}) == 2
    twin = Own()
    Match(GAME, [twin, Own()], seed=9)
    assert twin.seeds == one.seeds


# --- fair ----------------------------------------------------------------------------------------


def test_an_agent_against_its_own_copy() -> None:
    """PITFALL 18: the intervals cover the fair share (about 19 of 20 times)."""
    covered = differences = 0
    for seed in range(40):
        result = play_match(GAME, ["random", "random"], 60, seed=seed)
        assert [agent.name for agent in result.agents] == ["random", "random #2"]
        found = result.agents[0].win_share
        covered += found.low <= result.fair_share <= found.high
        differences += result.comparisons[0].verdict == "open"
    assert covered >= 35
    assert differences >= 35


def test_a_deterministic_agent_against_its_copy_is_exactly_fair() -> None:
    """All luck of the deal cancels: who sits where is all that differs."""
    result = play_match(GAME, [Own(), Own()], 40, seed=1, fill="even")
    for agent in result.agents:
        shown = agent.win_share
        assert (shown.value, shown.low, shown.high) == pytest.approx((0.25,) * 3)
    assert result.comparisons[0].ahead.value == pytest.approx(0.5)
    assert result.comparisons[0].verdict == "open"


def test_a_few_deals_that_agree_by_chance_settle_nothing() -> None:
    """With two deals all differences are often equal, and the interval has no width."""
    for seed in range(40):
        result = play_match(GAME, ["random", "random"], 2, seed=seed, until_settled=seed % 2 == 0)
        assert result.comparisons[0].verdict == "open"
        assert not result.settled


@pytest.mark.parametrize("reward", ["win", "rank"])
def test_intervals_of_few_deals_end_where_the_figures_do(reward: str) -> None:
    """One of four seats: ranks 1 to 4; the other three: a third of the wins, ranks up to 3."""
    reached = []
    for seed in range(12):
        options = {"reward": reward}
        result = play_match(GAME, ["scripted", "random"], 2, seed=seed, options=options)
        (one, three), (difference,) = result.agents, result.comparisons
        least = -1 / 3 if reward == "win" else -1
        for estimate, low, high in (
            (one.win_share, 0, 1),
            (three.win_share, 0, 1 / 3),
            (one.mean_rank, 1, 4),
            (three.mean_rank, 1, 3),
            (one.mean_reward, least, 1),
            (three.mean_reward, least, 1),
            (difference.win_share, -1 / 3, 1),
            (difference.rank, -2, 3),
            (difference.reward, least - 1, 1 - least),
        ):
            assert low <= estimate.low <= estimate.value <= estimate.high <= high
            reached.append(low < estimate.low < estimate.high < high)
    assert not all(reached), "none of these intervals had to be cut"


def test_rewards_by_score_know_no_bounds() -> None:
    result = play_match(GAME, ["scripted", "random"], 2, seed=3, options={"reward": "score"})
    assert result.agents[0].mean_reward.high > 1
    assert result.agents[0].mean_score.low < 0


def test_scripted_beats_random() -> None:
    result = play_match(GAME, ["scripted", "random"], 60, seed=2)
    assert result.agents[0].win_share.low > result.fair_share
    assert result.comparisons[0].verdict == "better"
    assert result.comparisons[0].ahead.low > 0.5
    swapped = play_match(GAME, ["random", "scripted"], 60, seed=2)
    assert swapped.comparisons[0].verdict == "worse"


def test_more_agents_than_seats() -> None:
    agents = ["scripted", "random", "random", Own(), Last()]
    result = play_match(GAME, agents, 10, seed=1, options={"num_players": 3})
    assert len(result.lineups) == 10
    assert len({agent.appearances for agent in result.agents}) == 1
    assert sum(agent.win_share.value for agent in result.agents) == pytest.approx(5 / 3)
    assert all(c.ahead is not None for c in result.comparisons)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("agent", [Own, Last])
def test_stubborn_agents_end_their_games(name: str, agent: type[Own]) -> None:
    """PITFALL 50: always the first, or always the last legal action."""
    result = play_match(name, [agent(), agent()], 20, seed=1)
    assert result.deals == 20


def test_teams() -> None:
    """In team play agents are given sides; seat p is on side p % sides."""
    result = play_match(TEAM_GAME, [Own(), Last()], 50, seed=1)
    assert (result.places, result.players, result.place) == (2, 4, "side")
    assert result.games_per_deal == 2
    assert result.fair_share == 0.5
    assert result.agents[1].win_share.low > 0.5
    assert len(result.agents[0].win_share_by_place) == 2
    plan, placing = Match(TEAM_GAME, [Own(), Last()], seed=1)._plan(1)
    assert placing.tolist() == [[0, 1], [1, 0]]
    assert plan.seating.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]


# --- stopping ------------------------------------------------------------------------------------


def test_until_settled() -> None:
    early = play_match(GAME, ["scripted", "random"], 5000, seed=1, until_settled=True)
    assert early.settled and early.deals == 64 and early.looks == 8
    plain = play_match(GAME, ["scripted", "random"], 64, seed=1)
    assert early.agents[0].win_share.value == plain.agents[0].win_share.value
    assert early.agents[0].win_share.low < plain.agents[0].win_share.low
    never = play_match(GAME, [Own(), Own()], 130, seed=1, until_settled=True, fill="even")
    assert never.settled is False and never.deals == 130


def test_an_interrupted_match_keeps_whole_deals() -> None:
    """What counts are the deals before the first unfinished one; and it can go on from there."""
    games = 0

    def interrupt(ended: int) -> None:
        nonlocal games
        games += ended
        if games > 50:
            games = -(10**9)
            raise KeyboardInterrupt

    match = Match(GAME, ["scripted", "random"], seed=3, batch=16)
    with pytest.raises(KeyboardInterrupt):
        match.play(100, interrupt)
    assert 5 <= match.deals <= 13
    assert match.result() == play_match(GAME, ["scripted", "random"], match.deals, seed=3)
    match.play(20 - match.deals, interrupt)
    assert match.result() == play_match(GAME, ["scripted", "random"], 20, seed=3)


def test_nothing_to_report() -> None:
    with pytest.raises(RacegymError, match="no deal was finished"):
        Match(GAME, ["random", "random"], seed=1).result()


# --- agents --------------------------------------------------------------------------------------


def test_agents_with_different_encoders() -> None:
    one = play_match(GAME, [ByTokens(), "random"], 10, seed=1)
    two = play_match(GAME, [Own(), "random"], 10, seed=1)
    assert one.agents[0].win_share == two.agents[0].win_share


def test_agents_cannot_touch_the_game() -> None:
    """PITFALL 35: not even through the memory behind what they are shown."""
    options = {"num_players": 3}
    _, plan, outcomes = games_of([Meddling(), Own(), Own()], 3, seed=1, options=options)
    for number, actions in enumerate(outcomes.actions):
        position = racegym.make("cafe_race", seed=int(plan.seeds[number]), **options)
        for action in actions:
            position.apply(action)
        assert position.scores() == outcomes.scores[number].tolist()


def test_seeing_everything_has_to_be_allowed() -> None:
    """PITFALL 6."""
    with pytest.raises(AgentError, match="'seeing' reads the encoder 'full'"):
        Match(GAME, [Seeing(), "random"])
    play_match(GAME, [Seeing(), "random"], 2, perfect_information=True)


MISBEHAVING = [
    (
        Illegal,
        IllegalAction,
        r"'illegal' chose the illegal action \d+ \('.+'; player_\d, game seed \d+",
    ),
    (
        Outside,
        IllegalAction,
        r"'outside' chose the illegal action -1 \(there are 0 to 18; player_0",
    ),
    (Floats, AgentError, "'floats' must answer with 1 whole number, not float64"),
    (Short, AgentError, "'short' must answer with"),
    (Failing, AgentError, "agent 'failing' failed: RuntimeError: out of ideas"),
]


@pytest.mark.parametrize(("agent", "error", "reason"), MISBEHAVING)
def test_misbehaving_agents(agent: type[Own], error: type[Exception], reason: str) -> None:
    """The match stops with one line that names the agent, the game's seed and the action."""
    with pytest.raises(error, match=reason) as caught:
        play_match(GAME, [agent(), "random"], 2, seed=1, batch=1)
    assert "\n" not in str(caught.value)


def test_an_illegal_action_can_be_looked_up() -> None:
    """The seed in the message starts the game in which it happened."""
    with pytest.raises(IllegalAction) as caught:
        play_match(GAME, [Illegal(), "random"], 2, seed=1)
    seed = int(str(caught.value).split("game seed ")[1].split(",")[0])
    assert seed in Match(GAME, ["random", "random"], seed=1).deal_seeds(0, 2)


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"game": "cafe_rac"}, RacegymError, "did you mean 'cafe_race'"),
        ({"agents": ["random"]}, RacegymError, "at least two agents"),
        ({"agents": []}, RacegymError, "at least two agents"),
        ({"deals": 0}, RacegymError, "deals is a whole number from 1"),
        ({"deals": 2.5}, RacegymError, "deals is a whole number from 1"),
        ({"deals": True}, RacegymError, "deals is a whole number from 1"),
        ({"seed": -1}, SeedError, "a seed is a whole number"),
        ({"seed": 1.0}, SeedError, "a seed is a whole number"),
        ({"options": {"num_player": 3}}, OptionError, "did you mean 'num_players'"),
        ({"options": {"num_players": 7}}, OptionError, "from 3 to 6"),
        ({"fill": "odd"}, RacegymError, "'focus' or 'even'"),
        ({"batch": 0}, RacegymError, "batch is a whole number from 1"),
        ({"most_arrangements": -3}, RacegymError, "most_arrangements is a whole number"),
    ],
)
def test_mistakes(arguments: dict[str, Any], error: type[Exception], reason: str) -> None:
    wanted = {"game": "cafe_race", "agents": ["random", "random"], "deals": 2, **arguments}
    with pytest.raises(error, match=reason):
        play_match(**wanted)


# --- the result ----------------------------------------------------------------------------------


def test_json() -> None:
    result = play_match(GAME, ["scripted", RandomAgent("mine")], 3, seed=2**63 - 1)
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert written["format"] == "racegym-match/1"
    assert written["seed"] == 2**63 - 1
    assert written["games"] == 12 and written["deals"] == 3 == len(written["deal_seeds"])
    assert [a["spec"] for a in written["agents"]] == ["scripted", None]
    assert [a["name"] for a in written["agents"]] == ["scripted", "mine"]
    assert written["options"]["num_players"] == 4
    assert written["fair_share"] == 0.25
    estimate = written["agents"][0]["win_share"]
    assert estimate["low"] <= estimate["value"] <= estimate["high"]


def test_one_deal_has_no_intervals() -> None:
    result = play_match(GAME, ["scripted", "random"], 1, seed=1)
    assert result.agents[0].win_share.low is None
    json.dumps(result.to_dict(), allow_nan=False)
