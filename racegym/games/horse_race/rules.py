"""The rules of Horse Race, clause by clause (ids like HR-12 name the clauses).

Who knows what of the hidden cards, and re-dealing them, is in :mod:`knowledge`.
"""

from __future__ import annotations

from racegym.engine.chance import DEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
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

# Actions: back horse 1-9; a card face up, face down (lane by lane); swap, draw, sell, pass; out.
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

LAYOUT = Layout(
    (
        Field("turn", "i4", (), _ALL, "the turn, from 1"),
        Field("max_turns", "i4", (), _ALL, "turns after which the game is cut"),
        Field("num_lanes", "i1", (), _ALL, "lanes of the track"),
        Field("rears", "i1", (HORSES,), _ALL, "rear cards of each horse in the game"),
        Field("scoring", "i1", (), _ALL, 'scoring: 0 "sum", 1 "first", 2 "sum_bonus"'),
        Field("falls", "i1", (), _ALL, "1 if horses can fall"),
        Field("phase", "i1", (), _ALL, "0 bet, 1 race, 2 fall, 3 end"),
        Field("stage", "i1", (), _ALL, "phase of the race, 1-3"),
        Field("starter", "i1", (), _ALL, "who began the stage, -1 not drawn yet", "values"),
        Field("must_open", "i1", (), _ALL, "1 while the starter owes a card placed face up"),
        Field("passes", "i1", (), _ALL, "passes in a row"),
        Field("last_placer", "i1", (), _ALL, "who placed the stage's latest card, -1", "values"),
        Field("counters", "i1", (MAX_PLAYERS,), _ALL, "counters of each player"),
        Field("bank", "i1", (), _ALL, "counters in the bank"),
        Field("hand_size", "i1", (MAX_PLAYERS,), _ALL, "cards in hand"),
        Field("hands", "i1", (MAX_PLAYERS, KINDS), _OWNER, "cards in hand of each kind"),
        Field("num_bets", "i1", (MAX_PLAYERS,), _ALL, "horses backed so far"),
        Field("bets", "i1", (MAX_PLAYERS, BETS), _OWNER, "horses backed in secret, in order"),
        Field("revealed", "i1", (MAX_PLAYERS, BETS), _ALL, "horses backed, from the end on"),
        Field("points", "i1", (HORSES,), _ALL, "points of each horse"),
        Field("horses_out", "i1", (MOST_OUT,), _ALL, "horses out of the race, in order, 0 none"),
        Field("lane_size", "i1", (LANES,), _ALL, "cards in each lane", "none"),
        Field("lane_card", "i1", (LANES, SLOTS), _ALL, "cards face up, 0 none or down", "none"),
        Field("placer", "i1", (LANES, SLOTS), _ALL, "who placed the card, -1 nobody", "values"),
        Field(
            "down",
            "i1",
            (MAX_PLAYERS, LANES, SLOTS),
            _OWNER,
            "[p, lane, slot]: cards that p placed face down",
        ),
        Field("pile", "i1", (CARDS,), _NOBODY, "draw pile; the next card is the last one"),
        Field("pile_size", "i1", (), _ALL, "cards in the draw pile"),
        Field("out_of_game", "i1", (KINDS,), _ALL, "cards of each kind out of the game"),
        Field("under", "i1", (KINDS,), _ALL, "cards of each kind that were put under the pile"),
        Field("under_left", "i1", (), _ALL, "how many of those are still in the pile"),
        Field("under_drawn", "i1", (MAX_PLAYERS, KINDS), _OWNER, "those that a seat drew itself"),
        Field("fronts", "i1", (MAX_PLAYERS,), _ALL, "fronts a player is known to hold, at least"),
    )
)


# --- set-up --------------------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game (HR-01 to HR-10); player 0 is the first to back a horse (HR-11)."""
    s.num_lanes = options[LANES_OPTION]
    s.scoring = options[SCORING_OPTION]
    s.falls = options[FALLS_OPTION]
    s.max_turns = options[MAX_TURNS_OPTION]
    s.score_scale = 10  # HR-48
    for h in range(HORSES):
        s.rears[h] = options[REARS_OPTION + h]
    s.bank = COUNTERS
    for p in range(s.num_players):
        s.counters[p] = options[COUNTERS_OPTION]
        s.bank -= s.counters[p]
    s.placer[:, :] = -1
    fill_pile(s)
    for p in range(s.num_players):
        for _ in range(HAND):
            draw_card(s, p)
    s.turn = 1
    s.stage = 1
    s.starter = -1
    s.last_placer = -1
    s.phase = BET
    s.to_act = 0


@compiled
def fill_pile(s):
    """All race cards, shuffled (HR-03, HR-10)."""
    for kind in range(KINDS):
        for _ in range(number_of(s, kind)):
            s.pile[s.pile_size] = kind + 1
            s.pile_size += 1
    shuffle(s, DEALS, s.pile, 0, CARDS)


