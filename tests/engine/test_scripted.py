"""The scripted chance: used up exactly, and every misfit is told."""

from __future__ import annotations

from typing import Any

import pytest

from racegym.engine.chance import DEALS, DICE, REDEALS
from racegym.engine.instances import Kernels
from racegym.engine.position import Position
from racegym.testing import Die, Order, Pick, Script, ScriptError, scripted
from tests.engine import toy


def test_dice_are_taken_from_the_script() -> None:
    with scripted(toy.GAME, fields={"position": [1, 2]}, chance=[2, Die(1, DICE)]) as play:
        play.apply("roll", "roll")
        assert play.state()["position"] == [3, 3]
        assert play["position"] == [3, 3]
        assert play.events == [{"kind": "die", "player": 1, "value": 1}]
        assert len(play.history) == 2
        assert play.legal() == ["roll", "walk 1", "walk 2"]
        assert play.of_kind("die") == play.events


def test_set_up_is_scripted() -> None:
    play = scripted(toy.GAME, {"num_players": 3}, setup=[Pick(3, 4, DEALS), Pick(0), Pick(1)])
    assert play["card"] == [3, 0, 1]


def test_without_a_script_the_set_up_comes_from_the_seed() -> None:
    cards = {tuple(scripted(toy.GAME, seed=seed)["card"]) for seed in range(40)}
    assert len(cards) > 5


def test_redeals_are_scripted() -> None:
    play = scripted(toy.GAME, {"num_players": 3}, setup=[Pick(3), Pick(0), Pick(1)])
    play.script(Pick(2, stream=REDEALS), Pick(2))
    assert play.position.redeal(1, 5).to_dict()["card"] == [2, 0, 2]
    play.close()


def misfit(**arguments: Any) -> None:
    with scripted(toy.GAME, **arguments) as play:
        play.apply("roll")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"a die of 3 sides \(dice\), and the script is used up"),
        ({"chance": [1, 2]}, r"never asked for: \[Die\(value=2"),
        ({"chance": [4]}, "which cannot show 4"),
        ({"chance": [0]}, "which cannot show 0"),
        ({"chance": [Pick(1)]}, "the script goes on with Pick"),
        ({"chance": [[1, 2]]}, "the script goes on with Order"),
        ({"chance": [Die(1, DEALS)]}, "the script has it in deals"),
        ({"setup": [Pick(1)]}, r"a pick among 4 \(deals\), and the script is used up"),
        ({"setup": [Pick(1), Pick(2), Pick(3)]}, "never asked for"),
        ({"setup": [Pick(4), Pick(0)]}, "a pick among 4"),
        ({"setup": [Pick(0, 3), Pick(0)]}, "a pick among 4"),
    ],
)
def test_misfits(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        misfit(**arguments)


def test_chance_given_with_an_action_is_used_up_by_it() -> None:
    play = scripted(toy.GAME)
    play.apply("roll", chance=[1])
    with pytest.raises(ScriptError, match="never asked for"):
        play.apply("walk 1", chance=[1])
    play = scripted(toy.GAME, chance=[3])
    with pytest.raises(ScriptError, match="never asked for"):
        play.apply("roll", chance=[1])  # it has a 3 left already


def test_shuffles_are_scripted_by_their_result() -> None:
    script = Script([Order((7, 5, 6)), [1, 1, 0]])
    [shuffle] = [f for name, f in script.replacements().items() if "shuffle" in repr(name)]
    items = [9, 5, 6, 7, 9]
    shuffle(None, DEALS, items, 1, 3)
    assert items == [9, 7, 5, 6, 9]
    with pytest.raises(ScriptError, match=r"a shuffle of \[0, 1, 2\]"):
        shuffle(None, DEALS, [0, 1, 2], 0, 3)


def test_an_error_in_the_test_is_not_hidden_by_left_over_chance() -> None:
    with pytest.raises(ZeroDivisionError), scripted(toy.GAME, chance=[1]):
        _ = 1 / 0


def test_other_positions_are_not_touched() -> None:
    scripted(toy.GAME, chance=[1])
    position = Position(toy.GAME, seed=1)
    position.apply(2)
    assert isinstance(position._setup.kernels, Kernels)
    assert position.decisions == 1
