"""Games whose parts lie in modules of the same names: the rooms of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from racegym.engine.game import Game


def game_in_rooms(name: str, summary: str, rooms: Sequence[Any], **more: Any) -> Game:
    """The description of a game, put together from its rooms.

    Args:
        name: of the game.
        summary: the game in one line.
        rooms: the modules (or packages) ``state`` (LAYOUT, OPTIONS, ACTIONS, EVENTS), ``rules``
            (the rule functions and ``max_decisions``), ``validity`` (``contradictions``),
            ``observation`` (ENCODERS), ``notation`` (and TITLE) and ``bots`` (BOTS), in this order.
        **more: as of :class:`racegym.engine.game.Game`.
    """
    state, rules, validity, observation, notation, bots = rooms
    return Game(
        name=name,
        title=notation.TITLE,
        summary=summary,
        layout=state.LAYOUT,
        options=state.OPTIONS,
        actions=state.ACTIONS,
        events=state.EVENTS,
        start=rules.start,
        legal=rules.legal,
        apply=rules.apply,
        outcome=rules.outcome,
        redeal=rules.redeal,
        max_decisions=rules.max_decisions,
        contradictions=validity.contradictions,
        encoders=observation.ENCODERS,
        notation=notation,
        bots=bots.BOTS,
        **more,
    )
