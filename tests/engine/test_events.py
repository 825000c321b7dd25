"""What a seat sees of events: no more than the rules let it know."""

from __future__ import annotations

import dataclasses

import pytest

import racegym
from racegym.engine.events import Secret, seen_event
from racegym.engine.position import Position
from racegym.testing import CheckFailed, check_game

#: Kinds of events that hold something secret, the fields that do, and the seats that know it.
SECRETS = {
    "cafe_race": {},
    "horse_race": {"drew": ("card", {"player"})},
    "ave_caesar": {"drew": ("card", {"player"})},
    "dino_race": {"drew": ("card", {"player"}), "stole": ("card", {"player", "from"})},
}


def test_what_is_secret_by_the_rules(game_name: str) -> None:
    """HR-26, HR-27, HR-33; AC-65; DR-61."""
    declared = {
        kind: (*secret.fields, set(secret.known_to))
        for kind, secret in racegym.game(game_name).secrets.items()
    }
    assert declared == SECRETS[game_name]


def test_events_per_seat(game_name: str) -> None:
    """A seat gets what all get, without what is secret to it; the full list stays the default."""
    hidden = 0
    position = racegym.make(game_name, seed=5)
    while not position.is_over:
        action = position.legal_actions()[-1]
        twins = [position.clone() for _ in range(position.num_players)]
        events = position.apply_with_events(action)
        for seat, twin in enumerate(twins):
            seen = twin.apply_with_events(action, seat=seat)
            assert seen == position.events_seen(events, seat)
            assert [list(event) for event in seen] == [list(event) for event in events]
            for mine, event in zip(seen, events, strict=True):
                field, knowing = SECRETS[game_name].get(event["kind"], ("", set()))
                known = not field or seat in {event[name] for name in knowing}
                assert mine == (event if known else {**event, field: None})
                hidden += not known
    assert bool(hidden) == bool(SECRETS[game_name])


def test_a_seat_that_there_is_not_changes_nothing() -> None:
    position = racegym.make("cafe_race", seed=5)
    before = position.clone()
    with pytest.raises(racegym.RacegymError, match="seats are 0 to 3, not 4"):
        position.apply_with_events(0, seat=4)
    assert position == before


def test_events_are_copies() -> None:
    event = {"kind": "drew", "player": 1, "card": "F"}
    seen = seen_event(event, {"drew": Secret(("card",))}, 0)
    assert seen == {"kind": "drew", "player": 1, "card": None}
    assert seen_event(event, {"drew": Secret(("card",))}, 1) == event
    assert seen_event(event, {}, 0) is not event


@pytest.mark.parametrize("name", ["horse_race", "ave_caesar", "dino_race"])
def test_a_secret_that_is_not_declared_is_found(name: str) -> None:
    """The battery's check "events" has teeth."""
    open_game = dataclasses.replace(racegym.game(name), secrets={})
    assert Position(open_game, seed=1).num_players
    with pytest.raises(CheckFailed, match=r"events tell seat \d too much"):
        check_game(open_game, ["events"])
