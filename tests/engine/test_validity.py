"""States from outside: those of games are accepted, and what is accepted does no harm."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import racegym
from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.engine.validity import check_states, write_fields
from racegym.errors import RacegymError, StateError
from racegym.testing.play import Scenario, scenarios, walk
from tests.engine.mutants import PlainGame, accepted_mutant, bounded_time


class Harm(AssertionError):
    """A state was accepted that the rules cannot cope with."""


def states_of(scenario: Scenario) -> tuple[np.ndarray, list[np.ndarray]]:
    """The options, encoded, and the states of a game at all its decisions."""
    game = scenario.game
    codes = game.options.encode(game.options.resolve(scenario.options))
    return codes, [position.raw.copy() for position in walk(scenario)]


def test_states_of_games_are_accepted(game_name: str) -> None:
    for scenario in scenarios(racegym.game(game_name), 40, seed=41):
        codes, states = states_of(scenario)
        check_states(scenario.game, codes, np.array(states))


def play_mutants(game: Game, games: int, mutants: int, seed: int) -> int:
    """Damage states and play on with those accepted; returns how many were."""
    plain, played = PlainGame(game), 0
    for scenario in scenarios(game, games, seed=seed):
        rng = random.Random(scenario.seed)
        codes, states = states_of(scenario)
        states = rng.sample(states, min(len(states), 60)) + states[-3:]
        for number in range(mutants):
            raw = accepted_mutant(game, codes, states, rng)
            if raw is not None:
                played += 1
                try:
                    with bounded_time():
                        plain.play_on(codes, raw, rng, rng.choice((1, 1, 2, 3)))
                except Exception as error:
                    raise Harm(f"{scenario}, mutant {number}: {error!r}") from error
    return played


def test_what_is_accepted_can_be_played(game_name: str) -> None:
    assert play_mutants(racegym.game(game_name), games=8, mutants=12, seed=42) > 10


def test_what_a_game_declares_is_needed(game_name: str) -> None:
    """Without the contradictions the same mutants do harm: playing them would show it."""
    game = replace(racegym.game(game_name), contradictions=None)
    with pytest.raises(Harm):
        play_mutants(game, games=20, mutants=40, seed=42)


@pytest.mark.slow
def test_what_is_accepted_can_be_played_long(game_name: str) -> None:
    assert play_mutants(racegym.game(game_name), games=60, mutants=25, seed=100) > 200


# --- what is told --------------------------------------------------------------------------------


def damaged(position: Position, name: str, value: int) -> bytes:
    """The bytes of its state with all numbers of a field replaced."""
    state = position.state
    state[name] = value
    return state.raw.tobytes()


def test_every_field_is_held_to_its_bounds(game_name: str) -> None:
    position = racegym.make(game_name, seed=4)
    for field in position.game.layout:
        limits = np.iinfo(field.dtype)
        low, high = field.bounds
        high = position.num_players - 1 if high is None else high
        if field.fixed:
            now = int(np.max(position.state[field.name]))
            beyond = [now + 1, now - 1]
        else:
            beyond = [int(np.min(low)) - 1, int(np.max(high)) + 1]
        for value in beyond:
            if limits.min <= value <= limits.max:
                with pytest.raises(StateError, match=rf"{field.name}\S* is {value}, not "):
                    position.with_bytes(damaged(position, field.name, value))


def test_every_game_declares_bounds_of_all_its_fields(game_name: str) -> None:
    for field in racegym.game(game_name).layout:
        declared = field.high is not None or field.holds_seats or field.fixed
        assert declared or field.dtype == "u8", field.name


def test_bytes_between_the_fields_are_zero() -> None:
    position = racegym.make("dino_race", seed=4)
    used = np.zeros(position.game.layout.size, bool)
    for field in position.game.layout:
        dtype, offset = position.game.layout.dtype.fields[field.name][:2]
        used[offset : offset + dtype.itemsize] = True
    raw = position.raw.copy()
    raw[np.flatnonzero(~used)[0]] = 1
    with pytest.raises(StateError, match="bytes between its fields are not zero"):
        position.with_bytes(raw.tobytes())


@pytest.mark.parametrize(
    ("game", "fields", "reason"),
    [
        ("cafe_race", {"dice": [1, 2]}, "dice does not hold one for each"),
        ("cafe_race", {"phase": "end"}, "somebody is to act just as long"),
        ("cafe_race", {"coffee": [0, 5, 5, 5]}, "coffee is 0"),
        ("horse_race", {"phase": "race"}, "bets are missing"),
        ("horse_race", {"hands": [{"F": 31}, {}, {}, {}]}, "hands.* is 31, not 0 to 30"),
        ("horse_race", {"hands": [{"F": 30}, {"F": 1}, {}, {}]}, "more cards of a kind"),
        ("horse_race", {"hands": [[1], {}, {}, {}]}, "holds counts by name"),
        ("horse_race", {"lanes": [[{"card": "F"}], [], []]}, "there is no 'by'"),
        ("horse_race", {"turn": 1.5}, "1.5 is no whole number"),
        ("horse_race", {"points": np.full(9, 300)}, "out of bounds"),
        ("ave_caesar", {"to_act": 4}, "to_act is 4, not -1 to 3"),
        ("ave_caesar", {"space": ["finished"] * 4}, "the player to act is not racing"),
        ("ave_caesar", {"crossed": [4] * 4}, "crossed is 4"),
        ("dino_race", {"position": [[12, 12]] * 4, "lava": 3}, "volcano not active"),
        ("dino_race", {"prizes_left": []}, "too few to be won"),
        ("dino_race", {"hands": [{"wild": 9}, {}, {}, {}]}, "hands.* is 9, not 0 to 8"),
    ],
    ids=str,
)
def test_with_state_says_in_one_line_what_is_wrong(
    game: str, fields: dict[str, Any], reason: str
) -> None:
    position = racegym.make(game, seed=4)
    before = position.clone()
    with pytest.raises(StateError, match=reason) as caught:
        position.with_state(**fields)
    assert "\n" not in str(caught.value)
    assert position == before


#: What NumPy and Python say of lists that do not fit; none of it is for users.
FOREIGN = ("broadcast", "sequence", "dimension", "object", "argument", "indices", "unpack")


def test_lists_of_another_shape_are_told_in_our_words(game_name: str) -> None:
    """Every list of a state: too long, too short, too deep, a number in its place."""
    position = racegym.make(game_name, seed=4)
    *_, over = walk(Scenario(position.game, {}, 4))
    for where in (position, over):
        for name, value in where.to_dict().items():
            if not isinstance(value, list):
                continue
            first = value[:1] or [1]
            for wrong in (first * 200, [value], [*value[:-1], value], 1):
                if wrong == value:
                    continue
                with pytest.raises(StateError) as caught:
                    where.with_state(**{name: wrong})
                told = str(caught.value).partition(": ")[2]
                assert "\n" not in told and not any(words in told for words in FOREIGN), told


def test_single_values_are_not_repeated() -> None:
    """NumPy would set all nine to 5."""
    position = racegym.make("horse_race", seed=4)
    for wrong in ([5], 5):
        with pytest.raises(StateError, match="points"):
            position.with_state(points=wrong)
    with pytest.raises(StateError, match="horses_out has room for 2 values, not 3"):
        position.with_state(horses_out=[1, 2, 3])


STUCK: list[tuple[str, dict[str, Any]]] = [
    (
        "ave_caesar",
        {
            "space": ["10.1", "12.1", "9.1", "9.2"],
            "hands": [[5, 5, 5]] * 4,
            "decks": [[1]] * 4,
            "to_act": 0,
        },
    ),
    ("dino_race", {"phase": "pay", "hands": [{}] * 4}),
]


@pytest.mark.parametrize(("game", "fields"), STUCK)
def test_nobody_may_be_to_act_who_can_do_nothing(game: str, fields: dict[str, Any]) -> None:
    """Neither made by hand, nor from bytes, nor from a pickle."""
    position = racegym.make(game, seed=4)
    raw = position.raw.copy()
    write_fields(position.game, raw, fields)
    reason = "the player to act has no legal action"
    with pytest.raises(StateError, match=reason):
        position.with_state(**fields)
    with pytest.raises(StateError, match=reason):
        position.with_bytes(raw.tobytes())
    restore, arguments = position.__reduce__()[:2]
    with pytest.raises(StateError, match=reason):
        restore(*arguments[:5], raw.tobytes())


@pytest.mark.parametrize("raw", [b"", b"\xff" * 7, "text", None, 3])
def test_with_bytes_takes_states_only(raw: Any) -> None:
    with pytest.raises(RacegymError, match="no state of this game"):
        racegym.make("cafe_race", seed=4).with_bytes(raw)


@pytest.mark.parametrize("last_action", [-1, 19, "roll", 1.0], ids=repr)
def test_pickles_of_positions_are_checked(last_action: Any) -> None:
    position = racegym.make("cafe_race", seed=4)
    restore, arguments = position.__reduce__()[:2]
    with pytest.raises(RacegymError):
        restore(*arguments[:4], last_action, arguments[5])
    with pytest.raises(StateError, match="to_act is 100, not -1 to 3"):
        restore(*arguments[:5], damaged(position, "to_act", 100))
    other = racegym.make("cafe_race", seed=4, num_players=3)
    with pytest.raises(StateError, match="num_players is 3, not 4"):
        restore(*arguments[:5], other.raw.tobytes())


def test_states_of_a_batch_are_told_apart() -> None:
    position = racegym.make("cafe_race", seed=4)
    raw = np.repeat(position.raw[None], 3, axis=0)
    raw.view(position.game.layout.dtype)["phase"][2] = 9
    codes = position.game.options.encode(position.options)
    with pytest.raises(StateError, match="game 2 is no state of Café Race: phase is 9, not 0 to 3"):
        check_states(position.game, codes, raw)
