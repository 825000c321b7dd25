"""Dino Race in text and JSON: actions, states, events, and the situation in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from racegym.engine.compile import uncompiled
from racegym.engine.plain import PlainState
from racegym.errors import nearest, no_such_action
from racegym.games.dino_race import knowledge
from racegym.games.dino_race import state as parts
from racegym.games.dino_race.board import CARD_NAMES, FACE_NAMES, draw

PHASES = ("play", "pay", "prize", "give", "end")
DISCARD_REASONS = ("random", "eruption", "home")
MOVE_REASONS = ("card", "push", "lava")

_PAIR_TEXTS = [
    f"{CARD_NAMES[a]} {CARD_NAMES[b]}"
    for a, b in zip(parts.PAIR_FIRST, parts.PAIR_SECOND, strict=True)
]
_WAYS = (*CARD_NAMES[:4], "wild", *(f"three {card}" for card in CARD_NAMES))
#: (steps clockwise, dinosaur from 1) of each target.
_TARGETS = [(1 + k // 2, 1 + k % 2) for k in range(6)] + [(k - 2, 1) for k in range(6, 10)]
_STEPS = range(1, parts.OTHERS + 1)

#: The actions, players written as steps clockwise from the acting seat: ``push +1 2``.
_RELATIVE_TEXTS = (
    *(f"move {d} {way}" for d in (1, 2) for way in _WAYS),
    *(f"push +{q} {d}" for q, d in _TARGETS),
    *(f"trip +{q} {d}" for q, d in _TARGETS),
    *(f"egg +{q}" for q in _STEPS),
    *(f"steal +{q}" for q in _STEPS),
    *(f"stand {d}" for d in (1, 2)),
    *(f"pay {pair}" for pair in _PAIR_TEXTS),
    *(f"exchange {pair}" for pair in _PAIR_TEXTS),
    *(f"hand {card}" for card in CARD_NAMES),
    "roll",
    *(f"prize {i}" for i in range(parts.PRIZES)),
    *(f"give +{q}" for q in _STEPS),
)
_INDEX = {text: action for action, text in enumerate(_RELATIVE_TEXTS)}
_STEPS_OF = [int(found[1]) if (found := re.search(r"\+(\d)", t)) else 0 for t in _RELATIVE_TEXTS]

ACTION_TABLE = tuple(enumerate(_RELATIVE_TEXTS))


def _texts_of(seat: int, num_players: int) -> tuple[str, ...]:
    """The words of every action for one seat, players by their numbers."""
    return tuple(
        text.replace(f"+{steps}", str((seat + steps) % num_players)) if steps else text
        for text, steps in zip(_RELATIVE_TEXTS, _STEPS_OF, strict=True)
    )


_texts: dict[tuple[int, int], tuple[str, ...]] = {}


def _texts_for(state: Any) -> tuple[str, ...]:
    key = (max(int(state.to_act), 0), int(state.num_players))
    if key not in _texts:
        _texts[key] = _texts_of(*key)
    return _texts[key]


def action_to_text(state: Any, action: int) -> str:
    """The action in words, as the player to act means it."""
    return _texts_for(state)[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    n = int(state.num_players)
    if text in _INDEX and "+" not in text:
        return _INDEX[text]
    found = re.fullmatch(r"(push|trip|egg|steal|give) ([0-7])( [12])?", text)
    if found and int(found[2]) < n:
        steps = (int(found[2]) - max(int(state.to_act), 0)) % n
        relative = f"{found[1]} +{steps}{found[3] or ''}"
        if relative in _INDEX:
            return _INDEX[relative]
    raise no_such_action(text, "Dino Race", _texts_for(state))


# --- states --------------------------------------------------------------------------------------


def _cards(counts: Any) -> dict[str, int]:
    return dict(zip(CARD_NAMES, counts.tolist(), strict=True))


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record."""
    n, each = state.num_players, 1 if state.teams else parts.DINOS
    counter = {"value": state.egg_value, "player": state.egg} if state.egg_safe else None
    return {
        "race": state.race,
        "turn": state.turn,
        "phase": PHASES[state.phase],
        "to_act": state.to_act if state.to_act >= 0 else None,
        "current": state.current,
        "starter": state.starter,
        "tiles": [CARD_NAMES[t] for t in state.tiles.tolist()],
        "volcano_active": bool(state.volcano_active),
        "lava": state.lava,
        "position": state.position[:n, :each].tolist(),
        "lying": state.lying[:n, :each].astype(bool).tolist(),
        "hands": [_cards(hand) for hand in state.hands[:n]],
        "pile": [CARD_NAMES[c] for c in state.pile[parts.CARDS - state.pile_size :].tolist()],
        "discards": _cards(state.discards),
        "egg": state.egg,
        "prizes_left": state.prize_left.nonzero()[0].tolist(),
        "prizes": [state.prizes[p, : state.prizes_won[p]].tolist() for p in range(n)],
        "egg_counter": counter,
        "drops": state.drops[:n].tolist(),
        "drop_supply": state.drop_supply,
        "last_die": FACE_NAMES[state.last_die - 1] if state.last_die else None,
        "passed": bool(state.passed),
        "points": state.points[:n].tolist(),
        "eggs_home": state.eggs_home[:n].tolist(),
    }


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state.

    A counter or lava drop given to somebody is taken out of the supply, unless that is given as
    well.  When cards or prizes are changed, nobody remembers anything: a seat knows its own hand,
    the discards, and what a look at the prize pile would tell.
    """
    before = state_to_dict(state)
    for name, value in fields.items():
        if name not in _SETTERS:
            raise ValueError(f"a state of Dino Race has no field {name!r}")
        _SETTERS[name](state, value)
    if "prizes" in fields and "prizes_left" not in fields:
        won = {prize for prizes in fields["prizes"] for prize in prizes}
        _set_prizes_left(state, [prize for prize in before["prizes_left"] if prize not in won])
    if "drops" in fields and "drop_supply" not in fields and not state.survive:
        state.drop_supply = max(parts.DROPS - sum(fields["drops"]), 0)
    changed = {name for name, value in fields.items() if value != before[name]}
    if changed & {"hands", "pile", "discards"}:
        _forget_cards(state)
    if changed & {"prizes", "prizes_left", "phase", "to_act"} and not state.survive:
        _recall_prizes(state)


def _set_number(name: str) -> Any:
    def setter(state: Any, value: Any) -> None:
        state[name] = value

    return setter


def _set_per_player(name: str) -> Any:
    def setter(state: Any, value: Any) -> None:
        n = int(state.num_players)
        if len(value) != n:
            raise ValueError(f"{name} needs {n} values, not {len(value)}")
        state[name][:n] = value

    return setter


def _set_per_dino(name: str) -> Any:
    def setter(state: Any, value: Any) -> None:
        n, each = int(state.num_players), 1 if state.teams else parts.DINOS
        if len(value) != n or any(len(row) != each for row in value):
            raise ValueError(f"{name} needs {n} lists of {each}")
        state[name][:n, :each] = value

    return setter


def _set_tiles(state: Any, value: Sequence[str]) -> None:
    state.tiles[:] = [CARD_NAMES.index(name) for name in value]


def _set_hands(state: Any, value: Sequence[dict[str, int]]) -> None:
    n = int(state.num_players)
    if len(value) != n:
        raise ValueError(f"hands needs {n} hands, not {len(value)}")
    for p, hand in enumerate(value):
        state.hands[p] = _counts(hand)
    state.hand_size[:] = state.hands.sum(axis=1)


def _counts(cards: dict[str, int]) -> list[int]:
    for name in cards:
        if name not in CARD_NAMES:
            raise ValueError(f"there is no card {name!r}{nearest(name, CARD_NAMES)}")
    return [cards.get(name, 0) for name in CARD_NAMES]


def _set_pile(state: Any, value: Sequence[str]) -> None:
    state.pile[:] = -1
    state.pile_size = len(value)
    state.pile[parts.CARDS - len(value) :] = [CARD_NAMES.index(name) for name in value]


def _set_discards(state: Any, value: dict[str, int]) -> None:
    state.discards[:] = _counts(value)


def _set_prizes(state: Any, value: Sequence[Sequence[int]]) -> None:
    state.prizes[: int(state.num_players)] = -1
    state.prizes_won[:] = 0
    for p, won in enumerate(value):
        state.prizes[p, : len(won)] = won
        state.prizes_won[p] = len(won)


def _set_prizes_left(state: Any, value: Sequence[int]) -> None:
    state.prize_left[:] = 0
    state.prize_left[list(value)] = 1
    state.num_prizes = len(value)


def _set_egg_counter(state: Any, value: dict[str, int] | None) -> None:
    state.egg_safe = value is not None
    state.egg_value = value["value"] if value else 0
    if value:
        state.egg = value["player"]


_SETTERS: dict[str, Any] = {
    **{
        name: _set_number(name)
        for name in (
            *("race", "turn", "current", "starter", "volcano_active", "lava", "egg"),
            *("drop_supply", "passed"),
        )
    },
    **{name: _set_per_player(name) for name in ("drops", "points", "eggs_home")},
    **{name: _set_per_dino(name) for name in ("position", "lying")},
    "phase": lambda state, value: _set_number("phase")(state, PHASES.index(value)),
    "to_act": lambda state, value: _set_number("to_act")(state, -1 if value is None else value),
    "last_die": lambda state, value: _set_number("last_die")(
        state, 0 if value is None else 1 + FACE_NAMES.index(value)
    ),
    "tiles": _set_tiles,
    "hands": _set_hands,
    "pile": _set_pile,
    "discards": _set_discards,
    "prizes": _set_prizes,
    "prizes_left": _set_prizes_left,
    "egg_counter": _set_egg_counter,
}


def _forget_cards(state: Any) -> None:
    state.known[:] = 0
    state.shown[:] = 0
    state.shuffled[:] = parts.DECK - state.discards
    for p in range(int(state.num_players)):
        state.pile_limit[p] = np.maximum(state.shuffled - state.hands[p], 0)


def _recall_prizes(state: Any) -> None:
    plain, recall = PlainState(state), uncompiled(knowledge.recall_prizes, {})
    state.since_look[:] = 0
    for p in range(int(state.num_players)):
        recall(plain, p)


# --- events --------------------------------------------------------------------------------------


def event_to_dict(state: Any, row: Sequence[int]) -> dict[str, Any]:
    """One event of the log in the form of a record."""
    kind, a, b, c, d = (int(v) for v in row[:5])
    if kind == parts.DIE_ROLLED:
        return {"kind": "die", "player": a, "face": FACE_NAMES[b - 1]}
    if kind == parts.DREW:
        return {"kind": "drew", "player": a, "card": CARD_NAMES[b]}
    if kind == parts.DISCARDED:
        why = DISCARD_REASONS[c]
        return {"kind": "discarded", "player": a, "card": CARD_NAMES[b], "why": why}
    if kind == parts.MOVED:
        return {"kind": "moved", "player": a, "dino": b + 1, "to": c, "why": MOVE_REASONS[d]}
    if kind == parts.BURNED:
        return {"kind": "burned", "player": a, "dino": b + 1}
    if kind == parts.DROP:
        return {"kind": "drop", "player": a}
    if kind == parts.EGG_PASSED:
        return {"kind": "egg", "from": a, "to": b}
    if kind == parts.STOLE:
        return {"kind": "stole", "player": a, "from": b, "card": CARD_NAMES[c]}
    if kind == parts.LAVA:
        return {"kind": "lava", "tile": a}
    if kind == parts.CAME_HOME:
        return {"kind": "home", "player": a, "dino": b + 1}
    return _rare_event_to_dict(state, kind, row)


def _rare_event_to_dict(state: Any, kind: int, row: Sequence[int]) -> dict[str, Any]:
    if kind == parts.EGG_SAFE:
        return {"kind": "egg_safe", "player": int(row[1]), "value": int(row[2])}
    if kind == parts.RACE_OVER:
        return {"kind": "race_over", "points": [int(v) for v in row[1 : 1 + state.num_players]]}
    if kind == parts.RACE_BEGINS:
        return {"kind": "race", "number": int(row[1]), "starter": int(row[2])}
    return {"kind": "shuffle"}


# --- what always holds ---------------------------------------------------------------------------


def check_invariants(state: dict[str, Any]) -> None:
    """Conservation of cards, counters and drops in a state as a record writes it."""
    players = range(len(state["hands"]))
    for kind, card in enumerate(CARD_NAMES):
        held = sum(hand[card] for hand in state["hands"])
        total = held + state["discards"][card] + state["pile"].count(card)
        assert total == parts.DECK[kind], f"{total} {card} cards instead of {parts.DECK[kind]}"
    positions = [at for row in state["position"] for at in row]
    home = sum(at == parts.HOME for at in positions)
    assert all(0 <= at <= parts.HOME for at in positions), "a dinosaur off the track"
    behind = [at for at in positions if at <= state["lava"] and state["volcano_active"]]
    assert not behind, "a dinosaur in the lava"
    lying = [down for row in state["lying"] for down in row]
    assert not any(down and at == parts.HOME for down, at in zip(lying, positions, strict=True))
    won = [prize for prizes in state["prizes"] for prize in prizes]
    counters = won + state["prizes_left"]
    survive = not counters  # no counters, no drops
    drops = sum(state["drops"]) + state["drop_supply"]
    assert drops == (0 if survive else parts.DROPS), f"{drops} lava drops"
    assert len(set(counters)) == len(counters), "a prize counter twice"
    assert survive or len(counters) == len(positions), f"{len(counters)} prize counters"
    pending = state["phase"] == "prize"
    assert survive or (len(won) < home if pending else len(won) == home), "prizes not chosen"
    for p in players:
        out = all(at == parts.HOME for at in state["position"][p])
        assert not out or not any(state["hands"][p].values()), "cards in the hand of a player home"
        assert len(state["prizes"][p]) <= len(state["position"][p]), "too many prizes"


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
        f"Draw pile: {state.pile_size} cards. Discards: {_list_cards(state.discards)}. "
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
    variant = ("standard", "survive")[state.survive]
    play = "teams of two" if state.teams else "every player alone"
    race = f"race {state.race} of {state.matches}" if state.matches > 1 else "one race"
    return f"Dino Race, {variant}, {play}, {race}, turn {state.turn} of at most {state.max_turns}."


def _describe_turn(state: Any) -> str:
    die = f" Latest roll: {FACE_NAMES[state.last_die - 1]}." if state.last_die else ""
    if state.to_act < 0:
        if state.egg_safe:
            die += f" Player {state.egg} brought the egg home, worth {state.egg_value}."
        return f"The game {'was cut' if state.truncated else 'is over'}.{die}"
    asked = (
        "plays cards or rolls",
        "pays two cards for standing up",
        "chooses a prize counter",
        "gives the egg away in an eruption",
    )[state.phase]
    passed = " A card was passed to the partner." if state.passed else ""
    return f"Turn of player {state.current}; player {state.to_act} {asked}.{passed}{die}"


def _describe_player(state: Any, p: int, seat: int) -> str:
    parts = [f"{state.hand_size[p]} cards"]
    if p == seat:
        parts = [f"hand {_list_cards(state.hands[p])}"]
    elif state.known[seat, p].any():
        parts.append(f"among them {_list_cards(state.known[seat, p])}")
    if p != seat and state.shown[seat, p].any():
        parts.append(f"knows that you hold {_list_cards(state.shown[seat, p])}")
    if state.egg == p:
        parts.append("has the egg")
    if not state.survive:
        parts.append(f"{state.prizes_won[p]} prizes, {state.drops[p]} drops")
    if state.since_look[seat, p]:
        parts.append(f"{state.since_look[seat, p]} of the prizes since your latest look")
    if state.race > 1:
        egg = " and the egg home" if state.eggs_home[p] else ""
        parts.append(f"{state.points[p]} points{egg} in the race before")
    you = " (you)" if p == seat else ""
    partner = (
        " (your partner)"
        if state.teams and p != seat and p % state.sides == seat % state.sides
        else ""
    )
    starter = " (began)" if p == state.starter else ""
    return f"Player {p}{you}{partner}{starter}: {'; '.join(parts)}."


def _describe_prizes(state: Any, seat: int) -> str:
    values = ", ".join(f"{i}: {v}" for i, v in enumerate(state.prize_values.tolist()))
    text = f"Prize counters (id: value; odd ids red, even ids green): {values}; "
    text += f"{state.num_prizes} left. "
    for status, what in (
        (parts.SEEN, "At the latest look"),
        (parts.OWN, "Yours"),
        (3, "Partner's"),
    ):
        ids = (state.prize_known[seat] == status).nonzero()[0].tolist()
        if ids:
            text += f"{what}: {', '.join(map(str, ids))}. "
    eggs = ", ".join(map(str, state.egg_values.tolist()))
    return f"{text}The egg is worth one of {eggs}."
