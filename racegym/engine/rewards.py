"""Rewards at the end of a game, from scores and ranks."""

from __future__ import annotations

from racegym.engine.compile import compiled

#: The reward schemes, in the order of their codes in a state.
SCHEMES = ("win", "rank", "score")


@compiled
def write_rewards(s, scores, ranks, rewards):
    """Fill ``rewards`` (float32 or float64 per seat) by the scheme of the state; they sum to zero.

    Seat p plays for side p % sides, so sides 0 … sides-1 are read off the first seats.
    """
    sides = s.sides
    for p in range(rewards.shape[0]):
        rewards[p] = 0.0
    for p in range(s.num_players):
        if s.reward == 0:
            rewards[p] = _for_winning(ranks, sides, p)
        elif s.reward == 1:
            rewards[p] = _for_rank(ranks, sides, p)
        else:
            rewards[p] = _for_score(scores, sides, p) / s.score_scale


@compiled
def _for_winning(ranks, sides, p):
    winners = 0
    for q in range(sides):
        winners += ranks[q] == 1
    if ranks[p] != 1:
        return -1.0 / (sides - 1)
    return sides / (sides - 1) * (1.0 / winners - 1.0 / sides)


@compiled
def _for_rank(ranks, sides, p):
    """+1 for the first … -1 for the last; the tied share the mean of their places."""
    better = 0
    level = 0
    for q in range(sides):
        better += ranks[q] < ranks[p]
        level += ranks[q] == ranks[p]
    place = better + (level - 1) / 2.0
    return 1.0 - 2.0 * place / (sides - 1)


@compiled
def _for_score(scores, sides, p):
    """Own score minus the mean of the others'."""
    others = 0.0
    for q in range(sides):
        if q != p % sides:
            others += scores[q]
    return scores[p] - others / (sides - 1)
