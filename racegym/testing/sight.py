"""Checks of what the seats see: nothing hidden, everything public, the same from every seat."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from racegym.engine.game import Encoder, Game
from racegym.engine.instances import kernels_of
from racegym.engine.layout import HEADER, Field, Visible
from racegym.engine.position import Position
from racegym.engine.state import State
from racegym.testing.play import (
    CheckFailed,
    Scenario,
    bytes_of,
    choose_random,
    complete_encoders,
    ensure,
    hiding_encoders,
    place_of,
    play_on,
    scenarios,
    seen_by,
    walk,
)
from racegym.testing.steps import hold_invariants

_HEADER_NAMES = {f.name for f in HEADER}


def check_observations(game: Game, games: int = 12) -> None:
    """Observations are float32, finite, within the encoder's bounds, and written completely.

    For every seat at every moment; looking changes nothing.
    """
    for scenario in scenarios(game, games, seed=21):
        for position in walk(scenario):
            place = place_of(scenario, position)
            before = bytes_of(position)
            for encoder in game.encoders:
                for seat in range(position.num_players):
                    seen = seen_by(position, seat, encoder)
                    ensure(np.isfinite(seen).all(), f"{encoder.id}: not finite", place)
                    inside = (seen >= encoder.low).all() and (seen <= encoder.high).all()
                    ensure(inside, f"{encoder.id}: {seen.min()} … {seen.max()}", place)
                over = np.full(encoder.shape, 7.0, np.float32)
                raw = np.frombuffer(before, np.uint8).copy()
                kernels_of(game, encoder).look(raw, seat, over)
                ensure(np.array_equal(over, seen), f"{encoder.id} leaves entries out", place)
            own = position.observe()
            ensure(own.dtype == np.float32, f"observations are {own.dtype}", place)
            ensure(np.array_equal(own, position.observation), "observe() differs", place)
            ensure(bytes_of(position) == before, "looking changed the state", place)


# --- nothing hidden ------------------------------------------------------------------------------


def check_leaks(game: Game, games: int = 12) -> None:
    """States that differ only in what a seat may not know look the same to it.

    What is hidden, by the layout, is filled with another game's values, at every decision, for
    every seat, and at the end.
    """
    told = False
    for scenario in scenarios(game, games, seed=22):
        rng = random.Random(scenario.seed)
        others = _other_states(scenario, rng)
        for position in walk(scenario):
            for seat in range(position.num_players):
                twin = with_hidden_from(position, seat, rng.choice(others))
                in_words = position.is_over or seat == position.decisions % position.num_players
                place = place_of(scenario, position)
                ensure_looks_the_same(twin, position, seat, place, in_words)
                told = told or _shows_more(twin, position, seat)
    secrets = any(f.visible is not Visible.EVERYBODY for f in game.layout.fields[len(HEADER) :])
    shows = [e for e in game.encoders if not e.hides]
    ensure(told or not secrets or not shows, "hidden things were never changed", game.name)


def _other_states(scenario: Scenario, rng: random.Random) -> list[State]:
    """States of other games with the same options, at all moments."""
    found = []
    for _ in range(3):
        other = Scenario(scenario.game, scenario.options, rng.randrange(2**63))
        found += [position.state for position in walk(other)]
    return rng.sample(found, min(200, len(found)))


def with_hidden_from(position: Position, seat: int, other: State) -> Position:
    """The position with all that ``seat`` may not know replaced by that of another state."""
    state = position.state
    for name, rows in position.game.layout.hidden_from(seat):
        if rows is None:
            state[name] = other[name]
            continue
        for p in rows:
            state[name][p] = other[name][p]
    return position._with_raw(state.raw)


def ensure_looks_the_same(
    twin: Position, position: Position, seat: int, place: str, in_words: bool = True
) -> None:
    """Raise CheckFailed if a seat could tell two positions apart (``in_words``: by text too)."""
    for encoder in hiding_encoders(position.game):
        mine, theirs = (seen_by(p, seat, encoder) for p in (twin, position))
        ensure(np.array_equal(mine, theirs), f"{encoder.id} tells seat {seat} too much", place)
    mine, theirs = (p.mask_of(seat) for p in (twin, position))
    ensure(np.array_equal(mine, theirs), f"the mask tells seat {seat} too much", place)
    same = not in_words or twin.text(seat) == position.text(seat)
    ensure(same, f"the text tells seat {seat} too much", place)
    ensure(twin.seat == position.seat, "hidden things decide who is to act", place)


def _shows_more(twin: Position, position: Position, seat: int) -> bool:
    """True if an encoder that hides nothing sees the difference (the check has teeth)."""
    for encoder in position.game.encoders:
        if not encoder.hides:
            mine, theirs = (seen_by(p, seat, encoder) for p in (twin, position))
            if not np.array_equal(mine, theirs):
                return True
    return False


def check_redeal(game: Game, games: int = 12) -> None:
    """A redealt position looks the same to the seat, varies, and can be played to its end."""
    varied: set[str] = set()
    hidden = False
    for scenario in scenarios(game, games, seed=23):
        rng = random.Random(scenario.seed)
        twins: list[np.ndarray] = []
        for position in walk(scenario):
            place = place_of(scenario, position)
            seat, seed = rng.randrange(position.num_players), rng.randrange(2**63)
            before = bytes_of(position)
            twin = position.redeal(seat, seed)
            ensure(twin == position.redeal(seat, seed), "redeal: same seed, other guess", place)
            ensure(bytes_of(position) == before, "redeal changed the original", place)
            ensure_looks_the_same(twin, position, seat, place)
            _ensure_known_is_kept(twin, position, seat, place)
            twins.append(twin.raw.copy())
            hidden = hidden or twin.to_dict() != position.to_dict()
            varied.add(str(position.redeal(seat, seed ^ 1).to_dict() == twin.to_dict()))
            if rng.random() < 0.05:
                twins += [p.raw.copy() for p in play_on(twin, rng, choose_random, place=place)]
        hold_invariants(scenario, twins, "redealt, ")
    secrets = any(f.visible is not Visible.EVERYBODY for f in game.layout.fields[len(HEADER) :])
    ensure(not secrets or (hidden and "False" in varied), "redeal never changes a thing", game.name)


def _ensure_known_is_kept(twin: Position, position: Position, seat: int, place: str) -> None:
    mine, theirs = twin.state, position.state
    hidden = dict(position.game.layout.hidden_from(seat))
    for field in position.game.layout:
        rows = hidden.get(field.name, ())
        if rows is None:
            continue
        same = mine[field.name] == theirs[field.name]
        if rows:
            same = np.delete(same, list(rows), axis=0)
        ensure(np.all(same), f"redeal changed {field.name}, which seat {seat} knows", place)
    ensure(
        not np.array_equal(mine.chance_key, theirs.chance_key), "the random numbers are kept", place
    )


def check_events(game: Game, games: int = 12) -> None:
    """Events as a seat sees them tell it no more than its observations after them.

    The same action is played in two states that the seat cannot tell apart, with the same chance to
    come.  If it cannot tell the new states apart either, nothing that happened was a secret
    revealed by the rules, and the events must look the same to it.
    """
    compared = differed = 0
    for scenario in scenarios(game, games, seed=28):
        rng = random.Random(scenario.seed)
        position = scenario.start()
        while not position.is_over:
            place = place_of(scenario, position)
            action, seat = choose_random(position, rng), rng.randrange(position.num_players)
            twin = _with_chance_of(position, position.redeal(seat, rng.randrange(2**63)))
            events = position.apply_with_events(action)
            if not twin.mask[action]:
                continue
            others = twin.apply_with_events(action)
            if not _looks_the_same(twin, position, seat):
                continue
            seen, also = (_in_any_order(position, found, seat) for found in (events, others))
            ensure(seen == also, f"events tell seat {seat} too much: {seen} or {also}", place)
            compared, differed = compared + len(events), differed + (events != others)
    ensure(differed or not game.events.secrets, "the secrets of events were never seen", game.name)
    ensure(compared or not game.max_events, "no events were compared", game.name)


def _in_any_order(position: Position, events: Sequence[dict[str, Any]], seat: int) -> list[str]:
    """Events as a seat sees them; no observation tells in which order its own cards came."""
    return sorted(map(str, position.events_seen(events, seat)))


def _with_chance_of(position: Position, twin: Position) -> Position:
    state = twin.state
    state.chance_key, state.chance_count = position.state.chance_key, position.state.chance_count
    return position._with_raw(state.raw)


def _looks_the_same(twin: Position, position: Position, seat: int) -> bool:
    try:
        ensure_looks_the_same(twin, position, seat, "")
    except CheckFailed:
        return False
    return True


# --- the same from every seat --------------------------------------------------------------------


def rotated(position: Position, first: int) -> Position:
    """The same situation with the seats renumbered so that seat ``first`` becomes seat 0.

    The layout says where seat numbers are (:class:`racegym.engine.layout.Field`), ``Game.rotate``
    sees to the rest.
    """
    state, n = position.state, position.num_players
    for field in position.game.layout:
        seats = _seats_of(field, position.game)
        values = state[field.name]
        if seats in ("values", "both"):
            values = np.where(values >= 0, (values - first) % n, values)
        if seats in ("rows", "both"):
            values = np.array(values)
            values[:n] = np.roll(values[:n], -first, axis=0)
        state[field.name] = values
    if position.game.rotate is not None:
        position.game.rotate(state, first)
    return position._with_raw(state.raw)


def _seats_of(field: Field, game: Game) -> str:
    if field.seats is not None:
        return field.seats
    return "rows" if field.shape[:1] == (game.max_players,) else "none"


def check_rotation(game: Game, games: int = 12) -> None:
    """The same situation seen from another seat gives the same observation there."""
    for scenario in scenarios(game, games, seed=24):
        rng = random.Random(scenario.seed)
        for position in walk(scenario):
            n = position.num_players
            first, other = rng.randrange(1, n), rng.randrange(n)
            twin = rotated(position, first)
            for encoder in game.encoders:
                for seat in {first, other}:
                    mine = seen_by(twin, (seat - first) % n, encoder)
                    same = np.array_equal(mine, seen_by(position, seat, encoder))
                    problem = f"{encoder.id}: seat {seat} sees other things as {seat - first}"
                    ensure(same, problem, place_of(scenario, position))


# --- everything public ---------------------------------------------------------------------------


def as_seen(position: Position, seat: int) -> Position:
    """What a seat knows, as a position: it is seat 0, and everything hidden is zero."""
    layout = position.game.layout
    blank = State(layout, np.zeros(layout.size, np.uint8))
    return with_hidden_from(rotated(position, seat), 0, blank)


def check_decoders(game: Game, games: int = 16) -> None:
    """Every encoder's decoder reads back all state fields and options that the seat may know.

    Facts are compared with the state as a record writes it, seats counted from the observer and
    hidden values zero.  What the layout says not to be observed is left out.
    """
    left_out = {field.written for field in game.layout if not field.observed}
    for scenario in scenarios(game, games, seed=25):
        rng = random.Random(scenario.seed)
        for position in walk(scenario):
            for seat in {max(position.seat, 0), rng.randrange(position.num_players)}:
                seen = as_seen(position, seat)
                facts = {**position.options, **seen.to_dict()}
                for encoder in complete_encoders(game):
                    told = encoder.decode(seen_by(position, seat, encoder))
                    place = f"{place_of(scenario, position)}, {encoder.id}, seat {seat}"
                    for name in facts.keys() - left_out:
                        ensure(name in told, f"{name} is not told", place)
                        problem = f"{name} is {facts[name]!r}, decoded as {told[name]!r}"
                        ensure(told[name] == facts[name], problem, place)


def check_encoders_agree(game: Game, games: int = 12) -> None:
    """All encoders that hide what must be hidden tell the same facts."""
    for scenario in scenarios(game, games, seed=26):
        rng = random.Random(scenario.seed)
        for position in walk(scenario):
            for seat in {max(position.seat, 0), rng.randrange(position.num_players)}:
                told = [e.decode(seen_by(position, seat, e)) for e in complete_encoders(game)]
                for facts in told[1:]:
                    ensure(facts == told[0], f"{facts} is not {told[0]}", scenario)


def check_unique(game: Game, games: int = 80) -> None:
    """Different public facts never look alike: an observation belongs to one situation only."""
    known: dict[tuple[str, bytes], bytes] = {}
    for scenario in scenarios(game, games, seed=27):
        for position in walk(scenario):
            for encoder, seen, facts in _situations(position):
                before = known.setdefault((encoder.id, seen), facts)
                if before != facts:
                    ensure(False, _difference(game, before, facts), f"{encoder.id}, {scenario}")


def _situations(position: Position) -> Iterator[tuple[Encoder, bytes, bytes]]:
    """For the seat to act: what it sees and what it knows, as bytes."""
    seat = max(position.seat, 0)
    state = as_seen(position, seat).state
    for field in position.game.layout:
        if field.name == "decisions" or not field.observed:
            state[field.name] = 0
    for encoder in complete_encoders(position.game):
        yield encoder, seen_by(position, seat, encoder).tobytes(), state.raw.tobytes()


def _difference(game: Game, one: bytes, other: bytes) -> str:
    a, b = (np.frombuffer(raw, game.layout.dtype)[0] for raw in (one, other))
    names = [f.name for f in game.layout if not np.array_equal(a[f.name], b[f.name])]
    return f"two situations look the same but differ in {', '.join(names)}"
