"""Games between given agents are the same for ever: matches, records, solo environments.

The numbers are those of before agents were asked in one place; they hold for the random bits that
each user of agents gives them, and for the order in which it asks.  Those of Dino Race's scripted
agents changed when they came to choose between equal actions alike, compiled or not.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import pytest

from racegym.agents import SeededAgent
from racegym.arena import Match
from racegym.envs import SoloEnv, SoloVectorEnv
from racegym.records import record_games


class OwnLuck:
    """Plays at random by a generator of its own, from another encoder."""

    name = "own luck"
    encoder = "tokens"

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, observations: Any, masks: Any, seats: Any) -> Any:
        legal = [np.flatnonzero(mask) for mask in masks]
        return np.array([row[self.rng.integers(len(row))] for row in legal])


class Hashing(SeededAgent):
    """Plays by what it sees and by the luck it is given."""

    def __init__(self) -> None:
        super().__init__("hashing", "tokens")

    def choose(self, observations: Any, masks: Any, seats: Any, bits: Any) -> Any:
        seen = (observations.reshape(len(masks), -1) > 0.5).sum(axis=1)
        numbers = seen + (bits % np.uint64(1000)).astype(np.int64)
        return np.array(
            [np.flatnonzero(m)[k % m.sum()] for m, k in zip(masks, numbers, strict=True)]
        )


def digest(found: Any) -> str:
    text = json.dumps(found, default=lambda array: array.tolist())
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def match(game: str) -> Any:
    found: list[Any] = []
    for agents in (["scripted", "random", Hashing()], [OwnLuck(), "scripted"]):
        Match(
            game,
            agents,
            seed=11,
            batch=16,
            on_games=lambda match, plan, out: found.append((plan.seeds, out.actions, out.ranks)),
        ).play(2)
    return found


def records(game: str) -> Any:
    agents = ([OwnLuck(), "scripted", "random", Hashing()] * 2)[: players(game)]
    recorders = [*record_games(game, 3, 3, ["scripted"]), *record_games(game, 2, 4, agents)]
    return [[*r.position.ranks(), r.moves, r.position.last_action] for r in recorders]


def solo(game: str) -> Any:
    agents = (["random", OwnLuck(), "scripted", Hashing()] * 2)[: players(game) - 1]
    env, found = SoloEnv(game, opponents=agents, seat="rotate"), []
    for k in range(4):
        _, info = env.reset(seed=9 if k == 0 else None)
        over = False
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[-1])
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        found.append((env.position.decisions, info["seed"], info["ranks"], reward))
    vector = SoloVectorEnv(game, 8, opponents=Hashing())
    _, infos = vector.reset(seed=5)
    for _ in range(60):
        infos = vector.step(infos["action_mask"].argmax(axis=1))[-1]
        found.append((infos["seed"], infos["action_mask"].sum(axis=1)))
    return found


def players(game: str) -> int:
    return int(SoloEnv(game).options["num_players"])


BEFORE = {
    "cafe_race match": "09648ef7994d",
    "cafe_race records": "a75f26507a68",
    "cafe_race solo": "29e0c555f618",
    "horse_race match": "4bcf20a219cc",
    "horse_race records": "477adbf061e1",
    "horse_race solo": "12a9dae9316b",
    "ave_caesar match": "e86a8a53096b",
    "ave_caesar records": "dbd983127939",
    "ave_caesar solo": "bafda2ed7e7c",
    "dino_race match": "de9dc749fde3",
    "dino_race records": "7f62d0b946a8",
    "dino_race solo": "9ffcb49459d4",
}


@pytest.mark.parametrize("name", BEFORE)
def test_games_are_those_of_before(name: str) -> None:
    game, user = name.split()
    assert digest({"match": match, "records": records, "solo": solo}[user](game)) == BEFORE[name]
