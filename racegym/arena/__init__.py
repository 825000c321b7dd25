"""The arena: evaluation matches whose numbers can be trusted.

:func:`play_match` plays one; :class:`Match` plays it in parts.
"""

from __future__ import annotations

from racegym.arena.match import Match, play_match, play_until_settled
from racegym.arena.result import AgentResult, Comparison, MatchResult
from racegym.arena.schedule import Schedule
from racegym.arena.statistics import Estimate

__all__ = [
    "AgentResult",
    "Comparison",
    "Estimate",
    "Match",
    "MatchResult",
    "Schedule",
    "play_match",
    "play_until_settled",
]
