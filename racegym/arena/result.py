"""What a match tells about its agents."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from racegym import __version__
from racegym.arena.ratings import ratings
from racegym.arena.statistics import Estimate, mean, share

FORMAT = "racegym-match/1"

#: With fewer deals nobody is called better or worse: they may all agree by chance.
FEWEST_DEALS = 20


@dataclass(frozen=True)
class AgentResult:
    """One agent's figures, each per place it had (so a fair win share is 1 / places).

    Attributes:
        name: of the agent, made different from the others'.
        spec: the text it was made from, None for an agent given as an object.
        appearances: games times places it had in them.
        win_share: wins; k joint winners share one as 1/k each.
        mean_rank: 1 is best; the tied share the better number.
        mean_score: the game's own points.
        mean_reward: by the option ``reward``.
        rating: from all rankings (Plackett-Luce), in Elo points about the agents' mean, see
            :mod:`racegym.arena.ratings`.
        win_share_by_place: the same for each seat (or side).
    """

    name: str
    spec: str | None
    appearances: int
    win_share: Estimate
    mean_rank: Estimate
    mean_score: Estimate
    mean_reward: Estimate
    rating: Estimate
    win_share_by_place: list[Estimate]


@dataclass(frozen=True)
class Comparison:
    """Two agents compared deal by deal; differences are ``first`` minus ``second``.

    ``ahead`` is how often ``first`` ranks before ``second`` where both play (ties count half; fair
    is 1/2), None if they never meet.
    """

    first: str
    second: str
    ahead: Estimate | None
    win_share: Estimate
    rank: Estimate
    score: Estimate
    reward: Estimate
    deals: int

    @property
    def is_settled(self) -> bool:
        """True if the interval of the difference lies on one side of zero.

        Never with fewer than FEWEST_DEALS deals, which may agree by chance.
        """
        return self.deals >= FEWEST_DEALS and self.win_share.excludes(0.0)

    @property
    def verdict(self) -> str:
        """``better``, ``worse`` or ``open``, by the interval of the difference in win share."""
        if not self.is_settled:
            return "open"
        return "better" if self.win_share.value > 0 else "worse"


@dataclass(frozen=True)
class MatchResult:
    """The result of a match.

    Attributes:
        game, version, options, seed: what was played; they repeat the match.
        players: seats in a game.
        places: what agents are assigned to: seats, or sides in team play.
        fill, lineups, exhaustive, games_per_deal: see :class:`racegym.arena.schedule.Schedule`.
        deals: whole deals played.
        decisions, truncated: decisions made, and games cut at ``max_turns``.
        confidence: of all intervals, at all ``looks`` together.
        settled: with early stopping, whether the match was settled; else None.
        interrupted: True if the match was cut short.
        agents: in the order given.
        comparisons: of every pair.
        deal_seeds: ``racegym.make(game, seed, **options)`` starts the games of a deal.
    """

    game: str
    version: int
    options: dict[str, Any]
    seed: int
    players: int
    places: int
    fill: str
    lineups: list[list[str]]
    exhaustive: bool
    deals: int
    games_per_deal: int
    decisions: int
    truncated: int
    confidence: float
    looks: int
    settled: bool | None
    interrupted: bool
    agents: list[AgentResult]
    comparisons: list[Comparison]
    deal_seeds: list[int]

    @property
    def games(self) -> int:
        """Games played."""
        return self.deals * self.games_per_deal

    @property
    def fair_share(self) -> float:
        """The win share of each agent if all were equal."""
        return 1 / self.places

    @property
    def place(self) -> str:
        """``seat``, or ``side`` in team play."""
        return "seat" if self.places == self.players else "side"

    def agent(self, name: str) -> AgentResult:
        """The result of an agent by name; raises KeyError."""
        for agent in self.agents:
            if agent.name == name:
                return agent
        raise KeyError(name)

    def comparisons_of(self, name: str) -> list[Comparison]:
        """The comparisons whose ``first`` is the agent ``name``."""
        return [c for c in self.comparisons if c.first == name]

    def to_dict(self) -> dict[str, Any]:
        """In JSON types, format ``racegym-match/1``; the docs describe it."""
        derived = {"games": self.games, "fair_share": self.fair_share, "place": self.place}
        return {"format": FORMAT, "racegym": __version__, **derived, **dataclasses.asdict(self)}


@dataclass(frozen=True)
class Games:
    """All games of a match; the arrays are (deals, games per deal, places).

    Attributes:
        scheme: the option ``reward``.
        placing: the number of the agent in each place.
        ranks, scores, rewards: of each place.

    No interval leaves what its figure can be: an agent in one of four seats wins 0 to 100 % and
    ranks 1 to 4, one in the three others wins at most a third per seat and ranks at most 3.
    """

    scheme: str
    placing: np.ndarray
    ranks: np.ndarray
    scores: np.ndarray
    rewards: np.ndarray

    @property
    def wins(self) -> np.ndarray:
        """1/k for each of k joint winners, 0 for the others."""
        best = self.ranks == 1
        return best / best.sum(axis=2, keepdims=True)

    def agents(
        self, names: Sequence[str], specs: Sequence[str | None], confidence: float
    ) -> list[AgentResult]:
        """The figures of all agents."""
        rated = ratings(self.placing, self.ranks, len(names), confidence)
        described = zip(names, specs, rated, strict=True)
        return [self._agent(k, *entry, confidence) for k, entry in enumerate(described)]

    def _agent(
        self, k: int, name: str, spec: str | None, rating: Estimate, confidence: float
    ) -> AgentResult:
        own = self.placing == k
        places = range(self.placing.shape[2])
        return AgentResult(
            name=name,
            spec=spec,
            appearances=int(own.sum()),
            win_share=share(_per_deal(self.wins, own), confidence).within(0, _most_wins(own)),
            mean_rank=mean(_per_deal(self.ranks, own), confidence).within(1, _last_rank(own)),
            mean_score=mean(_per_deal(self.scores, own), confidence),
            mean_reward=mean(_per_deal(self.rewards, own), confidence).within(*self._rewarded()),
            rating=rating,
            win_share_by_place=[
                share(_per_deal(self.wins[:, :, p], own[:, :, p]), confidence) for p in places
            ],
        )

    def comparison(self, i: int, j: int, names: tuple[str, str], confidence: float) -> Comparison:
        """Agent number ``i`` against agent number ``j``."""
        first, second = self.placing == i, self.placing == j
        least, most = self._rewarded()

        def difference(values: np.ndarray) -> Estimate:
            return mean(_per_deal(values, first) - _per_deal(values, second), confidence)

        return Comparison(
            first=names[0],
            second=names[1],
            ahead=self._ahead(first, second, confidence),
            win_share=difference(self.wins).within(-_most_wins(second), _most_wins(first)),
            rank=difference(self.ranks).within(1 - _last_rank(second), _last_rank(first) - 1),
            score=difference(self.scores),
            reward=difference(self.rewards).within(least - most, most - least),
            deals=self.wins.shape[0],
        )

    def _rewarded(self) -> tuple[float, float]:
        """The lowest and the highest reward of a place; a game's own scores know no bounds."""
        if self.scheme == "score":
            return -math.inf, math.inf
        losers = self.placing.shape[2] - 1
        return (-1 / losers if self.scheme == "win" else -1.0), 1.0

    def _ahead(self, first: np.ndarray, second: np.ndarray, confidence: float) -> Estimate | None:
        """How often the places ``first`` rank before the places ``second`` of the same game."""
        deals, _, places = self.placing.shape
        points, pairs = np.zeros(deals), np.zeros(deals)
        for p in range(places):
            for q in range(places):
                both = first[:, :, p] & second[:, :, q]
                before = self.ranks[:, :, p] < self.ranks[:, :, q]
                level = self.ranks[:, :, p] == self.ranks[:, :, q]
                points += ((before + level / 2) * both).sum(axis=1)
                pairs += both.sum(axis=1)
        return share(points / pairs, confidence) if pairs.all() else None


def _per_deal(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The mean of the chosen values within each deal, float64 (deals,)."""
    axes = tuple(range(1, values.ndim))
    return (values * chosen).sum(axis=axes, dtype=np.float64) / chosen.sum(axis=axes)


def _most_wins(own: np.ndarray) -> float:
    """The most games won per place by an agent that sits in some places, bool (deals, games, p)."""
    return float((own.any(axis=2).sum(axis=1) / own.sum(axis=(1, 2))).max())


def _last_rank(own: np.ndarray) -> float:
    """The highest mean rank of an agent that sits in some places, bool (deals, games, places)."""
    taken = own.sum(axis=2)
    last = own.shape[2] - (taken - 1) / 2  # of two places among four: those of the ranks 3 and 4
    return float(((taken * last).sum(axis=1) / taken.sum(axis=1)).max())
