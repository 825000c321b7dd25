"""What no state of Ave Caesar can be, whatever its fields are by themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from racegym.engine.compile import uncompiled
from racegym.engine.game import Contradictions, Unreachable
from racegym.engine.invariants import count_kinds, hand_sizes, upto
from racegym.engine.state import State
from racegym.games.ave_caesar.board import OFF
from racegym.games.ave_caesar.board.tracks import BY_SPACE, LIMIT, track_of
from racegym.games.ave_caesar.rules.races import load_track
from racegym.games.ave_caesar.state import (
    CROSSINGS,
    DECK,
    END,
    HAND,
    LAYOUT,
    MAX_PLAYERS,
    SLOT,
    VALUES,
)


def contradictions(states: Any) -> Contradictions:
    """Pairs of (bool (N, …), what is wrong somewhere); see :class:`racegym.engine.game.Game`.

    Args:
        states: (N,) records within the bounds of the layout.
    """
    s = states
    yield s["race"] > s["races"], "race is above the number of races"
    yield from _course(s)
    playing = upto(s["num_players"], MAX_PLAYERS)
    yield from _places(s, playing)
    yield from _orders(s, playing)
    yield from _cards(s)
    yield from _ends(s)
    yield from _unreachable(s, playing)


# --- the course ----------------------------------------------------------------------------------


def _course(s: Any) -> Contradictions:
    """The tables of the course are those that it has (AC-03)."""
    unknown, other = np.zeros(len(s), bool), np.zeros(len(s), bool)
    which = np.stack([s["course"], s["direction"]], axis=1)
    for course, direction in np.unique(which, axis=0).tolist():
        rows = (which == (course, direction)).all(axis=1)
        table = _table(course, direction)
        if table is None:
            unknown |= rows
            continue
        n = table["num_spaces"]
        same = (s["num_spaces"] == n) & (s["lap"] == table["lap"])
        for name in BY_SPACE:  # those of a longer course before may stand behind
            part = (s[name][:, :n] == table[name][:n]).reshape(len(s), -1)
            same &= part.all(axis=1)
        other |= rows & ~same
    yield unknown, "course is none that there is"
    yield other, "the tables of spaces are not those of the course"


@cache
def _table(course: int, direction: int) -> Any:
    """A state with the tables of a course and no more; None if there is no such course."""
    try:
        track = track_of(course, direction)
    except KeyError:
        return None
    state = State(LAYOUT, np.zeros(LAYOUT.size, np.uint8))
    uncompiled(load_track)(state, track.codes)
    return state


# --- the chariots --------------------------------------------------------------------------------


def _places(s: Any, playing: np.ndarray) -> Contradictions:
    rows, running = np.arange(len(s)), s["to_act"] >= 0
    racing, on_course = s["racing"] != 0, playing & (s["space"] >= 0)
    for name in ("space", "left_from"):
        beyond = playing & (s[name] >= s["num_spaces"][:, None])
        yield beyond, f"{name} is above the spaces of the course"
    yield racing & ~on_course, "racing is 1 of a chariot that is on no space"
    yield racing & (s["crossed"] == CROSSINGS), "crossed is 4 of a chariot racing"
    yield running & ~racing[rows, s["to_act"]], "the player to act is not racing"
    taken = np.zeros((len(s), LIMIT.spaces), bool)
    at, p = np.nonzero(on_course)
    taken[at, s["space"][at, p]] = True
    yield (s["taken"] != 0) != taken, "taken does not tell where the chariots are"
    laps = (CROSSINGS - 1 - s["crossed"]).astype(np.int64)
    to_line = np.take_along_axis(s["to_line"], np.maximum(s["space"], 0), axis=1)
    to_go = laps * s["lap"][:, None] + to_line
    yield racing & (s["to_go"] != to_go), "to_go is not the distance to go"


def _orders(s: Any, playing: np.ndarray) -> Contradictions:
    """Who has finished and who has stranded, in order."""
    listed: Any = np.zeros((len(s), MAX_PLAYERS), np.int64)
    for name, number in (("finish_order", "num_finished"), ("strand_order", "num_stranded")):
        within = upto(s[number], MAX_PLAYERS)
        yield (s[name] >= 0) != within, f"{name} does not hold {number} players"
        at, i = np.nonzero(within)
        np.add.at(listed, (at, s[name][at, i]), 1)
        if name == "finish_order":
            finished = playing & (s["space"] == OFF.finished)
            yield (listed > 0) != finished, "finish_order is not who has finished"
    yield listed > 1, "a player is in finish_order and strand_order twice"
    yield (s["racing"] != 0) & (listed > 0), "racing is 1 of a player who is out"
    removed = playing & (s["space"] == OFF.removed) & (listed == 0)
    yield removed, "a chariot is removed, but did not strand"


# --- cards ---------------------------------------------------------------------------------------


def _cards(s: Any) -> Contradictions:
    hand, unplayed = s["hand"].astype(np.int64), s["unplayed"].astype(np.int64)
    in_deck = unplayed - hand
    yield in_deck < 0, "hand holds a card that is not unplayed"
    yield from hand_sizes(s, hand)
    wrong = in_deck.sum(axis=2) != s["deck_left"]
    yield wrong, "deck_left is not the number of cards unplayed and not in hand"
    cards = np.where(upto(DECK - s["deck_left"], DECK), 0, s["deck"])
    yield count_kinds(cards, VALUES) != in_deck, "deck does not hold the cards left in it"
    ruled_out = (s["absent"][..., None] >> np.arange(VALUES)) & 1
    yield (ruled_out != 0) & (hand > 0), "absent names a card in hand"


def _ends(s: Any) -> Contradictions:
    """Where cards lead: places there are, and no lap too many."""
    ends = s["ends"].astype(np.int64)
    there = ends != END.none
    at_finish = np.arange(ends.shape[2]) == SLOT.finish
    finish = (ends == END.finish) | (ends == END.finish + END.free)
    within = (ends & END.space) < s["num_spaces"][:, None, None]
    wrong = there & np.where(at_finish, ~finish, ~within)
    yield wrong, "ends name a space that there is not"
    crossed = s["crossed"][np.arange(len(s)), s["to_act"]]
    over = there & ~at_finish & ((ends & END.over) != 0)
    last_lap = (s["to_act"] >= 0) & (crossed == CROSSINGS - 1)
    yield last_lap[:, None, None] & over, "ends cross the line once too often"


# --- what play never leads to --------------------------------------------------------------------


def _unreachable(s: Any, playing: np.ndarray) -> Contradictions:
    on_space = s["space"][:, :, None] == np.arange(LIMIT.spaces)
    twice = (playing[:, :, None] & on_space).sum(axis=1) > 1
    yield twice, Unreachable("two chariots stand on a space (AC-21)")
    finished = playing & (s["space"] == OFF.finished)
    racing = playing & (s["racing"] != 0)
    taken_off = playing & (s["left_from"] != OFF.nowhere)
    wrong = taken_off != (playing & (s["space"] == OFF.removed))
    yield wrong, Unreachable("left_from is not where the chariots removed were (AC-51)")
    left = np.where(playing, s["unplayed"].sum(axis=2), 0)
    full = np.minimum(np.where(finished, HAND - 1, HAND), left)
    wrong = playing & (s["hand_size"] != full)
    yield wrong, Unreachable("a hand is not filled up (AC-20)")
    wrong = playing & ((s["crossed"] == CROSSINGS) != finished)
    yield wrong, Unreachable("crossed is 4 of those who have finished, and of nobody else (AC-50)")
    unpaid = playing & (s["coin"] != 0) & (s["crossed"] > CROSSINGS - 2)
    yield unpaid, Unreachable("a coin was not paid when it was time (AC-42)")
    yield racing & (left == 0), Unreachable("a chariot races without cards (AC-51)")