@compiled
def number_of(s, kind):
    """How many cards of a kind there are (HR-03, HR-04)."""
    if kind < HORSES:
        return s.rears[kind]
    return FRONTS if kind == FRONT - 1 else EMPTIES


@compiled
def draw_card(s, p):
    """The top of the pile goes to a player's hand; returns the card."""
    s.pile_size -= 1
    card = s.pile[s.pile_size]
    s.pile[s.pile_size] = 0
    s.hands[p, card - 1] += 1
    s.hand_size[p] += 1
    if s.under_left > s.pile_size:
        s.under_left = s.pile_size
        s.under_drawn[p, card - 1] += 1
    return card


@compiled
def after(s, p):
    """The next player clockwise."""
    return p + 1 if p + 1 < s.num_players else 0


# --- what may be done ----------------------------------------------------------------------------


@compiled
def legal(s, mask):
    """Mark the legal actions of the player to act."""
    p = s.to_act
    if s.phase == BET:  # HR-11: three different horses
        for h in range(1, HORSES + 1):
            if s.bets[p, 0] != h and s.bets[p, 1] != h:
                mask[FIRST_BACK + h - 1] = 1
    elif s.phase == FALL:  # HR-52: not the same horse twice
        for h in range(1, HORSES + 1):
            if not is_out(s, h):
                mask[FIRST_OUT + h - 1] = 1
    else:
        can_open = mark_face_up(s, p, mask)
        if not (can_open and s.must_open):  # HR-35
            can_else = mark_else(s, p, mask)
            if not (can_open or can_else):  # HR-29
                mask[PASS] = 1


@compiled
def mark_face_up(s, p, mask):
    """Mark what may be placed face up (HR-21 to HR-23); returns whether there is anything."""
    found = False
    for lane in range(s.num_lanes):
        size = s.lane_size[lane]
        takes_front, takes_other = False, True  # the first slot; after a front or an empty
        if size > 0:
            top = s.lane_card[lane, size - 1]
            takes_front = top < FRONT  # after a rear or a card face down
            takes_other = top == 0 or top >= FRONT
        first = FIRST_UP + lane * KINDS
        for kind in range(KINDS):
            if s.hands[p, kind] > 0:
                fits = takes_front if kind == FRONT - 1 else takes_other
                if fits:
                    mask[first + kind] = 1
                    found = True
    return found


@compiled
def mark_else(s, p, mask):
    """Mark what may be done but placing face up (HR-24 to HR-28); returns if there is anything."""
    found = False
    for kind in range(KINDS):
        if s.hands[p, kind] == 0:
            continue
        if s.counters[p] > 0:  # HR-24
            for lane in range(s.num_lanes):
                if s.lane_size[lane] > 0:
                    mask[FIRST_DOWN + lane * KINDS + kind] = 1
                    found = True
        elif s.bank > 0:  # HR-28
            mask[FIRST_SELL + kind] = 1
            found = True
        if s.pile_size > 0:  # HR-26
            mask[FIRST_SWAP + kind] = 1
            found = True
    if s.hand_size[p] == 0 and s.counters[p] > 0 and s.pile_size > 0:  # HR-27
        mask[DRAW] = 1
        found = True
    return found


@compiled
def apply(s, action, log):
    """Play a legal action and everything that follows from it, up to the next decision."""
    if s.phase == BET:
        back(s, action - FIRST_BACK + 1, log)
    elif s.phase == FALL:
        take_out(s, action - FIRST_OUT + 1, log)
    else:
        take_turn(s, action, log)


@compiled
def back(s, horse, log):
    """Back a horse in secret (HR-11); after the last bet the starter is drawn (HR-12)."""
    p = s.to_act
    s.bets[p, s.num_bets[p]] = horse
    s.num_bets[p] += 1
    if s.num_bets[p] < BETS:
        return
    if p + 1 < s.num_players:
        s.to_act = p + 1
        return
    s.starter = below(s, DEALS, s.num_players)
    s.to_act = s.starter
    s.phase = RACE
    emit(log, STAGE, s.stage, s.starter)


# --- a turn --------------------------------------------------------------------------------------


@compiled
def take_turn(s, action, log):
    """One action of a turn (HR-20), and the end of the turn or of the phase."""
    p = s.to_act
    if action == PASS or (s.must_open and action >= FIRST_DOWN):
        note_no_opening(s, p)
    s.must_open = 0
    if action == PASS:  # HR-29
        s.passes += 1
        if s.passes == s.num_players:  # HR-36
            end_stage(s, False, log)
        else:
            end_turn(s)
        return
    s.passes = 0
    if action < FIRST_SWAP:
        if place(s, p, action):  # HR-30
            end_stage(s, True, log)
        else:
            end_turn(s)
        return
    if action < DRAW:  # HR-26
        discard(s, p, action - FIRST_SWAP + 1)
        emit(log, DREW, p, draw_card(s, p))
    elif action == DRAW:  # HR-27
        pay(s, p, 1)
        emit(log, DREW, p, draw_card(s, p))
    else:  # HR-28
        discard(s, p, action - FIRST_SELL + 1)
        pay(s, p, -1)
    end_turn(s)


