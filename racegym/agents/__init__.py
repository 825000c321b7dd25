"""Agents: random, scripted, exported policies, and your own.

An agent answers batches of (observation, mask, seat) with actions; see :class:`Agent`.  Those that
search or remember get :class:`Decisions`, with each game as the seat to act may know it.
:func:`agent_from_spec` makes one from the text that the command line and the configs use.
"""

from __future__ import annotations

from racegym.agents.decisions import Decision, Decisions
from racegym.agents.protocol import (
    Agent,
    AgentError,
    AnyAgent,
    Decider,
    Rememberer,
    SeededAgent,
    checked_actions,
    checked_batch,
    read_only,
)
from racegym.agents.specs import agent_from_spec
from racegym.agents.view import SeatView

__all__ = [
    "Agent",
    "AgentError",
    "AnyAgent",
    "Decider",
    "Decision",
    "Decisions",
    "Rememberer",
    "SeatView",
    "SeededAgent",
    "agent_from_spec",
    "checked_actions",
    "checked_batch",
    "read_only",
]
