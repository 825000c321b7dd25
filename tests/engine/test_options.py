"""Options: what they take, what they refuse, and how the refusal reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.options import (
    Choice,
    Flag,
    OptionSet,
    WholeNumber,
    WholeNumbers,
    num_players_option,
    reward_option,
)
from racegym.errors import OptionError


def together(options: dict[str, Any]) -> None:
    if options["teams"] and options["num_players"] % 2:
        raise OptionError("teams need an even number of players")


OPTIONS = OptionSet(
    (
        num_players_option(4, 2, 6),
        reward_option(),
        Flag("teams", False, "play in teams"),
        WholeNumber("cards", lambda options: 2 * options["num_players"], "cards", low=1, high=20),
        WholeNumbers("counts", [2, 2, 2], "three counts", length=3, low=1, high=4, total=6),
        Choice("course", "white", "the course", choices=("white", "blue")),
    ),
    together=together,
)

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"num_player": 4}, "unknown option 'num_player'; did you mean 'num_players'?"),
    ({"zzz": 4}, "unknown option 'zzz'; known: num_players, reward, teams, cards, counts, course"),
    ({"num_players": 7}, "option num_players takes a whole number from 2 to 6, not 7"),
    ({"num_players": True}, "option num_players takes a whole number from 2 to 6, not True"),
    ({"num_players": np.True_}, "option num_players takes"),
    ({"num_players": 4.0}, "option num_players takes a whole number from 2 to 6, not 4.0"),
    ({"num_players": float("nan")}, "option num_players takes"),
    ({"num_players": "4"}, "option num_players takes a whole number from 2 to 6, not '4'"),
    ({"num_players": None}, "option num_players takes"),
    ({"num_players": 2**70}, "option num_players takes"),
    ({"num_players": [4]}, "option num_players takes"),
    ({"num_players": np.array([4])}, "option num_players takes"),
    ({"reward": "wins"}, "option reward takes one of 'win', 'rank', 'score', not 'wins'"),
    ({"reward": 0}, "option reward takes"),
    ({"teams": 1}, "option teams takes true or false, not 1"),
    ({"teams": "true"}, "option teams takes true or false, not 'true'"),
    ({"teams": True, "num_players": 3}, "teams need an even number of players"),
    ({"cards": 0}, "option cards takes a whole number from 1 to 20, not 0"),
    ({"counts": [1, 2]}, "option counts takes 3 whole numbers from 1 to 4 with the sum 6"),
    ({"counts": [1, 1, 5]}, "option counts takes"),
    ({"counts": [1, 1, 1]}, "option counts takes"),
    ({"counts": [1.0, 2, 3]}, "option counts takes"),
    ({"counts": "123"}, "option counts takes"),
    ({"counts": 6}, "option counts takes"),
    ({"course": "red"}, "option course takes one of 'white', 'blue', not 'red'"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        OPTIONS.resolve(given)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, racegym.RacegymError)


def test_defaults_are_filled_in_in_declared_order() -> None:
    assert OPTIONS.resolve({}) == {
        "num_players": 4,
        "reward": "win",
        "teams": False,
        "cards": 8,
        "counts": [2, 2, 2],
        "course": "white",
    }
    assert list(OPTIONS.resolve({"course": "blue", "num_players": 2})) == list(OPTIONS.resolve({}))


def test_a_default_may_follow_from_others() -> None:
    assert OPTIONS.resolve({"num_players": 6})["cards"] == 12
    assert OPTIONS.resolve({"num_players": 6, "cards": 3})["cards"] == 3


def test_values_come_back_as_plain_python() -> None:
    given = {"num_players": np.int16(3), "counts": np.array([1, 2, 3]), "teams": np.False_}
    resolved = OPTIONS.resolve(given)
    assert type(resolved["num_players"]) is int
    assert type(resolved["teams"]) is bool
    assert [type(v) for v in resolved["counts"]] == [int, int, int]


def test_encoding() -> None:
    codes = OPTIONS.encode(OPTIONS.resolve({"reward": "score", "course": "blue", "teams": True}))
    assert codes.dtype == np.int32
    assert codes.tolist() == [4, 2, 1, 8, 2, 2, 2, 1]


def test_defaults_cannot_be_changed_through_what_is_handed_out() -> None:
    OPTIONS.resolve({})["counts"].append(9)
    assert OPTIONS.resolve({})["counts"] == [2, 2, 2]


@pytest.mark.parametrize(
    ("texts", "given"),
    [
        (["num_players=3"], {"num_players": 3}),
        (["reward=rank", "teams=true"], {"reward": "rank", "teams": True}),
        (["teams=FALSE"], {"teams": False}),
        (["counts=[1,2,3]"], {"counts": [1, 2, 3]}),
        (["course=a=b"], {"course": "a=b"}),
        (["num_players=four"], {"num_players": "four"}),
    ],
)
def test_parsing(texts: list[str], given: dict[str, Any]) -> None:
    assert OPTIONS.parse(texts) == given


@pytest.mark.parametrize("text", ["num_players", "", "num_player=3", "=3"])
def test_parsing_refuses(text: str) -> None:
    with pytest.raises(OptionError):
        OPTIONS.parse([text])


def test_every_option_of_every_game_is_explained(game_name: str) -> None:
    for option in racegym.game(game_name).options.declared:
        assert option.meaning
        assert option.values
