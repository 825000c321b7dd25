"""Checks of what agents that search can reach: all of it follows from what the seat knows."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from racegym.agents.decisions import Decisions
from racegym.agents.view import SeatView
from racegym.engine.batch import GameBatch
from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.testing.play import ensure, hiding_encoders, place_of, scenarios, walk

_COPIES = 3


def check_views(game: Game, games: int = 12) -> None:
    """Games that a seat cannot tell apart give it equal views, byte for byte.

    At some of the decisions the game itself is compared with re-deals of it for the seat to act:
    what the views answer, the bytes they hold, and the games that they re-deal, one by one and as
    a batch.
    """
    for scenario in scenarios(game, games, seed=28):
        rng = random.Random(scenario.seed)
        for position in walk(scenario):
            if position.is_over or rng.random() < 0.7:
                continue
            place = place_of(scenario, position)
            twins = [position.redeal(position.seat, rng.randrange(2**63)) for _ in range(2)]
            first, *others = (tuple(_reached(twin)) for twin in (position, *twins))
            for other in others:
                for (name, mine), (_, theirs) in zip(first, other, strict=True):
                    ensure(mine == theirs, f"{name} of a view tell hidden things", place)
            _ensure_batch_is_views(_decisions_of(position), place)


def _decisions_of(position: Position) -> Decisions:
    """What an agent would be given in a position."""
    batch = GameBatch.of([position])
    guess = batch.redeal(np.zeros(1, np.int64))
    return Decisions(
        batch.observations,
        batch.masks,
        batch.seats,
        np.array([7], np.uint64),
        np.array([0]),
        ((None,) * position.num_players,),
        guess,
    )


def _reached(position: Position) -> Iterator[tuple[str, object]]:
    """All that can be got from the view of the seat to act, with a name for each part."""
    decisions = _decisions_of(position)
    view = decisions.views[0]
    yield "facts", (view.seat, view.num_players, view.sides, view.decisions, view.options)
    yield "legal actions", (view.legal_actions(), view.legal_texts())
    yield "texts", view.text()
    for encoder in hiding_encoders(position.game):
        yield f"observations by {encoder.id}", view.observe(encoder.id).tobytes()
    yield "inner bytes", _bytes_of(decisions.guess)
    yield "re-deals", _bytes_of(view.redeal(_COPIES, seed=11))
    yield "re-deals of a batch", _bytes_of(decisions.redeal(_COPIES))
    yield "positions", view.position(5).raw.tobytes()


def _bytes_of(batch: GameBatch) -> bytes:
    arrays = (batch.raw, batch.seeds, batch.seats, batch.masks, batch.observations)
    return b"".join(array.tobytes() for array in arrays)


def _ensure_batch_is_views(decisions: Decisions, place: str) -> None:
    """Raise CheckFailed if re-deals of a batch are others than those of its views."""
    view: SeatView = decisions.views[0]
    whole, own = decisions.redeal(_COPIES, seed=3), view.redeal(_COPIES, seed=3)
    ensure(_bytes_of(whole) == _bytes_of(own), "a batch re-deals otherwise than its views", place)
    ensure(len({row.tobytes() for row in own.raw}) == _COPIES, "re-deals are all the same", place)
    ensure((own.seats == view.seat).all(), "re-deals wait for another seat", place)
