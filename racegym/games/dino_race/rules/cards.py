"""Cards of Dino Race: dealing, drawing, discarding, and cards from hand to hand."""

from __future__ import annotations

from racegym.engine.chance import DEALS, TIES, below, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.seats import after
from racegym.games.dino_race.rules.knowledge import handed_over, pile_made, seen_empty, seen_leaving
from racegym.games.dino_race.state import CARDS, DECK, KINDS, PAIRS, WHY, E, partner_of


@compiled(inline=False)
def deal_cards(s, starter):
    """Shuffle all cards and deal 5 to each player (DR-11), 4 in team play (DR-81)."""
    at = 0
    for kind in range(KINDS):
        s.discards[kind] = 0
        s.shuffled[kind] = DECK[kind]
        for _ in range(DECK[kind]):
            s.pile[at] = kind
            at += 1
    shuffle(s, DEALS, s.pile, 0, CARDS)
    s.pile_size = CARDS
    pile_made(s)
    for p in range(s.num_players):
        seen_empty(s, p)
        s.hand_size[p] = 0
        for kind in range(KINDS):
            s.hands[p, kind] = 0
    p = starter
    for _ in range(s.num_players):
        for _ in range(4 if s.teams else 5):
            take_top_card(s, p)
        p = after(s, p)


@compiled
def take_top_card(s, p):
    """Put the top card of the draw pile into a hand and return its kind."""
    top = CARDS - s.pile_size
    kind = s.pile[top]
    s.pile[top] = -1
    s.pile_size -= 1
    s.hands[p, kind] += 1
    s.hand_size[p] += 1
    s.pile_limit[p, kind] -= 1
    return kind


@compiled(inline=False)
def draw(s, p, count, log):
    """A player draws cards; an empty pile is first made anew of the discards (DR-21)."""
    for _ in range(count):
        if s.pile_size == 0:
            shuffle_discards(s, log)
        if s.pile_size > 0:
            emit(log, E.drew, p, take_top_card(s, p))


@compiled(inline=False)
def shuffle_discards(s, log):
    """Make a new draw pile of all discards, if there are any (DR-21)."""
    count = 0
    for kind in range(KINDS):
        count += s.discards[kind]
    if count == 0:
        return
    at = CARDS - count
    for kind in range(KINDS):
        s.shuffled[kind] = s.discards[kind]
        for _ in range(s.discards[kind]):
            s.pile[at] = kind
            at += 1
        s.discards[kind] = 0
    shuffle(s, DEALS, s.pile, CARDS - count, count)
    s.pile_size = count
    pile_made(s)
    emit(log, E.shuffle)


@compiled
def discard(s, p, kind, count):
    """Cards of a kind go from a hand to the discards (DR-25)."""
    s.hands[p, kind] -= count
    s.hand_size[p] -= count
    s.discards[kind] += count
    seen_leaving(s, p, kind, count)


@compiled
def discard_pair(s, p, pair):
    """Discard two cards, as paid or exchanged."""
    for i in range(2):
        discard(s, p, PAIRS[pair, i], 1)


@compiled
def random_card(s, p):
    """The kind of a random card of a hand that is not empty."""
    skip = below(s, TIES, s.hand_size[p])
    kind = 0
    while skip >= s.hands[p, kind]:
        skip -= s.hands[p, kind]
        kind += 1
    return kind


@compiled(inline=False)
def discard_at_random(s, p, log):
    """A player discards a card at random, if any."""
    if s.hand_size[p] > 0:
        kind = random_card(s, p)
        discard(s, p, kind, 1)
        emit(log, E.discarded, p, kind, WHY.random)


@compiled(inline=False)
def discard_hand(s, p, why, log):
    """A player discards the whole hand."""
    for kind in range(KINDS):
        count = s.hands[p, kind]
        s.hands[p, kind] = 0
        s.discards[kind] += count
        for _ in range(count):
            emit(log, E.discarded, p, kind, why)
    s.hand_size[p] = 0
    seen_empty(s, p)


@compiled(inline=False)
def move_card(s, giver, taker, kind):
    """A card goes from one hand into another."""
    s.hands[giver, kind] -= 1
    s.hand_size[giver] -= 1
    s.hands[taker, kind] += 1
    s.hand_size[taker] += 1
    handed_over(s, giver, taker, kind)


@compiled
def pass_card(s, p, kind):
    """Pass a card to the partner (DR-82)."""
    move_card(s, p, partner_of(s, p), kind)
    s.passed = 1


@compiled
def steal(s, p, q, log):
    """A player takes a card at random from another's hand (DR-35)."""
    kind = random_card(s, q)
    move_card(s, q, p, kind)
    emit(log, E.stole, p, q, kind)
