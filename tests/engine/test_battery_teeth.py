"""A game of one's own passes the battery; with a fault put in, the right check finds it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine import instances, registry
from racegym.engine.actions import Actions
from racegym.engine.chance import REDEALS, below
from racegym.engine.game import Game
from racegym.engine.instances import Kernels
from racegym.engine.notation import DeclaredNotation
from racegym.testing import CHECKS, CheckFailed, check_game, check_processes
from tests.engine import toy
from tests.engine.toy import apply, legal, outcome, redeal, write_flat


@pytest.fixture
def registered() -> Iterator[Game]:
    """The toy game, known by its name for the length of a test."""
    racegym.register(toy.GAME)
    yield toy.GAME
    registry._registered.remove("toy")
    del registry._games["toy"]


@pytest.mark.parametrize("check", CHECKS)
def test_a_game_of_ones_own_passes(registered: Game, check: str) -> None:
    check_game("toy", [check])


def test_a_game_of_ones_own_passes_in_another_process(registered: Game) -> None:
    preamble = "import racegym\nfrom tests.engine import toy\nracegym.register(toy.GAME)"
    check_processes(toy.GAME, preamble=preamble)


def test_unknown_checks_are_named() -> None:
    with pytest.raises(racegym.RacegymError, match="did you mean 'leaks'"):
        check_game(toy.GAME, ["leak"])


# --- faults --------------------------------------------------------------------------------------


def leaking(s: Any, seat: int, out: Any) -> None:
    write_flat(s, seat, out)
    out[9] = s.card[(seat + 1) % s.num_players] / 3


def absolute(s: Any, seat: int, out: Any) -> None:
    write_flat(s, seat, out)
    for p in range(s.num_players):
        out[toy.MOST + p] = s.position[p] / toy.GOAL


def forgetful(s: Any, seat: int, out: Any) -> None:
    write_flat(s, seat, out)
    out[10] = 0.0


def too_large(s: Any, seat: int, out: Any) -> None:
    write_flat(s, seat, out)
    out[10] = s.turn * 1.5


def unfinished(s: Any, seat: int, out: Any) -> None:
    before = out[15]
    write_flat(s, seat, out)
    out[15] = before


def endless(s: Any, action: int, log: Any) -> None:
    s.to_act = (s.to_act + 1) % s.num_players


def wrapping_around(s: Any, action: int, log: Any) -> None:
    apply(s, action, log)
    s.position[0] = s.position[0] + 200


def too_far(s: Any, action: int, log: Any) -> None:
    p = s.to_act
    apply(s, action, log)
    s.position[p] = s.position[p] + 1


def nothing_legal(s: Any, mask: Any) -> None:
    mask[0] = s.turn == 0


def peeking_mask(s: Any, mask: Any) -> None:
    legal(s, mask)
    mask[1] = s.card[(s.to_act + 1) % s.num_players] > 1


def nobody_wins(s: Any, scores: Any, ranks: Any) -> None:
    outcome(s, scores, ranks)
    for p in range(s.num_players):
        ranks[p] += 1


def lazy_redeal(s: Any, seat: int) -> None:
    s.card[0] = s.card[0]


def forgetting_redeal(s: Any, seat: int) -> None:
    redeal(s, seat)
    s.card[seat] = (s.card[seat] + 1) % 4


def remembering_redeal(s: Any, seat: int) -> None:
    for p in range(s.num_players):
        if p != seat:
            s.card[p] = (s.card[p] + below(s, REDEALS, 4)) % 4


class Notation(DeclaredNotation):
    """The toy's notation with some functions replaced."""

    def __init__(self, **changed: Any) -> None:
        super().__init__("Toy", toy.ACTIONS, toy.LAYOUT, toy.describe)
        for name, function in changed.items():
            setattr(self, name, function)


class Gaps(Actions):
    """The toy's actions, with a table that lacks one."""

    @property
    def table(self) -> tuple[tuple[int, str], ...]:
        return ((0, "walk 1"), (2, "roll"))


def telling(state: Any, seat: int) -> str:
    return f"{toy.describe(state, seat)}, cards {state.card}"


def without_turn(state: Any) -> dict[str, Any]:
    return {k: v for k, v in toy.NOTATION.state_to_dict(state).items() if k != "turn"}


