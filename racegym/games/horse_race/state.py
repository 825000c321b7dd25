"""What Horse Race is played with: cards, actions, options and the layout of the state.

The rules themselves are in :mod:`rules` (set-up, turns, scores) and :mod:`stages` (the phases of
the race); what players know of hidden cards is in :mod:`knowledge`.
"""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.engine.layout import Field, Layout, Visible
from racegym.engine.options import (
    Choice,
    Flag,
    OptionSet,
    WholeNumber,
    WholeNumbers,
    num_players_option,
    reward_option,
)

MAX_PLAYERS = 4
HORSES = 9  # HR-02
BETS = 3  # HR-11
HAND = 5  # HR-10
COUNTERS, LARGEST_PURSE = 40, 10  # HR-05

# Cards: 0 is none, 1-9 the rear of that horse, then the front and the empty.  What is counted by
# kind has the card less one as its index.
FRONT, EMPTY = HORSES + 1, HORSES + 2
KINDS = 11
REARS, FRONTS, EMPTIES = 20, 30, 10  # HR-03
CARDS = REARS + FRONTS + EMPTIES
MOST_REARS = REARS - (HORSES - 1)  # HR-04: of one horse

LANES, SLOTS, LAST_SLOTS = 4, 7, 5  # HR-06: lanes at most; slots in phases 1 and 2, and in 3
STAGES = 3

# Phases.
BET, RACE, FALL, END = 0, 1, 2, 3
PHASES = ("bet", "race", "fall", "end")  # their names in records

# Ways of scoring (HR-43 to HR-45).
SUM, FIRST, SUM_BONUS = 0, 1, 2
SCORING = ("sum", "first", "sum_bonus")
WINNER_BONUS = 8  # HR-45

FALLS, FALL_CARDS = 2, 6  # HR-50
MOST_OUT = 2  # one horse at each obstacle
MOST_POINTS = 72  # of a horse, in all

# Actions: back horse 1-9; a card face up, face down (lane by lane); swap, draw, sell, pass; out.
# Horses and kinds of cards are counted in the acting player's own order (see ``place_of``).
FIRST_BACK = 0
FIRST_UP = FIRST_BACK + HORSES
FIRST_DOWN = FIRST_UP + LANES * KINDS
FIRST_SWAP = FIRST_DOWN + LANES * KINDS
DRAW = FIRST_SWAP + KINDS
FIRST_SELL = DRAW + 1
PASS = FIRST_SELL + KINDS
FIRST_OUT = PASS + 1
NUM_ACTIONS = FIRST_OUT + HORSES

# Kinds of events.
DREW, REVEALED, PAIR, PLACE, JUMPED, FELL, WENT_OUT, STAGE = 1, 2, 3, 4, 5, 6, 7, 8

# Places in the vector of options that ``start`` reads.
LANES_OPTION, COUNTERS_OPTION, REARS_OPTION = 2, 3, 4
SCORING_OPTION = REARS_OPTION + HORSES
FALLS_OPTION, MAX_TURNS_OPTION = SCORING_OPTION + 1, SCORING_OPTION + 2

OPTIONS = OptionSet(
    (
        num_players_option(4, 2, MAX_PLAYERS),  # HR-01
        reward_option(),
        WholeNumber("lanes", 3, "lanes of the track", low=3, high=LANES),
        WholeNumber("counters", 10, "counters of each player at first", low=1, high=LARGEST_PURSE),
        WholeNumbers(
            "rears",
            [3, 3, 2, 2, 2, 2, 2, 2, 2],
            "rear cards of each horse",
            length=HORSES,
            low=1,
            high=MOST_REARS,
            total=REARS,
        ),
        Choice("scoring", "sum", "what the horses backed are worth", choices=SCORING),
        Flag("falls", False, "horses can fall at the obstacles"),
        WholeNumber("max_turns", 1000, "turns after which the game is cut", low=1, high=1_000_000),
    )
)

_ALL, _OWNER, _NOBODY = Visible.EVERYBODY, Visible.OWNER, Visible.NOBODY
_OF_KIND = (*(MOST_REARS,) * HORSES, FRONTS, EMPTIES)  # cards at most

