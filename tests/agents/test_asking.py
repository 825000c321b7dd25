"""Whoever asks agents asks them in the same way, and names those that fail in the same words."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.agents import AgentError, Decisions, SeededAgent, agent_from_spec
from racegym.arena import Match, play_match
from racegym.engine.seeds import derived_seed
from racegym.envs import SoloEnv, SoloVectorEnv
from racegym.errors import IllegalAction
from racegym.records import record_game, record_games
from tests.agents.deciders import (
    ASKING,
    GAME,
    Guessing,
    Reading,
    ReadingArrays,
    Remembering,
    in_a_match,
    in_a_solo_environment,
)
from tests.agents.stand_ins import Failing, Illegal, Outside, Own, Short

Asking = Callable[[Any], None]
WHERE = r"player_\d, game seed \d+, decision \d+"

FAILURES = [
    (Failing, AgentError, rf"failed: RuntimeError: out of ideas \(.*\); asked for {WHERE}"),
    (Illegal, IllegalAction, rf"chose the illegal action \d+ \('.+'; {WHERE}\)$"),
    (Outside, IllegalAction, rf"chose the illegal action -1 \(there are 0 to 18; {WHERE}\)$"),
    (
        Short,
        AgentError,
        rf"must answer with \d+ whole numbers?, not int64 \(\d+,\); asked for {WHERE}",
    ),
]


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize(("agent", "error", "words"), FAILURES)
def test_failing_agents_are_named_in_the_same_way(
    ask: Asking, agent: type[Own], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=f"^agent '{agent.name}' {words}") as caught:
        ask(agent())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ask", ASKING)
def test_memory(ask: Asking) -> None:
    """Begun before it is asked for, ended once, under numbers of its own."""
    agent = Remembering()
    ask(agent)
    assert agent.asked and agent.ended
    decisions = [asked for asked in agent.asked if asked[0] in agent.ended]
    assert len(set(decisions)) == len(decisions), "asked twice for the same decision"
    for ranks in agent.ended.values():
        assert min(r for r in ranks if r) == 1
    if ask in (in_a_match, in_a_solo_environment):
        assert not agent.running


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize("agent", [Reading, ReadingArrays])
def test_agents_that_read_words(ask: Asking, agent: type[Any]) -> None:
    made = agent()
    ask(made)
    assert made.read if agent is Reading else made.asked


@pytest.mark.parametrize("ask", ASKING)
def test_views_and_guesses(ask: Asking) -> None:
    agent = Guessing()
    ask(agent)
    named = {name for players in agent.players for name in players}
    assert "guessing" in named
    if ask is in_a_match:
        assert named == {"guessing", "random"}


class Lucky(SeededAgent):
    """Notes the luck it is given."""

    def __init__(self, game: Any = None) -> None:
        super().__init__("lucky")
        self.bits: list[int] = []

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, bits: np.ndarray
    ) -> np.ndarray:
        assert bits.dtype == np.uint64
        self.bits += bits.tolist()
        return masks.argmax(axis=1)


@pytest.mark.parametrize("ask", ASKING)
def test_choose_is_given_luck(ask: Asking) -> None:
    """In training too; each decision has its own, and the same again."""
    one, two = Lucky(), Lucky()
    ask(one)
    ask(two)
    assert one.bits == two.bits
    assert len(set(one.bits)) > 0.9 * len(one.bits)


# --- memory and copies ---------------------------------------------------------------------------


def test_a_game_given_up_ends_with_ranks_of_zero() -> None:
    agent = Remembering()
    env = SoloEnv(GAME, opponents=agent, seat=3)
    env.reset(seed=1)
    env.reset()
    assert agent.begun == [0, 1]
    assert agent.ended == {0: [0, 0, 0, 0]}
    env.step(int(env.action_masks().argmax()))
    env.reset(seed=2)
    assert agent.begun == [0, 1, 2]


def test_a_forfeited_game_ends_for_the_agents() -> None:
    agent = Remembering()
    env = SoloEnv(GAME, opponents=agent, seat=0, on_illegal="lose")
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmin()))
    assert agent.ended == {0: [4, 1, 1, 1]}


def test_copies_of_environments_copy_memory() -> None:
    """Also those named by a spec, which are otherwise made anew."""
    env = SoloVectorEnv(GAME, 2, opponents="tests.agents.deciders:Remembering")
    _, infos = env.reset(seed=1)
    twin = copy.deepcopy(env)
    for single in (env, twin):
        _, infos = single.reset(seed=1)
        for _ in range(30):
            infos = single.step(infos["action_mask"].argmax(axis=1))[-1]


def test_an_interrupted_match_goes_on_under_new_numbers() -> None:
    agent, stop = Remembering(), [True]

    def interrupt(games: int) -> None:
        if stop and agent.ended:
            stop.clear()
            raise KeyboardInterrupt

    match = Match(GAME, [agent, "random"], seed=3, batch=4)
    with pytest.raises(KeyboardInterrupt):
        match.play(4, interrupt)
    match.play(4 - match.deals, interrupt)
    assert not agent.running
    assert [0, 0, 0, 0] in agent.ended.values()
    whole = play_match(GAME, [Remembering(), "random"], 4, seed=3)
    assert match.result().agents[0].win_share == whole.agents[0].win_share


# --- what an agent may be ------------------------------------------------------------------------


def test_an_agent_that_decides_needs_no_act() -> None:
    assert agent_from_spec(Reading(), GAME).name == "reading"


class Noting:
    """Notes the re-deals it gets, by game and decision."""

    name, encoder = "noting", "flat"

    def __init__(self) -> None:
        self.seen: dict[tuple[int, int], bytes] = {}

    def decide(self, decisions: Decisions) -> np.ndarray:
        raw = decisions.redeal(2).raw
        for i, decision in enumerate(decisions):
            key = decision.game, decision.view.decisions
            self.seen[key] = raw[2 * i : 2 * i + 2].tobytes()
        return decisions.masks.argmax(axis=1)


def test_guesses_do_not_depend_on_the_batch() -> None:
    one, many = Noting(), Noting()
    for agent, batch in ((one, 1), (many, 6)):
        play_match(GAME, [agent, "random"], 2, seed=1, batch=batch)
    assert one.seen == many.seen


def test_records_of_deciders_are_the_same_alone_and_in_a_series() -> None:
    agents = ["random", Reading(), "scripted", Guessing()]
    series = [r.lines for r in record_games(GAME, 3, seed=8, agents=agents)]
    for number, lines in enumerate(series):
        assert record_game(GAME, derived_seed(8, number), agents=agents).lines == lines


def test_a_view_refuses_encoders_that_show_everything() -> None:
    class Peeking:
        name, encoder = "peeking", "flat"

        def decide(self, decisions: Any) -> np.ndarray:
            decisions.views[0].observe("full")
            raise AssertionError

    with pytest.raises(AgentError, match="'full' shows what seats may not know"):
        play_match(GAME, [Peeking(), "random"], 1, seed=1)


def test_nothing_of_the_true_game_is_in_decisions() -> None:
    """The seed, the last action and the random numbers to come are not in them either."""
    position = racegym.make(GAME, seed=5)
    caught: list[Any] = []

    class Catching:
        name, encoder = "catching", "flat"

        def decide(self, decisions: Any) -> np.ndarray:
            caught.append(decisions)
            return decisions.masks.argmax(axis=1)

    env = SoloEnv(GAME, opponents=Catching(), seat=3)
    env.reset(seed=5)
    view = caught[0].views[0]
    assert view.position(1).seed == 0 and view.position(1).last_action is None
    assert (view.redeal(2, 1).seeds == -1).all()
    state = caught[0].guess.position(0).state
    assert not set(np.asarray(state.chance_key)) & set(np.asarray(position.state.chance_key))
    assert not np.asarray(state.chance_count)[:3].any()


class SeeingAll(SeededAgent):
    """Reads what nobody may know."""

    def __init__(self) -> None:
        super().__init__("seeing", "full")

    def choose(self, observations: Any, masks: Any, seats: Any, bits: Any) -> np.ndarray:
        return masks.argmax(axis=1)


def test_agents_that_see_hidden_information_are_refused_everywhere() -> None:
    """Only matches and records admit them, when asked to."""
    refused = "reads the encoder 'full', which shows hidden information"
    with pytest.raises(AgentError, match=refused):
        Match(GAME, [SeeingAll(), "random"], seed=1)
    with pytest.raises(AgentError, match=refused):
        record_game(GAME, 1, [SeeingAll()])
    with pytest.raises(AgentError, match=refused):
        SoloEnv(GAME, opponents=SeeingAll())
    Match(GAME, [SeeingAll(), "random"], seed=1, perfect_information=True).play(1)
    assert record_game(GAME, 1, [SeeingAll()], perfect_information=True).is_over
