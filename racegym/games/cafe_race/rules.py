"""The rules of Café Race, clause by clause (ids like CR-12 name the clauses)."""

from __future__ import annotations

from typing import Any

from racegym.engine.chance import DEALS, DICE, REDEALS, TIES, below, roll
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.games.cafe_race.state import (
    DIE,
    FIRST_FINISH,
    LAST_FINISH,
    OPTION,
    PHASE,
    START,
    TOKENS,
    A,
    E,
)

# What decides who comes first.
BY_IMPULSE, BY_SPEED, BY_LEAD = 0, 1, 2


# --- set-up and rounds ---------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game (CR-01, CR-03)."""
    s.advanced = options[OPTION.rules]
    s.max_turns = options[OPTION.max_turns]
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
    s.phase = PHASE.impulse
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
            emit(log, E.restart, p)
    roll_speed_dice(s)
    d = s.dice
    emit(log, E.speed_dice, s.num_players, d[0], d[1], d[2], d[3], d[4], d[5])
    if s.advanced:
        p = first_of(s, BY_LEAD, 0)
        emit(log, E.auctioneer, p)
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
    if s.phase == PHASE.impulse:  # CR-12
        for k in range(DIE):
            mask[A.impulse + k] = 1
    elif s.phase == PHASE.auction:  # CR-22: one for each distinct value left
        for i in range(s.num_dice):
            mask[A.auction + s.dice[i] - 1] = 1
    elif s.phase == PHASE.bid:
        for k in range(s.high_bid, DIE):  # CR-22, CR-23: higher than the highest so far
            mask[A.bid + k] = 1
        if s.high_bidder >= 0:  # CR-22: the auctioneer must open
            mask[A.pass_] = 1


@compiled
def apply(s, action, log):
    """Play a legal action and everything that follows from it, up to the next decision."""
    if s.phase == PHASE.impulse:
        choose_impulse(s, action - A.impulse + 1, log)
    elif s.phase == PHASE.auction:
        s.auctioned = action - A.auction + 1
        s.phase = PHASE.bid
    else:
        bid(s, 0 if action == A.pass_ else action - A.bid + 1, log)


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
        emit(log, E.speed, p, s.impulse[p], s.speed[p])
    s.dice[:] = 0
    s.num_dice = 0
    move_workers(s, log)


# --- speeds by auction ---------------------------------------------------------------------------


@compiled
def begin_auction(s, auctioneer):
    """Ask the auctioneer which die to auction (CR-22)."""
    s.phase = PHASE.auction
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
    emit(log, E.auctioneer, auctioneer)
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
    emit(log, E.sold, p, value, impulse)
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
    emit(log, E.move, p, before, at, barred, overshot)
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
    emit(log, E.balance, p, first, second, need, spilled)


# --- the end -------------------------------------------------------------------------------------


@compiled
def end_game(s, truncated):
    """Nobody is to act any more (CR-40, CR-44)."""
    s.phase = PHASE.end
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


def max_decisions(options: dict[str, Any]) -> int:
    """How many decisions a game can have at most."""
    n = options["num_players"]
    per_round = n
    if options["rules"] == "advanced":
        per_round = sum(1 + bidders for bidders in range(2, n + 1))
    return int(options["max_turns"]) * per_round


# --- hidden things -------------------------------------------------------------------------------


@compiled
def redeal(s, seat):
    """Guess the impulses that others have chosen in secret: each value is equally likely."""
    for p in range(s.num_players):
        if p != seat and s.secret[p] > 0:
            s.secret[p] = roll(s, REDEALS, DIE)
