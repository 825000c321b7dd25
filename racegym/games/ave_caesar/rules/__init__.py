"""The rules of Ave Caesar, clause by clause (ids like AC-21 name the clauses).

``races`` sets up and scores, ``turns`` plays cards, ``moves`` says where they lead and when a
leader may play a six, ``knowledge`` guesses what a seat may not know.
"""

from racegym.games.ave_caesar.rules.knowledge import redeal
from racegym.games.ave_caesar.rules.races import max_decisions, outcome, start
from racegym.games.ave_caesar.rules.turns import apply, legal

__all__ = ["apply", "legal", "max_decisions", "outcome", "redeal", "start"]
