"""Ave Caesar in text and JSON: actions, states, events, and the situation in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from racegym.engine.chance import DEALS, shuffle
from racegym.engine.compile import uncompiled
from racegym.engine.plain import PlainState
from racegym.errors import IllegalAction, nearest, quoted
from racegym.games.ave_caesar import moves, rules
from racegym.games.ave_caesar import state as sizes
from racegym.games.ave_caesar.board import FINISH, course_name, draw, place_name, track_in
from racegym.games.ave_caesar.tracks import (
    ALLEY_ENDS,
    BUILT_IN_CODES,
    DIRECTIONS,
    NAMES,
    TRACK_ENDS,
    TRACK_SIZE,
    track_of,
)

CARDS = tuple(str(card) for card in range(1, sizes.VALUES + 1))

#: What a slot of a card stands for; the spaces are those the card can lead to on the course
#: without other chariots, counted from the one with most progress.
SLOT_TEXTS = (
    "finish",
    *(f"alley space {k}" for k in range(1, ALLEY_ENDS + 1)),
    *(f"space {k}" for k in range(1, TRACK_ENDS + 1)),
)
ACTION_TABLE = tuple(enumerate(f"play {card} to {slot}" for card in CARDS for slot in SLOT_TEXTS))


# --- actions -------------------------------------------------------------------------------------


def action_to_text(state: Any, action: int) -> str:
    """The action in words; one that leads nowhere now in those of the action table."""
    card, slot = divmod(action, sizes.SLOTS)
    end = int(state.ends[card, slot])
    if end < 0:
        return ACTION_TABLE[action][1]
    if slot == sizes.FINISH_SLOT:
        return f"play {card + 1} to {FINISH}"
    return f"play {card + 1} to {track_in(state).spaces[end & sizes.SPACE_PART]}"


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    words = text.split(" ")
    known = [FINISH, *track_in(state).spaces]
    if len(words) != 4 or words[::2] != ["play", "to"] or words[1] not in CARDS:
        raise IllegalAction(
            f"{quoted(text)} is no action of Ave Caesar: write 'play CARD to SPACE'"
        )
    if words[3] not in known:
        raise IllegalAction(f"there is no space {quoted(words[3])}{nearest(words[3], known)}")
    first = (int(words[1]) - 1) * sizes.SLOTS
    for action in range(first, first + sizes.SLOTS):
        leads = state.ends[action // sizes.SLOTS, action % sizes.SLOTS] >= 0
        if leads and action_to_text(state, action) == text:
            return action
    raise IllegalAction(f"a {words[1]} does not lead to {words[3]} from here")


# --- states --------------------------------------------------------------------------------------


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record."""
    n = int(state.num_players)
    track = track_in(state)
    left_from = state.left_from[:n].tolist()
    hands = state.hand[:n].tolist()
    unplayed = state.unplayed[:n].tolist()
    return {
        "race": int(state.race),
        "course": course_name(state.course),
        "direction": DIRECTIONS[state.direction],
        "turn": int(state.turn),
        "to_act": int(state.to_act) if state.to_act >= 0 else None,
        "space": [place_name(track, u) for u in state.space[:n].tolist()],
        "left_from": [track.spaces[u] if u >= 0 else None for u in left_from],
        "crossed": state.crossed[:n].tolist(),
        "coin": [bool(c) for c in state.coin[:n].tolist()],
        "hands": [dict(zip(CARDS, hand, strict=True)) for hand in hands],
        "decks": [
            {card: a - b for card, a, b in zip(CARDS, whole, hand, strict=True)}
            for whole, hand in zip(unplayed, hands, strict=True)
        ],
        "lost_last": [bool(lost) for lost in state.lost_last[:n].tolist()],
        "lost_in_a_row": int(state.lost_in_a_row),
        "finish_order": state.finish_order[: state.num_finished].tolist(),
        "stranded": state.strand_order[: state.num_stranded].tolist(),
        "points": state.points[:n].tolist(),
        "starter": int(state.starter),
    }


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state.

    A deck is given as in a record (its order is then drawn by lot, unless it holds the very cards
    it held before) or as a list of cards, the next one first.
    """
    known = state_to_dict(state)
    for name in fields:
        if name not in known:
            raise ValueError(f"a state of Ave Caesar has no field {name!r}{nearest(name, known)}")
    for name in _PER_PLAYER & fields.keys():
        if len(fields[name]) != state.num_players:
            raise ValueError(f"{name} needs {state.num_players} values, not {len(fields[name])}")
    _set_course(state, fields)
    for name, value in fields.items():
        if name in _NUMBERS:
            state[name] = value
        elif name == "to_act":
            state.to_act = -1 if value is None else value
        elif name in _NUMBERS_PER_PLAYER:
            state[name][: len(value)] = value
        elif name in _ORDERS:
            _set_order(state, *_ORDERS[name], value)
    _set_spaces(state, fields)
    _set_cards(state, fields)
    _derive(state)


_NUMBERS = {"race", "turn", "lost_in_a_row", "starter"}
_NUMBERS_PER_PLAYER = {"crossed", "coin", "lost_last", "points"}
_PER_PLAYER = _NUMBERS_PER_PLAYER | {"space", "left_from", "hands", "decks"}
_ORDERS = {
    "finish_order": ("finish_order", "num_finished"),
    "stranded": ("strand_order", "num_stranded"),
}


def _set_course(state: Any, fields: dict[str, Any]) -> None:
    """Change to another built-in course or the other direction, if the fields say so."""
    name = fields.get("course", course_name(state.course))
    direction = DIRECTIONS.index(fields.get("direction", DIRECTIONS[state.direction]))
    if name == course_name(state.course) and direction == state.direction:
        return
    if name not in NAMES:
        raise ValueError(f"course is {course_name(state.course)!r} here and cannot become {name!r}")
    state.course, state.direction = NAMES.index(name), direction
    for part in ("ways", "crosses", "to_line", "in_alley", "alley_ahead", "lane", "neck"):
        state[part][:] = 0
    first = (int(state.course) * len(DIRECTIONS) + direction) * TRACK_SIZE
    _plain(rules.load_track)(PlainState(state), BUILT_IN_CODES[first : first + TRACK_SIZE])


def _set_order(state: Any, order: str, number: str, players: list[int]) -> None:
    state[order][:] = sizes.NOWHERE
    state[order][: len(players)] = players
    state[number] = len(players)


def _set_spaces(state: Any, fields: dict[str, Any]) -> None:
    number = track_of(int(state.course), int(state.direction)).number
    words = {"finished": sizes.FINISHED, "removed": sizes.REMOVED, None: sizes.NOWHERE}
    for name in ("space", "left_from"):
        for p, place in enumerate(fields.get(name, ())):
            if place not in number and place not in words:
                raise ValueError(f"there is no space {place!r}{nearest(str(place), number)}")
            state[name][p] = number[place] if place in number else words[place]


def _set_cards(state: Any, fields: dict[str, Any]) -> None:
    """Hands and decks; a deck not given keeps its cards."""
    for p in range(int(state.num_players)):
        hand, deck = state.hand[p].tolist(), (state.unplayed[p] - state.hand[p]).tolist()
        new_hand = _counts(fields["hands"][p]) if "hands" in fields else hand
        given = fields["decks"][p] if "decks" in fields else None
        new_deck = deck if given is None else _counts(given)
        if new_hand == hand and new_deck == deck and not isinstance(given, list):
            continue
        state.hand[p] = new_hand
        state.unplayed[p] = np.add(new_hand, new_deck)
        state.hand_size[p], state.deck_left[p] = sum(new_hand), sum(new_deck)
        held = sum(1 << c for c in range(sizes.VALUES) if new_hand[c])
        state.absent[p] = int(state.absent[p]) & ~held
        first = sizes.DECK - sum(new_deck)
        if isinstance(given, list):
            state.deck[p, first:] = given
        elif new_deck != deck:
            state.deck[p, first:] = np.repeat(np.arange(1, sizes.VALUES + 1), new_deck)
            _plain(shuffle)(PlainState(state), DEALS, state.deck[p], first, sum(new_deck))


def _counts(cards: dict[str, int] | list[int]) -> list[int]:
    """How many of each value there are, from a record's object or a list of cards."""
    unknown = next((card for card in cards if str(card) not in CARDS), None)
    if unknown is not None:
        raise ValueError(f"there is no card {unknown!r}")
    if isinstance(cards, list):
        return [cards.count(int(card)) for card in CARDS]
    return [cards.get(card, 0) for card in CARDS]


