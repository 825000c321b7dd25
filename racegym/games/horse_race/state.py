"""What Horse Race is played with: cards, actions, events, options and the layout of the state."""

from __future__ import annotations

from collections.abc import Sequence

from racegym.engine import options as option
from racegym.engine.actions import Actions
from racegym.engine.events import Events, Told, word_of
from racegym.engine.forms import ALL, NUMBER, PER_PLAYER, SEAT, YES_NO, Counts, Filled, Word
from racegym.engine.layout import Layout, hidden, own, seen
from racegym.engine.names import numbered

MAX_PLAYERS = 4
HORSES = 9  # HR-02
BETS = 3  # HR-11
HAND = 5  # HR-10
COUNTERS, LARGEST_PURSE = 40, 10  # HR-05

#: How cards are written (HR-03): rears, front, empty.  As a number a card is its place among these,
#: from 1; 0 is none.  What is counted by kind has the card less one as its index.
CARDS = (*(f"R{horse}" for horse in range(1, HORSES + 1)), "F", "E")
KINDS = len(CARDS)
FRONT, EMPTY = HORSES + 1, HORSES + 2
REARS, FRONTS, EMPTIES = 20, 30, 10  # HR-03
DECK = REARS + FRONTS + EMPTIES
MOST_REARS = REARS - (HORSES - 1)  # HR-04: of one horse
MOST_OF_KIND = (*(MOST_REARS,) * HORSES, FRONTS, EMPTIES)

LANES, SLOTS, LAST_SLOTS = 4, 7, 5  # HR-06: lanes at most; slots in phases 1 and 2, and in 3
STAGES = 3

PHASE = numbered("Phase", ("bet", "race", "fall", "end"))
#: Ways of scoring (HR-43 to HR-45).
SCORING = numbered("Scoring", ("sum", "first", "sum_bonus"))
WINNER_BONUS = 8  # HR-45

FALLS, FALL_CARDS = 2, 6  # HR-50
MOST_OUT = 2  # one horse at each obstacle
MOST_POINTS = 72  # of a horse, in all


def actions_for(order: Sequence[int | str]) -> Actions:
    """The actions, with the horses and their rears in an order: numbers, or what they are called.

    Horses are backed by number; otherwise they are counted in the acting player's own order (see
    :mod:`racegym.games.horse_race.rules.terms`).  Cards are placed lane by lane.
    """
    cards = (*(f"R{h}" if isinstance(h, int) else h for h in order), *CARDS[HORSES:])
    placed = [f"{card} lane {lane}" for lane in range(1, LANES + 1) for card in cards]
    return Actions(
        back=[f"back {h}" for h in range(1, HORSES + 1)],
        up=[f"up {place}" for place in placed],
        down=[f"down {place}" for place in placed],
        swap=[f"swap {card}" for card in cards],
        draw="draw",
        sell=[f"sell {card}" for card in cards],
        **{"pass": "pass"},
        out=[f"out {h}" for h in order],
    )


#: A player's own order of the horses: those it backed, then the others by number.
OWN_ORDER = (
    *(f"own {i}" for i in range(1, BETS + 1)),
    *(f"other {i}" for i in range(1, HORSES - BETS + 1)),
)
ACTIONS = actions_for(OWN_ORDER)
A = ACTIONS.at

_CARD = word_of(CARDS, first=1)
EVENTS = Events(
    drew=("player", Told("card", _CARD, only=("player",))),
    reveal=("lane", "slot", Told("card", _CARD)),
    pair=("lane", "slot", "horse"),
    place=("horse", "lane", "place", "bonus"),
    jump=("player",),
    fall=("player",),
    out=("horse", "by"),
    stage=("stage", "starter"),
)
E = EVENTS.at

OPTIONS = option.OptionSet(
    (
        option.num_players_option(4, 2, MAX_PLAYERS),  # HR-01
        option.reward_option(),
        option.WholeNumber("lanes", 3, "lanes of the track", low=3, high=LANES),
        option.WholeNumber(
            "counters", 10, "counters of each player at first", low=1, high=LARGEST_PURSE
        ),
        option.WholeNumbers(
            "rears",
            [3, 3, 2, 2, 2, 2, 2, 2, 2],
            "rear cards of each horse",
            length=HORSES,
            low=1,
            high=MOST_REARS,
            total=REARS,
        ),
        option.Choice(
            "scoring", "sum", "what the horses backed are worth", choices=SCORING._fields
        ),
        option.Flag("falls", False, "horses can fall at the obstacles"),
        option.max_turns_option(1000),
    )
)
#: Places in the vector of options that ``start`` reads.
OPTION = OPTIONS.at

