"""What Dino Race is played with: kinds of cards, actions, options and the layout of the state.

The rules themselves are in :mod:`rules`; who knows what of the hidden cards and counters, and
re-dealing them, is in :mod:`knowledge`.  Both need what stands here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from racegym.errors import OptionError

MAX_PLAYERS = 8
MAX_SOLO = 4  # DR-01: players without teams; more play with one dinosaur each
DINOS = 2
HOME, LAST_TERRAIN = 12, 11  # DR-02, DR-60: tile 12 is home; lava comes as far as tile 11
TILES = 12

# Terrains are the first kinds of cards (DR-03).
PLAINS, DESERT, SWAMP, JUNGLE, WILD, PUSH, EGG, STEAL = 0, 1, 2, 3, 4, 5, 6, 7
TERRAINS, KINDS = 4, 8
DECK = np.array([8, 8, 8, 8, 8, 4, 4, 4], np.int64)
CARDS = 52

# Faces of the event die (DR-04): 1 + terrain, then these.
TWO_CARDS, ERUPTION, FACES = 5, 6, 6

PRIZES, EGG_COUNTERS, DROPS = 12, 4, 22  # DR-05
COLOUR_BONUS = 3  # DR-71

# Phases.
PLAY, PAY, CHOOSE, GIVE, END = 0, 1, 2, 3, 4

# What a seat knows of a prize counter (DR-61, DR-83): nothing, that it was in the pile at the
# latest look, that it is its own, that it is its partner's.
UNKNOWN, SEEN, OWN, PARTNERS = 0, 1, 2, 3

# Pairs of cards that can be paid or exchanged, in the order of the kinds.
PAIRS = 36
PAIR_FIRST = np.array([a for a in range(KINDS) for _ in range(a, KINDS)], np.int64)
PAIR_SECOND = np.array([b for a in range(KINDS) for b in range(a, KINDS)], np.int64)

# Actions.  A dinosaur's moves: by a card of terrain 0-3, by a wild, by three of kind 0-7.
# Targets are the dinosaurs of seats +1 to +3 (two each) and +4 to +7 (one each).
MOVES, TARGETS, OTHERS = 13, 10, 7
BY_WILD, BY_THREE = 4, 5
FIRST_MOVE = 0
FIRST_PUSH = FIRST_MOVE + DINOS * MOVES
FIRST_TRIP = FIRST_PUSH + TARGETS
FIRST_EGG = FIRST_TRIP + TARGETS
FIRST_STEAL = FIRST_EGG + OTHERS
FIRST_STAND = FIRST_STEAL + OTHERS
FIRST_PAY = FIRST_STAND + DINOS
FIRST_EXCHANGE = FIRST_PAY + PAIRS
FIRST_HAND = FIRST_EXCHANGE + PAIRS
ROLL = FIRST_HAND + KINDS
FIRST_PRIZE = ROLL + 1
FIRST_GIVE = FIRST_PRIZE + PRIZES
NUM_ACTIONS = FIRST_GIVE + OTHERS

# Kinds of events, and why a card was discarded or a dinosaur moved.
DIE_ROLLED, DREW, DISCARDED, SHUFFLED, MOVED, BURNED, DROP, EGG_PASSED = 1, 2, 3, 4, 5, 6, 7, 8
STOLE, LAVA, CAME_HOME, EGG_SAFE, RACE_OVER, RACE_BEGINS = 9, 10, 11, 12, 13, 14
AT_RANDOM, BY_ERUPTION, AT_HOME = 0, 1, 2
BY_CARD, BY_PUSH, BY_LAVA = 0, 1, 2

# Places in the vector of options that ``start`` reads.
TEAMS_OPTION, VARIANT_OPTION, MATCHES_OPTION, PRIZE_VALUES_OPTION = 2, 3, 4, 5
EGG_VALUES_OPTION = PRIZE_VALUES_OPTION + PRIZES
MAX_TURNS_OPTION = EGG_VALUES_OPTION + EGG_COUNTERS

LARGEST_VALUE = 1000
MOST_POINTS = 10 * LARGEST_VALUE  # more than a race can bring


def _check_together(options: dict[str, Any]) -> None:
    """DR-01: which player counts go with and without teams."""
    n = options["num_players"]
    if options["teams"] and n not in (4, 6, 8):
        raise OptionError(f"teams are played by 4, 6 or 8 players, not {n}: set num_players")
    if not options["teams"] and n > MAX_SOLO:
        raise OptionError(
            f"without teams 2 to {MAX_SOLO} can play, not {n}: set num_players or teams=True"
        )


OPTIONS = OptionSet(
    (
        num_players_option(4, 2, MAX_PLAYERS),
        reward_option(),
        Flag("teams", False, "two players a team, one dinosaur each (4, 6 or 8 players)"),
        Choice(
            "variant",
            "standard",
            "standard, or survive: no counters, the first with all dinosaurs home wins",
            choices=("standard", "survive"),
        ),
        WholeNumber("matches", 1, "races in a row, scores summed", low=1, high=2),
        WholeNumbers(
            "prize_values",
            list(range(1, PRIZES + 1)),
            "values of the twelve prize counters, by id",
            length=PRIZES,
            low=0,
            high=LARGEST_VALUE,
        ),
        WholeNumbers(
            "egg_values",
            [5, 6, 7, 8],
            "values of the four egg counters",
            length=EGG_COUNTERS,
            low=0,
            high=LARGEST_VALUE,
        ),
        WholeNumber("max_turns", 500, "turns after which the game is cut", low=1, high=1_000_000),
    ),
    _check_together,
)

_ALL, _OWNER, _NOBODY = Visible.EVERYBODY, Visible.OWNER, Visible.NOBODY
_OF_KIND = tuple(DECK.tolist())  # cards at most

LAYOUT = Layout(
    (
        Field("turn", "i4", (), _ALL, "the turn, from 1", low=1, high=1_000_000),
        Field("max_turns", "i4", (), _ALL, "turns after which the game is cut", fixed=True),
        Field(
            "points",
            "i4",
            (MAX_PLAYERS,),
            _ALL,
            "scores of the races finished before",
            low=-MOST_POINTS,
            high=MOST_POINTS,
        ),
        Field("prize_values", "i2", (PRIZES,), _ALL, "value of each prize counter", fixed=True),
        Field("egg_values", "i2", (EGG_COUNTERS,), _ALL, "values of the egg counters", fixed=True),
        Field("egg_value", "i2", (), _ALL, "value of the egg counter drawn", high=LARGEST_VALUE),
        Field("egg_safe", "i1", (), _ALL, "1 when the egg is home in this race", high=1),
        Field("eggs_home", "i1", (MAX_PLAYERS,), _ALL, "eggs brought home in races before", high=1),
        Field("teams", "i1", (), _ALL, "1 in team play", fixed=True),
        Field("survive", "i1", (), _ALL, 'variant: 0 "standard", 1 "survive"', fixed=True),
        Field("matches", "i1", (), _ALL, "races to be run", fixed=True),
        Field("race", "i1", (), _ALL, "the race, from 1", low=1, high=2),
        Field("starter", "i1", (), _ALL, "who began the first race", "values", low=0),
        Field("current", "i1", (), _ALL, "whose turn it is", "values", low=0),
        Field("phase", "i1", (), _ALL, "0 play, 1 pay, 2 prize, 3 give, 4 end", high=END),
        Field("passed", "i1", (), _ALL, "1 if a card was passed to the partner this turn", high=1),
        Field(
            "last_die",
            "i1",
            (),
            _ALL,
            "latest roll: 1-4 terrain, 5 two, 6 eruption, 0 none",
            high=FACES,
        ),
        Field("tiles", "i1", (TILES,), _ALL, "terrain of tiles 1-12", high=TERRAINS - 1),
        Field("volcano_active", "i1", (), _ALL, "1 after the first eruption", high=1),
        Field("lava", "i1", (), _ALL, "tiles covered by lava, 0-11", high=LAST_TERRAIN),
        Field(
            "position",
            "i1",
            (MAX_PLAYERS, DINOS),
            _ALL,
            "tile of each dinosaur, 12 home or none",
            high=HOME,
        ),
        Field(
            "lying", "i1", (MAX_PLAYERS, DINOS), _ALL, "1 if the dinosaur lies on its side", high=1
        ),
        Field("egg", "i1", (), _ALL, "who has the egg", "values", low=0),
        Field("drops", "i1", (MAX_PLAYERS,), _ALL, "lava drops taken", high=DROPS),
        Field("drop_supply", "i1", (), _ALL, "lava drops left", high=DROPS),
        Field(
            "hands", "i1", (MAX_PLAYERS, KINDS), _OWNER, "cards in hand of each kind", high=_OF_KIND
        ),
        Field("hand_size", "i1", (MAX_PLAYERS,), _ALL, "cards in hand", high=CARDS),
        Field(
            "pile",
            "i1",
            (CARDS,),
            _NOBODY,
            "draw pile: the last pile_size places, in order",
            low=-1,
            high=KINDS - 1,
        ),
        Field("pile_size", "i1", (), _ALL, "cards in the draw pile", high=CARDS),
        Field(
            "discards", "i1", (KINDS,), _ALL, "discarded cards of each kind", "none", high=_OF_KIND
        ),
        Field(
            "shuffled",
            "i1",
            (KINDS,),
            _ALL,
            "what the draw pile was made of, by kind",
            "none",
            high=_OF_KIND,
        ),
        Field(
            "pile_limit",
            "i1",
            (MAX_PLAYERS, KINDS),
            _OWNER,
            "most that can be in the pile, by kind",
            high=_OF_KIND,
        ),
        Field(
            "known",
            "i1",
            (MAX_PLAYERS, MAX_PLAYERS, KINDS),
            _OWNER,
            "[p, q, kind]: cards that p knows q to hold, at least",
            high=_OF_KIND,
        ),
        Field(
            "shown",
            "i1",
            (MAX_PLAYERS, MAX_PLAYERS, KINDS),
            _OWNER,
            "[p, q, kind]: cards of p that q knows it to hold, at least",
            high=_OF_KIND,
        ),
        Field(
            "prize_left", "i1", (PRIZES,), _NOBODY, "1 for the counters in the prize pile", high=1
        ),
        Field("num_prizes", "i1", (), _ALL, "counters in the prize pile", high=PRIZES),
        Field(
            "prizes",
            "i1",
            (MAX_PLAYERS, DINOS),
            _NOBODY,
            "counters won, in order, -1 none",
            low=-1,
            high=PRIZES - 1,
        ),
        Field(
            "prizes_won", "i1", (MAX_PLAYERS,), _ALL, "how many counters each has won", high=DINOS
        ),
        Field(
            "prize_known",
            "i1",
            (MAX_PLAYERS, PRIZES),
            _OWNER,
            "0 no, 1 seen, 2 own, 3 partner's",
            high=PARTNERS,
        ),
        Field(
            "since_look",
            "i1",
            (MAX_PLAYERS, MAX_PLAYERS),
            _OWNER,
            "[p, q]: counters that q, of another side, has won since the latest look of p",
            high=DINOS,
        ),
    )
)


@compiled
def dinos_each(s):
    """Dinosaurs of a player: two, in team play one (DR-80)."""
    return 1 if s.teams else DINOS


@compiled
def on_track(s, p):
    """How many dinosaurs of a player are on the track."""
    return (s.position[p, 0] < HOME) + (s.position[p, 1] < HOME)


@compiled
def partner_of(s, p):
    """The partner in team play (DR-80); without teams the player itself."""
    if s.teams:
        return (p + s.sides) % s.num_players
    return p


@compiled
def after(s, p):
    """The next player clockwise."""
    return p + 1 if p + 1 < s.num_players else 0


@compiled
def seat_at(s, p, steps):
    """The player ``steps`` (less than the number of players) further clockwise."""
    q = p + steps
    return q if q < s.num_players else q - s.num_players
