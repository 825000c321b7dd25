"""Games of agents: who sits where, and that their luck is not the game's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from racegym.agents import AgentError
from racegym.errors import IllegalAction, RacegymError
from racegym.records import record_game, record_games, verify_lines


class Constant:
    """Plays the first or the last legal action; notes what it was asked."""

    def __init__(self, last: bool = False, encoder: str = "flat") -> None:
        self.name = "last" if last else "first"
        self.encoder = encoder
        self.resets: list[int] = []
        self.seats: list[int] = []
        self.last = last

    def reset(self, seed: int) -> None:
        self.resets.append(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        assert not observations.flags.writeable
        assert not masks.flags.writeable
        self.seats += seats.tolist()
        self.shape = observations.shape
        legal = [np.flatnonzero(mask)[-1 if self.last else 0] for mask in masks]
        return np.array(legal, np.int64)


class Broken(Constant):
    """Answers with what it was made with."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.name = "broken"
        self.answer = answer

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return self.answer  # type: ignore[return-value]


def test_each_seat_has_its_agent() -> None:
    """Asked for its own seat only, with its own encoder, reset before every game."""
    agents = [Constant(last=p == 2, encoder=("flat", "tokens")[p % 2]) for p in range(4)]
    recorders = list(record_games("cafe_race", 3, seed=1, agents=agents))
    for seat, agent in enumerate(agents):
        assert set(agent.seats) == {seat}
        assert len(agent.resets) == len(set(agent.resets)) == 3
        assert len(agent.shape) == (2, 3)[seat % 2]
    assert len({agent.resets[0] for agent in agents}) == 4
    for recorder in recorders:
        lines = [json.loads(line) for line in recorder.lines]
        assert lines[0]["policies"] == ["first", "first", "last", "first"]
        chosen = {(m["agent"] == 2, m["action"]) for m in lines[1:-1]}
        assert chosen == {(False, "impulse 1"), (True, "impulse 6")}
        verify_lines(recorder.lines)


def test_the_dice_do_not_depend_on_the_agents() -> None:
    """Same seed, other agents: the same first dice."""
    states = [
        [json.loads(r.lines[0])["state"] for r in record_games("cafe_race", 5, 3, agents=agents)]
        for agents in (None, ["scripted"], [Constant()])
    ]
    assert states[0] == states[1] == states[2]


def test_mixed_agents_play_the_same_game_alone_and_in_a_series() -> None:
    """Whether the games are played side by side or not."""
    for agents in (["random", "scripted", "random", "scripted"], ["random", Constant()] * 2):
        series = [r.lines for r in record_games("cafe_race", 4, seed=8, agents=agents)]
        for lines in series:
            seed = json.loads(lines[0])["seed"]
            assert record_game("cafe_race", seed, agents=agents).lines == lines


@pytest.mark.parametrize("count", [0, 2, 3, 5])
def test_the_number_of_agents_must_fit(count: int) -> None:
    """One for all, or one for each."""
    with pytest.raises(RacegymError, match=f"{count} agents for 4 players"):
        record_game("cafe_race", 1, agents=["random"] * count)


def test_an_unknown_agent_is_refused() -> None:
    """With the nearest name."""
    with pytest.raises(AgentError, match="randon"):
        record_game("cafe_race", 1, agents=["randon"])


@pytest.mark.parametrize(
    "answer",
    [np.array([18]), np.array([-1]), np.array([99])],
)
def test_an_illegal_answer_names_agent_and_game(answer: np.ndarray) -> None:
    """So that the user can look at the very situation."""
    with pytest.raises(IllegalAction, match=r"'broken' .*player_0, game seed 6, decision 0"):
        record_game("cafe_race", 6, agents=[Broken(answer)])


@pytest.mark.parametrize("answer", [None, 0.5, np.array([0.0]), np.array([0, 0]), "x"])
def test_an_answer_of_another_type_is_refused(answer: object) -> None:
    """One whole number per row."""
    with pytest.raises(AgentError, match="'broken' must answer with 1 whole number,"):
        record_game("cafe_race", 6, agents=[Broken(answer)])
