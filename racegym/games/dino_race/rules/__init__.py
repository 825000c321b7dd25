"""The rules of Dino Race, clause by clause (ids like DR-23 name the clauses).

:mod:`setup` lays out a race, :mod:`legal` says what may be done, :mod:`play` and :mod:`tricks` do
it; :mod:`turns` goes on from there, with the event die in :mod:`volcano` and arrivals in
:mod:`home`.  Scores and ranks are in :mod:`scores`, drawing and discarding in :mod:`cards`, and who
knows what of hidden things in :mod:`knowledge`.
"""

from racegym.games.dino_race.rules.knowledge import redeal
from racegym.games.dino_race.rules.legal import legal
from racegym.games.dino_race.rules.play import apply
from racegym.games.dino_race.rules.scores import outcome
from racegym.games.dino_race.rules.setup import start
from racegym.games.dino_race.rules.turns import max_decisions

__all__ = ["apply", "legal", "max_decisions", "outcome", "redeal", "start"]
