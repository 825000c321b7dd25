"""The rules of Café Race, clause by clause (ids like CR-12 name the clauses)."""

from __future__ import annotations

from racegym.engine.chance import DEALS, DICE, REDEALS, TIES, below, roll
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.layout import Field, Layout, Visible
from racegym.engine.options import (
    Choice,
    OptionSet,
    WholeNumber,
    num_players_option,
    reward_option,
)

MAX_PLAYERS = 6
TOKENS = 5  # CR-03
DIE = 6
START, FIRST_FINISH, LAST_FINISH = 0, 28, 29  # CR-02

# Phases of a round.
IMPULSE, AUCTION, BID, END = 0, 1, 2, 3
PHASES = ("impulse", "auction", "bid", "end")  # their names in records

# Actions: impulse 1-6, auction of the die 1-6, bid 1-6, pass.
FIRST_IMPULSE, FIRST_AUCTION, FIRST_BID, PASS = 0, 6, 12, 18
NUM_ACTIONS = 19

# What decides who comes first.
BY_IMPULSE, BY_SPEED, BY_LEAD = 0, 1, 2

# Kinds of events.
SPEED_DICE, SPEED, SOLD, AUCTIONEER, MOVE, BALANCE, RESTART = 1, 2, 3, 4, 5, 6, 7

# Places in the vector of options that ``start`` reads.
RULES_OPTION, MAX_TURNS_OPTION = 2, 3

OPTIONS = OptionSet(
    (
        num_players_option(4, 3, MAX_PLAYERS),  # CR-01
        reward_option(),
        Choice("rules", "basic", "how speeds are given out", choices=("basic", "advanced")),
        WholeNumber("max_turns", 200, "rounds after which the game is cut", low=1, high=1_000_000),
    )
)

_ALL, _OWNER = Visible.EVERYBODY, Visible.OWNER

LAYOUT = Layout(
    (
        Field("round_number", "i4", (), _ALL, "the round, from 1", low=1, high=1_000_000),
        Field("max_turns", "i4", (), _ALL, "rounds after which the game is cut", fixed=True),
        Field("advanced", "i1", (), _ALL, "1 under the advanced rules (auctions)", fixed=True),
        Field("phase", "i1", (), _ALL, "0 impulse, 1 auction, 2 bid, 3 end", high=END),
        Field(
            "position", "i1", (MAX_PLAYERS,), _ALL, "space of the worker, 0-29", high=LAST_FINISH
        ),
        Field("coffee", "i1", (MAX_PLAYERS,), _ALL, "coffee tokens left, 0-5", high=TOKENS),
        Field("secret", "i1", (MAX_PLAYERS,), _OWNER, "impulse chosen, not yet revealed", high=DIE),
        Field("impulse", "i1", (MAX_PLAYERS,), _ALL, "impulse revealed, 0 none yet", high=DIE),
        Field("speed", "i1", (MAX_PLAYERS,), _ALL, "speed die taken, 0 none yet", high=DIE),
        Field("last_impulse", "i1", (MAX_PLAYERS,), _ALL, "impulse a round ago", high=DIE),
        Field("last_speed", "i1", (MAX_PLAYERS,), _ALL, "speed a round ago", high=DIE),
        Field("dice", "i1", (MAX_PLAYERS,), _ALL, "dice left, high to low", "none", high=DIE),
        Field("num_dice", "i1", (), _ALL, "how many speed dice are left", high=MAX_PLAYERS),
        Field("auctioneer", "i1", (), _ALL, "the auctioneer, -1 none", "values"),
        Field("auctioned", "i1", (), _ALL, "die under auction, 0 none", high=DIE),
        Field("high_bid", "i1", (), _ALL, "highest bid so far, 0 none", high=DIE),
        Field("high_bidder", "i1", (), _ALL, "highest bidder, -1 none", "values"),
        Field("last_round", "i1", (), _ALL, "1 once a worker reached the finish", high=1),
    )
)


# --- set-up and rounds ---------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game (CR-01, CR-03)."""
    s.advanced = options[RULES_OPTION]
    s.max_turns = options[MAX_TURNS_OPTION]
    s.score_scale = s.num_players + 4  # CR-45
    for p in range(s.num_players):
        s.coffee[p] = TOKENS
        s.position[p] = START
    roll_speed_dice(s)
    s.round_number = 1
    if s.advanced:  # CR-21: the first auctioneer is chosen at random
        begin_auction(s, below(s, DEALS, s.num_players))
    else:
        begin_choosing(s)


@compiled
def begin_choosing(s):
    """Ask everybody for an impulse, beginning with player 0 (CR-12)."""
    s.phase = IMPULSE
    s.to_act = 0
    s.auctioneer = -1
    s.high_bidder = -1


@compiled
def roll_speed_dice(s):
    """Roll as many speed dice as players and sort them high to low (CR-11)."""
    s.num_dice = s.num_players
    for i in range(s.num_players):
        value = roll(s, DICE, DIE)
        j = i
        while j > 0 and s.dice[j - 1] < value:
            s.dice[j] = s.dice[j - 1]
            j -= 1
        s.dice[j] = value