def _derive(state: Any) -> None:
    """Set what follows from the fields of a record."""
    out = {*state.finish_order.tolist(), *state.strand_order.tolist()}
    s = PlainState(state)
    state.taken[:] = 0
    for p in range(int(state.num_players)):
        state.racing[p] = p not in out and state.space[p] >= 0
        if not state.lost_last[p]:
            state.absent[p] = 0
        here = int(state.space[p])
        if here >= 0:
            state.taken[here] = 1
        elif here == sizes.REMOVED:
            here = int(state.left_from[p])
        laps = sizes.CROSSINGS - 1 - int(state.crossed[p])
        to_go = laps * int(state.lap) + int(state.to_line[here]) if here >= 0 else 0
        state.to_go[p] = max(to_go, 0)
    state.ends[:] = sizes.NO_END
    if 0 <= state.to_act < state.num_players and state.racing[state.to_act]:
        _plain(moves.survey)(s, int(state.to_act))


@cache
def _plain(rule: Any) -> Any:
    return uncompiled(rule)


# --- events --------------------------------------------------------------------------------------


def event_to_dict(state: Any, row: Sequence[int]) -> dict[str, Any]:
    """One event of the log in the form of a record."""
    kind, a, b, c, d, e, f = (int(v) for v in row[:7])
    if kind == sizes.MOVED:
        track = track_of(e, f)
        to = track.spaces[c] if c >= 0 else FINISH
        return {"kind": "moved", "player": a, "from": track.spaces[b], "to": to, "card": d}
    if kind == sizes.DREW:
        return {"kind": "drew", "player": a, "card": b}
    if kind == sizes.FINISHES:
        return {"kind": "finished", "player": a, "place": b}
    if kind == sizes.RACE_OVER:
        return {"kind": "race_over", "points": [a, b, c, d, e, f][: int(state.num_players)]}
    if kind == sizes.RACE:
        where = {"course": course_name(b), "direction": DIRECTIONS[c]}
        return {"kind": "race", "number": a, **where, "starter": d}
    words = {sizes.COIN: "coin", sizes.STRANDED: "stranded", sizes.LOST_TURN: "lost_turn"}
    return {"kind": words[kind], "player": a}


