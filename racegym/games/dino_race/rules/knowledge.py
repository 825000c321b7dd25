"""Who knows what in Dino Race (DR-61, DR-82, DR-83), and guessing afresh what a seat may not know.

Every seat is given a perfect memory for what it saw, kept as bounds that are always true:

``known``        cards that another player holds for certain: stolen from the seat or passed by it,
                 and not seen to leave that hand since.  When a card leaves a hand unseen by the
                 seat, it may have been any of those, so each kind counts one less.
``shown``        the same facts from the holder's side, who knows who knows them.
``pile_limit``   the most the draw pile can hold of each kind: what was shuffled into it (all
                 discards are public) less what the seat itself drew from it.
``prize_known``  the prize counters at the latest look of the seat or its partner, and
``since_look``   how many each other player has won since that look.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import REDEALS, below, draw_kind
from racegym.engine.compile import compiled
from racegym.games.dino_race.state import CARDS, COUNTER, DECK, KINDS, PHASE, PRIZES, partner_of

# --- cards in hands ------------------------------------------------------------------------------


@compiled
def seen_leaving(s, p, kind, count):
    """Everybody sees cards of a kind leave the hand of p."""
    for q in range(s.num_players):
        if s.shown[p, q, kind] > 0:
            rest = max(s.shown[p, q, kind] - count, 0)
            s.shown[p, q, kind] = rest
            s.known[q, p, kind] = rest


@compiled(inline=False)
def seen_empty(s, p):
    """Everybody sees the whole hand of p go."""
    for q in range(s.num_players):
        for kind in range(KINDS):
            s.shown[p, q, kind] = 0
            s.known[q, p, kind] = 0


@compiled(inline=False)
def handed_over(s, giver, taker, kind):
    """A card goes from hand to hand, seen by these two only (DR-61)."""
    for q in range(s.num_players):
        for k in range(KINDS):
            if s.shown[giver, q, k] > 0 and (q != taker or k == kind):
                s.shown[giver, q, k] -= 1
                s.known[q, giver, k] -= 1
    s.shown[taker, giver, kind] += 1
    s.known[giver, taker, kind] += 1


@compiled
def pile_made(s):
    """The draw pile is made of the cards counted in ``shuffled``."""
    for p in range(s.num_players):
        for kind in range(KINDS):
            s.pile_limit[p, kind] = s.shuffled[kind]


# --- prize counters ------------------------------------------------------------------------------


@compiled
def has_looked(s, p):
    """True if p or its partner has looked at the prize pile in this race, or is just looking."""
    if s.prizes_won[p] + s.prizes_won[partner_of(s, p)] > 0:
        return True
    return s.phase == PHASE.prize and s.to_act % s.sides == p % s.sides


@compiled
def look_at_prizes(s, p):
    """A player looks at the prize pile; the partner learns the same (DR-60, DR-83)."""
    for q in range(p % s.sides, s.num_players, s.sides):
        for r in range(s.num_players):
            s.since_look[q, r] = 0
        recall_prizes(s, q)


@compiled
def keep_prize(s, p, prize):
    """A player keeps a counter just looked at; all that others know is that it was one."""
    for q in range(s.num_players):
        if q % s.sides != p % s.sides:
            s.since_look[q, p] += 1
        else:
            s.prize_known[q, prize] = COUNTER.own if q == p else COUNTER.partners


@compiled(inline=False)
def recall_prizes(s, p):
    """Write what p knows of the counters: those in the pile at the latest look, and its side's."""
    looked = has_looked(s, p)
    for i in range(PRIZES):
        s.prize_known[p, i] = COUNTER.seen if looked and s.prize_left[i] else COUNTER.unknown
    for q in range(s.num_players):
        for k in range(s.prizes_won[q]):
            if q == p:
                s.prize_known[p, s.prizes[q, k]] = COUNTER.own
            elif q % s.sides == p % s.sides:
                s.prize_known[p, s.prizes[q, k]] = COUNTER.partners
            elif looked and k >= s.prizes_won[q] - s.since_look[p, q]:
                s.prize_known[p, s.prizes[q, k]] = COUNTER.seen


# --- guessing afresh -----------------------------------------------------------------------------


@compiled
def redeal(s, seat):
    """Guess the hidden cards and counters, consistent with all that ``seat`` knows.

    What the others know is guessed as well: of the hands, only what the seat knows they know.
    """
    redeal_cards(s, seat)
    if not s.survive:
        redeal_prizes(s, seat)
    for p in range(s.num_players):
        if p == seat:
            continue
        for q in range(s.num_players):
            for kind in range(KINDS):
                s.known[p, q, kind] = s.shown[seat, p, kind] if q == seat else 0
                s.shown[p, q, kind] = s.known[seat, p, kind] if q == seat else 0
        for kind in range(KINDS):
            s.pile_limit[p, kind] = s.shuffled[kind]


@compiled(inline=False)
def redeal_cards(s, seat):
    """Deal the cards the seat cannot place to the draw pile, then to the other hands."""
    unplaced = np.zeros(KINDS, np.int64)
    for kind in range(KINDS):
        unplaced[kind] = DECK[kind] - s.discards[kind] - s.hands[seat, kind]
        for p in range(s.num_players):
            unplaced[kind] -= s.known[seat, p, kind]
    possible = np.zeros(KINDS, np.int64)
    for kind in range(KINDS):
        possible[kind] = min(unplaced[kind], s.pile_limit[seat, kind])
    for i in range(CARDS - s.pile_size, CARDS):
        kind = draw_kind(s, REDEALS, possible)
        unplaced[kind] -= 1
        s.pile[i] = kind
    for p in range(s.num_players):
        if p == seat:
            continue
        rest = s.hand_size[p]
        for kind in range(KINDS):
            s.hands[p, kind] = s.known[seat, p, kind]
            rest -= s.known[seat, p, kind]
        for _ in range(rest):
            s.hands[p, draw_kind(s, REDEALS, unplaced)] += 1


@compiled(inline=False)
def redeal_prizes(s, seat):
    """Guess which counters the other sides won, which are in the pile and which put away."""
    looked = has_looked(s, seat)
    for i in range(PRIZES):
        s.prize_left[i] = s.prize_known[seat, i] <= COUNTER.seen
    for p in range(s.num_players):
        if p % s.sides != seat % s.sides:
            for k in range(s.prizes_won[p]):
                recent = looked and k >= s.prizes_won[p] - s.since_look[seat, p]
                s.prizes[p, k] = pick_prize(s, seat, COUNTER.seen if recent else COUNTER.unknown)
    surplus = -s.num_prizes
    for i in range(PRIZES):
        if looked and s.prize_known[seat, i] != COUNTER.seen:
            s.prize_left[i] = 0
        surplus += s.prize_left[i]
    for _ in range(surplus):  # only if the seat never looked
        pick_prize(s, seat, COUNTER.unknown)
    for p in range(s.num_players):
        if p != seat:
            recall_prizes(s, p)


@compiled(inline=False)
def pick_prize(s, seat, knowledge):
    """Take a random counter, of which the seat knows that much, out of the prize pile."""
    count = 0
    for i in range(PRIZES):
        count += s.prize_left[i] and s.prize_known[seat, i] == knowledge
    skip = below(s, REDEALS, count)
    for i in range(PRIZES):
        if s.prize_left[i] and s.prize_known[seat, i] == knowledge:
            if skip == 0:
                s.prize_left[i] = 0
                return i
            skip -= 1
    return -1
