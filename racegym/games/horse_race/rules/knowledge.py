"""What a seat of Horse Race knows of the hidden cards, and guessing the rest afresh.

Besides its own cards and what lies face up, a seat remembers what play has shown for certain:

``under``        the cards that were put under the pile after phase 1 (HR-32): all had been seen,
                 their order is unknown.  As long as ``under_left`` is as many, they lie there to
                 a card; of those drawn since, a seat knows its own (``under_drawn``).
``fronts``       who did not open when bound to, or passed with cards in hand, held nothing but
                 fronts (HR-23, HR-35).  Every front that such a player shows later counts off;
                 the rest is in its hand or lies face down.

What others know (their ``under_drawn``) is forgotten when the cards are guessed afresh.
"""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import REDEALS, below, draw_kind
from racegym.engine.compile import compiled
from racegym.games.horse_race.rules.terms import number_of
from racegym.games.horse_race.state import BETS, FRONT, HORSES, KINDS, MAX_PLAYERS, PHASE

# --- what play tells -----------------------------------------------------------------------------


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


@compiled
def known_card(s, seat, lane, slot):
    """The card in a slot that holds one, 0 if the observer cannot know it."""
    card = s.lane_card[lane, slot]
    if card == 0 and s.placer[lane, slot] == seat:
        card = s.down[seat, lane, slot]
    return card


# --- guessing afresh -----------------------------------------------------------------------------


@compiled
def redeal(s, seat):
    """Guess hidden cards and bets, consistent with all that ``seat`` knows."""
    unplaced = np.zeros(KINDS, np.int64)
    count_unplaced(s, seat, unplaced)
    for p in range(s.num_players):
        if p != seat:  # fronts that are known to be there are kept for their holders
            unplaced[FRONT - 1] -= s.fronts[p]
    guess_pile(s, seat, unplaced)
    for p in range(s.num_players):
        if p != seat:
            guess_cards(s, p, unplaced)
            if s.phase != PHASE.end:
                guess_bets(s, p)
    for p in range(MAX_PLAYERS):
        if p != seat:
            for kind in range(KINDS):
                s.under_drawn[p, kind] = 0


@compiled
def count_unplaced(s, seat, unplaced):
    """Count the cards of each kind that the seat does not see."""
    for kind in range(KINDS):
        unplaced[kind] = number_of(s, kind) - s.out_of_game[kind] - s.hands[seat, kind]
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            card = known_card(s, seat, lane, slot)
            if card > 0:
                unplaced[card - 1] -= 1


@compiled
def guess_pile(s, seat, unplaced):
    """Fill the pile: first the cards put under it, then those above."""
    possible = np.zeros(KINDS, np.int64)
    for kind in range(KINDS):
        possible[kind] = min(unplaced[kind], s.under[kind] - s.under_drawn[seat, kind])
    for i in range(s.under_left):
        kind = draw_kind(s, REDEALS, possible)
        unplaced[kind] -= 1
        s.pile[i] = kind + 1
    for i in range(s.under_left, s.pile_size):
        s.pile[i] = draw_kind(s, REDEALS, unplaced) + 1


@compiled
def guess_cards(s, p, unplaced):
    """Guess what a player holds and has placed face down."""
    left = s.hand_size[p]
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            left += s.lane_card[lane, slot] == 0 and s.placer[lane, slot] == p
    fronts = s.fronts[p]
    for lane in range(s.num_lanes):
        for slot in range(s.lane_size[lane]):
            if s.lane_card[lane, slot] == 0 and s.placer[lane, slot] == p:
                card = guess_of(s, unplaced, fronts, left)
                fronts -= card > KINDS
                left -= 1
                s.down[p, lane, slot] = FRONT if card > KINDS else card
    for kind in range(KINDS):
        s.hands[p, kind] = 0
    for _ in range(s.hand_size[p]):
        card = guess_of(s, unplaced, fronts, left)
        fronts -= card > KINDS
        left -= 1
        s.hands[p, (FRONT if card > KINDS else card) - 1] += 1


@compiled(inline=False)
def guess_of(s, unplaced, fronts, left):
    """One of ``left`` cards, ``fronts`` of which are kept fronts; one of those is KINDS + 1."""
    if fronts > 0 and below(s, REDEALS, left) < fronts:
        return KINDS + 1
    return draw_kind(s, REDEALS, unplaced) + 1


@compiled
def guess_bets(s, p):
    """Guess the horses that a player has backed: different ones, each alike (HR-11)."""
    for i in range(s.num_bets[p]):
        skip = below(s, REDEALS, HORSES - i)
        for h in range(1, HORSES + 1):
            taken = False
            for k in range(i):
                taken = taken or s.bets[p, k] == h
            if not taken:
                if skip == 0:
                    s.bets[p, i] = h
                skip -= 1
    for i in range(s.num_bets[p], BETS):
        s.bets[p, i] = 0