# --- the situation in words ----------------------------------------------------------------------


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    n = int(state.num_players)
    where = f"{course_name(state.course)} course, {DIRECTIONS[state.direction]}"
    lines = [
        f"Ave Caesar, race {state.race} of {state.races}, {where}, turn {state.turn} of at most "
        f"{state.max_turns}; lap length {state.lap}.",
    ]
    lines += [_describe_player(state, p, seat) for p in range(n)]
    lines.append(f"Your hand: {_cards(state.hand[seat])}.")
    if state.num_finished:
        lines.append("Finished, in order: " + _players(state.finish_order[: state.num_finished]))
    if state.num_stranded:
        lines.append("Stranded, in order: " + _players(state.strand_order[: state.num_stranded]))
    if state.lost_in_a_row:
        lines.append(f"Turns lost in a row: {state.lost_in_a_row}.")
    if state.to_act >= 0:
        lines.append("You are to act." if state.to_act == seat else f"Player {state.to_act} acts.")
    else:
        lines.append("The game was cut." if state.truncated else "The game is over.")
    lines.append(draw(state))
    return "\n".join(lines)


def _describe_player(state: Any, p: int, seat: int) -> str:
    track = track_in(state)
    parts = [place_name(track, int(state.space[p]))]
    if state.left_from[p] >= 0:
        parts[0] += f" (from {track.spaces[state.left_from[p]]})"
    parts.append(f"{state.crossed[p]} times over the line")
    if state.racing[p]:
        parts.append(f"{state.to_go[p]} steps to go")
    parts.append("coin unpaid" if state.coin[p] else "coin paid")
    parts.append(f"{state.hand_size[p]} cards in hand, {state.deck_left[p]} in the deck")
    parts.append(f"unplayed {_cards(state.unplayed[p])}")
    if state.lost_last[p]:
        parts.append("lost the latest turn")
    if state.races > 1:
        parts.append(f"{state.points[p]} points")
    name = f"Player {p}{' (you)' if p == seat else ''}{' (starter)' if p == state.starter else ''}"
    return f"{name}: {'; '.join(parts)}."


def _cards(counts: Any) -> str:
    cards = [
        card for card, number in zip(CARDS, counts.tolist(), strict=True) for _ in range(number)
    ]
    return " ".join(cards) or "none"


def _players(order: Any) -> str:
    return ", ".join(f"player {p}" for p in order.tolist()) + "."


# --- what always holds ---------------------------------------------------------------------------


def check_fields(fields: dict[str, Any]) -> None:
    """What holds for the state fields of every position; raises AssertionError."""
    n = len(fields["space"])
    on_course = [u for u in fields["space"] if u not in ("finished", "removed")]
    assert len(set(on_course)) == len(on_course), "two chariots on a space (AC-21)"
    finished = [p for p in range(n) if fields["space"][p] == "finished"]
    assert sorted(fields["finish_order"]) == finished
    removed = [p for p in range(n) if fields["space"][p] == "removed"]
    assert removed == [p for p in range(n) if fields["left_from"][p] is not None]
    assert set(removed) <= set(fields["stranded"])
    assert not set(finished) & set(fields["stranded"])
    for p in range(n):
        hand, deck = fields["hands"][p], fields["decks"][p]
        assert all(0 <= hand[card] + deck[card] <= sizes.COPIES for card in CARDS)
        assert min(*hand.values(), *deck.values()) >= 0
        left = sum(hand.values()) + sum(deck.values())
        size = min(sizes.HAND, left) if p not in finished else min(sizes.HAND - 1, left)
        assert sum(hand.values()) == size, "hands are filled up (AC-20)"
        assert fields["crossed"][p] <= 3 or p in finished
        assert not (fields["coin"][p] and fields["crossed"][p] > 2), "AC-42"
        if p not in finished and p not in fields["stranded"]:
            assert left > 0, "without cards a player is stranded (AC-51)"
    assert fields["to_act"] not in (*finished, *fields["stranded"])


def most_decisions(options: dict[str, Any]) -> int:
    """How many decisions a game can have at most: a card each."""
    return int(options["races"] * options["num_players"] * sizes.DECK)
