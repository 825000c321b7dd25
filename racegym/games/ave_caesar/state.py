"""The state of Ave Caesar: sizes, options, fields.

Apart from the rules so that each of these files can be read in one go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.layout import Field, Layout, Visible
from racegym.engine.options import (
    Choice,
    OptionSet,
    WholeNumber,
    num_players_option,
    reward_option,
)
from racegym.games.ave_caesar.courses import CourseOption, check_together
from racegym.games.ave_caesar.tracks import (
    ALLEY_ENDS,
    DIRECTIONS,
    LARGEST_LANE,
    MAX_SPACES,
    MAX_WAYS,
    TRACK_ENDS,
)

MAX_PLAYERS = 6
VALUES = 6  # cards are worth 1 to 6 steps
COPIES = 4  # of each card
DECK = VALUES * COPIES  # AC-10
HAND = 3  # AC-12
CROSSINGS = 4  # the fourth time over the line ends lap 3
MAX_RACES = 4

# Where a chariot is when it is on no space.
FINISHED, REMOVED, NOWHERE = -1, -2, -1

# Actions: for each card the finish, the spaces of the alley, the spaces of the course.
FINISH_SLOT, FIRST_ALLEY, FIRST_TRACK = 0, 1, 1 + ALLEY_ENDS
SLOTS = FIRST_TRACK + TRACK_ENDS
NUM_ACTIONS = VALUES * SLOTS

# How ``ends`` writes where a card leads: the space, plus flags.
SPACE_PART, PLACE_PART = 127, 255
OVER_LINE = 128  # the move crosses the line
FREE = 256  # no other chariot is in the way
NO_END, THE_FINISH = -1, OVER_LINE + SPACE_PART

# Kinds of events.
MOVED, COIN, DREW, STRANDED, FINISHES, LOST_TURN, RACE_OVER, RACE = 1, 2, 3, 4, 5, 6, 7, 8

# Places in the vector of options that ``start`` reads; the course comes last.
DIRECTION_OPTION, RACES_OPTION, STRANDED_OPTION, MAX_TURNS_OPTION, COURSE_OPTION = 2, 3, 4, 5, 6
OWN_TRACKS = COURSE_OPTION + 1  # a course of the user's own: its two tracks

POINTS = np.array([6, 4, 3, 2, 1, 0], np.int64)  # AC-53


def _default_course(settled: dict[str, Any]) -> str:
    return "white" if settled["num_players"] <= 4 else "yellow"


OPTIONS = OptionSet(
    (
        num_players_option(4, 3, MAX_PLAYERS),  # AC-01
        reward_option(),
        Choice("direction", "cw", "direction of driving", choices=DIRECTIONS),
        WholeNumber("races", 1, "races of a tournament", low=1, high=MAX_RACES),
        Choice(
            "stranded",
            "stays",
            "what becomes of a stranded chariot",
            choices=("stays", "removed"),
        ),
        WholeNumber("max_turns", 2000, "turns after which a race is cut", low=1, high=1_000_000),
        CourseOption("course", _default_course, "course of a single race"),
    ),
    together=check_together,
)

_ALL, _OWNER, _NOBODY = Visible.EVERYBODY, Visible.OWNER, Visible.NOBODY

LAYOUT = Layout(
    (
        Field(
            "turn",
            "i4",
            (),
            _ALL,
            "turn of the race, from 1; lost turns count",
            low=1,
            high=1_000_000,
        ),
        Field("max_turns", "i4", (), _ALL, "turns after which a race is cut", fixed=True),
        Field("races", "i1", (), _ALL, "races of the tournament", fixed=True),
        Field("race", "i1", (), _ALL, "the race, from 1", low=1, high=MAX_RACES),
        Field("removing", "i1", (), _ALL, "1 if stranded chariots are taken off", fixed=True),
        Field("course", "i4", (), _ALL, "0-3 white, blue, yellow, red; else a key", high=2**31 - 1),
        Field("direction", "i1", (), _ALL, "0 clockwise, 1 counter-clockwise", high=1),
        Field("starter", "i1", (), _ALL, "seat that began the race", "values", low=0),
        Field(
            "space",
            "i1",
            (MAX_PLAYERS,),
            _ALL,
            "space, -1 finished, -2 removed",
            low=REMOVED,
            high=MAX_SPACES - 1,
        ),
        Field(
            "left_from",
            "i1",
            (MAX_PLAYERS,),
            _ALL,
            "taken off there, -1 not",
            low=NOWHERE,
            high=MAX_SPACES - 1,
        ),
        Field("crossed", "i1", (MAX_PLAYERS,), _ALL, "times over the line, 0-4", high=CROSSINGS),
        Field("coin", "i1", (MAX_PLAYERS,), _ALL, "1 while the coin is not paid", high=1),
        Field("racing", "i1", (MAX_PLAYERS,), _ALL, "1: not finished, not stranded", high=1),
        Field("to_go", "i2", (MAX_PLAYERS,), _ALL, "distance to go (AC-30)", high=2**15 - 1),
        Field("hand", "i1", (MAX_PLAYERS, VALUES), _OWNER, "cards in hand, by value", high=COPIES),
        Field("hand_size", "i1", (MAX_PLAYERS,), _ALL, "cards in hand", high=DECK),
        Field(
            "deck",
            "i1",
            (MAX_PLAYERS, DECK),
            _NOBODY,
            "order of the cards drawn and to come",
            high=VALUES,
        ),
        Field("deck_left", "i1", (MAX_PLAYERS,), _ALL, "cards in the deck", high=DECK),
        Field(
            "unplayed", "i1", (MAX_PLAYERS, VALUES), _ALL, "hand and deck, by value", high=COPIES
        ),
        Field(
            "absent",
            "i1",
            (MAX_PLAYERS,),
            _ALL,
            "values known not in hand (bits)",
            high=2**VALUES - 1,
        ),
        Field("lost_last", "i1", (MAX_PLAYERS,), _ALL, "1 if the latest turn was lost", high=1),
        Field(
            "lost_in_a_row", "i2", (), _ALL, "turns lost in a row, by anybody", high=2 * MAX_PLAYERS
        ),
        Field("finish_order", "i1", (MAX_PLAYERS,), _ALL, "who finished", "values"),
        Field("num_finished", "i1", (), _ALL, "how many have finished", high=MAX_PLAYERS),
        Field("strand_order", "i1", (MAX_PLAYERS,), _ALL, "who stranded", "values"),
        Field("num_stranded", "i1", (), _ALL, "how many have stranded", high=MAX_PLAYERS),
        Field("points", "i1", (MAX_PLAYERS,), _ALL, "points of the races over", high=6 * MAX_RACES),
        Field(
            "ends",
            "i2",
            (VALUES, SLOTS),
            _ALL,
            "where cards lead (derived)",
            "none",
            low=NO_END,
            high=THE_FINISH + FREE,
        ),
        Field("taken", "i1", (MAX_SPACES,), _ALL, "1 if a chariot is there (derived)", high=1),
        Field("num_spaces", "i2", (), _ALL, "spaces of the course", low=1, high=MAX_SPACES),
        Field("lap", "i2", (), _ALL, "lap length", low=1, high=MAX_SPACES),
        Field(
            "ways",
            "i1",
            (MAX_SPACES, MAX_WAYS),
            _ALL,
            "spaces one step ahead",
            low=-1,
            high=MAX_SPACES - 1,
        ),
        Field(
            "crosses", "i1", (MAX_SPACES,), _ALL, "steps over the line (bits)", high=2**MAX_WAYS - 1
        ),
        Field("to_line", "i1", (MAX_SPACES,), _ALL, "steps to the next crossing", high=MAX_SPACES),
        Field("in_alley", "i1", (MAX_SPACES,), _ALL, "1 for the Imperial Alley", high=1),
        Field("alley_ahead", "i1", (MAX_SPACES,), _ALL, "1: alley before the line", high=1),
        Field(
            "lane",
            "i1",
            (MAX_SPACES,),
            _ALL,
            "spaces level with it further inside",
            high=LARGEST_LANE,
        ),
        Field("neck", "i1", (MAX_SPACES,), _ALL, "1 if it bars every way round", high=1),
    )
)
