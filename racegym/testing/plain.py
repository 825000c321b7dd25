"""The first check of all: the rules as plain Python, where a mistake is told and does no harm.

Compiled rules check no index: one that writes beyond an array changes what lies behind it, or ends
the process.  Plain Python says where it was.
"""

from __future__ import annotations

import random

import numpy as np

from racegym.engine.compile import uncompiled
from racegym.engine.events import new_log
from racegym.engine.game import Game
from racegym.engine.instances import Kernels
from racegym.importing import in_one_line
from racegym.testing.play import CheckFailed, Scenario, scenarios

#: Decisions of a game that are played.
LONG_ENOUGH = 2_000


def check_plain(game: Game, games: int = 6) -> None:
    """Games can be played to their ends by uncompiled rules: no index is out of range.

    With every encoder, every scripted agent, re-dealing, events and results.
    """
    kernels = [Kernels(game, encoder, replaced={}) for encoder in game.encoders]
    for scenario in scenarios(game, games, seed=30):
        step = ["set-up"]
        try:
            _play(scenario, kernels, step)
        except Exception as error:
            reason = f"{step[0]} failed as plain Python: {in_one_line(error)}"
            raise CheckFailed(f"{scenario}: {reason}") from error


def _play(scenario: Scenario, kernels: list[Kernels], step: list[str]) -> None:
    """Play one game; ``step`` holds what is being done, for the message."""
    game, rng = scenario.game, random.Random(scenario.seed)
    options = game.options.resolve(scenario.options)
    raw, mask = np.zeros(game.layout.size, np.uint8), np.zeros(game.num_actions, np.int8)
    seat = kernels[0].begin(raw, game.options.encode(options), scenario.seed)
    seen, decisions = np.zeros(kernels[0].encoder.shape, np.float32), 0
    while seat >= 0:
        step[0] = f"decision {decisions}: legal actions"
        kernels[0].mark_legal(raw, mask)
        if not mask.any() or decisions == LONG_ENOUGH:
            return  # other checks tell what is wrong
        if rng.random() < 0.3:
            step[0] = f"decision {decisions}: views"
            _look(game, kernels, raw, mask, options["num_players"], rng)
        action = rng.choice(np.flatnonzero(mask).tolist())
        step[0] = f"decision {decisions}: action {action}"
        seat = kernels[0].advance(raw, action, mask, seen, new_log(game.max_events))
        decisions += 1
    step[0] = "result"
    scores, ranks = np.zeros(game.max_players, np.int32), np.zeros(game.max_players, np.int32)
    kernels[0].conclude(raw, scores, ranks, np.zeros(game.max_players))


def _look(
    game: Game,
    kernels: list[Kernels],
    raw: np.ndarray,
    mask: np.ndarray,
    num_players: int,
    rng: random.Random,
) -> None:
    """What a seat sees through every encoder, re-dealt; what the scripted agents would do."""
    seat = rng.randrange(num_players)
    guess = raw.copy()
    kernels[0].deal_again(guess, seat, rng.randrange(2**63))
    views = {}
    for each in kernels:
        views[each.encoder.name] = np.zeros(each.encoder.shape, np.float32)
        each.look(guess, seat, views[each.encoder.name])
    for bot in game.bots:
        if bot.encoder in views and rng.random() < 0.1:
            uncompiled(bot.choose)(views[bot.encoder], mask, rng.randrange(2**62))
