"""The rules of Horse Race, clause by clause (ids like HR-12 name the clauses).

Set-up, turns and scores; the phases of the race are in :mod:`stages`.
"""

from __future__ import annotations

from racegym.engine.chance import DEALS, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.games.horse_race.knowledge import note_no_opening, note_shown
from racegym.games.horse_race.stages import count_turn, draw_card, end_stage, take_out
from racegym.games.horse_race.state import (
    BET,
    BETS,
    CARDS,
    COUNTERS,
    COUNTERS_OPTION,
    DRAW,
    DREW,
    FALL,
    FALLS_OPTION,
    FIRST,
    FIRST_BACK,
    FIRST_DOWN,
    FIRST_OUT,
    FIRST_SELL,
    FIRST_SWAP,
    FIRST_UP,
    FRONT,
    HAND,
    HORSES,
    KINDS,
    LANES_OPTION,
    MAX_TURNS_OPTION,
    PASS,
    RACE,
    REARS_OPTION,
    SCORING_OPTION,
    STAGE,
    SUM_BONUS,
    WINNER_BONUS,
    after,
    card_at,
    horse_at,
    is_out,
    number_of,
    own_kind,
    place_of,
    slots_of,
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
                mask[FIRST_OUT + place_of(s, p, h)] = 1
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
    for kind in range(KINDS):
        if s.hands[p, kind] == 0:
            continue
        first = FIRST_UP + own_kind(s, p, kind)
        for lane in range(s.num_lanes):
            if fits(s, lane, kind):
                mask[first + lane * KINDS] = 1
                found = True
    return found


@compiled
def fits(s, lane, kind):
    """Whether a kind of card may be placed face up at the end of a lane."""
    size = s.lane_size[lane]
    if size == 0:  # HR-23
        return kind != FRONT - 1
    top = s.lane_card[lane, size - 1]
    if kind == FRONT - 1:  # after a rear or a card face down
        return top < FRONT
    return top == 0 or top >= FRONT


@compiled
def mark_else(s, p, mask):
    """Mark what may be done but placing face up (HR-24 to HR-28); returns if there is anything."""
    found = False
    for kind in range(KINDS):
        if s.hands[p, kind] == 0:
            continue
        own = own_kind(s, p, kind)
        if s.counters[p] > 0:  # HR-24
            for lane in range(s.num_lanes):
                if s.lane_size[lane] > 0:
                    mask[FIRST_DOWN + lane * KINDS + own] = 1
                    found = True
        elif s.bank > 0:  # HR-28
            mask[FIRST_SELL + own] = 1
            found = True
        if s.pile_size > 0:  # HR-26
            mask[FIRST_SWAP + own] = 1
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
        take_out(s, horse_at(s, s.to_act, action - FIRST_OUT), log)
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
        discard(s, p, card_at(s, p, action - FIRST_SWAP))
        emit(log, DREW, p, draw_card(s, p))
    elif action == DRAW:  # HR-27
        pay(s, p, 1)
        emit(log, DREW, p, draw_card(s, p))
    else:  # HR-28
        discard(s, p, card_at(s, p, action - FIRST_SELL))
        pay(s, p, -1)
    end_turn(s)


@compiled
def place(s, p, action):
    """Place a card in a lane (HR-21, HR-24, HR-25); returns whether it filled the lane."""
    face_up = action < FIRST_DOWN
    number = action - (FIRST_UP if face_up else FIRST_DOWN)
    lane, card = number // KINDS, card_at(s, p, number % KINDS)
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


# --- the end -------------------------------------------------------------------------------------


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
