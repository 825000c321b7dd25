"""The engine plays as the reference does, also where random play seldom gets."""

from __future__ import annotations

import random
from typing import Any

import pytest

import racegym
from racegym.engine.position import Position
from racegym.testing.play import Choose, Scenario
from tests.full_record import full_record
from tests.reference import check
from tests.reference.dino_race import Reference

#: How often actions are chosen, by their first word (else 1), whatever the number of them.
STYLES: dict[str, dict[str, float]] = {
    "tricks": {"push": 6, "trip": 6, "egg": 4, "steal": 6, "stand": 4, "hand": 4, "move": 3},
    "runs": {"move": 60, "stand": 20, "exchange": 3},
    "rolls": {"roll": 20},
    "hoards": {"move": 0.01, "exchange": 0.0001, "roll": 20},
}
TABLES = [(2, False), (3, False), (4, False), (4, True), (6, True), (8, True)]


def by_style(weights: dict[str, float]) -> Choose:
    """A chooser that draws the kind of action by weight, then one of that kind."""

    def choose(position: Position, rng: random.Random) -> int:
        kinds: dict[str, list[int]] = {}
        for action in position.legal_actions():
            kinds.setdefault(position.action_to_text(action).split()[0], []).append(action)
        chosen = rng.choices(list(kinds), [weights.get(kind, 1.0) for kind in kinds])[0]
        return rng.choice(kinds[chosen])

    return choose


@pytest.mark.parametrize(("n", "teams"), TABLES)
@pytest.mark.parametrize("variant", ["standard", "survive"])
@pytest.mark.parametrize("matches", [1, 2])
def test_dr_01_every_variant_agrees_with_the_reference(
    n: int, teams: bool, variant: str, matches: int
) -> None:
    options: dict[str, Any] = {"num_players": n, "teams": teams}
    options |= {"variant": variant, "matches": matches}
    game = racegym.game("dino_race")
    for number, weights in enumerate(STYLES.values()):
        scenario = Scenario(game, options, seed=1000 * number + n)
        assert check(Reference, full_record(scenario, by_style(weights))) > 0


def test_dr_01_the_styles_reach_every_event() -> None:
    seen = set()
    game = racegym.game("dino_race")
    for number, weights in enumerate(STYLES.values()):
        for n, teams in ((2, False), (6, True)):
            options = {"num_players": n, "teams": teams, "matches": 2}
            for move in full_record(Scenario(game, options, number), by_style(weights))[1:-1]:
                seen |= {f"{e['kind']} {e.get('why', '')}".strip() for e in move["events"]}
    assert seen == {
        *("die", "drew", "shuffle", "burned", "drop", "egg", "stole", "lava", "home"),
        *("discarded random", "discarded eruption", "discarded home"),
        *("moved card", "moved push", "moved lava", "egg_safe", "race_over", "race"),
    }
