"""Agents: random, scripted, exported policies, and your own.

An agent answers batches of (observation, mask, seat) with actions; see :class:`Agent`.
:func:`agent_from_spec` makes one from the text that the command line and the configs use.
"""

from __future__ import annotations

from racegym.agents.protocol import (
    Agent,
    AgentError,
    SeededAgent,
    checked_actions,
    checked_batch,
    read_only,
)
from racegym.agents.specs import agent_from_spec

__all__ = [
    "Agent",
    "AgentError",
    "SeededAgent",
    "agent_from_spec",
    "checked_actions",
    "checked_batch",
    "read_only",
]