@compiled
def place(s, p, action):
    """Place a card in a lane (HR-21, HR-24, HR-25); returns whether it filled the lane."""
    face_up = action < FIRST_DOWN
    number = action - (FIRST_UP if face_up else FIRST_DOWN)
    lane, card = number // KINDS, number % KINDS + 1
    slot = s.lane_size[lane]
    s.lane_size[lane] = slot + 1
    s.placer[lane, slot] = p
    s.last_placer = p
    if face_up:
        s.lane_card[lane, slot] = card
        note_shown(s, p, card)
    else:
        s.down[p, lane, slot] = card
        pay(s, p, 1)
    lose_card(s, p, card)
    return slot + 1 == slots_of(s)


@compiled
def slots_of(s):
    """Slots of a lane in the current phase of the race (HR-06)."""
    return LAST_SLOTS if s.stage == STAGES else SLOTS


@compiled
def pay(s, p, amount):
    """A player pays counters to the bank, or takes them from it if ``amount`` is negative."""
    s.counters[p] -= amount
    s.bank += amount


@compiled
def lose_card(s, p, card):
    """A card leaves a player's hand."""
    s.hands[p, card - 1] -= 1
    s.hand_size[p] -= 1


@compiled
def discard(s, p, card):
    """A card of a player leaves the game, seen by all (HR-26, HR-28)."""
    lose_card(s, p, card)
    s.out_of_game[card - 1] += 1
    note_shown(s, p, card)


@compiled
def end_turn(s):
    """The turn goes to the left, unless the game is cut (HR-20, HR-47)."""
    s.to_act = after(s, s.to_act)
    count_turn(s)


@compiled
def count_turn(s):
    """A turn is over with all that it set off (HR-47)."""
    if s.turn >= s.max_turns:
        end_game(s, 1)
    else:
        s.turn += 1


# --- what play tells about hidden cards ----------------------------------------------------------


@compiled
def note_no_opening(s, p):
    """Who can place nothing face up in empty lanes holds nothing but fronts (HR-23).

    A pass shows that, and any other action of a player who must open (HR-29, HR-35).
    """
    placed = 0
    for lane in range(s.num_lanes):
        placed += s.lane_size[lane]
    if placed == 0:
        s.fronts[p] = s.hand_size[p]


@compiled
def note_shown(s, p, card):
    """A card from the hand of a player, or placed face down by it, is seen by all."""
    if card == FRONT and s.fronts[p] > 0:
        s.fronts[p] -= 1


# --- the end of a phase --------------------------------------------------------------------------


@compiled(inline=False)
def end_stage(s, reached, log):
    """Score a phase and go on to the next; ``reached`` if a lane was filled (HR-30, HR-36)."""
    turn_up(s, log)
    score_pairs(s, log)
    if s.stage == STAGES:
        score_places(s, log)
        end_game(s, 0)
        return
    if s.falls and reached and draw_falls(s, log):
        s.phase = FALL
        return
    begin_next_stage(s, log)


@compiled
def turn_up(s, log):
    """Turn up all cards that lie face down (HR-31)."""
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            if s.lane_card[lane, slot] == 0:
                p = s.placer[lane, slot]
                card = s.down[p, lane, slot]
                s.down[p, lane, slot] = 0
                s.lane_card[lane, slot] = card
                note_shown(s, p, card)
                emit(log, REVEALED, lane + 1, slot + 1, card)


@compiled
def pair_at(s, lane, slot):
    """The horse whose rear is followed by a front in this slot, 0 for none (HR-31, HR-52)."""
    if slot >= s.lane_size[lane] or s.lane_card[lane, slot] != FRONT:
        return 0
    horse = s.lane_card[lane, slot - 1]
    if horse > HORSES or is_out(s, horse):
        return 0
    return horse


@compiled
def is_out(s, horse):
    """True if a horse is out of the race (HR-51)."""
    return s.horses_out[0] == horse or s.horses_out[1] == horse


@compiled
def score_pairs(s, log):
    """A point for every complete horse (HR-31)."""
    for lane in range(s.num_lanes):
        for slot in range(1, s.lane_size[lane]):
            horse = pair_at(s, lane, slot)
            if horse > 0:
                s.points[horse - 1] += 1
                emit(log, PAIR, lane + 1, slot + 1, horse)