@compiled
def begin_round(s, log):
    """Restarts, speed dice, auctioneer, in this order (CR-29)."""
    s.round_number += 1
    for p in range(s.num_players):
        s.last_impulse[p] = s.impulse[p]
        s.last_speed[p] = s.speed[p]
        s.impulse[p] = 0
        s.speed[p] = 0
        if s.coffee[p] == 0:  # CR-36
            s.coffee[p] = TOKENS
            s.position[p] = START
            emit(log, RESTART, p)
    roll_speed_dice(s)
    d = s.dice
    emit(log, SPEED_DICE, s.num_players, d[0], d[1], d[2], d[3], d[4], d[5])
    if s.advanced:
        p = first_of(s, BY_LEAD, 0)
        emit(log, AUCTIONEER, p)
        begin_auction(s, p)
    else:
        begin_choosing(s)


# --- who comes first -----------------------------------------------------------------------------


@compiled
def first_of(s, criteria, left_out):
    """The player who comes first by the criteria, equal ones by white dice (at random).

    ``left_out`` is a set of players (bit p for player p) who are out of the question.
    """
    best, chosen, level = -1, -1, 0
    for p in range(s.num_players):
        if left_out >> p & 1:
            continue
        key = precedence(s, p, criteria)
        if key > best:
            best, chosen, level = key, p, 1
        elif key == best:
            level += 1
    if level == 1:
        return chosen
    skip = below(s, TIES, level)
    p = chosen
    while skip > 0:
        p += 1
        if not left_out >> p & 1 and precedence(s, p, criteria) == best:
            skip -= 1
    return p


@compiled
def precedence(s, p, criteria):
    """A number that is higher the earlier a player comes."""
    behind = LAST_FINISH - s.position[p]
    poorer = TOKENS - s.coffee[p]
    if criteria == BY_IMPULSE:  # CR-14
        return (s.impulse[p] * 100 + behind) * 10 + poorer
    if criteria == BY_SPEED:  # CR-30
        return ((s.speed[p] * 10 + s.impulse[p]) * 100 + behind) * 10 + poorer
    return s.position[p] * 10 + s.coffee[p]  # CR-21


# --- what may be done ----------------------------------------------------------------------------


@compiled
def legal(s, mask):
    """Mark the legal actions of the player to act."""
    if s.phase == IMPULSE:  # CR-12
        for k in range(DIE):
            mask[FIRST_IMPULSE + k] = 1
    elif s.phase == AUCTION:  # CR-22: one for each distinct value left
        for i in range(s.num_dice):
            mask[FIRST_AUCTION + s.dice[i] - 1] = 1
    elif s.phase == BID:
        for k in range(s.high_bid, DIE):  # CR-22, CR-23: higher than the highest so far
            mask[FIRST_BID + k] = 1
        if s.high_bidder >= 0:  # CR-22: the auctioneer must open
            mask[PASS] = 1


@compiled
def apply(s, action, log):
    """Play a legal action and everything that follows from it, up to the next decision."""
    if s.phase == IMPULSE:
        choose_impulse(s, action - FIRST_IMPULSE + 1, log)
    elif s.phase == AUCTION:
        s.auctioned = action - FIRST_AUCTION + 1
        s.phase = BID
    else:
        bid(s, 0 if action == PASS else action - FIRST_BID + 1, log)


# --- speeds, basic rules -------------------------------------------------------------------------


@compiled
def choose_impulse(s, impulse, log):
    """Note a secret choice; the last one reveals all and gives out the dice (CR-12, CR-13)."""
    s.secret[s.to_act] = impulse
    if s.to_act + 1 < s.num_players:
        s.to_act += 1
        return
    for p in range(s.num_players):
        s.impulse[p] = s.secret[p]
        s.secret[p] = 0
    served = 0
    for i in range(s.num_players):
        p = first_of(s, BY_IMPULSE, served)
        served |= 1 << p
        s.speed[p] = s.dice[i]
        emit(log, SPEED, p, s.impulse[p], s.speed[p])
    s.dice[:] = 0
    s.num_dice = 0
    move_workers(s, log)


# --- speeds by auction ---------------------------------------------------------------------------


@compiled
def begin_auction(s, auctioneer):
    """Ask the auctioneer which die to auction (CR-22)."""
    s.phase = AUCTION
    s.auctioneer = auctioneer
    s.to_act = auctioneer
    s.auctioned = 0
    s.high_bid = 0
    s.high_bidder = -1


@compiled
def bid(s, amount, log):
    """Note a bid (0 = pass); sell the die when everybody was asked or 6 was bid (CR-23, CR-24)."""
    p = s.to_act
    if amount > 0:
        s.high_bid = amount
        s.high_bidder = p
    q = next_without_die(s, p)
    if s.high_bid == DIE or q == s.auctioneer:
        sell(s, log)
    else:
        s.to_act = q


