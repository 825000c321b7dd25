"""Ave Caesar in text and JSON: actions, states, and the situation in words."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from racegym.engine.chance import DEALS, shuffle
from racegym.engine.compile import uncompiled
from racegym.engine.forms import check_length
from racegym.engine.words import counted, player_line, turn_line
from racegym.errors import IllegalAction, nearest, quoted
from racegym.games.ave_caesar import board
from racegym.games.ave_caesar.board.tracks import BY_SPACE
from racegym.games.ave_caesar.rules.moves import survey
from racegym.games.ave_caesar.rules.races import load_track
from racegym.games.ave_caesar.state import (
    ACTIONS,
    CARDS,
    CROSSINGS,
    DECK,
    END,
    LAYOUT,
    SLOT,
    VALUES,
)

TITLE = "Ave Caesar"


# --- actions -------------------------------------------------------------------------------------


def action_to_text(state: Any, action: int) -> str:
    """The action in words; one that leads nowhere now in those of the action table."""
    card, slot = divmod(action, SLOT.stride)
    end = int(state.arrays["ends"][card, slot])
    if end == END.none:
        return ACTIONS.texts[action]
    space = board.FINISH if slot == SLOT.finish else board.track_in(state).spaces[end & END.space]
    return f"play {CARDS[card]} to {space}"


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    words = text.split(" ")
    if len(words) != 4 or words[::2] != ["play", "to"] or words[1] not in CARDS:
        raise IllegalAction(f"{quoted(text)} is no action of {TITLE}: write 'play CARD to SPACE'")
    number = board.track_in(state).number
    if words[3] != board.FINISH and words[3] not in number:
        known = [board.FINISH, *number]
        raise IllegalAction(f"there is no space {quoted(words[3])}{nearest(words[3], known)}")
    wanted = number.get(words[3], END.space)
    card = CARDS.index(words[1])
    for slot, end in enumerate(state.arrays["ends"][card].tolist()):
        if end != END.none and end & END.space == wanted:
            return card * SLOT.stride + slot
    raise IllegalAction(f"a {words[1]} does not lead to {words[3]} from here")


# --- states --------------------------------------------------------------------------------------


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record."""
    n = state.num_players
    in_decks = (state.unplayed[:n] - state.hand[:n]).tolist()
    decks = [dict(zip(CARDS, deck, strict=True)) for deck in in_decks]
    return LAYOUT.to_dict(state, {"course": board.course_name(state.course), "decks": decks})


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state.

    Hands and decks are given as in a record or as lists of cards.  The order of a deck that is
    given as in a record is drawn by lot, unless it holds the very cards it held before; a list
    begins with the next card.
    """
    for name in ("hands", "decks"):
        if name in fields:
            check_length(name, fields[name], state.num_players)
    _set_course(state, fields)
    LAYOUT.from_dict(state, fields, TITLE, by_hand=("hands",))
    _set_cards(state, fields)
    _derive(state)


def _set_course(state: Any, fields: dict[str, Any]) -> None:
    """Change to another built-in course or the other direction, if the fields say so."""
    here = board.course_name(state.course)
    name = fields.get("course", here)
    if "direction" in fields:
        before = state.direction
        LAYOUT.from_dict(state, {"direction": fields["direction"]}, TITLE)
        if name == here and state.direction == before:
            return
    elif name == here:
        return
    if name not in board.NAMES:
        raise ValueError(f"course is {here!r} here and cannot become {name!r}")
    state.course = board.NAMES.index(name)
    for part in BY_SPACE:
        state[part][:] = 0
    _plain(load_track)(state, board.track_in(state).codes)


def _set_cards(state: Any, fields: dict[str, Any]) -> None:
    """Hands and decks; a deck not given keeps its cards."""
    for p in range(state.num_players):
        hand, deck = state.hand[p].tolist(), (state.unplayed[p] - state.hand[p]).tolist()
        new_hand = _counts(fields["hands"][p]) if "hands" in fields else hand
        given = fields["decks"][p] if "decks" in fields else None
        new_deck = deck if given is None else _counts(given)
        if new_hand == hand and new_deck == deck and not isinstance(given, list):
            continue
        state.hand[p] = new_hand
        state.unplayed[p] = np.add(new_hand, new_deck)
        state.hand_size[p], state.deck_left[p] = sum(new_hand), sum(new_deck)
        held = sum(1 << c for c in range(VALUES) if new_hand[c])
        state.absent[p] &= ~held
        first = DECK - sum(new_deck)
        if isinstance(given, list):
            state.deck[p, first:] = given
        elif new_deck != deck:
            state.deck[p, first:] = np.repeat(np.arange(1, VALUES + 1), new_deck)
            _plain(shuffle)(state, DEALS, state.deck[p], first, sum(new_deck))


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
    state.taken[:] = 0
    for p in range(state.num_players):
        state.racing[p] = p not in out and state.space[p] >= 0
        if not state.lost_last[p]:
            state.absent[p] = 0
        here = state.space[p]
        if here >= 0:
            state.taken[here] = 1
        elif here == board.OFF.removed:
            here = state.left_from[p]
        laps = CROSSINGS - 1 - state.crossed[p]
        to_go = laps * state.lap + state.to_line[here] if here >= 0 else 0
        state.to_go[p] = max(to_go, 0)
    state.ends[:] = END.none
    if 0 <= state.to_act < state.num_players and state.racing[state.to_act]:
        _plain(survey)(state, state.to_act)


@cache
def _plain(rule: Any) -> Any:
    return uncompiled(rule)


# --- the situation in words ----------------------------------------------------------------------


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    n = state.num_players
    where = f"{board.course_name(state.course)} course, {board.DIRECTIONS[state.direction]}"
    lines = [
        f"Ave Caesar, race {state.race} of {state.races}, {where}, turn {state.turn} of at most "
        f"{state.max_turns}; lap length {state.lap}."
    ]
    lines += [_describe_player(state, p, seat) for p in range(n)]
    lines.append(f"Your hand: {_cards(state.hand[seat])}.")
    if state.num_finished:
        lines.append("Finished, in order: " + _players(state.finish_order[: state.num_finished]))
    if state.num_stranded:
        lines.append("Stranded, in order: " + _players(state.strand_order[: state.num_stranded]))
    if state.lost_in_a_row:
        lines.append(f"Turns lost in a row: {state.lost_in_a_row}.")
    return "\n".join([*lines, turn_line(state, seat), board.draw(state)])


def _describe_player(state: Any, p: int, seat: int) -> str:
    track = board.track_in(state)
    parts = [board.place_name(track, state.space[p])]
    if state.left_from[p] >= 0:
        parts[0] += f" (from {track.spaces[state.left_from[p]]})"
    parts.append(f"{counted(state.crossed[p], 'time')} over the line")
    if state.racing[p]:
        parts.append(f"{counted(state.to_go[p], 'step')} to go")
    parts.append("coin unpaid" if state.coin[p] else "coin paid")
    parts.append(f"{counted(state.hand_size[p], 'card')} in hand, {state.deck_left[p]} in the deck")
    parts.append(f"unplayed {_cards(state.unplayed[p])}")
    if state.lost_last[p]:
        parts.append("lost the latest turn")
    if state.races > 1:
        parts.append(counted(state.points[p], "point"))
    return player_line(p, seat, parts, " (starter)" if p == state.starter else "")


def _cards(counts: Any) -> str:
    cards = [
        card for card, number in zip(CARDS, counts.tolist(), strict=True) for _ in range(number)
    ]
    return " ".join(cards) or "none"


def _players(order: Any) -> str:
    return ", ".join(f"player {p}" for p in order.tolist()) + "."
