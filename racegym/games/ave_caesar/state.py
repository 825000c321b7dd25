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

LAYOUT = Layout(
    (
        Field("turn", "i4", (), Visible.EVERYBODY, "turn of the race, from 1; lost turns count"),
        Field("max_turns", "i4", (), Visible.EVERYBODY, "turns after which a race is cut"),
        Field("races", "i1", (), Visible.EVERYBODY, "races of the tournament"),
        Field("race", "i1", (), Visible.EVERYBODY, "the race, from 1"),
        Field("removing", "i1", (), Visible.EVERYBODY, "1 if stranded chariots are taken off"),
        Field("course", "i4", (), Visible.EVERYBODY, "0-3 white, blue, yellow, red; else a key"),
        Field("direction", "i1", (), Visible.EVERYBODY, "0 clockwise, 1 counter-clockwise"),
        Field("starter", "i1", (), Visible.EVERYBODY, "seat that began the race", "values"),
        Field("space", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "space, -1 finished, -2 removed"),
        Field("left_from", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "taken off there, -1 not"),
        Field("crossed", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "times over the line, 0-4"),
        Field("coin", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "1 while the coin is not paid"),
        Field("racing", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "1: not finished, not stranded"),
        Field("to_go", "i2", (MAX_PLAYERS,), Visible.EVERYBODY, "distance to go (AC-30)"),
        Field("hand", "i1", (MAX_PLAYERS, VALUES), Visible.OWNER, "cards in hand, by value"),
        Field("hand_size", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "cards in hand"),
        Field(
            "deck",
            "i1",
            (MAX_PLAYERS, DECK),
            Visible.NOBODY,
            "order of the cards drawn and to come",
        ),
        Field("deck_left", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "cards in the deck"),
        Field(
            "unplayed", "i1", (MAX_PLAYERS, VALUES), Visible.EVERYBODY, "hand and deck, by value"
        ),
        Field("absent", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "values known not in hand (bits)"),
        Field(
            "lost_last", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "1 if the latest turn was lost"
        ),
        Field("lost_in_a_row", "i2", (), Visible.EVERYBODY, "turns lost in a row, by anybody"),
        Field("finish_order", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "who finished", "values"),
        Field("num_finished", "i1", (), Visible.EVERYBODY, "how many have finished"),
        Field("strand_order", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "who stranded", "values"),
        Field("num_stranded", "i1", (), Visible.EVERYBODY, "how many have stranded"),
        Field("points", "i1", (MAX_PLAYERS,), Visible.EVERYBODY, "points of the races over"),
        Field(
            "ends", "i2", (VALUES, SLOTS), Visible.EVERYBODY, "where cards lead (derived)", "none"
        ),
        Field("taken", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1 if a chariot is there (derived)"),
        Field("num_spaces", "i2", (), Visible.EVERYBODY, "spaces of the course"),
        Field("lap", "i2", (), Visible.EVERYBODY, "lap length"),
        Field("ways", "i1", (MAX_SPACES, MAX_WAYS), Visible.EVERYBODY, "spaces one step ahead"),
        Field("crosses", "i1", (MAX_SPACES,), Visible.EVERYBODY, "steps over the line (bits)"),
        Field("to_line", "i1", (MAX_SPACES,), Visible.EVERYBODY, "steps to the next crossing"),
        Field("in_alley", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1 for the Imperial Alley"),
        Field("alley_ahead", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1: alley before the line"),
        Field(
            "lane", "i1", (MAX_SPACES,), Visible.EVERYBODY, "spaces level with it further inside"
        ),
        Field("neck", "i1", (MAX_SPACES,), Visible.EVERYBODY, "1 if it bars every way round"),
    )
)