@compiled
def next_without_die(s, p):
    """The next player clockwise from p who has no die yet (CR-23, CR-25)."""
    q = (p + 1) % s.num_players
    while s.speed[q] > 0:
        q = (q + 1) % s.num_players
    return q


@compiled
def sell(s, log):
    """The highest bidder takes the die, and the next auction begins (CR-25 to CR-27)."""
    winner = s.high_bidder
    take_die(s, winner, s.auctioned, s.high_bid, log)
    if s.num_dice == 1:  # CR-27: the last die is not auctioned
        take_die(s, next_without_die(s, winner), s.dice[0], 1, log)
        s.auctioneer = -1
        s.auctioned = 0
        s.high_bid = 0
        s.high_bidder = -1
        move_workers(s, log)
        return
    auctioneer = s.auctioneer
    if winner == auctioneer:  # CR-26
        auctioneer = first_of(s, BY_LEAD, having_dice(s))
    emit(log, AUCTIONEER, auctioneer)
    begin_auction(s, auctioneer)


@compiled
def having_dice(s):
    """The set (bit p for player p) of those who have a speed die."""
    players = 0
    for p in range(s.num_players):
        players |= (s.speed[p] > 0) << p
    return players


@compiled
def take_die(s, p, value, impulse, log):
    """Give a speed die to a player for an impulse (CR-25)."""
    s.speed[p] = value
    s.impulse[p] = impulse
    emit(log, SOLD, p, value, impulse)
    i = 0
    while s.dice[i] != value:
        i += 1
    s.num_dice -= 1
    while i < s.num_dice:
        s.dice[i] = s.dice[i + 1]
        i += 1
    s.dice[i] = 0


# --- movement ------------------------------------------------------------------------------------


@compiled
def move_workers(s, log):
    """Move every worker once, then end the game or begin the next round (CR-30, CR-40)."""
    moved = 0
    for _ in range(s.num_players):
        p = first_of(s, BY_SPEED, moved)
        moved |= 1 << p
        move_worker(s, p, log)
    if s.last_round:
        end_game(s, 0)
    elif s.round_number >= s.max_turns:  # CR-44
        end_game(s, 1)
    else:
        begin_round(s, log)


@compiled
def move_worker(s, p, log):
    """Advance one worker by its speed and make its balance roll (CR-31 to CR-35)."""
    before = s.position[p]
    at = before
    left = s.speed[p]
    while left > 0 and at < LAST_FINISH and not is_full(s, at + 1):
        at += 1
        left -= 1
    s.position[p] = at
    overshot = left > 0 and at == LAST_FINISH
    barred = left > 0 and not overshot
    emit(log, MOVE, p, before, at, barred, overshot)
    if at >= FIRST_FINISH:  # CR-40
        s.last_round = 1
    if barred or overshot or is_step(at):  # CR-32, CR-33, CR-35
        keep_balance(s, p, log)


@compiled
def is_full(s, space):
    """Two workers fill a space (CR-04); only spaces behind the start are ever asked about."""
    workers = 0
    for p in range(s.num_players):
        workers += s.position[p] == space
    return workers >= 2


@compiled
def is_step(space):
    """A step of the stairs: 1-7, 11-17, 21-27 (CR-02)."""
    return space < FIRST_FINISH and 1 <= space % 10 <= 7


@compiled
def keep_balance(s, p, log):
    """Two white dice against impulse + speed; a failed roll spills one token (CR-32)."""
    need = s.impulse[p] + s.speed[p]
    first = roll(s, DICE, DIE)
    second = roll(s, DICE, DIE)
    spilled = first + second < need
    if spilled:
        s.coffee[p] -= 1
    emit(log, BALANCE, p, first, second, need, spilled)


# --- the end -------------------------------------------------------------------------------------


@compiled
def end_game(s, truncated):
    """Nobody is to act any more (CR-40, CR-44)."""
    s.phase = END
    s.to_act = -1
    s.truncated = truncated


@compiled
def outcome(s, scores, ranks):
    """Scores (CR-42) and ranks (CR-43)."""
    n = s.num_players
    for p in range(n):
        scores[p] = s.coffee[p] + n - place(s, p) + 1
    for p in range(n):
        ranks[p] = 1
        for q in range(n):
            more = scores[q] == scores[p] and s.coffee[q] > s.coffee[p]
            ranks[p] += scores[q] > scores[p] or more


@compiled
def place(s, p):
    """One more than the number of occupied spaces ahead (CR-41)."""
    result = 1
    for q in range(s.num_players):
        if s.position[q] > s.position[p]:
            counted = False
            for r in range(q):
                counted = counted or s.position[r] == s.position[q]
            result += not counted
    return result


# --- hidden things -------------------------------------------------------------------------------


@compiled
def redeal(s, seat):
    """Guess the impulses that others have chosen in secret: each value is equally likely."""
    for p in range(s.num_players):
        if p != seat and s.secret[p] > 0:
            s.secret[p] = roll(s, REDEALS, DIE)