_SEATS, _BETS = (MAX_PLAYERS,), (MAX_PLAYERS, BETS)
_TRACK = (LANES, SLOTS)

LAYOUT = Layout(
    (
        seen("turn", "the turn, from 1", dtype="i4", low=1, high=1_000_000, form=NUMBER),
        seen("max_turns", "turns after which the game is cut", dtype="i4", fixed=True),
        seen("num_lanes", "lanes of the track", fixed=True),
        seen("rears", "rear cards of each horse in the game", (HORSES,), fixed=True),
        seen("scoring", 'scoring: 0 "sum", 1 "first", 2 "sum_bonus"', fixed=True),
        seen("falls", "1 if horses can fall", fixed=True),
        seen("phase", "0 bet, 1 race, 2 fall, 3 end", high=PHASE.end, form=Word(PHASE._fields)),
        seen("stage", "phase of the race, 1-3", low=1, high=STAGES, form=NUMBER),
        seen("starter", "who began the stage, -1 not drawn yet", seats="values", form=SEAT),
        seen("must_open", "1 while the starter owes a card placed face up", high=1, form=YES_NO),
        seen("passes", "passes in a row", high=MAX_PLAYERS, form=NUMBER),
        seen("last_placer", "who placed the stage's latest card, -1", seats="values", form=SEAT),
        seen("counters", "counters of each player", _SEATS, high=COUNTERS, form=PER_PLAYER),
        seen("bank", "counters in the bank", high=COUNTERS, form=NUMBER),
        seen("hand_size", "cards in hand", _SEATS, high=DECK),
        own(
            "hands",
            "cards in hand of each kind",
            (MAX_PLAYERS, KINDS),
            form=Counts(CARDS, per_player=True, total="hand_size"),
            high=MOST_OF_KIND,
        ),
        seen("num_bets", "horses backed so far", _SEATS, high=BETS),
        own("bets", "horses backed in secret, in order", _BETS, high=HORSES),
        seen("revealed", "horses backed, from the end on", _BETS, high=HORSES),
        seen("points", "points of each horse", (HORSES,), high=MOST_POINTS, form=ALL),
        seen(
            "horses_out",
            "horses out of the race, in order, 0 none",
            (MOST_OUT,),
            high=HORSES,
            form=Filled(),
        ),
        seen("lane_size", "cards in each lane", (LANES,), seats="none", high=SLOTS),
        seen("lane_card", "cards face up, 0 none or down", _TRACK, seats="none", high=KINDS),
        seen("placer", "who placed the card, -1 nobody", _TRACK, seats="values"),
        own(
            "down",
            "[p, lane, slot]: cards that p placed face down",
            (MAX_PLAYERS, *_TRACK),
            high=KINDS,
        ),
        hidden(
            "pile",
            "draw pile; the next card is the last one",
            (DECK,),
            high=KINDS,
            form=Filled(size="pile_size", words=CARDS, backwards=True),
        ),
        seen("pile_size", "cards in the draw pile", high=DECK),
        seen(
            "out_of_game",
            "cards of each kind out of the game",
            (KINDS,),
            form=Counts(CARDS),
            high=MOST_OF_KIND,
        ),
        seen(
            "under",
            "cards of each kind that were put under the pile",
            (KINDS,),
            remembered=True,
            high=MOST_OF_KIND,
        ),
        seen("under_left", "how many of those are still in the pile", high=DECK, remembered=True),
        own(
            "under_drawn",
            "those that a seat drew itself",
            (MAX_PLAYERS, KINDS),
            remembered=True,
            high=MOST_OF_KIND,
        ),
        seen(
            "fronts",
            "fronts a player is known to hold, at least",
            _SEATS,
            high=FRONTS,
            remembered=True,
        ),
    ),
    record=(
        *("phase", "stage", "turn", "to_act", "hands", "counters", "bank", "pile", "out_of_game"),
        *("lanes", "points", "horses_out", "bets", "starter", "passes", "must_open"),
        "last_placer",
    ),
)
