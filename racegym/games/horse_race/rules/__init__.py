"""The rules of Horse Race, clause by clause (ids like HR-12 name the clauses).

``setup`` deals the cards, ``legal`` says what may be done in a turn and ``turns`` does it,
``stages`` has the phases of the race, ``scores`` the end, ``knowledge`` what players know of hidden
cards; ``terms`` is what they all speak of.
"""

from __future__ import annotations

from racegym.games.horse_race.rules.knowledge import redeal
from racegym.games.horse_race.rules.legal import legal
from racegym.games.horse_race.rules.scores import max_decisions, outcome
from racegym.games.horse_race.rules.setup import start
from racegym.games.horse_race.rules.turns import apply

__all__ = ["apply", "legal", "max_decisions", "outcome", "redeal", "start"]
