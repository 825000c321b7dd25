"""What ``on_illegal="lose"`` and ``"resample"`` mean."""

from __future__ import annotations

import numpy as np

from racegym.agents.randomness import random_bits
from racegym.engine.compile import uncompiled
from racegym.engine.position import Position
from racegym.engine.rewards import write_rewards

_write_rewards = uncompiled(write_rewards)
_SALT = 0x1E6A1


def drawn_instead(position: Position) -> int:
    """A random legal action in the place of an illegal one.

    Its random bits come from the game's seed and the number of decisions made, and is none of the
    game's own.
    """
    legal = position.legal_actions()
    bits = int(random_bits(random_bits(position.seed, _SALT), position.decisions))
    return legal[bits * len(legal) >> 64]


def forfeited(position: Position) -> tuple[list[int], list[float]]:
    """Ranks and rewards when the seat to act has lost by an illegal action.

    Its side is last and the others share the first rank; ranks count sides (teams in team play).
    For the reward scheme "score" the others count as having ``score_scale`` points and the
    offender as having none, so that it gets -1 there as well.
    """
    state = position.state
    n, sides = position.num_players, state.sides
    guilty = [p % sides == position.seat % sides for p in range(n)]
    ranks = np.array([sides if g else 1 for g in guilty], np.int32)
    scores = np.array([0 if g else state.score_scale for g in guilty], np.int32)
    rewards = np.zeros(n, np.float64)
    _write_rewards(state, scores, ranks, rewards)
    return ranks.tolist(), rewards.tolist()
