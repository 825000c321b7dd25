"""Agents with ``decide`` and memory for tests, and everybody who asks agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import racegym
from racegym.agents import Decisions
from racegym.arena import play_match
from racegym.engine.game import Game
from racegym.envs import SoloEnv, SoloVectorEnv
from racegym.records import record_games
from tests.agents.stand_ins import Own

GAME = racegym.game("cafe_race")


class Remembering:
    """Plays the first legal action and holds every call against those before it."""

    name = "remembering"
    encoder = "flat"

    def __init__(self, game: Game | None = None) -> None:
        self.seats: dict[int, set[int]] = {}
        self.begun: list[int] = []
        self.ended: dict[int, list[int]] = {}
        self.asked: list[tuple[int, int, int]] = []

    def begin(self, games: np.ndarray, seats: np.ndarray) -> None:
        assert games.dtype == seats.dtype == np.int64 and games.shape == seats.shape
        for game, seat in zip(games.tolist(), seats.tolist(), strict=True):
            assert game not in self.begun[: -len(games)] or game in games
            assert seat not in self.seats.setdefault(game, set())
            self.seats[game].add(seat)
        self.begun += sorted(set(games.tolist()))
        assert len(self.begun) == len(set(self.begun)), "a number was used twice"

    def decide(self, decisions: Decisions) -> np.ndarray:
        for decision in decisions:
            assert decision.seat in self.seats[decision.game], "asked for a game not begun"
            assert decision.view.seat == decision.seat
            self.asked.append((decision.game, decision.seat, decision.view.decisions))
        assert not decisions.masks.flags.writeable and not decisions.games.flags.writeable
        return decisions.masks.argmax(axis=1)

    def end(self, games: np.ndarray, seats: np.ndarray, ranks: np.ndarray) -> None:
        assert ranks.dtype == np.int32 and ranks.shape[0] == len(games)
        for game, seat, row in zip(games.tolist(), seats.tolist(), ranks.tolist(), strict=True):
            self.seats[game].remove(seat)
            self.ended[game] = row

    @property
    def running(self) -> list[int]:
        """Games that have not ended."""
        return [game for game, seats in self.seats.items() if seats]


class Reading:
    """Reads words and plays the legal action that comes last in them."""

    name = "reading"
    encoder = "text"

    def __init__(self, game: Game | None = None) -> None:
        self.read: list[str] = []

    def decide(self, decisions: Decisions) -> np.ndarray:
        actions = []
        for text, view in zip(decisions.observations, decisions.views, strict=True):
            assert text == view.text()
            actions.append(
                view.action_from_text(text.rpartition("Legal actions: ")[2].split(", ")[-1])
            )
            self.read.append(text)
        return np.array(actions)


class ReadingArrays(Own):
    """Reads words through ``act``."""

    name = "reading arrays"
    encoder = "text"

    def act(self, observations: Any, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        assert isinstance(observations, list)
        assert all("Legal actions: " in text for text in observations)
        self.asked += len(observations)
        return masks.argmax(axis=1)


class Guessing:
    """Looks at everything that it is offered."""

    name = "guessing"
    encoder = "tokens"

    def __init__(self, game: Game | None = None) -> None:
        self.players: list[tuple[str | None, ...]] = []

    def decide(self, decisions: Decisions) -> np.ndarray:
        copies = 2
        guesses = decisions.redeal(copies)
        assert len(guesses) == copies * len(decisions)
        assert np.array_equal(guesses.seats, np.repeat(decisions.seats, copies))
        assert (guesses.seeds == -1).all()
        for i, view in enumerate(decisions.views):
            assert np.array_equal(view.observe("tokens"), decisions.observations[i])
            assert view.legal_actions() == np.flatnonzero(decisions.masks[i]).tolist()
            assert len(view.players) == view.num_players
            self.players.append(view.players)
        guesses.step(guesses.sample(7))
        return decisions.masks.argmax(axis=1)


# --- everybody who asks agents --------------------------------------------------------------------


def in_a_match(agent: Any) -> None:
    play_match(GAME, [agent, "random"], 3, seed=1, batch=5)


def in_a_solo_environment(agent: Any) -> None:
    env = SoloEnv(GAME, opponents=[agent, "random", agent], seat="rotate")
    for k in range(4):
        _, info = env.reset(seed=1 if k == 0 else None)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))


def in_a_batch_of_solo_environments(agent: Any) -> None:
    env = SoloVectorEnv(GAME, 4, opponents=agent)
    _, infos = env.reset(seed=1)
    for _ in range(40):
        infos = env.step(infos["action_mask"].argmax(axis=1))[-1]


def in_a_record(agent: Any) -> None:
    list(record_games(GAME, 3, seed=1, agents=[agent, "random", "scripted", "random"]))


def in_training(agent: Any) -> None:
    from tests.training.configs import tiny
    from training.interface import Context
    from training.learner import Learner

    config = tiny("--opponents.agent_share", "0.6", "--opponents.snapshot_share", "0.2",
                  "--opponents.agents", f"[{__name__}:handed_in]")  # fmt: skip
    global _handed
    _handed = agent
    learner = Learner(Context(config))
    for _ in range(2):
        learner.gather()
        learner.learn()


_handed: Any = None


def handed_in(game: Game) -> Any:
    """The agent that the test hands to training, which takes specs only."""
    return _handed


ASKING: list[Callable[[Any], None]] = [
    in_a_match,
    in_a_solo_environment,
    in_a_batch_of_solo_environments,
    in_a_record,
    in_training,
]
