"""Guessing what a seat of Ave Caesar may not know: hands and the order of the decks (AC-65)."""

from __future__ import annotations

import numpy as np

from racegym.engine.chance import REDEALS, shuffle
from racegym.engine.compile import compiled
from racegym.games.ave_caesar.rules.moves import can_play
from racegym.games.ave_caesar.state import DECK, VALUES

GUESSES = 20_000  #: hands tried for the player to act before the guess is given up


@compiled
def redeal(s, seat):
    """Guess the order of every deck and the hands of the others, by what everybody has seen."""
    for p in range(s.num_players):
        if p == seat:
            shuffle(s, REDEALS, s.deck[p], DECK - s.deck_left[p], s.deck_left[p])
        else:
            guess_cards(s, p)


@compiled(inline=False)
def guess_cards(s, p):
    """A hand and a deck for player p, all alike likely that fit what p has shown.

    The player to act has a card to play; who lost a turn holds none that would have fitted then.
    """
    known = np.zeros(VALUES, np.int64)
    for c in range(VALUES):
        known[c] = s.hand[p, c]
    tries = 0
    while True:
        guess_hand(s, p)
        if p != s.to_act or can_play(s, p):
            break
        tries += 1
        if tries == GUESSES:  # a made-up position that fits no hand: leave it as it is
            for c in range(VALUES):
                s.hand[p, c] = known[c]
            break
    fill_deck(s, p)


@compiled
def guess_hand(s, p):
    """A random hand of the right size from the cards unplayed, without the values ``absent``."""
    count = 0
    for c in range(VALUES):
        s.hand[p, c] = 0
        if not s.absent[p] >> c & 1:
            for _ in range(s.unplayed[p, c]):
                s.deck[p, count] = c + 1
                count += 1
    shuffle(s, REDEALS, s.deck[p], 0, count)
    for i in range(s.hand_size[p]):
        s.hand[p, s.deck[p, i] - 1] += 1


@compiled
def fill_deck(s, p):
    """Put the cards unplayed that are not in hand into the deck, in a random order."""
    at = DECK - s.deck_left[p]
    for c in range(VALUES):
        for _ in range(s.unplayed[p, c] - s.hand[p, c]):
            s.deck[p, at] = c + 1
            at += 1
    shuffle(s, REDEALS, s.deck[p], DECK - s.deck_left[p], s.deck_left[p])
