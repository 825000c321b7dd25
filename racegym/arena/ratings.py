"""Ratings from whole rankings, by the Plackett-Luce model.

The model (Plackett 1975; Luce 1959): places are given out from the first on, and each goes to one
of the agents left with a chance proportional to its strength exp(theta).  It is fitted by maximum
likelihood with Newton's method.  Ties are taken as in Efron (1977): k agents that share a place
could have come in any order.  A weak normal prior about the mean keeps the ratings of agents that
always win finite.

Ratings are given on the scale of Elo: a difference of 400 means odds of 10 to 1 to rank ahead.
"""

from __future__ import annotations

import math

import numpy as np

from racegym.arena.statistics import Estimate, student_t

#: Elo points for one unit of theta.
SCALE = 400 / math.log(10)

#: Standard deviation of the prior, in units of theta (about 870 points).
_PRIOR = 5.0


def ratings(
    placing: np.ndarray, ranks: np.ndarray, agents: int, confidence: float = 0.95
) -> list[Estimate]:
    """The rating of each agent; their mean is 0.

    Args:
        placing: int (deals, games per deal, places), the agent in each place.
        ranks: int, the same shape, 1 = best, equal for those tied.
        agents: how many agents there are.

    The intervals take the deals, not the games, as independent (cluster-robust "sandwich"
    covariance); they are left out (None) where there is only one deal.
    """
    left = _left_to_choose_from(placing, ranks, agents)
    seated = np.stack([(placing == k).sum(axis=2) for k in range(agents)], axis=-1)
    theta = np.zeros(agents)
    for _ in range(100):
        slopes, curvature = _derivatives(theta, left, seated)
        step = np.linalg.solve(curvature, slopes.sum(axis=0) - theta / _PRIOR**2)
        theta += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    theta -= theta.mean()
    return _with_intervals(theta, *_derivatives(theta, left, seated), confidence)


def _left_to_choose_from(placing: np.ndarray, ranks: np.ndarray, agents: int) -> np.ndarray:
    """How much of each agent is still to be placed when place p is given out.

    float64 (deals, games, places, agents); an agent that sits in two places counts twice, and the
    j-th (from 0) of k tied finds 1 - j / k of each of them.
    """
    places = placing.shape[2]
    tied = ranks[..., :, None] == ranks[..., None, :]
    earlier = np.tril(np.ones((places, places), bool), -1)
    share = 1 - (tied & earlier).sum(axis=-1) / tied.sum(axis=-1)
    behind = ranks[..., None, :] > ranks[..., :, None]
    weight = behind + tied * share[..., None]
    return np.stack([(weight * (placing == k)[..., None, :]).sum(-1) for k in range(agents)], -1)


def _derivatives(
    theta: np.ndarray, left: np.ndarray, seated: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of the log-likelihood, (deals, agents), and minus the curvature, prior included."""
    chance = left * np.exp(theta)
    chance /= chance.sum(axis=-1, keepdims=True)
    slopes = seated.sum(axis=1) - chance.sum(axis=(1, 2))
    flat = chance.reshape(-1, len(theta))
    curvature = np.diag(flat.sum(axis=0)) - flat.T @ flat
    return slopes, curvature + np.eye(len(theta)) / _PRIOR**2


def _with_intervals(
    theta: np.ndarray, slopes: np.ndarray, curvature: np.ndarray, confidence: float
) -> list[Estimate]:
    deals = len(slopes)
    points = theta * SCALE
    if deals < 2:
        return [Estimate(float(p), None, None) for p in points]
    inverse = np.linalg.inv(curvature)
    centred = slopes - slopes.mean(axis=0)
    covariance = inverse @ (centred.T @ centred * deals / (deals - 1)) @ inverse
    centring = np.eye(len(theta)) - 1 / len(theta)
    variances = np.diag(centring @ covariance @ centring)
    half = student_t(confidence, deals - 1) * SCALE * np.sqrt(np.maximum(variances, 0))
    return [
        Estimate(float(p), float(p - h), float(p + h)) for p, h in zip(points, half, strict=True)
    ]
