"""Who sits where: the same arrangements of the agents for every deal.

A *place* is what agents are assigned to: a seat, or a side where several seats play together (seat
p is on side p % places).  Agents are numbered in the order given.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from racegym.engine.seeds import derived_seed
from racegym.errors import RacegymError, nearest

#: How places are filled when there are more of them than agents.
FILLS = ("focus", "even")

#: Most line-ups in which more agents than places are combined in every possible way.
_MOST_LINEUPS = 24


@dataclass(frozen=True)
class Schedule:
    """The arrangements that every deal is played with.

    Args:
        agents: how many agents take part, at least 2.
        places: seats, or sides in team play.
        fill: what happens when there are fewer agents than places.  ``focus``: the first agent
            has one place, the others share the rest as evenly as possible.  ``even``: all agents
            share the places as evenly as possible.  Where that leaves some agents one place more,
            each of them gets it in turn, in a line-up of its own.
        most: a line-up with at most so many different arrangements is played in all of them; one
            with more is put in a random order, new for every deal, and played in all rotations
            of it (so each agent still sits in each place equally often in every deal).

    With more agents than places, every combination of agents is a line-up; if those are more than
    24, only neighbours in the order given are (each agent plays equally often in any case).

    Raises:
        RacegymError: for numbers or words that do not fit.
    """

    agents: int
    places: int
    fill: str = "focus"
    most: int = 24

    def __post_init__(self) -> None:
        if self.agents < 2:
            raise RacegymError("a match needs at least two agents (the same one twice will do)")
        if self.fill not in FILLS:
            raise RacegymError(
                f"fill is 'focus' or 'even', not {self.fill!r}{nearest(self.fill, FILLS)}"
            )
        if self.most < 1:
            raise RacegymError(f"a line-up has at least 1 arrangement, not {self.most}")

    @property
    def lineups(self) -> list[tuple[int, ...]]:
        """The agents that play together, as numbers in ascending order, one tuple per line-up."""
        if self.agents >= self.places:
            return self._selections()
        everybody = list(range(self.agents))
        if self.fill == "even":
            return _shared(everybody, self.places, [])
        return _shared(everybody[1:], self.places - 1, [0])

    def _selections(self) -> list[tuple[int, ...]]:
        if math.comb(self.agents, self.places) <= _MOST_LINEUPS:
            return list(itertools.combinations(range(self.agents), self.places))
        return [
            tuple(sorted((first + i) % self.agents for i in range(self.places)))
            for first in range(self.agents)
        ]

    @property
    def is_exhaustive(self) -> bool:
        """True if every line-up is played in all its arrangements."""
        return all(_count(lineup) <= self.most for lineup in self.lineups)

    @property
    def games_per_deal(self) -> int:
        """How many games each deal is played in."""
        counts = [_count(lineup) for lineup in self.lineups]
        return sum(count if count <= self.most else self.places for count in counts)

    def arrangements(self, seed: int, deal: int) -> np.ndarray:
        """The agent in each place, int64 (games per deal, places), for one deal of a match."""
        rows: list[tuple[int, ...]] = []
        generator = np.random.default_rng(derived_seed(seed, deal, 2))
        for lineup in self.lineups:
            if _count(lineup) <= self.most:
                rows += _permutations(lineup)
            else:
                order = generator.permutation(lineup).tolist()
                rows += [tuple(order[k:] + order[:k]) for k in range(self.places)]
        return np.array(rows, np.int64)


def _shared(agents: list[int], places: int, fixed: list[int]) -> list[tuple[int, ...]]:
    """Line-ups that share ``places`` among ``agents``, beside the ``fixed`` ones."""
    base, extra = divmod(places, len(agents))
    shifts = range(len(agents)) if extra else range(1)
    lineups = []
    for shift in shifts:
        more = [agents[(shift + i) % len(agents)] for i in range(extra)]
        lineups.append(tuple(sorted(fixed + agents * base + more)))
    return sorted(set(lineups))


def _count(lineup: tuple[int, ...]) -> int:
    """How many different arrangements a line-up has."""
    same = [lineup.count(agent) for agent in set(lineup)]
    return math.factorial(len(lineup)) // math.prod(math.factorial(s) for s in same)


def _permutations(lineup: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All different arrangements, in order; equal agents are not told apart."""
    if not lineup:
        yield ()
        return
    for agent in sorted(set(lineup)):
        at = lineup.index(agent)
        for rest in _permutations(lineup[:at] + lineup[at + 1 :]):
            yield (agent, *rest)
