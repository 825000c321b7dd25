"""Dino Race in text and JSON: actions, states, and the situation in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from racegym.engine.compile import uncompiled
from racegym.engine.forms import check_at_most, check_length, checked_list, number_of
from racegym.engine.words import counted, over_line, player_line
from racegym.errors import no_such_action
from racegym.games.dino_race.board import draw
from racegym.games.dino_race.rules.knowledge import recall_prizes
from racegym.games.dino_race.state import (
    ACTIONS,
    CARD_NAMES,
    CARDS,
    COUNTER,
    DECK,
    DINOS,
    DROPS,
    FACE,
    LAYOUT,
    PRIZES,
    TILES,
    VARIANTS,
)

TITLE = "Dino Race"

# --- actions -------------------------------------------------------------------------------------

_INDEX = {text: action for action, text in enumerate(ACTIONS.texts)}
_STEPS_OF = [int(found[1]) if (found := re.search(r"\+(\d)", t)) else 0 for t in ACTIONS.texts]


def _texts_of(seat: int, num_players: int) -> tuple[str, ...]:
    """The words of every action for one seat, players by their numbers."""
    return tuple(
        text.replace(f"+{steps}", str((seat + steps) % num_players)) if steps else text
        for text, steps in zip(ACTIONS.texts, _STEPS_OF, strict=True)
    )


_texts: dict[tuple[int, int], tuple[str, ...]] = {}


def _texts_for(state: Any) -> tuple[str, ...]:
    key = (max(state.to_act, 0), state.num_players)
    if key not in _texts:
        _texts[key] = _texts_of(*key)
    return _texts[key]


def action_to_text(state: Any, action: int) -> str:
    """The action in words, as the player to act means it."""
    return _texts_for(state)[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    n = state.num_players
    if text in _INDEX and "+" not in text:
        return _INDEX[text]
    found = re.fullmatch(r"(push|trip|egg|steal|give) ([0-7])( [12])?", text)
    if found and int(found[2]) < n:
        steps = (int(found[2]) - max(state.to_act, 0)) % n
        relative = f"{found[1]} +{steps}{found[3] or ''}"
        if relative in _INDEX:
            return _INDEX[relative]
    raise no_such_action(text, TITLE, _texts_for(state))


# --- states --------------------------------------------------------------------------------------


def _dinos_each(state: Any) -> int:
    return 1 if state.teams else DINOS


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record."""
    n, each, arrays = state.num_players, _dinos_each(state), state.arrays
    won = zip(arrays["prizes"][:n].tolist(), arrays["prizes_won"].tolist(), strict=False)
    by_hand = {
        "tiles": [CARD_NAMES[kind] for kind in arrays["tiles"].tolist()],
        "position": arrays["position"][:n, :each].tolist(),
        "lying": (arrays["lying"][:n, :each] != 0).tolist(),
        "pile": [CARD_NAMES[kind] for kind in arrays["pile"][CARDS - state.pile_size :].tolist()],
        "prizes_left": arrays["prize_left"].nonzero()[0].tolist(),
        "prizes": [prizes[:count] for prizes, count in won],
        "egg_counter": {"value": state.egg_value, "player": state.egg} if state.egg_safe else None,
    }
    return LAYOUT.to_dict(state, by_hand)


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state.

    A counter or lava drop given to somebody is taken out of the supply, unless that is given as
    well.  When cards or prizes are changed, nobody remembers anything: a seat knows its own hand,
    the discards, and what a look at the prize pile would tell.
    """
    before = state_to_dict(state)
    LAYOUT.from_dict(state, fields, TITLE)
    for key, setter in _SETTERS.items():
        if key in fields:
            setter(state, fields[key])
    if "prizes" in fields and "prizes_left" not in fields:
        won = {prize for prizes in fields["prizes"] for prize in prizes}
        _set_prizes_left(state, [prize for prize in before["prizes_left"] if prize not in won])
    if "drops" in fields and "drop_supply" not in fields and not state.survive:
        state.drop_supply = max(DROPS - sum(fields["drops"]), 0)
    changed = {key for key, value in fields.items() if value != before[key]}
    if changed & {"hands", "pile", "discards"}:
        _forget_cards(state)
    if changed & {"prizes", "prizes_left", "phase", "to_act"} and not state.survive:
        _recall_prizes(state)


def _set_tiles(state: Any, given: Any) -> None:
    check_length("tiles", given, TILES)
    state.tiles[:] = _numbers(given)


def _set_pile(state: Any, given: Any) -> None:
    check_at_most("pile", given, CARDS)
    state.pile[:] = -1
    state.pile_size = len(given)
    state.pile[CARDS - len(given) :] = _numbers(given)


def _numbers(cards: Sequence[str]) -> list[int]:
    return [number_of(card, CARD_NAMES) - 1 for card in cards]


def _set_position(state: Any, given: Any) -> None:
    _set_dinos(state, "position", given)


def _set_lying(state: Any, given: Any) -> None:
    _set_dinos(state, "lying", given)


def _set_dinos(state: Any, name: str, given: Any) -> None:
    each = _dinos_each(state)
    check_length(name, given, state.num_players)
    for p, row in enumerate(given):
        field = state[name][p, :each]
        field[:] = checked_list(f"{name}[{p}]", row, each, field)


def _set_prizes(state: Any, given: Any) -> None:
    check_length("prizes", given, state.num_players)
    state.prizes[: state.num_players] = -1
    for p, won in enumerate(given):
        _check_ids(f"prizes[{p}]", won, DINOS)
        state.prizes[p, : len(won)] = won
        state.prizes_won[p] = len(won)


def _set_prizes_left(state: Any, given: Any) -> None:
    _check_ids("prizes_left", given, PRIZES)
    state.prize_left[:] = 0
    state.prize_left[list(given)] = 1
    state.num_prizes = len(given)


def _check_ids(name: str, given: Any, most: int) -> None:
    check_at_most(name, given, most)
    for prize in given:
        if prize not in range(PRIZES):
            raise ValueError(f"{name} holds ids from 0 to {PRIZES - 1}, not {prize!r}")


def _set_egg_counter(state: Any, given: Any) -> None:
    if given is not None and (not isinstance(given, Mapping) or set(given) != {"value", "player"}):
        raise ValueError(f"egg_counter says value and player, not {given!r}")
    state.egg_safe = given is not None
    state.egg_value = given["value"] if given else 0
    if given:
        state.egg = given["player"]


_SETTERS = {
    "tiles": _set_tiles,
    "position": _set_position,
    "lying": _set_lying,
    "pile": _set_pile,
    "prizes_left": _set_prizes_left,
    "prizes": _set_prizes,
    "egg_counter": _set_egg_counter,
}


def _forget_cards(state: Any) -> None:
    state.known[:] = 0
    state.shown[:] = 0
    state.shuffled[:] = DECK - state.discards
    for p in range(state.num_players):
        state.pile_limit[p] = np.maximum(state.shuffled - state.hands[p], 0)


def _recall_prizes(state: Any) -> None:
    recall = uncompiled(recall_prizes)
    state.since_look[:] = 0
    for p in range(state.num_players):
        recall(state, p)


def rotate(state: Any, first: int) -> None:
    """Renumber the seats of what is known about whom, after the rows were (for tests)."""
    n = int(state.num_players)
    for name in ("known", "shown", "since_look"):
        state[name][:, :n] = np.roll(state[name][:, :n], -first, axis=1)


# --- in words ------------------------------------------------------------------------------------


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    lines = [_describe_game(state), _describe_turn(state)]
    lines += [_describe_player(state, p, seat) for p in range(state.num_players)]
    lines.append(
        f"Draw pile: {counted(state.pile_size, 'card')}. Discards: {_list_cards(state.discards)}. "
        f"The draw pile can hold at most {_list_cards(state.pile_limit[seat])}; "
        f"it was made of {_list_cards(state.shuffled)}."
    )
    if not state.survive:
        lines += [f"Lava drops left: {state.drop_supply}.", _describe_prizes(state, seat)]
    lines.append("Track (player.dinosaur, * = lies on its side):")
    lines.append(draw(state))
    return "\n".join(lines)


def _list_cards(counts: Any) -> str:
    held = [
        f"{count} {name}" for name, count in zip(CARD_NAMES, counts.tolist(), strict=True) if count
    ]
    return ", ".join(held) or "none"


def _describe_game(state: Any) -> str:
    variant = VARIANTS[state.survive]
    play = "teams of two" if state.teams else "every player alone"
    race = f"race {state.race} of {state.matches}" if state.matches > 1 else "one race"
    return f"Dino Race, {variant}, {play}, {race}, turn {state.turn} of at most {state.max_turns}."


def _describe_turn(state: Any) -> str:
    die = f" Latest roll: {FACE._fields[state.last_die - 1]}." if state.last_die else ""
    if state.to_act < 0:
        if state.egg_safe:
            die += f" Player {state.egg} brought the egg home, worth {state.egg_value}."
        return over_line(state) + die
    asked = (
        "plays cards or rolls",
        "pays two cards for standing up",
        "chooses a prize counter",
        "gives the egg away in an eruption",
    )[state.phase]
    passed = " A card was passed to the partner." if state.passed else ""
    return f"Turn of player {state.current}; player {state.to_act} {asked}.{passed}{die}"


def _describe_player(state: Any, p: int, seat: int) -> str:
    parts = [counted(state.hand_size[p], "card")]
    if p == seat:
        parts = [f"hand {_list_cards(state.hands[p])}"]
    elif state.known[seat, p].any():
        parts.append(f"among them {_list_cards(state.known[seat, p])}")
    if p != seat and state.shown[seat, p].any():
        parts.append(f"knows that you hold {_list_cards(state.shown[seat, p])}")
    if state.egg == p:
        parts.append("has the egg")
    if not state.survive:
        prizes, drops = counted(state.prizes_won[p], "prize"), counted(state.drops[p], "drop")
        parts.append(f"{prizes}, {drops}")
    if state.since_look[seat, p]:
        parts.append(f"{state.since_look[seat, p]} of the prizes since your latest look")
    if state.race > 1:
        egg = " and the egg home" if state.eggs_home[p] else ""
        parts.append(f"{counted(state.points[p], 'point')}{egg} in the race before")
    beside = p != seat and p % state.sides == seat % state.sides
    partner = " (your partner)" if state.teams and beside else ""
    starter = " (began)" if p == state.starter else ""
    return player_line(p, seat, parts, partner + starter)


def _describe_prizes(state: Any, seat: int) -> str:
    values = ", ".join(f"{i}: {v}" for i, v in enumerate(state.prize_values.tolist()))
    text = f"Prize counters (id: value; odd ids red, even ids green): {values}; "
    text += f"{state.num_prizes} left. "
    for status, what in (
        (COUNTER.seen, "At the latest look"),
        (COUNTER.own, "Yours"),
        (COUNTER.partners, "Partner's"),
    ):
        ids = (state.prize_known[seat] == status).nonzero()[0].tolist()
        if ids:
            text += f"{what}: {', '.join(map(str, ids))}. "
    eggs = ", ".join(map(str, state.egg_values.tolist()))
    return f"{text}The egg is worth one of {eggs}."
