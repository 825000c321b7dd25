"""Scores and ranks of Horse Race, clause by clause."""

from __future__ import annotations

from typing import Any

from racegym.engine.compile import compiled
from racegym.games.horse_race.state import BETS, HORSES, MOST_OUT, SCORING, WINNER_BONUS

#: No game can have more turns (HR-47).
MOST_TURNS = 612


@compiled
def outcome(s, scores, ranks):
    """Scores (HR-43 to HR-45) and ranks (HR-46)."""
    n = s.num_players
    for p in range(n):
        scores[p] = score_of(s, p)
    for p in range(n):
        ranks[p] = 1
        for q in range(n):
            ahead = scores[q] > scores[p]
            if scores[q] == scores[p]:
                ahead = tie_break(s, q) > tie_break(s, p)
            ranks[p] += ahead


@compiled
def points_of(s, p, i):
    """Points of the horse that a player backed in place ``i`` (HR-42)."""
    return s.points[s.revealed[p, i] - 1]


@compiled
def score_of(s, p):
    """A player's score."""
    first = points_of(s, p, 0)
    if s.scoring == SCORING.first:
        return first
    score = first + points_of(s, p, 1) + points_of(s, p, 2)
    if s.scoring == SCORING.sum_bonus:
        most = 0
        for h in range(HORSES):
            most = max(most, s.points[h])
        if first == most:
            score += WINNER_BONUS
    return score


@compiled
def tie_break(s, p):
    """A number that is higher the better a player stands among equal scores."""
    if s.scoring == SCORING.first:
        return points_of(s, p, 1) * 1000 + points_of(s, p, 2)
    return points_of(s, p, 0)


def max_decisions(options: dict[str, Any]) -> int:
    """How many decisions a game can have at most: bets, turns (HR-47) and horses that fall."""
    turns: int = min(options["max_turns"], MOST_TURNS)
    return BETS * int(options["num_players"]) + turns + MOST_OUT
