"""What Café Race is played with: sizes, actions, events, options and the layout of the state."""

from __future__ import annotations

from racegym.engine import options as option
from racegym.engine.actions import Actions
from racegym.engine.events import Events, Told
from racegym.engine.forms import NUMBER, PER_PLAYER, SEAT, YES_NO, Filled, OrNull, Word
from racegym.engine.layout import Layout, own, seen
from racegym.engine.names import numbered

MAX_PLAYERS = 6
TOKENS = 5  # CR-03
DIE = 6
START, FIRST_FINISH, LAST_FINISH = 0, 28, 29  # CR-02

#: Phases of a round.
PHASE = numbered("Phase", ("impulse", "auction", "bid", "end"))
RULES = ("basic", "advanced")

_VALUES = range(1, DIE + 1)
ACTIONS = Actions(
    impulse=[f"impulse {k}" for k in _VALUES],
    auction=[f"auction {k}" for k in _VALUES],
    bid=[f"bid {k}" for k in _VALUES],
    **{"pass": "pass"},
)
A = ACTIONS.at

EVENTS = Events(
    speed_dice=(Told("values", counted=True),),
    speed=("player", "impulse", "speed"),
    sold=("player", "speed", "bid"),
    auctioneer=("player",),
    move=("player", "from", "to", Told("barred", bool), Told("overshot", bool)),
    balance=("player", Told("dice", width=2), "need", Told("spilled", bool)),
    restart=("player",),
)
E = EVENTS.at

OPTIONS = option.OptionSet(
    (
        option.num_players_option(4, 3, MAX_PLAYERS),  # CR-01
        option.reward_option(),
        option.Choice("rules", "basic", "how speeds are given out", choices=RULES),
        option.max_turns_option(200, "rounds after which the game is cut"),
    )
)
#: Places in the vector of options that ``start`` reads.
OPTION = OPTIONS.at

_SEATS = (MAX_PLAYERS,)
_DICE = Filled(size="num_dice", descending=True)

LAYOUT = Layout(
    (
        seen(
            "round_number",
            "the round, from 1",
            dtype="i4",
            low=1,
            high=10**6,
            form=NUMBER,
            key="round",
        ),
        seen("max_turns", "rounds after which the game is cut", dtype="i4", fixed=True),
        seen("advanced", "1 under the advanced rules (auctions)", fixed=True),
        seen(
            "phase", "0 impulse, 1 auction, 2 bid, 3 end", high=PHASE.end, form=Word(PHASE._fields)
        ),
        seen("position", "space of the worker, 0-29", _SEATS, high=LAST_FINISH, form=PER_PLAYER),
        seen("coffee", "coffee tokens left, 0-5", _SEATS, high=TOKENS, form=PER_PLAYER),
        own("secret", "impulse chosen, not yet revealed", _SEATS, high=DIE),
        seen("impulse", "impulse revealed, 0 none yet", _SEATS, high=DIE, form=PER_PLAYER),
        seen("speed", "speed die taken, 0 none yet", _SEATS, high=DIE, form=PER_PLAYER),
        seen("last_impulse", "impulse a round ago", _SEATS, high=DIE, form=PER_PLAYER),
        seen("last_speed", "speed a round ago", _SEATS, high=DIE, form=PER_PLAYER),
        seen("dice", "dice left, high to low", _SEATS, seats="none", high=DIE, form=_DICE),
        seen("num_dice", "how many speed dice are left", high=MAX_PLAYERS),
        seen("auctioneer", "the auctioneer, -1 none", seats="values", form=SEAT),
        seen("auctioned", "die under auction, 0 none", high=DIE, form=OrNull(0)),
        seen("high_bid", "highest bid so far, 0 none", high=DIE, form=OrNull(0)),
        seen("high_bidder", "highest bidder, -1 none", seats="values", form=SEAT),
        seen("last_round", "1 once a worker reached the finish", high=1, form=YES_NO),
    ),
    record=(
        *("round", "phase", "to_act", "position", "coffee", "impulse", "speed", "last_impulse"),
        *("last_speed", "dice", "auctioneer", "auctioned", "high_bid", "high_bidder", "last_round"),
    ),
)
