"""CR-01 to CR-15: components, board, the basic rules for speeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.chance import DICE
from racegym.testing import Die, ScriptError, scripted
from tests.rules.cafe_race.positions import SAFE, SPILL, basic, order, played, tie

LANDINGS = (8, 9, 10, 18, 19, 20)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_cr_01_three_to_six_players(n: int) -> None:
    assert racegym.make("cafe_race", seed=1, num_players=n).num_players == n


def test_cr_01_four_players_by_default() -> None:
    assert racegym.make("cafe_race", seed=1).options["num_players"] == 4


@pytest.mark.parametrize("n", [2, 7, 0, -3, True, 4.0, "4", None])
def test_cr_01_other_player_counts_are_refused(n: Any) -> None:
    with pytest.raises(racegym.OptionError, match="num_players takes a whole number from 3 to 6"):
        racegym.make("cafe_race", seed=1, num_players=n)


@pytest.mark.parametrize("space", range(1, 30))
def test_cr_02_steps_landings_and_finish(space: int) -> None:
    """A worker that ends its move on a step must roll; on landings and the finish it need not."""
    is_step = space not in (*LANDINGS, 28, 29)
    ends = space >= 28
    play = basic([space - 1, 0, 0], dice=[3, 2, 1])
    chance = [*SAFE, *SAFE]  # the other two, on spaces 2 and 3 (or 1 and 2 more)
    chance += SAFE if is_step else ()
    chance += [] if ends else [1, 1, 1]
    play.apply("impulse 1", "impulse 3", "impulse 2", chance=chance)
    assert play["position"][0] == space
    assert (0 in order(play, "balance")) == is_step
    assert play.position.is_over == ends


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_cr_03_set_up(n: int) -> None:
    play = scripted("cafe_race", {"num_players": n}, setup=[Die(d, DICE) for d in range(1, n + 1)])
    state = play.state()
    assert state["coffee"] == [5] * n
    assert state["position"] == [0] * n
    assert state["dice"] == list(range(n, 0, -1))
    assert state["impulse"] == state["speed"] == [0] * n
    assert state["round"] == 1


def test_cr_04_a_third_worker_does_not_enter_a_space() -> None:
    play = played([5, 5, 3], dice=[2, 2, 2], impulses=[5, 4, 6], chance=[*SAFE, 9 - 2, 1][:2]
                  + [*SAFE, *SAFE] [:0] + [*SAFE][:0] + [1, 1, 1])
    assert play["position"][2] == 4
