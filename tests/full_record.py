"""Full records made from positions alone, apart from the library's own record writer."""

from __future__ import annotations

import json
import random
from typing import Any

from racegym.testing.play import Choose, Scenario, choose_random

Line = dict[str, Any]


def full_record(scenario: Scenario, choose: Choose = choose_random) -> list[Line]:
    """The parsed lines of one full record of a game played by ``choose``."""
    position = scenario.start()
    n = position.num_players
    rng = random.Random(scenario.seed)
    lines: list[Line] = [
        {
            "type": "game",
            "format": "racegym-record/1",
            "game": position.game.name,
            "version": position.game.version,
            "options": position.options,
            "seed": position.seed,
            "agents": [f"player_{p}" for p in range(n)],
            "policies": [None] * n,
            "state": position.to_dict(),
        }
    ]
    while not position.is_over:
        action = choose(position, rng)
        move: Line = {"type": "move", "n": len(lines) - 1, "agent": position.seat}
        move["action"] = position.action_to_text(action)
        move["legal"] = position.legal_texts()
        move["events"] = position.apply_with_events(action)
        move["state"] = position.to_dict()
        lines.append(move)
    end: Line = {"type": "end", "reason": "truncated" if position.is_truncated else "finished"}
    end |= {"scores": position.scores(), "ranks": position.ranks(), "rewards": position.rewards()}
    return json.loads(json.dumps([*lines, end], allow_nan=False))
