"""Guessing what a seat of Ave Caesar may not know: hands and the order of the decks (AC-65)."""

from __future__ import annotations

from racegym.engine.chance import REDEALS, shuffle
from racegym.engine.compile import compiled
from racegym.games.ave_caesar.rules.moves import can_play
from racegym.games.ave_caesar.state import COPIES, DECK, VALUES

GUESSES = 20_000  #: hands tried for the player to act before one is put together


@compiled
def redeal(s, seat):
    """Guess the order of every deck and the hands of the others, by what everybody has seen.

    The order in which cards were drawn is guessed as well: nobody needs it any more.
    """
    for p in range(s.num_players):
        if p != seat:
            guess_hand_to_play(s, p)
        fill_deck(s, p)


@compiled(inline=False)
def guess_hand_to_play(s, p):
    """A hand for player p, all equally likely that fit what p has shown.

    The player to act has a card to play; who lost a turn holds none that would have fitted then.
    """
    for _ in range(GUESSES):
        guess_hand(s, p)
        if p != s.to_act or can_play(s, p):
            return
    hold_a_card_to_play(s, p)


@compiled
def hold_a_card_to_play(s, p):
    """Exchange a card of the hand of p for one that can be played, if p may hold such a card.

    Only made-up positions come here, in which hardly any hand lets p act.
    """
    given = 0
    while given < VALUES - 1 and s.hand[p, given] == 0:
        given += 1
    for c in range(VALUES):
        if s.unplayed[p, c] > s.hand[p, c] and not s.absent[p] >> c & 1 and s.hand[p, given] > 0:
            s.hand[p, c] += 1
            s.hand[p, given] -= 1
            if can_play(s, p):
                return
            s.hand[p, c] -= 1
            s.hand[p, given] += 1


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
    """Put the cards unplayed that are not in hand into the deck, in a random order.

    Before them come those drawn, in order of their values.
    """
    drawn = 0
    at = DECK - s.deck_left[p]
    for c in range(VALUES):
        to_come = s.unplayed[p, c] - s.hand[p, c]
        for _ in range(COPIES - to_come):
            s.deck[p, drawn] = c + 1
            drawn += 1
        for _ in range(to_come):
            s.deck[p, at] = c + 1
            at += 1
    shuffle(s, REDEALS, s.deck[p], DECK - s.deck_left[p], s.deck_left[p])