LAYOUT = Layout(
    (
        Field("turn", "i4", (), _ALL, "the turn, from 1", low=1, high=1_000_000),
        Field("max_turns", "i4", (), _ALL, "turns after which the game is cut", fixed=True),
        Field("num_lanes", "i1", (), _ALL, "lanes of the track", fixed=True),
        Field("rears", "i1", (HORSES,), _ALL, "rear cards of each horse in the game", fixed=True),
        Field("scoring", "i1", (), _ALL, 'scoring: 0 "sum", 1 "first", 2 "sum_bonus"', fixed=True),
        Field("falls", "i1", (), _ALL, "1 if horses can fall", fixed=True),
        Field("phase", "i1", (), _ALL, "0 bet, 1 race, 2 fall, 3 end", high=END),
        Field("stage", "i1", (), _ALL, "phase of the race, 1-3", low=1, high=STAGES),
        Field("starter", "i1", (), _ALL, "who began the stage, -1 not drawn yet", "values"),
        Field(
            "must_open", "i1", (), _ALL, "1 while the starter owes a card placed face up", high=1
        ),
        Field("passes", "i1", (), _ALL, "passes in a row", high=MAX_PLAYERS),
        Field("last_placer", "i1", (), _ALL, "who placed the stage's latest card, -1", "values"),
        Field("counters", "i1", (MAX_PLAYERS,), _ALL, "counters of each player", high=COUNTERS),
        Field("bank", "i1", (), _ALL, "counters in the bank", high=COUNTERS),
        Field("hand_size", "i1", (MAX_PLAYERS,), _ALL, "cards in hand", high=CARDS),
        Field(
            "hands", "i1", (MAX_PLAYERS, KINDS), _OWNER, "cards in hand of each kind", high=_OF_KIND
        ),
        Field("num_bets", "i1", (MAX_PLAYERS,), _ALL, "horses backed so far", high=BETS),
        Field(
            "bets",
            "i1",
            (MAX_PLAYERS, BETS),
            _OWNER,
            "horses backed in secret, in order",
            high=HORSES,
        ),
        Field(
            "revealed",
            "i1",
            (MAX_PLAYERS, BETS),
            _ALL,
            "horses backed, from the end on",
            high=HORSES,
        ),
        Field("points", "i1", (HORSES,), _ALL, "points of each horse", high=MOST_POINTS),
        Field(
            "horses_out",
            "i1",
            (MOST_OUT,),
            _ALL,
            "horses out of the race, in order, 0 none",
            high=HORSES,
        ),
        Field("lane_size", "i1", (LANES,), _ALL, "cards in each lane", "none", high=SLOTS),
        Field(
            "lane_card",
            "i1",
            (LANES, SLOTS),
            _ALL,
            "cards face up, 0 none or down",
            "none",
            high=KINDS,
        ),
        Field("placer", "i1", (LANES, SLOTS), _ALL, "who placed the card, -1 nobody", "values"),
        Field(
            "down",
            "i1",
            (MAX_PLAYERS, LANES, SLOTS),
            _OWNER,
            "[p, lane, slot]: cards that p placed face down",
            high=KINDS,
        ),
        Field(
            "pile", "i1", (CARDS,), _NOBODY, "draw pile; the next card is the last one", high=KINDS
        ),
        Field("pile_size", "i1", (), _ALL, "cards in the draw pile", high=CARDS),
        Field(
            "out_of_game", "i1", (KINDS,), _ALL, "cards of each kind out of the game", high=_OF_KIND
        ),
        Field(
            "under",
            "i1",
            (KINDS,),
            _ALL,
            "cards of each kind that were put under the pile",
            high=_OF_KIND,
        ),
        Field("under_left", "i1", (), _ALL, "how many of those are still in the pile", high=CARDS),
        Field(
            "under_drawn",
            "i1",
            (MAX_PLAYERS, KINDS),
            _OWNER,
            "those that a seat drew itself",
            high=_OF_KIND,
        ),
        Field(
            "fronts",
            "i1",
            (MAX_PLAYERS,),
            _ALL,
            "fronts a player is known to hold, at least",
            high=FRONTS,
        ),
    )
)


@compiled
def number_of(s, kind):
    """How many cards of a kind there are (HR-03, HR-04)."""
    if kind < HORSES:
        return s.rears[kind]
    return FRONTS if kind == FRONT - 1 else EMPTIES


@compiled
def slots_of(s):
    """Slots of a lane in the current phase of the race (HR-06)."""
    return LAST_SLOTS if s.stage == STAGES else SLOTS


@compiled
def after(s, p):
    """The next player clockwise."""
    return p + 1 if p + 1 < s.num_players else 0


@compiled
def is_out(s, horse):
    """True if a horse is out of the race (HR-51)."""
    return s.horses_out[0] == horse or s.horses_out[1] == horse


# --- a player's own order of the horses ----------------------------------------------------------


@compiled
def horse_backed(s, p, i):
    """The horse that a player backed in place ``i``, 0 if none."""
    return s.revealed[p, i] if s.phase == END else s.bets[p, i]


@compiled
def place_of(s, p, horse):
    """Place (from 0) of a horse in a player's own order.

    By number as long as the player has bets to make; from then on the three horses backed come
    first, in the order of the bets, and the others follow by number.
    """
    place = horse - 1
    if s.num_bets[p] == BETS:
        place += BETS
        for i in range(BETS):
            backed = horse_backed(s, p, i)
            if backed == horse:
                return i
            place -= backed < horse
    return place


@compiled
def horse_at(s, p, place):
    """The horse at a place (from 0) of a player's own order."""
    for horse in range(1, HORSES + 1):
        if place_of(s, p, horse) == place:
            return horse
    return 0


@compiled
def own_kind(s, p, kind):
    """Index of a kind of card when the rears are in a player's own order."""
    return place_of(s, p, kind + 1) if kind < HORSES else kind


@compiled
def card_at(s, p, own):
    """The card whose kind has the index ``own`` in a player's own order."""
    return horse_at(s, p, own) if own < HORSES else own + 1
