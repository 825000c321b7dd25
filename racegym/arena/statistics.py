"""Means with intervals, where the deals are the independent draws.

The games of one deal share dice and cards, so they are no independent observations: every figure
is first averaged within each deal, and its uncertainty comes from how these averages vary from
deal to deal (cluster-robust; pairing makes them vary less).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval; ``low`` and ``high`` are None where one deal tells nothing."""

    value: float
    low: float | None
    high: float | None

    def excludes(self, number: float) -> bool:
        """True if the interval lies wholly above or below a number."""
        if self.low is None or self.high is None:
            return False
        return self.low > number or self.high < number

    def within(self, least: float, most: float) -> Estimate:
        """The estimate with its interval cut to the values that the figure can take at all.

        A cut interval holds the true value as often as the whole one; the value stays in it.
        """
        if self.low is None or self.high is None:
            return self
        low, high = max(self.low, least), min(self.high, most)
        return Estimate(self.value, min(self.value, low), max(self.value, high))


def mean(per_deal: np.ndarray, confidence: float = 0.95) -> Estimate:
    """Mean of the deals' averages (float (deals,)) with Student's t interval."""
    value = float(per_deal.mean())
    if len(per_deal) < 2:
        return Estimate(value, None, None)
    half = student_t(confidence, len(per_deal) - 1) * _standard_error(per_deal)
    return Estimate(value, value - half, value + half)


def share(per_deal: np.ndarray, confidence: float = 0.95) -> Estimate:
    """Mean of shares in [0, 1] (float (deals,)) with an interval that stays within [0, 1].

    Wilson's score interval with Student's t, for the number of independent trials that would vary
    as the deals do: n = p(1 - p) / SE² (the adjustment that survey statistics use for clusters,
    Dean & Pagano 2015, "Evaluating confidence interval methods for binomial proportions in
    clustered surveys").  At a share of exactly 0 or 1, where deals do not vary, n is the number
    of deals.
    """
    value = float(per_deal.mean())
    deals = len(per_deal)
    if deals < 2:
        return Estimate(value, None, None)
    t = student_t(confidence, deals - 1)
    error = _standard_error(per_deal)
    spread = value * (1 - value)
    if spread > 0 and error == 0:  # every deal gave the same: as in a match against itself
        return Estimate(value, value, value)
    weight = t * t * (error * error / spread if spread > 0 else 1 / deals)
    centre = (value + weight / 2) / (1 + weight)
    half = math.sqrt(weight * (spread + weight / 4)) / (1 + weight)
    return Estimate(value, max(0.0, min(value, centre - half)), min(1.0, max(value, centre + half)))


def _standard_error(per_deal: np.ndarray) -> float:
    """Of the mean; exactly zero where the deals differ by rounding only."""
    spread = float(per_deal.std(ddof=1))
    return 0.0 if spread < 1e-9 else spread / math.sqrt(len(per_deal))


def student_t(confidence: float, degrees: int) -> float:
    """The two-sided critical value of Student's t: 2.262 for (0.95, 9).

    Up to 30 degrees by bisection of the closed form (Abramowitz & Stegun 26.7.3-4), beyond by
    Fisher's expansion about the normal quantile (26.7.5), which is then right to 1e-4.
    """
    if degrees > 30:
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / degrees + second / degrees**2 + third / degrees**3
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _central_share(middle, degrees) < confidence:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(low)


def _central_share(angle: float, degrees: int) -> float:
    """P(|T| <= sqrt(degrees) * tan(angle)) for Student's t."""
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = degrees % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for k in range(1 + odd, degrees, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
