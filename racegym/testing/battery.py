"""The battery: everything that must hold for any game, built in or your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from racegym.engine import registry
from racegym.engine.game import Game
from racegym.errors import RacegymError, nearest
from racegym.testing import batches, copies, plain, sight, steps, views

#: All checks by name.  Each takes a game's description and raises CheckFailed.
CHECKS: dict[str, Callable[[Game], None]] = {
    "plain": plain.check_plain,
    "steps": steps.check_steps,
    "illegal_actions": steps.check_illegal_actions,
    "texts": steps.check_texts,
    "action_table": steps.check_action_table,
    "invariants": steps.check_invariants,
    "ends": steps.check_ends,
    "rewards": steps.check_rewards,
    "copies": copies.check_copies,
    "state_dict": copies.check_state_dict,
    "seeds": copies.check_seeds,
    "observations": sight.check_observations,
    "leaks": sight.check_leaks,
    "events": sight.check_events,
    "redeal": sight.check_redeal,
    "views": views.check_views,
    "rotation": sight.check_rotation,
    "decoders": sight.check_decoders,
    "encoders_agree": sight.check_encoders_agree,
    "unique": sight.check_unique,
    "uncompiled": batches.check_uncompiled,
    "vector": batches.check_vector,
    "batch_size": batches.check_batch_size,
    "rollout": batches.check_rollout,
    "bots": batches.check_bots,
}


#: Games that have passed the check "plain" in this process, by their ids.
_plain: dict[int, Game] = {}


def check_game(game: str | Game, checks: Iterable[str] | None = None) -> None:
    """Run the battery on a game.

    Whatever is asked for, the check ``plain`` comes first, once in a process: it plays without
    compiling, so that rules which write out of bounds are told as such and do not end the process.

    Args:
        game: a game's name or description.
        checks: names of :data:`CHECKS`; None runs them all.

    Raises:
        CheckFailed: the game does not do what every game must do; the message says where.
        RacegymError: there is no such game or check.
    """
    description = registry.game(game)
    wanted = list(CHECKS if checks is None else checks)
    for name in wanted:
        if name not in CHECKS:
            raise RacegymError(f"there is no check {name!r}{nearest(name, CHECKS)}")
    if id(description) not in _plain:
        plain.check_plain(description, games=2)
        _plain[id(description)] = description
    for name in wanted:
        CHECKS[name](description)
