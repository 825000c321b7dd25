"""Evaluation matches: every deal is played with the agents in all arrangements over the seats."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from racegym.agents import AnyAgent, agent_from_spec
from racegym.agents.asking import Players
from racegym.agents.play import Outcomes, Plan, play_plan
from racegym.agents.randomness import random_bits
from racegym.arena.names import names_of
from racegym.arena.result import Games, MatchResult
from racegym.arena.schedule import Schedule
from racegym.counts import checked_count
from racegym.engine import registry
from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.engine.seeds import checked_seed, derived_seed, fresh_seed
from racegym.engine.setup import Setup
from racegym.errors import RacegymError

#: Games that are planned together, at least; a round always ends with a whole deal.
_ROUND = 2048

Finished = Callable[[int], None]
OnGames = Callable[["Match", Plan, Outcomes], None]


class Match:
    """A match in progress: play deals, ask for the result, play more.

    Args:
        game: a game's name or description.
        agents: specs (see :func:`racegym.agents.agent_from_spec`) or agents, at least two.
        seed: settles deals, dice, arrangements and the agents' random numbers; None draws one.
        options: the game's options.
        fill: see :class:`~racegym.arena.schedule.Schedule`.
        most_arrangements: see ``most`` of :class:`~racegym.arena.schedule.Schedule`.
        batch: games in progress at the same time.  Only agents without ``choose`` that draw random
            numbers play other games with another batch.
        perfect_information: admit agents whose encoder shows hidden information.
        on_games: called after each round as ``on_games(match, plan, outcomes)`` with the outcomes,
            actions included, of the games that belong to whole deals: the first of the plan.

    Raises:
        RacegymError: for arguments that do not fit.

    Attributes:
        names: the agents' names, made different where they were not.
        schedule: who sits where.
        deals: whole deals played so far.
    """

    def __init__(
        self,
        game: str | Game,
        agents: Sequence[str | AnyAgent],
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        fill: str = "focus",
        most_arrangements: int = 24,
        batch: int = 512,
        perfect_information: bool = False,
        on_games: OnGames | None = None,
    ) -> None:
        self.game = registry.game(game)
        self._setup = Setup(
            self.game, self.game.options.resolve(dict(options or {})), self.game.encoder()
        )
        self.options = self._setup.options
        self.seed = fresh_seed() if seed is None else checked_seed(seed)
        self.batch = checked_count("batch", batch)
        start = GameBatch.idle(self._setup, 1)
        start.begin([0])
        self.num_players = start.num_players
        self.places = int(start.position(0).state.sides)
        most = checked_count("most_arrangements", most_arrangements)
        self.schedule = Schedule(len(agents), self.places, fill, most)
        self.agents = [agent_from_spec(agent, self.game) for agent in agents]
        self.specs = [a if isinstance(a, str) else None for a in agents]
        self.names = names_of([agent.name for agent in self.agents], self.specs)
        self._players = Players(self.game, self.agents, self.names, perfect_information)
        self._on_games = on_games
        self.deals = 0
        self.decisions = 0
        self.truncated = 0
        self._parts: list[tuple[np.ndarray, ...]] = []
        self._keys = [derived_seed(self.seed, k, 1) for k in range(len(agents))]
        for k, key in enumerate(self._keys):
            self._players.reset(k, key)

    def deal_seeds(self, first: int, count: int) -> np.ndarray:
        """Seeds (int64) of deals; all games of a deal are started from its seed.

        Deal i has the seed that game i of ``racegym record`` has with the same ``--seed``.
        """
        seeds = [derived_seed(self.seed, deal) for deal in range(first, first + count)]
        return np.array(seeds, np.int64)

    def play(self, deals: int, finished: Finished = lambda games: None) -> None:
        """Play so many deals more; ``finished`` is called with the number of games just ended.

        Ctrl-C leaves the deals that count: all up to the first that is not finished.

        Raises:
            AgentError, IllegalAction: an agent failed; the message names it.
        """
        per_round = max(1, _ROUND // self.schedule.games_per_deal)
        until = self.deals + deals
        while self.deals < until:
            self._play_round(min(per_round, until - self.deals), finished)

    def _play_round(self, deals: int, finished: Finished) -> None:
        plan, placing = self._plan(deals)
        outcomes = Outcomes.none_yet(plan, keep_actions=self._on_games is not None)
        try:
            play_plan(
                self._players,
                self._setup,
                plan,
                outcomes,
                batch=self.batch,
                finished=finished,
            )
        except KeyboardInterrupt:
            self._count(plan, placing, outcomes)
            raise
        self._count(plan, placing, outcomes)

    def _count(self, plan: Plan, placing: np.ndarray, outcomes: Outcomes) -> None:
        """Take the whole deals before the first unfinished one into the result."""
        per_deal = self.schedule.games_per_deal
        unfinished = np.flatnonzero(~outcomes.ended)
        deals = int(unfinished[0] if len(unfinished) else len(placing)) // per_deal
        outcomes = outcomes.first(deals * per_deal)
        shape = (deals, per_deal, self.places)
        figures = (outcomes.ranks, outcomes.scores, outcomes.rewards)
        sides = [array[:, : self.places].reshape(shape) for array in figures]
        self._parts.append((placing[: deals * per_deal].reshape(shape), *sides))
        self.deals += deals
        self.decisions += int(outcomes.decisions.sum())
        self.truncated += int(outcomes.truncated.sum())
        if self._on_games is not None:
            self._on_games(self, plan, outcomes)

    def _plan(self, deals: int) -> tuple[Plan, np.ndarray]:
        """The plan of the next deals, and the agent in each place (int64 (games, places))."""
        per_deal = self.schedule.games_per_deal
        numbers = range(self.deals, self.deals + deals)
        placing = np.concatenate([self.schedule.arrangements(self.seed, d) for d in numbers])
        seating = placing[:, np.arange(self.num_players) % self.places]
        games = np.arange(self.deals * per_deal, (self.deals + deals) * per_deal)
        bits = random_bits(np.array(self._keys, np.uint64), games[:, None])
        seeds = np.repeat(self.deal_seeds(self.deals, deals), per_deal)
        return Plan(seeds, seating, bits), placing

    def result(
        self,
        confidence: float = 0.95,
        looks: int = 1,
        settled: bool | None = None,
        interrupted: bool = False,
    ) -> MatchResult:
        """What the deals played so far tell.

        Args:
            confidence: of the intervals.
            looks: how often the result is looked at to decide whether to go on; the intervals are
                widened so that they hold at ``confidence`` at all these looks together.
            settled, interrupted: noted in the result.

        Raises:
            RacegymError: there is no whole deal.
        """
        if self.deals == 0:
            raise RacegymError("no deal was finished, so there is nothing to report")
        played = (np.concatenate(arrays) for arrays in zip(*self._parts, strict=True))
        games = Games(self.options["reward"], *played)
        level = 1 - (1 - confidence) / looks
        return MatchResult(
            game=self.game.name,
            version=self.game.version,
            options=dict(self.options),
            seed=self.seed,
            players=self.num_players,
            places=self.places,
            fill=self.schedule.fill,
            lineups=[[self.names[k] for k in lineup] for lineup in self.schedule.lineups],
            exhaustive=self.schedule.is_exhaustive,
            deals=self.deals,
            games_per_deal=self.schedule.games_per_deal,
            decisions=self.decisions,
            truncated=self.truncated,
            confidence=confidence,
            looks=looks,
            settled=settled,
            interrupted=interrupted,
            agents=games.agents(self.names, self.specs, level),
            comparisons=[
                games.comparison(i, j, (self.names[i], self.names[j]), level)
                for i, j in combinations(range(len(self.names)), 2)
            ],
            deal_seeds=self.deal_seeds(0, self.deals).tolist(),
        )


def play_match(
    game: str | Game,
    agents: Sequence[str | AnyAgent],
    deals: int,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    until_settled: bool = False,
    confidence: float = 0.95,
    finished: Finished = lambda games: None,
    **more: Any,
) -> MatchResult:
    """Play a match to its end.

    Args:
        game, agents, seed, options, **more: as of :class:`Match`.
        deals: how many deals to play, each with all arrangements of the agents (at most so many
            with ``until_settled``).
        until_settled: stop as soon as the first agent's win share is settled to be above or below
            that of every other agent, see :func:`play_until_settled`.
        confidence: of the intervals.
        finished: called with the number of games that have just ended.

    Raises:
        RacegymError: for arguments that do not fit, or an agent that fails.
    """
    match = Match(game, agents, seed=seed, options=options, **more)
    deals = checked_count("deals", deals)
    if until_settled:
        return play_until_settled(match, deals, confidence, finished)
    match.play(deals, finished)
    return match.result(confidence)


def looks_at(most_deals: int, first: int = 64) -> list[int]:
    """After how many deals a match is looked at: ``first``, twice, four times … ``most_deals``."""
    points = []
    while first < most_deals:
        points.append(first)
        first *= 2
    return [*points, most_deals]


def play_until_settled(
    match: Match, most_deals: int, confidence: float = 0.95, finished: Finished = lambda games: None
) -> MatchResult:
    """Play until the first agent is settled to be better or worse than every other.

    The result is looked at after 64 deals, 128, 256 … ``most_deals``; it is settled once the
    interval of the difference in win share lies on one side of zero for every other agent.  All
    intervals, those reported included, are widened for the number of looks (Bonferroni), so they
    hold at ``confidence`` whenever the match stops.
    """
    points = looks_at(most_deals)
    for point in points:
        match.play(point - match.deals, finished)
        result = match.result(confidence, looks=len(points))
        settled = all(c.is_settled for c in result.comparisons_of(match.names[0]))
        if settled:
            break
    return dataclasses.replace(result, settled=settled)