def with_numpy(state: Any) -> dict[str, Any]:
    return {**toy.NOTATION.state_to_dict(state), "turn": np.int16(state.turn)}


def with_encoder(write: Callable[..., None], **changes: Any) -> dict[str, Any]:
    flat = dataclasses.replace(toy.GAME.encoders[0], write=write, **changes)
    return {"encoders": (flat, toy.GAME.encoders[1])}


FAULTS: list[tuple[str, str, dict[str, Any]]] = [
    ("leaks", "flat-1 tells seat . too much", with_encoder(leaking)),
    ("leaks", "the mask tells", {"legal": peeking_mask}),
    ("leaks", "the text tells", {"notation": Notation(describe=telling)}),
    ("rotation", "sees other things", with_encoder(absolute)),
    ("decoders", "turn is", with_encoder(forgetful)),
    ("unique", "differ in turn", with_encoder(forgetful)),
    ("observations", "flat-1: 0.0", with_encoder(too_large)),
    ("observations", "leaves entries out", with_encoder(unfinished)),
    ("ends", "goes on after", {"apply": endless}),
    ("uncompiled", "out of bounds", {"apply": wrapping_around}),
    ("invariants", "invariant does not hold", {"apply": too_far}),
    ("steps", "nothing is legal", {"legal": nothing_legal}),
    ("rewards", "nobody won", {"outcome": nobody_wins}),
    ("redeal", "never changes", {"redeal": lazy_redeal}),
    ("redeal", "tells seat . too much", {"redeal": forgetting_redeal}),
    ("views", "inner bytes of a view tell", {"redeal": remembering_redeal}),
    (
        "state_dict",
        "differs|told|sees more|read as",
        {"notation": Notation(state_to_dict=without_turn)},
    ),
    ("state_dict", "not JSON", {"notation": Notation(state_to_dict=with_numpy)}),
    (
        "texts",
        "as many texts|none twice",
        {"notation": Notation(action_to_text=lambda s, a: "walk 1")},
    ),
    ("action_table", "gaps", {"actions": Gaps(walk=("walk 1", "walk 2"), roll="roll")}),
    (
        "bots",
        "illegal",
        {"bots": (dataclasses.replace(toy.GAME.bots[0], choose=lambda o, m, x: 3),)},
    ),
]


@pytest.mark.parametrize(("check", "message", "changes"), FAULTS)
def test_a_fault_is_found(
    check: str, message: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run uncompiled, since the faults need no compiling."""
    game = dataclasses.replace(toy.GAME, **changes)
    monkeypatch.setattr("racegym.testing.play.LIMIT", 300)
    for encoder in game.encoders:
        monkeypatch.setitem(
            instances._instances, (id(game), encoder.id), Kernels(game, encoder, replaced={})
        )
    if check == "bots":
        monkeypatch.setitem(instances._choosers, (id(game), "default"), _choose_three)
    with pytest.raises((CheckFailed, OverflowError), match=message):
        check_game(game, [check])


def _choose_three(observations: Any, masks: Any, bits: Any, actions: Any) -> None:
    actions[:] = 3


# --- out of bounds -------------------------------------------------------------------------------


def beyond(s: Any, action: int, log: Any) -> None:
    apply(s, action, log)
    if s.turn == 3:
        s.position[toy.MOST + action * 100_000] = 1


def seen_beyond(s: Any, seat: int, out: Any) -> None:
    write_flat(s, seat, out)
    out[out.shape[0] + s.turn] = 1.0


def test_rules_that_write_out_of_bounds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line with the place, before it is compiled and might end the process."""
    monkeypatch.setattr(instances, "kernels_of", None)  # would be asked for compiled kernels
    rule = instances.compiled(beyond)
    for faulty in (
        dataclasses.replace(toy.GAME, apply=rule),
        dataclasses.replace(
            toy.GAME,
            encoders=(
                dataclasses.replace(toy.GAME.encoders[0], write=instances.compiled(seen_beyond)),
            ),
            bots=(),
        ),
    ):
        for checks in (None, ["steps"]):
            with pytest.raises(CheckFailed, match="failed as plain Python: IndexError") as caught:
                check_game(faulty, checks)
            told = str(caught.value)
            assert "\n" not in told and "test_battery_teeth.py:" in told, told
