"""What Dino Race is played with: cards, actions, events, options and the layout of the state."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine import options as option
from racegym.engine.actions import Actions
from racegym.engine.compile import compiled
from racegym.engine.events import Events, Told, word_of
from racegym.engine.forms import NUMBER, PER_PLAYER, YES_NO, Counts, Word
from racegym.engine.layout import Layout, hidden, own, seen
from racegym.engine.names import numbered
from racegym.errors import OptionError

MAX_PLAYERS = 8
MAX_SOLO = 4  # DR-01: players without teams; more play with one dinosaur each
DINOS = 2
HOME, LAST_TERRAIN = 12, 11  # DR-02, DR-60: tile 12 is home; lava comes as far as tile 11
TILES = 12

# Kinds of cards, the terrains first (DR-03), and faces of the event die (DR-04).
CARD = numbered("Card", ("plains", "desert", "swamp", "jungle", "wild", "push", "egg", "steal"))
CARD_NAMES = CARD._fields
TERRAINS, KINDS = 4, len(CARD)
FACE = numbered("Face", (*CARD_NAMES[:TERRAINS], "two", "eruption"), first=1)
FACES = len(FACE)
DECK = np.array([8, 8, 8, 8, 8, 4, 4, 4], np.int64)
CARDS = 52

PRIZES, EGG_COUNTERS, DROPS = 12, 4, 22  # DR-05
COLOUR_BONUS = 3  # DR-71

PHASE = numbered("Phase", ("play", "pay", "prize", "give", "end"))
VARIANTS = ("standard", "survive")
#: What a seat knows of a prize counter (DR-61, DR-83): nothing, that it was in the pile at the
#: latest look, that it is its own, that it is its partner's.
COUNTER = numbered("Counter", ("unknown", "seen", "own", "partners"))

# --- actions -------------------------------------------------------------------------------------

#: Ways for a dinosaur to move: by one card of terrain 0-3 or a wild, then by three of a kind.
BY_THREE = CARD.wild + 1
MOVES = BY_THREE + KINDS
#: Places for dinosaurs, as (seats clockwise, dinosaur): two for seats +0 to +3, one for the others.
SLOTS = np.array(
    [(q, d) for q in range(MAX_PLAYERS) for d in range(DINOS if q < MAX_SOLO else 1)], np.int64
)
#: Those that tricks aim at: all but the own ones.
TARGETS = SLOTS[DINOS:]
#: Pairs of cards that can be paid or exchanged, in the order of the kinds.
PAIRS = np.array([(a, b) for a in range(KINDS) for b in range(a, KINDS)], np.int64)

_WAYS = (*CARD_NAMES[:BY_THREE], *(f"three {card}" for card in CARD_NAMES))
_TARGETS = [f"+{q} {d + 1}" for q, d in TARGETS]
_OTHERS = [f"+{q}" for q in range(1, MAX_PLAYERS)]
_PAIRS = [f"{CARD_NAMES[a]} {CARD_NAMES[b]}" for a, b in PAIRS]

#: The words name other players by steps clockwise from the acting seat: ``push +1 2``.
ACTIONS = Actions(
    move=[f"move {d} {way}" for d in (1, 2) for way in _WAYS],
    push=[f"push {target}" for target in _TARGETS],
    trip=[f"trip {target}" for target in _TARGETS],
    egg=[f"egg {player}" for player in _OTHERS],
    steal=[f"steal {player}" for player in _OTHERS],
    stand=["stand 1", "stand 2"],
    pay=[f"pay {pair}" for pair in _PAIRS],
    exchange=[f"exchange {pair}" for pair in _PAIRS],
    hand=[f"hand {card}" for card in CARD_NAMES],
    roll="roll",
    prize=[f"prize {i}" for i in range(PRIZES)],
    give=[f"give {player}" for player in _OTHERS],
)
A = ACTIONS.at

# --- events --------------------------------------------------------------------------------------

#: Why a card was discarded or a dinosaur moved.
WHY = numbered("Why", ("random", "eruption", "home", "card", "push", "lava"))
_WHY = Told("why", word_of(WHY._fields))
_DINO = Told("dino", lambda d: d + 1)
_CARD = word_of(CARD_NAMES)

EVENTS = Events(
    die=("player", Told("face", word_of(FACE._fields, first=1))),
    drew=("player", Told("card", _CARD, only=("player",))),
    discarded=("player", Told("card", _CARD), _WHY),
    shuffle=(),
    moved=("player", _DINO, "to", _WHY),
    burned=("player", _DINO),
    drop=("player",),
    egg=("from", "to"),
    stole=("player", "from", Told("card", _CARD, only=("player", "from"))),
    lava=("tile",),
    home=("player", _DINO),
    egg_safe=("player", "value"),
    race_over=(Told("points", each=True),),
    race=("number", "starter"),
)
E = EVENTS.at

# --- options -------------------------------------------------------------------------------------

LARGEST_VALUE = 1000


def _check_together(options: dict[str, Any]) -> None:
    """DR-01: which player counts go with and without teams."""
    n = options["num_players"]
    if options["teams"] and n not in (4, 6, 8):
        raise OptionError(f"teams are played by 4, 6 or 8 players, not {n}: set num_players")
    if not options["teams"] and n > MAX_SOLO:
        raise OptionError(
            f"without teams 2 to {MAX_SOLO} can play, not {n}: set num_players or teams=True"
        )


OPTIONS = option.OptionSet(
    (
        option.num_players_option(4, 2, MAX_PLAYERS),
        option.reward_option(),
        option.Flag("teams", False, "two players a team, one dinosaur each (4, 6 or 8 players)"),
        option.Choice(
            "variant",
            "standard",
            "standard, or survive: no counters, the first with all dinosaurs home wins",
            choices=VARIANTS,
        ),
        option.WholeNumber("matches", 1, "races in a row, scores summed", low=1, high=2),
        option.WholeNumbers(
            "prize_values",
            list(range(1, PRIZES + 1)),
            "values of the twelve prize counters, by id",
            length=PRIZES,
            low=0,
            high=LARGEST_VALUE,
        ),
        option.WholeNumbers(
            "egg_values",
            [5, 6, 7, 8],
            "values of the four egg counters",
            length=EGG_COUNTERS,
            low=0,
            high=LARGEST_VALUE,
        ),
        option.max_turns_option(500),
    ),
    _check_together,
)
#: Places in the vector of options that ``start`` reads.
OPTION = OPTIONS.at

# --- the state -----------------------------------------------------------------------------------

_MOST_POINTS = 10 * LARGEST_VALUE  # more than a race can bring
_SEATS, _PAIR, _KINDS = (MAX_PLAYERS,), (MAX_PLAYERS, DINOS), (MAX_PLAYERS, KINDS)
_KNOWN = (MAX_PLAYERS, MAX_PLAYERS, KINDS)
_OF_KIND = tuple(DECK.tolist())  # cards at most
_HANDS = Counts(CARD_NAMES, per_player=True, zeros=True, total="hand_size")
_DIE = Word((None, *FACE._fields))

LAYOUT = Layout(
    (
        seen("turn", "the turn, from 1", dtype="i4", low=1, high=1_000_000, form=NUMBER),
        seen("max_turns", "turns after which the game is cut", dtype="i4", fixed=True),
        seen(
            "points",
            "scores of the races finished before",
            _SEATS,
            "i4",
            low=-_MOST_POINTS,
            high=_MOST_POINTS,
            form=PER_PLAYER,
        ),
        seen("prize_values", "value of each prize counter", (PRIZES,), "i2", fixed=True),
        seen("egg_values", "values of the egg counters", (EGG_COUNTERS,), "i2", fixed=True),
        seen("egg_value", "value of the egg counter drawn", dtype="i2", high=LARGEST_VALUE),
        seen("egg_safe", "1 when the egg is home in this race", high=1),
        seen("eggs_home", "eggs brought home in races before", _SEATS, high=1, form=PER_PLAYER),
        seen("teams", "1 in team play", fixed=True),
        seen("survive", 'variant: 0 "standard", 1 "survive"', fixed=True),
        seen("matches", "races to be run", fixed=True),
        seen("race", "the race, from 1", low=1, high=2, form=NUMBER),
        seen("starter", "who began the first race", seats="values", low=0, form=NUMBER),
        seen("current", "whose turn it is", seats="values", low=0, form=NUMBER),
        seen(
            "phase",
            "0 play, 1 pay, 2 prize, 3 give, 4 end",
            high=PHASE.end,
            form=Word(PHASE._fields),
        ),
        seen("passed", "1 if a card was passed to the partner this turn", high=1, form=YES_NO),
        seen(
            "last_die",
            "latest roll: 1-4 terrain, 5 two, 6 eruption, 0 none",
            high=FACE.eruption,
            form=_DIE,
        ),
        seen("tiles", "terrain of tiles 1-12", (TILES,), high=TERRAINS - 1),
        seen("volcano_active", "1 after the first eruption", high=1, form=YES_NO),
        seen("lava", "tiles covered by lava, 0-11", high=LAST_TERRAIN, form=NUMBER),
        seen("position", "tile of each dinosaur, 12 home or none", _PAIR, high=HOME),
        seen("lying", "1 if the dinosaur lies on its side", _PAIR, high=1),
        seen("egg", "who has the egg", seats="values", low=0, form=NUMBER),
        seen("drops", "lava drops taken", _SEATS, high=DROPS, form=PER_PLAYER),
        seen("drop_supply", "lava drops left", high=DROPS, form=NUMBER),
        own("hands", "cards in hand of each kind", _KINDS, high=_OF_KIND, form=_HANDS),
        seen("hand_size", "cards in hand", _SEATS, high=CARDS),
        hidden(
            "pile",
            "draw pile: the last pile_size places, in order",
            (CARDS,),
            low=-1,
            high=KINDS - 1,
            observed=False,
        ),
        seen("pile_size", "cards in the draw pile", high=CARDS),
        seen(
            "discards",
            "discarded cards of each kind",
            (KINDS,),
            seats="none",
            high=_OF_KIND,
            form=Counts(CARD_NAMES, zeros=True),
        ),
        seen(
            "shuffled",
            "what the draw pile was made of, by kind",
            (KINDS,),
            seats="none",
            high=_OF_KIND,
            remembered=True,
        ),
        own(
            "pile_limit",
            "most that can be in the pile, by kind",
            _KINDS,
            high=_OF_KIND,
            remembered=True,
        ),
        own(
            "known",
            "[p, q, kind]: cards that p knows q to hold, at least",
            _KNOWN,
            high=_OF_KIND,
            remembered=True,
        ),
        own(
            "shown",
            "[p, q, kind]: cards of p that q knows it to hold, at least",
            _KNOWN,
            high=_OF_KIND,
            remembered=True,
        ),
        hidden(
            "prize_left",
            "1 for the counters in the prize pile",
            (PRIZES,),
            high=1,
            key="prizes_left",
            observed=False,
        ),
        seen("num_prizes", "counters in the prize pile", high=PRIZES),
        hidden(
            "prizes",
            "counters won, in order, -1 none",
            _PAIR,
            low=-1,
            high=PRIZES - 1,
            observed=False,
        ),
        seen("prizes_won", "how many counters each has won", _SEATS, high=DINOS),
        own(
            "prize_known",
            "0 no, 1 seen, 2 own, 3 partner's",
            (MAX_PLAYERS, PRIZES),
            high=COUNTER.partners,
            remembered=True,
        ),
        own(
            "since_look",
            "[p, q]: counters that q, of another side, has won since the latest look of p",
            (MAX_PLAYERS, MAX_PLAYERS),
            high=DINOS,
            remembered=True,
        ),
    ),
    record=(
        *("race", "turn", "phase", "to_act", "current", "starter", "tiles", "volcano_active"),
        *("lava", "position", "lying", "hands", "pile", "discards", "egg", "prizes_left"),
        *("prizes", "egg_counter", "drops", "drop_supply", "last_die", "passed", "points"),
        "eggs_home",
    ),
)


@compiled
def dinos_each(s):
    """Dinosaurs of a player: two, in team play one (DR-80)."""
    return 1 if s.teams else DINOS


@compiled
def slot_of(steps, d):
    """Place in ``SLOTS`` of a dinosaur of the player so many seats clockwise."""
    return DINOS * steps + d if steps < MAX_SOLO else steps + MAX_SOLO


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
