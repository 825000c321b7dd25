"""Scripted agents for Ave Caesar: drivers who count steps.

The cards hold hardly more steps than the race takes, so a step lost on an outer lane is dear, and
dearer the fewer there are to spare.  The race is won by who finishes in the fewest turns, so the
small cards are kept for the end, where they need not be played at all.  To lead with nothing but
sixes in hand is to wait, and a neck with others close behind is a good place to stop at.
Everything is read off the ``flat`` observation.
"""

from __future__ import annotations

from racegym.engine.chance import fraction, hashed
from racegym.engine.compile import compiled
from racegym.engine.game import Bot
from racegym.engine.parts import whole
from racegym.games.ave_caesar.observation.parts import CARD, FLAT, MARGIN, MOST_WASTE, NEAR, PLAYER
from racegym.games.ave_caesar.state import MAX_PLAYERS, SLOT, VALUES, A

P, C, CARDS_AT = PLAYER.at, CARD.at, FLAT.at.card
SCALE, SCALE_C = PLAYER.scale, CARD.scale
DETOUR = 2  # steps that the alley costs, at most
NEVER = -1e9

# What things are worth, in steps; found by playing variants against each other.
SPEED = 0.5  # a step of the card played
COIN_PAID = 3.0  # paying the coin in the first round that allows it
LAST_CALL = 6.0  # paying it in the last
LOST_FOR_GOOD = 6.0  # a lost step that cannot be spared
ALL_SIXES = 2.0  # leading with nothing but sixes


# --- what the observation says -------------------------------------------------------------------


@compiled
def steps_to_spare(observation):
    """Steps of the own cards beyond those the race still takes."""
    spare = whole(observation, P.spare, SCALE.spare) - MARGIN
    return spare - DETOUR if observation[P.coin] > 0.5 else spare


@compiled
def waste_of(observation, card, slot):
    """Steps that a move loses against the shortest way."""
    at = CARDS_AT + (card - 1) * C.stride + C.keeps + slot
    return MOST_WASTE - whole(observation, at, SCALE_C.keeps)


@compiled
def lead_over(observation, q):
    """Steps that relative seat q has to go more than the observer, within 12."""
    return whole(observation, q * P.stride + P.behind, SCALE.behind) - NEAR


@compiled
def count_in_hand(observation, card):
    """How many cards of a value the observer holds."""
    return whole(observation, CARDS_AT + (card - 1) * C.stride + C.in_hand, SCALE_C.in_hand)


@compiled
def is_racing(observation, q):
    """Whether relative seat q is still racing."""
    return observation[q * P.stride + P.status] > 0.5


@compiled
def anybody_finished(observation):
    """Whether sixes are free for everybody."""
    for q in range(MAX_PLAYERS):
        if observation[q * P.stride + P.status + 1] > 0.5:
            return True
    return False


# --- what a move is worth ------------------------------------------------------------------------


@compiled
def would_lead(observation, progress):
    """Whether the observer leads after so many steps of progress."""
    for q in range(1, MAX_PLAYERS):
        if is_racing(observation, q) and lead_over(observation, q) + progress < 0:
            return False
    return True


@compiled
def chasers(observation, progress):
    """How many still racing are behind after the move, but near enough to be held up."""
    count = 0
    for q in range(1, MAX_PLAYERS):
        if is_racing(observation, q):
            lead = lead_over(observation, q) + progress
            count += 0 < lead <= VALUES
    return count


@compiled
def sixes_left(observation, card):
    """The share of sixes in the hand once a card is played."""
    held = whole(observation, P.hand_size, SCALE.hand_size) - 1
    if held <= 0:
        return 0.0
    return (count_in_hand(observation, VALUES) - (card == VALUES)) / held


@compiled
def move_value(observation, card, slot, thrift, malice):
    """What a move is worth, in steps; ``thrift`` weighs lost steps, ``malice`` barring others."""
    if slot == SLOT.finish:
        return 1000.0 - card
    waste = waste_of(observation, card, slot)
    spare = steps_to_spare(observation) - waste
    value = SPEED * card - thrift * waste
    if spare < 0:
        value -= LOST_FOR_GOOD * min(waste, -spare)
    if slot < SLOT.course and observation[P.coin] > 0.5:
        value += LAST_CALL if observation[P.crossed + 2] > 0.5 else COIN_PAID
    progress = card - waste
    if not anybody_finished(observation) and would_lead(observation, progress):
        value -= ALL_SIXES * sixes_left(observation, card)
    if observation[CARDS_AT + (card - 1) * C.stride + C.bars + slot] > 0.5:
        value += malice * chasers(observation, progress)
    return value


@compiled
def best_move(observation, mask, bits, thrift, malice):
    """The legal action of the highest value; chance decides between like ones."""
    best, chosen = NEVER, -1
    noise = hashed(bits, 1)
    for a in range(A.size):
        if mask[a] == 0:
            continue
        noise = hashed(noise, a)
        value = move_value(observation, a // SLOT.stride + 1, a % SLOT.stride, thrift, malice)
        value += fraction(noise) * 0.2
        if value > best:
            best, chosen = value, a
    return chosen


@compiled
def choose_default(observation, mask, bits):
    """Save steps, hold others up where it costs nothing."""
    return best_move(observation, mask, bits, 2.0, 1.5)


@compiled
def choose_hasty(observation, mask, bits):
    """Think less of lost steps than of speed."""
    return best_move(observation, mask, bits, 0.8, 0.0)


BOTS = (
    Bot("default", choose_default, "flat", "saves steps, keeps small cards, bars the necks"),
    Bot("hasty", choose_hasty, "flat", "the same, but thinks less of lost steps than of speed"),
)