@compiled
def score_places(s, log):
    """The places in phase 3: 6, 4 and 2 points, nearest to the finish first (HR-40)."""
    taken = 0
    for slot in range(LAST_SLOTS - 1, 0, -1):
        place_here = taken + 1
        for lane in range(s.num_lanes):
            horse = pair_at(s, lane, slot)
            if horse > 0 and place_here <= 3:
                taken = place_here
                bonus = 8 - 2 * place_here
                s.points[horse - 1] += bonus
                emit(log, PLACE, horse, lane + 1, place_here, bonus)


@compiled(inline=False)
def begin_next_stage(s, log):
    """Clear the lanes, deal, and begin the next phase (HR-32 to HR-36)."""
    last = s.last_placer if s.last_placer >= 0 else s.starter
    clear_lanes(s)
    s.stage += 1
    s.phase = RACE
    s.starter = after(s, last)
    s.to_act = s.starter
    s.last_placer = -1
    s.passes = 0
    s.must_open = 1
    if s.stage == STAGES:
        deal_up(s, log)
    emit(log, STAGE, s.stage, s.starter)
    count_turn(s)


@compiled
def clear_lanes(s):
    """The cards placed go under the pile after phase 1, out of the game later (HR-32, HR-33)."""
    if s.stage == 1:
        placed = 0
        for lane in range(s.num_lanes):
            placed += s.lane_size[lane]
        for i in range(s.pile_size - 1, -1, -1):
            s.pile[i + placed] = s.pile[i]
        s.pile_size += placed
        s.under_left = placed
    at = 0
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            card = s.lane_card[lane, slot]
            s.lane_card[lane, slot] = 0
            s.placer[lane, slot] = -1
            if s.stage == 1:
                s.pile[at] = card
                s.under[card - 1] += 1
                at += 1
            else:
                s.out_of_game[card - 1] += 1
        s.lane_size[lane] = 0
    if s.stage == 1:
        shuffle(s, DEALS, s.pile, 0, at)


@compiled
def deal_up(s, log):
    """Deal everybody up to five cards, in rounds from the starter (HR-33)."""
    for _ in range(HAND):
        p = s.starter
        for _ in range(s.num_players):
            if s.hand_size[p] < HAND and s.pile_size > 0:
                emit(log, DREW, p, draw_card(s, p))
            p = after(s, p)


# --- falls ---------------------------------------------------------------------------------------


@compiled
def draw_falls(s, log):
    """Draw jump and fall cards (HR-50); on a fall settle who chooses, and return True (HR-51)."""
    p = s.last_placer
    for drawn in range(s.num_players):
        if below(s, DEALS, FALL_CARDS - drawn) < FALLS:
            emit(log, FELL, p)
            s.to_act = s.last_placer if p != s.last_placer else after(s, p)
            return True
        emit(log, JUMPED, p)
        p = after(s, p)
    return False


@compiled
def take_out(s, horse, log):
    """A horse is out of the race and loses its points (HR-51, HR-52)."""
    s.horses_out[0 if s.horses_out[0] == 0 else 1] = horse
    s.points[horse - 1] = 0
    emit(log, WENT_OUT, horse, s.to_act)
    begin_next_stage(s, log)


# --- the end -------------------------------------------------------------------------------------


@compiled
def end_game(s, truncated):
    """Nobody is to act any more, and the bets are revealed (HR-42, HR-47)."""
    s.phase = END
    s.to_act = -1
    s.must_open = 0
    s.truncated = truncated
    for p in range(s.num_players):
        for i in range(BETS):
            s.revealed[p, i] = s.bets[p, i]
            s.bets[p, i] = 0


@compiled
def outcome(s, scores, ranks):
    """Scores (HR-43 to HR-45) and ranks (HR-46)."""
    n = s.num_players
    for p in range(n):
        scores[p] = score_of(s, p)
    for p in range(n):
        ranks[p] = 1
        for q in range(n):
            ahead = scores[q] > scores[p]
            if scores[q] == scores[p]:
                ahead = tie_break(s, q) > tie_break(s, p)
            ranks[p] += ahead


@compiled
def points_of(s, p, i):
    """Points of the horse that a player backed in place ``i`` (HR-42)."""
    return s.points[s.revealed[p, i] - 1]


@compiled
def score_of(s, p):
    """A player's score."""
    first = points_of(s, p, 0)
    if s.scoring == FIRST:
        return first
    score = first + points_of(s, p, 1) + points_of(s, p, 2)
    if s.scoring == SUM_BONUS:
        most = 0
        for h in range(HORSES):
            most = max(most, s.points[h])
        if first == most:
            score += WINNER_BONUS
    return score


@compiled
def tie_break(s, p):
    """A number that is higher the better a player stands among equal scores."""
    if s.scoring == FIRST:
        return points_of(s, p, 1) * 1000 + points_of(s, p, 2)
    return points_of(s, p, 0)
