"""What Ave Caesar is played with: sizes, actions, events, options and the layout of the state."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine import options as option
from racegym.engine.actions import Actions
from racegym.engine.events import Events, Told, word_of
from racegym.engine.forms import FLAGS, NUMBER, PER_PLAYER, Counts, Filled, Word
from racegym.engine.layout import Layout, hidden, own, seen
from racegym.engine.names import named
from racegym.games.ave_caesar import board
from racegym.games.ave_caesar.board.courses import CourseOption, check_together
from racegym.games.ave_caesar.board.tracks import LIMIT

MAX_PLAYERS = 6
VALUES = 6  # cards are worth 1 to 6 steps
COPIES = 4  # of each card
DECK = VALUES * COPIES  # AC-10
HAND = 3  # AC-12
CROSSINGS = 4  # the fourth time over the line ends lap 3
MAX_RACES = 4
POINTS = np.array([6, 4, 3, 2, 1, 0], np.int64)  # AC-53
MOST_POINTS = 6 * MAX_RACES
MOST_LOST = 2 * MAX_PLAYERS  #: turns lost in a row that end a race

CARDS = tuple(str(card) for card in range(1, VALUES + 1))

#: Where the actions of a card begin that lead to the finish, into the alley, onto the course.
SLOT = named(
    "Slot",
    {
        "finish": 0,
        "alley": 1,
        "course": 1 + LIMIT.alley_ends,
        "stride": 1 + LIMIT.alley_ends + LIMIT.ends,
    },
)

#: How ``ends`` writes where a card leads: the space in its ``space`` part, plus flags (``over`` the
#: line, ``free`` of other chariots); ``place`` is the part that tells ends apart.
END = named(
    "End", {"none": -1, "space": 127, "over": 128, "place": 255, "free": 256, "finish": 128 + 127}
)

# What a slot of a card stands for; the spaces are those the card can lead to on the course without
# other chariots, counted from the one with most progress.
_SLOT_TEXTS = (
    board.FINISH,
    *(f"alley space {k}" for k in range(1, LIMIT.alley_ends + 1)),
    *(f"space {k}" for k in range(1, LIMIT.ends + 1)),
)
ACTIONS = Actions(play=[f"play {card} to {slot}" for card in CARDS for slot in _SLOT_TEXTS])
A = ACTIONS.at


EVENTS = Events(
    moved=board.move_in_words,
    coin=("player",),
    drew=("player", Told("card", only=("player",))),  # AC-65
    stranded=("player",),
    finished=("player", "place"),
    lost_turn=("player",),
    race_over=(Told("points", each=True),),
    race=(
        "number",
        Told("course", board.course_name),
        Told("direction", word_of(board.DIRECTIONS)),
        "starter",
    ),
)
E = EVENTS.at


def _default_course(settled: dict[str, Any]) -> str:
    return "white" if settled["num_players"] <= 4 else "yellow"


OPTIONS = option.OptionSet(
    (
        option.num_players_option(4, 3, MAX_PLAYERS),  # AC-01
        option.reward_option(),
        option.Choice("direction", "cw", "direction of driving", choices=board.DIRECTIONS),
        option.WholeNumber("races", 1, "races of a tournament", low=1, high=MAX_RACES),
        option.Choice(
            "stranded", "stays", "what becomes of a stranded chariot", choices=("stays", "removed")
        ),
        option.max_turns_option(2000, "turns after which a race is cut"),
        CourseOption("course", _default_course, "course of a single race"),
    ),
    together=check_together,
)
#: Places in the vector of options that ``start`` reads.  The course comes last: its number, then
#: of a course of the user's own both tracks.
OPTION = OPTIONS.at


_SEATS = (MAX_PLAYERS,)
_COURSE = (LIMIT.spaces,)
_LAST = LIMIT.spaces - 1
_FINISHED = Filled(size="num_finished", rest=board.OFF.nowhere)
_STRANDED = Filled(size="num_stranded", rest=board.OFF.nowhere)
_HANDS = Counts(CARDS, per_player=True, zeros=True)

LAYOUT = Layout(
    (
        seen(
            "turn",
            "turn of the race, from 1; lost turns count",
            dtype="i4",
            low=1,
            high=10**6,
            form=NUMBER,
        ),
        seen("max_turns", "turns after which a race is cut", dtype="i4", fixed=True),
        seen("races", "races of the tournament", fixed=True),
        seen("race", "the race, from 1", low=1, high=MAX_RACES, form=NUMBER),
        seen("removing", "1 if stranded chariots are taken off", fixed=True),
        seen("course", "0-3 white, blue, yellow, red; else a key", dtype="i4", high=2**31 - 1),
        seen("direction", "0 clockwise, 1 counter-clockwise", high=1, form=Word(board.DIRECTIONS)),
        seen("starter", "seat that began the race", seats="values", low=0, form=NUMBER),
        seen(
            "space",
            "space, -1 finished, -2 removed",
            _SEATS,
            low=board.OFF.removed,
            high=_LAST,
            form=board.SPACE,
        ),
        seen(
            "left_from",
            "taken off there, -1 not",
            _SEATS,
            low=board.OFF.nowhere,
            high=_LAST,
            form=board.LEFT_FROM,
        ),
        seen("crossed", "times over the line, 0-4", _SEATS, high=CROSSINGS, form=PER_PLAYER),
        seen("coin", "1 while the coin is not paid", _SEATS, high=1, form=FLAGS),
        seen("racing", "1: not finished, not stranded", _SEATS, high=1),
        seen("to_go", "distance to go (AC-30)", _SEATS, dtype="i2", high=2**15 - 1),
        own(
            "hand",
            "cards in hand, by value",
            (MAX_PLAYERS, VALUES),
            high=COPIES,
            form=_HANDS,
            key="hands",
        ),
        seen("hand_size", "cards in hand", _SEATS, high=DECK),
        hidden("deck", "order of the cards drawn and to come", (MAX_PLAYERS, DECK), high=VALUES),
        seen("deck_left", "cards in the deck", _SEATS, high=DECK),
        seen("unplayed", "hand and deck, by value", (MAX_PLAYERS, VALUES), high=COPIES),
        # For redeal: past play tells it, no record does and no observation.
        seen("absent", "values known not in hand (bits)", _SEATS, high=63, observed=False),
        seen("lost_last", "1 if the latest turn was lost", _SEATS, high=1, form=FLAGS),
        seen(
            "lost_in_a_row",
            "turns lost in a row, by anybody",
            dtype="i2",
            high=MOST_LOST,
            form=NUMBER,
        ),
        seen("finish_order", "who finished", _SEATS, seats="values", form=_FINISHED),
        seen("num_finished", "how many have finished", high=MAX_PLAYERS),
        seen(
            "strand_order", "who stranded", _SEATS, seats="values", form=_STRANDED, key="stranded"
        ),
        seen("num_stranded", "how many have stranded", high=MAX_PLAYERS),
        seen("points", "points of the races over", _SEATS, high=MOST_POINTS, form=PER_PLAYER),
        seen(
            "ends",
            "where cards lead (derived)",
            (VALUES, SLOT.stride),
            dtype="i2",
            seats="none",
            low=END.none,
            high=END.finish + END.free,
        ),
        seen("taken", "1 if a chariot is there (derived)", _COURSE, high=1),
        seen("num_spaces", "spaces of the course", dtype="i2", low=1, high=LIMIT.spaces),
        seen("lap", "lap length", dtype="i2", low=1, high=LIMIT.spaces),
        seen("ways", "spaces one step ahead", (LIMIT.spaces, LIMIT.ways), low=-1, high=_LAST),
        seen("crosses", "steps over the line (bits)", _COURSE, high=2**LIMIT.ways - 1),
        seen("to_line", "steps to the next crossing", _COURSE, high=LIMIT.spaces),
        seen("in_alley", "1 for the Imperial Alley", _COURSE, high=1),
        seen("alley_ahead", "1: alley before the line", _COURSE, high=1),
        seen("lane", "spaces level with it further inside", _COURSE, high=LIMIT.lane),
        seen("neck", "1 if it bars every way round", _COURSE, high=1),
    ),
    record=(
        *("race", "course", "direction", "turn", "to_act", "space", "left_from", "crossed", "coin"),
        *("hands", "decks", "lost_last", "lost_in_a_row", "finish_order", "stranded", "points"),
        "starter",
    ),
)
