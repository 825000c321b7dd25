"""Games in several styles of play, which reach what random play hardly does, by the reference."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

import racegym
from racegym.engine.position import Position
from racegym.games.ave_caesar.state import SLOT, VALUES
from racegym.records import Recorder
from tests.reference import check
from tests.reference.ave_caesar import Reference


def anything(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_actions())


def shortest(position: Position, rng: random.Random, avoid: range = range(0)) -> int:
    """Any card, to where it gets furthest; ``avoid`` names slots taken in need only."""
    best: dict[int, int] = {}
    legal = position.legal_actions()
    for action in [a for a in legal if a % SLOT.stride not in avoid] or legal:
        best.setdefault(action // SLOT.stride, action)
    return rng.choice(sorted(best.values()))


def late(position: Position, rng: random.Random) -> int:
    """Puts the alley off until the rules insist."""
    return shortest(position, rng, range(SLOT.alley, SLOT.course))


def hoarder(position: Position, rng: random.Random) -> int:
    """Keeps its sixes as long as it can."""
    legal = position.legal_actions()
    return rng.choice([a for a in legal if a // SLOT.stride < VALUES - 1] or legal)


def slow(position: Position, rng: random.Random) -> int:
    """The smallest card, anywhere."""
    legal = position.legal_actions()
    return rng.choice([a for a in legal if a // SLOT.stride == legal[0] // SLOT.stride])


STYLES = (anything, shortest, late, hoarder, slow)


def drawn_options(rng: random.Random) -> dict[str, Any]:
    """Options, all of them at random."""
    n = rng.randint(3, 6)
    return {
        "num_players": n,
        "course": rng.choice(["white", "blue"] * (n < 5) + ["yellow", "red"]),
        "direction": rng.choice(["cw", "ccw"]),
        "races": rng.choice([1, 1, 1, 2]),
        "stranded": rng.choice(["stays", "removed"]),
        "reward": rng.choice(["win", "rank", "score"]),
        "max_turns": rng.choice([2000, 2000, 2000, 60]),
    }


def compare(seed: int, seen: Counter[str]) -> None:
    """One game, everybody in one style or each in its own, compared move by move."""
    rng = random.Random(seed)
    recorder = Recorder(racegym.make("ave_caesar", seed=seed, **drawn_options(rng)), full=True)
    common = rng.choice(STYLES)
    styles = [rng.choice((common, rng.choice(STYLES))) for _ in range(6)]
    while not recorder.is_over:
        position = recorder.position
        action = styles[position.seat](position, rng)
        seen["a leader's six"] += is_leaders_six(position, action)
        recorder.apply(action)
    lines = [json.loads(line) for line in recorder.lines]
    check(Reference, lines)
    seen.update(event["kind"] for move in lines[1:-1] for event in move["events"])
    seen[lines[-1]["reason"]] += 1


def is_leaders_six(position: Position, action: int) -> bool:
    """Whether a leading chariot plays a six by AC-34."""
    state, p = position.state, position.seat
    racing = [q for q in range(position.num_players) if state.racing[q]]
    leading = all(state.to_go[q] >= state.to_go[p] for q in racing)
    six = action // SLOT.stride == VALUES - 1
    return bool(six and leading and not state.num_finished and state.turn > 1)


def test_styles_agree_with_the_reference() -> None:
    seen: Counter[str] = Counter()
    for seed in range(16):
        compare(seed, seen)
    for kind in ("coin", "finished", "stranded", "lost_turn", "race_over", "a leader's six"):
        assert seen[kind], f"no {kind} in these games"


@pytest.mark.slow
def test_styles_agree_with_the_reference_in_many_games() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1_000, 2_000):
        compare(seed, seen)
    assert min(seen.values()) > 10
