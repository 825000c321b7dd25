"""Position: what it accepts, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

import racegym
from racegym import IllegalAction, OptionError, RacegymError

ACCEPTED = [
    2,
    np.int8(2),
    np.uint8(2),
    np.int32(2),
    np.uint64(2),
    np.int64(2),
    np.array(2),
    np.array(2, np.uint8),
]
REFUSED = [
    True,
    False,
    np.True_,
    2.0,
    2.5,
    np.float32(2),
    float("nan"),
    float("inf"),
    "2",
    "impulse 3",
    b"2",
    None,
    -1,
    np.int8(-1),
    6,
    18,
    19,
    10**6,
    2**31,
    2**63,
    2**64,
    2**70,
    -(2**70),
    np.uint64(2**64 - 1),
    [2],
    (2,),
    {2},
    np.array([2]),
    np.array([[2]]),
    np.array(2.0),
    np.array(True),
    2j,
    Ellipsis,
]


@pytest.fixture
def position() -> racegym.Position:
    return racegym.make("cafe_race", seed=5, num_players=3)


@pytest.mark.parametrize("action", ACCEPTED, ids=repr)
def test_accepted_actions(position: racegym.Position, action: Any) -> None:
    twin = position.clone()
    twin.apply(2)
    position.apply(action)
    assert position == twin
    assert position.last_action == 2
    assert type(position.last_action) is int


@pytest.mark.parametrize("method", ["apply", "apply_with_events"])
@pytest.mark.parametrize("action", REFUSED, ids=repr)
def test_refused_actions(position: racegym.Position, method: str, action: Any) -> None:
    before = (hash(position), position.raw.tobytes(), position.seat, position.last_action)
    mask, seen = position.mask.copy(), position.observation.copy()
    with pytest.raises(racegym.IllegalAction) as caught:
        getattr(position, method)(action)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert (hash(position), position.raw.tobytes(), position.seat, position.last_action) == before
    assert np.array_equal(position.mask, mask)
    assert np.array_equal(position.observation, seen)


def test_an_illegal_action_is_named_in_words(position: racegym.Position) -> None:
    with pytest.raises(racegym.IllegalAction, match=r"18 \(pass\) is not legal for player_0"):
        position.apply(18)
    with pytest.raises(racegym.IllegalAction, match="legal: 0 \\(impulse 1\\)"):
        position.apply(18)
    with pytest.raises(racegym.IllegalAction, match="cafe_race has the actions 0 to 18"):
        position.apply(19)


def test_texts(position: racegym.Position) -> None:
    position.apply_text("impulse 3")
    assert position.last_action == 2
    with pytest.raises(racegym.IllegalAction, match="did you mean 'impulse 3'"):
        position.apply_text("impulse3")
    with pytest.raises(racegym.IllegalAction):
        position.apply_text("pass")
    assert position.seat == 1


def test_after_the_end(position: racegym.Position) -> None:
    while not position.is_over:
        position.apply(position.legal_actions()[0])
    before = hash(position)
    for method in (position.apply, position.apply_with_events):
        with pytest.raises(racegym.GameOver, match="over: no more actions"):
            method(0)
    with pytest.raises(racegym.IllegalAction):
        position.apply(None)  # type: ignore[arg-type]
    assert hash(position) == before
    assert position.legal_actions() == position.legal_texts() == []
    assert position.seat == -1
    assert position.observe(2).shape == position.observation.shape


@pytest.mark.parametrize("seat", [-1, 3, True, 1.0, "0", 2**70, np.array([1])], ids=repr)
def test_seats_out_of_range_are_refused(position: racegym.Position, seat: Any) -> None:
    with pytest.raises(racegym.RacegymError, match="seats are 0 to 2"):
        position.observe(seat)
    with pytest.raises(racegym.RacegymError, match="seats are 0 to 2"):
        position.redeal(seat, 1)


def test_unknown_encoders_and_games_are_named() -> None:
    with pytest.raises(racegym.RacegymError, match="did you mean 'flat'"):
        racegym.make("cafe_race", encoder="flatt")
    with pytest.raises(racegym.RacegymError, match="did you mean 'cafe_race'"):
        racegym.make("caferace")
    with pytest.raises(racegym.RacegymError, match="a game is named by a text or a Game"):
        racegym.make(3)  # type: ignore[arg-type]


def test_what_is_handed_out_cannot_change_the_game(position: racegym.Position) -> None:
    before = hash(position)
    state = position.state
    state.coffee[:] = 0
    position.options["num_players"] = 6
    position.to_dict()["coffee"][0] = 0
    position.mask_of(0)[:] = 0
    position.observe(0)[:] = 0
    assert hash(position) == before
    assert position.legal_actions() == [0, 1, 2, 3, 4, 5]
    assert position.options["num_players"] == 3


def test_mask_and_observation_are_not_shared_with_copies(position: racegym.Position) -> None:
    twin = position.clone()
    position.mask[:] = 0
    position.observation[:] = 9
    assert twin.legal_actions() == [0, 1, 2, 3, 4, 5]
    assert twin.observation.max() <= 1


def test_equality_is_about_everything(position: racegym.Position) -> None:
    assert position == position.clone()
    assert position != racegym.make("cafe_race", seed=6, num_players=3)
    assert position != racegym.make("cafe_race", seed=5, num_players=4)
    assert position != "a position"
    assert len({position, position.clone(), position.redeal(0, 1)}) == 2


def test_restore_needs_the_same_options(position: racegym.Position) -> None:
    other = racegym.make("cafe_race", seed=5, num_players=4)
    with pytest.raises(racegym.RacegymError, match="same game and options"):
        position.restore(other)


def test_with_state_refuses_unknown_fields(position: racegym.Position) -> None:
    before = hash(position)
    with pytest.raises(ValueError, match="no field 'cofee'"):
        position.with_state(cofee=[1, 2, 3])
    with pytest.raises(ValueError, match="needs 3 values, not 2"):
        position.with_state(coffee=[1, 2])
    assert hash(position) == before


def test_a_pickle_of_another_layout_is_refused(position: racegym.Position) -> None:
    restore, arguments = position.__reduce__()[:2]
    with pytest.raises(racegym.RacegymError, match="another layout"):
        restore(*arguments[:-1], arguments[-1] + b"\0")
    assert pickle.loads(pickle.dumps(position)) == position


def test_results_before_the_end(position: racegym.Position) -> None:
    for method in (position.scores, position.ranks):
        with pytest.raises(racegym.RacegymError, match="when the game is over"):
            method()
    assert position.rewards() == [0, 0, 0]


def test_it_can_be_printed(position: racegym.Position) -> None:
    assert repr(position) == "<Café Race, 3 players, player_0 to act>"
    assert "You are to act" in str(position)


@pytest.mark.parametrize("seat", [-1, 4, 1.0, True, "0", None, [0]], ids=repr)
@pytest.mark.parametrize("method", ["mask_of", "redeal", "text", "observe"])
def test_seats_out_of_range(method: str, seat: Any) -> None:
    position = racegym.make("cafe_race", seed=1)
    if seat is None and method in ("text", "observe"):
        return  # None means the seat to act there
    with pytest.raises(RacegymError, match="seats are 0 to 3"):
        getattr(position, method)(seat)


@pytest.mark.parametrize("action", [-1, 19, 50, None, "a", 1.5, True], ids=repr)
def test_words_only_for_actions_that_exist(action: Any) -> None:
    with pytest.raises(IllegalAction):
        racegym.make("cafe_race", seed=1).action_to_text(action)


@pytest.mark.parametrize("other", [None, 3, "x"], ids=repr)
def test_only_a_position_can_be_restored(other: Any) -> None:
    with pytest.raises(RacegymError, match="same game and options"):
        racegym.make("cafe_race", seed=1).restore(other)


@pytest.mark.parametrize(
    "fields",
    [
        {"auctioned": 77},
        {"speed": [127] * 4},
        {"position": [0, 0, 0, 1.5]},
        {"position": [0, 0, 0, 30]},
        {"coffee": [9] * 4},
        {"coffee": [1, 1]},
        {"to_act": 4},
        {"auctioneer": -1},
        {"dice": [1] * 9},
        {"dice": 3},
        {"phase": "tea"},
        {"round": 2**40},
        {"tea": 1},
    ],
    ids=repr,
)
def test_states_that_no_field_can_hold(fields: dict[str, Any]) -> None:
    position = racegym.make("cafe_race", seed=1, rules="advanced")
    before = position.clone()
    with pytest.raises(RacegymError, match="no state of Café Race"):
        position.with_state(**fields)
    assert position == before


def test_options_of_equal_value_and_other_type_are_still_refused() -> None:
    racegym.make("dino_race", seed=1, num_players=4, teams=True)
    with pytest.raises(OptionError, match="teams takes true or false"):
        racegym.make("dino_race", seed=1, num_players=4, teams=1)


@pytest.mark.parametrize("text", [None, 5, b"roll", ["roll"]])
def test_an_action_in_words_is_a_text(game_name: str, text: object) -> None:
    position = racegym.make(game_name, seed=1)
    with pytest.raises(IllegalAction, match="is a text, not"):
        position.apply_text(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["foo", "", "'", "x" * 10_000, "play 1 to foo", "\n"])
def test_words_that_mean_nothing_are_told_shortly(game_name: str, text: str) -> None:
    """With the form to write, not with all the actions of the game; nothing is changed."""
    position = racegym.make(game_name, seed=1)
    before = position.clone()
    with pytest.raises(IllegalAction) as error:
        position.apply_text(text)
    assert len(str(error.value)) < 280
    assert "\n" not in str(error.value)
    assert position == before


@pytest.mark.parametrize("name", ["cafe_race", "horse_race", "dino_race"])
def test_the_forms_that_are_told_are_actions(name: str) -> None:
    """One for each first word."""
    position = racegym.make(name, seed=1)
    with pytest.raises(IllegalAction) as error:
        position.apply_text("foo")
    told = re.findall(r"'([^']+)'", str(error.value).partition("; write ")[2])
    actions = [position.action_from_text(text) for text in told]
    assert actions == sorted(set(actions))
    words = {position.action_to_text(a).split()[0] for a in range(position.game.num_actions)}
    assert [text.split()[0] for text in told] == list(dict.fromkeys(t.split()[0] for t in told))
    assert {text.split()[0] for text in told} == words


def test_words_in_other_letters_are_recognised(game_name: str) -> None:
    position = racegym.make(game_name, seed=1)
    text = position.legal_texts()[0]
    with pytest.raises(IllegalAction) as error:
        position.apply_text(text.upper())
    assert f"did you mean {text!r}?" in str(error.value) or "write 'play CARD" in str(error.value)
