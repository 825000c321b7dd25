"""The engine plays as the plain implementations do that were written from the clauses alone."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import racegym
from racegym.engine.registry import BUILT_IN
from racegym.testing.play import (
    Scenario,
    choose_first,
    choose_last,
    choose_random,
    option_samples,
    scenarios,
)
from tests.full_record import full_record
from tests.reference import Divergence, check

CHOOSERS = [choose_random, choose_first, choose_last]


def compare(scenario: Scenario, choose: Any = choose_random) -> int:
    """Play a game with the engine and replay it with the reference; the number of moves."""
    reference = importlib.import_module(f"tests.reference.{scenario.game.name}").Reference
    try:
        return check(reference, full_record(scenario, choose))
    except Divergence as difference:
        raise Divergence(f"{scenario}: {difference}") from None


@st.composite
def drawn_scenarios(draw: st.DrawFn) -> Scenario:
    """Any game of the library, with any options it takes."""
    game = racegym.game(draw(st.sampled_from(BUILT_IN)))
    samples = option_samples(game, random.Random(draw(st.integers(0, 2**32))))
    for _ in range(draw(st.integers(0, 40))):
        next(samples)
    return Scenario(game, next(samples), draw(st.integers(0, 2**63 - 1)))


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(scenario=drawn_scenarios(), choose=st.sampled_from(CHOOSERS))
def test_drawn_games_agree(scenario: Scenario, choose: Any) -> None:
    compare(scenario, choose)


def test_random_games_agree(game_name: str) -> None:
    """Every option value and player count, and many mixtures of them."""
    moves = sum(compare(scenario) for scenario in scenarios(racegym.game(game_name), 120, seed=41))
    assert moves > 1_000


@pytest.mark.slow
def test_many_random_games_agree(game_name: str) -> None:
    for scenario in scenarios(racegym.game(game_name), 500, seed=42):
        compare(scenario)


def test_the_reference_finds_a_difference(game_name: str) -> None:
    """What the comparison is worth: a single changed number in a record is found."""
    reference = importlib.import_module(f"tests.reference.{game_name}").Reference
    [scenario] = scenarios(racegym.game(game_name), 1, seed=43)
    lines = full_record(scenario)
    lines[-1]["scores"][0] += 1
    with pytest.raises(Divergence, match="scores"):
        check(reference, lines)
    lines = full_record(scenario)
    lines[1]["legal"] = [*lines[1]["legal"], "zzz"]
    with pytest.raises(Divergence, match="legal"):
        check(reference, lines)
