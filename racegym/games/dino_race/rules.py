"""The rules of Dino Race, clause by clause (ids like DR-23 name the clauses).

Components, options and the layout of the state are in :mod:`state`, who knows what of hidden
things in :mod:`knowledge`: together the three would be too long for one file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.chance import DEALS, DICE, TIES, below, roll, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import WIDTH, emit
from racegym.games.dino_race.knowledge import (
    handed_over,
    keep_prize,
    look_at_prizes,
    pile_made,
    redeal,
    seen_empty,
    seen_leaving,
)
from racegym.games.dino_race.state import (
    AT_HOME,
    AT_RANDOM,
    BURNED,
    BY_CARD,
    BY_ERUPTION,
    BY_LAVA,
    BY_PUSH,
    BY_THREE,
    BY_WILD,
    CAME_HOME,
    CARDS,
    CHOOSE,
    COLOUR_BONUS,
    DECK,
    DIE_ROLLED,
    DINOS,
    DISCARDED,
    DREW,
    DROP,
    DROPS,
    EGG,
    EGG_COUNTERS,
    EGG_PASSED,
    EGG_SAFE,
    EGG_VALUES_OPTION,
    END,
    ERUPTION,
    FACES,
    FIRST_EGG,
    FIRST_EXCHANGE,
    FIRST_GIVE,
    FIRST_HAND,
    FIRST_MOVE,
    FIRST_PAY,
    FIRST_PRIZE,
    FIRST_PUSH,
    FIRST_STAND,
    FIRST_STEAL,
    FIRST_TRIP,
    GIVE,
    HOME,
    KINDS,
    LAST_TERRAIN,
    LAVA,
    LAYOUT,
    MATCHES_OPTION,
    MAX_PLAYERS,
    MAX_SOLO,
    MAX_TURNS_OPTION,
    MOVED,
    MOVES,
    NUM_ACTIONS,
    OPTIONS,
    PAIR_FIRST,
    PAIR_SECOND,
    PAY,
    PLAY,
    PRIZE_VALUES_OPTION,
    PRIZES,
    PUSH,
    RACE_BEGINS,
    RACE_OVER,
    ROLL,
    SEEN,
    SHUFFLED,
    STEAL,
    STOLE,
    TEAMS_OPTION,
    TERRAINS,
    TILES,
    TWO_CARDS,
    VARIANT_OPTION,
    WILD,
    after,
    dinos_each,
    on_track,
    partner_of,
    seat_at,
)

__all__ = [
    "LAYOUT",
    "MAX_PLAYERS",
    "NUM_ACTIONS",
    "OPTIONS",
    "apply",
    "legal",
    "longest",
    "outcome",
    "redeal",
    "start",
]

# Parts of a turn, as far as things happen by themselves.
PLAY_PART, DIE_FALLS, EGG_ASKED, LAVA_FLOWS, TURN_OVER = 0, 1, 2, 3, 4

# --- set-up --------------------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game (DR-01, DR-13, DR-80)."""
    s.teams = options[TEAMS_OPTION]
    s.survive = options[VARIANT_OPTION]
    s.matches = options[MATCHES_OPTION]
    s.max_turns = options[MAX_TURNS_OPTION]
    for i in range(PRIZES):
        s.prize_values[i] = options[PRIZE_VALUES_OPTION + i]
    for i in range(EGG_COUNTERS):
        s.egg_values[i] = options[EGG_VALUES_OPTION + i]
    if s.teams:
        s.sides = s.num_players // 2
    s.score_scale = 1 if s.survive else 10  # DR-74
    s.race = 1
    s.turn = 1
    s.starter = below(s, DEALS, s.num_players)
    set_up_race(s, s.starter)


@compiled(inline=False)
def set_up_race(s, starter):
    """Everything up to the first decision: DR-10 to DR-13 and the first draw."""
    s.volcano_active = 0
    s.lava = 0
    s.last_die = 0
    s.egg_safe = 0
    s.egg_value = 0
    s.drop_supply = 0 if s.survive else DROPS
    for i in range(TILES):
        s.tiles[i] = i % TERRAINS
    shuffle(s, DEALS, s.tiles, 0, TILES)
    for p in range(MAX_PLAYERS):
        for d in range(DINOS):
            s.position[p, d] = HOME
            s.lying[p, d] = 0
        s.drops[p] = 0
    for p in range(s.num_players):
        if s.teams:
            s.position[p, 0] = 1 if p < s.sides else 2  # DR-80
        else:
            s.position[p, 0] = 1
            s.position[p, 1] = 2
    deal_cards(s, starter)
    lay_out_prizes(s)
    s.current = starter
    s.egg = starter
    s.passed = 0
    s.phase = PLAY
    s.to_act = starter
    draw(s, starter, on_track(s, starter), np.zeros((0, WIDTH), np.int32))  # DR-21, no events


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


@compiled(inline=False)
def lay_out_prizes(s):
    """A prize counter for every dinosaur, drawn at random (DR-12); none in "survive" (DR-75)."""
    s.num_prizes = 0 if s.survive else s.num_players * dinos_each(s)
    for p in range(s.num_players):
        s.prizes_won[p] = 0
        for d in range(DINOS):
            s.prizes[p, d] = -1
        for q in range(s.num_players):
            s.since_look[p, q] = 0
        for i in range(PRIZES):
            s.prize_known[p, i] = 0
    for i in range(PRIZES):
        s.prize_left[i] = i < s.num_prizes
    if not s.survive:
        shuffle(s, DEALS, s.prize_left, 0, PRIZES)


# --- cards ---------------------------------------------------------------------------------------


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
            emit(log, DREW, p, take_top_card(s, p))


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
    emit(log, SHUFFLED)


@compiled(inline=False)
def discard(s, p, kind, count):
    """Cards of a kind go from a hand to the discards (DR-25)."""
    s.hands[p, kind] -= count
    s.hand_size[p] -= count
    s.discards[kind] += count
    seen_leaving(s, p, kind, count)


@compiled
def discard_pair(s, p, pair):
    """Discard two cards, as paid or exchanged."""
    discard(s, p, PAIR_FIRST[pair], 1)
    discard(s, p, PAIR_SECOND[pair], 1)


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
        emit(log, DISCARDED, p, kind, AT_RANDOM)


@compiled(inline=False)
def discard_hand(s, p, why, log):
    """A player discards the whole hand."""
    for kind in range(KINDS):
        count = s.hands[p, kind]
        s.hands[p, kind] = 0
        s.discards[kind] += count
        for _ in range(count):
            emit(log, DISCARDED, p, kind, why)
    s.hand_size[p] = 0
    seen_empty(s, p)


@compiled
def take_drop(s, p, log):
    """A player takes a lava drop, if there is one left (DR-06)."""
    if s.drop_supply > 0:
        s.drop_supply -= 1
        s.drops[p] += 1
        emit(log, DROP, p)


# --- what may be done ----------------------------------------------------------------------------


@compiled
def legal(s, mask):
    """Mark the legal actions of the player to act."""
    if s.phase == PLAY:
        mark_play(s, s.to_act, mask)
    elif s.phase == PAY:  # DR-34
        mark_pairs(s, s.to_act, mask, FIRST_PAY)
    elif s.phase == CHOOSE:  # DR-60
        for i in range(PRIZES):
            mask[FIRST_PRIZE + i] = s.prize_known[s.to_act, i] == SEEN
    elif s.phase == GIVE:  # DR-52
        for q in range(1, s.num_players):
            mask[FIRST_GIVE + q - 1] = on_track(s, seat_at(s, s.to_act, q)) > 0


@compiled(inline=False)
def mark_play(s, p, mask):
    """The play part (DR-22)."""
    mask[ROLL] = 1
    for d in range(DINOS):
        if s.position[p, d] < HOME:
            if not s.lying[p, d]:  # DR-24
                mark_moves(s, p, s.tiles[s.position[p, d]], mask, FIRST_MOVE + d * MOVES)
            elif s.hand_size[p] >= 2:  # DR-34
                mask[FIRST_STAND + d] = 1
    if s.hand_size[p] >= 2:  # DR-40
        mark_pairs(s, p, mask, FIRST_EXCHANGE)
    if s.hands[p, PUSH] + s.hands[p, EGG] + s.hands[p, STEAL] > 0:
        mark_specials(s, p, mask)
    if s.teams and not s.passed and on_track(s, partner_of(s, p)) > 0:  # DR-82
        for kind in range(KINDS):
            mask[FIRST_HAND + kind] = s.hands[p, kind] > 0


@compiled
def mark_moves(s, p, terrain, mask, first):
    """Moves onto a tile: its terrain, a wild, or three cards of one kind (DR-23)."""
    mask[first + terrain] = s.hands[p, terrain] > 0
    mask[first + BY_WILD] = s.hands[p, WILD] > 0
    for kind in range(KINDS):
        mask[first + BY_THREE + kind] = s.hands[p, kind] >= 3


@compiled(inline=False)
def mark_pairs(s, p, mask, first):
    """Every two cards of the hand."""
    at = first
    for a in range(KINDS):
        if s.hands[p, a] > 0:
            mask[at] = s.hands[p, a] >= 2
            for b in range(a + 1, KINDS):
                mask[at + b - a] = s.hands[p, b] > 0
        at += KINDS - a


@compiled(inline=False)
def mark_specials(s, p, mask):
    """Tricks against opponents' dinosaurs that share a tile with an own one (DR-30)."""
    push, egg, steal = s.hands[p, PUSH] > 0, s.hands[p, EGG] > 0, s.hands[p, STEAL] > 0
    for steps in range(1, s.num_players):
        q = seat_at(s, p, steps)
        if s.teams and steps == s.sides:  # DR-81: partners are no opponents
            continue
        meets = False
        for d in range(DINOS):
            at = s.position[q, d]
            if at < HOME and (at == s.position[p, 0] or at == s.position[p, 1]):
                meets = True
                target = target_of(steps, d)
                mask[FIRST_PUSH + target] = push and at > 0  # DR-31
                mask[FIRST_TRIP + target] = egg and s.egg != p and not s.lying[q, d]  # DR-33
        if meets:
            mask[FIRST_EGG + steps - 1] = egg and s.egg == p  # DR-32
            mask[FIRST_STEAL + steps - 1] = steal and s.hand_size[q] > 0  # DR-35


@compiled
def target_of(steps, d):
    """Place of a dinosaur among the targets: two for seats +1 to +3, one for the others."""
    return 2 * steps - 2 + d if steps < MAX_SOLO else steps + 2


@compiled
def steps_to_target(target):
    """How many seats clockwise the owner of a target sits."""
    return 1 + target // 2 if target < 2 * MAX_SOLO - 2 else target - 2


@compiled
def dino_of_target(target):
    """Which dinosaur of its owner a target is."""
    return target % 2 if target < 2 * MAX_SOLO - 2 else 0


# --- playing -------------------------------------------------------------------------------------


@compiled
def apply(s, action, log):
    """Play a legal action and everything that follows from it, up to the next decision."""
    p = s.to_act
    if action >= FIRST_GIVE:
        give_egg(s, p, seat_at(s, p, action - FIRST_GIVE + 1), log)
        settle(s, LAVA_FLOWS, log)
    elif action >= FIRST_PRIZE:
        take_prize(s, p, action - FIRST_PRIZE)
        settle(s, PLAY_PART, log)
    elif action == ROLL:
        settle(s, DIE_FALLS, log)
    elif action >= FIRST_HAND:
        pass_card(s, p, action - FIRST_HAND)
    elif action >= FIRST_EXCHANGE:  # DR-40
        discard_pair(s, p, action - FIRST_EXCHANGE)
        draw(s, p, 1, log)
    elif action >= FIRST_PAY:  # DR-34
        discard_pair(s, p, action - FIRST_PAY)
        s.phase = PLAY
    elif action >= FIRST_STAND:  # DR-34
        s.lying[p, action - FIRST_STAND] = 0
        s.phase = PAY
    elif action >= FIRST_PUSH:
        play_special(s, p, action, log)
    elif move_by_card(s, p, (action - FIRST_MOVE) // MOVES, (action - FIRST_MOVE) % MOVES, log):
        settle(s, PLAY_PART, log)


@compiled(inline=False)
def move_by_card(s, p, d, way, log):
    """A dinosaur moves one tile forward for a card or three (DR-23); true if it is home then."""
    if way >= BY_THREE:
        discard(s, p, way - BY_THREE, 3)
    else:
        discard(s, p, WILD if way == BY_WILD else way, 1)
    s.position[p, d] += 1
    emit(log, MOVED, p, d, s.position[p, d], BY_CARD)
    if s.position[p, d] < HOME:
        return False
    arrive(s, p, d, log)
    return True


@compiled
def pass_card(s, p, kind):
    """Pass a card to the partner (DR-82)."""
    move_card(s, p, partner_of(s, p), kind)
    s.passed = 1


@compiled(inline=False)
def move_card(s, giver, taker, kind):
    """A card goes from one hand into another."""
    s.hands[giver, kind] -= 1
    s.hand_size[giver] -= 1
    s.hands[taker, kind] += 1
    s.hand_size[taker] += 1
    handed_over(s, giver, taker, kind)


@compiled(inline=False)
def play_special(s, p, action, log):
    """Push, trip, give the egg away, or steal (DR-31 to DR-35)."""
    if action >= FIRST_STEAL:
        discard(s, p, STEAL, 1)
        q = seat_at(s, p, action - FIRST_STEAL + 1)
        kind = random_card(s, q)
        move_card(s, q, p, kind)
        emit(log, STOLE, p, q, kind)
    elif action >= FIRST_EGG:
        discard(s, p, EGG, 1)
        give_egg(s, p, seat_at(s, p, action - FIRST_EGG + 1), log)
    elif action >= FIRST_TRIP:
        discard(s, p, EGG, 1)
        target = action - FIRST_TRIP
        s.lying[seat_at(s, p, steps_to_target(target)), dino_of_target(target)] = 1
    else:
        discard(s, p, PUSH, 1)
        target = action - FIRST_PUSH
        push_back(s, seat_at(s, p, steps_to_target(target)), dino_of_target(target), log)


@compiled(inline=False)
def push_back(s, q, d, log):
    """A dinosaur goes one tile back, or gets burned in front of the lava (DR-31)."""
    behind = s.position[q, d] - 1
    if s.volcano_active and behind <= s.lava:
        emit(log, BURNED, q, d)
        take_drop(s, q, log)
        discard_at_random(s, q, log)
    else:
        s.position[q, d] = behind
        emit(log, MOVED, q, d, behind, BY_PUSH)


@compiled
def give_egg(s, p, q, log):
    """The egg changes hands."""
    s.egg = q
    emit(log, EGG_PASSED, p, q)


# --- the event die -------------------------------------------------------------------------------


@compiled(inline=False)
def roll_die(s, log):
    """Roll the event die (DR-50 to DR-52); return the part of the turn that comes next."""
    face = roll(s, DICE, FACES)
    s.last_die = face
    emit(log, DIE_ROLLED, s.current, face)
    if face == ERUPTION:
        return EGG_ASKED if must_give(s, log) else LAVA_FLOWS
    p = s.current
    for _ in range(s.num_players):
        draw(s, p, drawn_by_die(s, p, face), log)
        p = after(s, p)
    return TURN_OVER


@compiled
def drawn_by_die(s, p, face):
    """How many cards a player draws through the die (DR-50, DR-51, DR-81)."""
    if face == TWO_CARDS:
        return dinos_each(s) if on_track(s, p) > 0 else 0
    count = 0
    for d in range(DINOS):
        at = s.position[p, d]
        count += 0 < at < HOME and s.tiles[at - 1] == face - 1
    return count


@compiled
def must_give(s, log):
    """First part of an eruption (DR-52); true if there is somebody to give the egg to."""
    p = s.egg
    discard_hand(s, p, BY_ERUPTION, log)
    take_drop(s, p, log)
    for steps in range(1, s.num_players):
        if on_track(s, seat_at(s, p, steps)) > 0:
            s.phase = GIVE
            s.to_act = p
            return True
    return False


@compiled(inline=False)
def erupt(s, log):
    """Second part of an eruption: lava turns a tile, and dinosaurs on it flee (DR-53)."""
    if s.volcano_active:
        s.lava += 1
    s.volcano_active = 1
    turned = s.lava
    emit(log, LAVA, turned)
    fled = 0  # a bit for every dinosaur that moved
    p = s.current
    for _ in range(s.num_players):
        for d in range(DINOS):
            if s.position[p, d] == turned:
                fled |= 1 << (p * DINOS + d)
                s.position[p, d] = turned + 1
                emit(log, MOVED, p, d, turned + 1, BY_LAVA)
                discard_at_random(s, p, log)
                take_drop(s, p, log)
        p = after(s, p)
    if turned < LAST_TERRAIN:
        return
    for _ in range(s.num_players):
        for d in range(DINOS):
            if fled >> (p * DINOS + d) & 1:
                arrive(s, p, d, log)
        p = after(s, p)


# --- coming home ---------------------------------------------------------------------------------


@compiled(inline=False)
def arrive(s, p, d, log):
    """A dinosaur is home: its owner may be out of the race now (DR-60, DR-62, DR-84)."""
    s.lying[p, d] = 0
    emit(log, CAME_HOME, p, d)
    if on_track(s, p) > 0:
        return
    discard_hand(s, p, AT_HOME, log)
    partner = partner_of(s, p)
    if s.egg == p and on_track(s, partner) > 0:
        give_egg(s, p, partner, log)


@compiled
def ask_for_prize(s):
    """Ask the next player with an arrival for a prize counter (DR-60); false if there is none."""
    if s.survive:
        return False
    p = s.current
    for _ in range(s.num_players):
        owed = dinos_each(s) - on_track(s, p) - s.prizes_won[p]
        if owed > 0:
            s.phase = CHOOSE
            s.to_act = p
            look_at_prizes(s, p)
            return True
        p = after(s, p)
    return False


@compiled
def take_prize(s, p, prize):
    """A player keeps a prize counter (DR-60)."""
    s.prize_left[prize] = 0
    s.num_prizes -= 1
    s.prizes[p, s.prizes_won[p]] = prize
    s.prizes_won[p] += 1
    keep_prize(s, p, prize)


# --- turns, races, the end -----------------------------------------------------------------------


@compiled(inline=False)
def settle(s, part, log):
    """Go on from a part of the turn, by itself, to the next decision or the end.

    Prizes to be chosen come first, then the end of the race, then turns.  Players whose dinosaurs
    are all home only roll, and are not asked (DR-62).
    """
    while True:
        if part == DIE_FALLS:
            part = roll_die(s, log)
            if part == EGG_ASKED:
                return
        if part == LAVA_FLOWS:
            erupt(s, log)
            part = TURN_OVER
        if ask_for_prize(s):
            return
        if is_race_over(s):
            end_race(s, log)
            return
        if part == TURN_OVER:
            if s.turn >= s.max_turns:  # DR-73
                end_game(s, 1)
                return
            begin_turn(s, after(s, s.current), log)
        if on_track(s, s.current) > 0:
            s.phase = PLAY
            s.to_act = s.current
            return
        part = DIE_FALLS


@compiled
def begin_turn(s, p, log):
    """The next turn: its player draws (DR-20, DR-21)."""
    s.current = p
    s.turn += 1
    s.passed = 0
    draw(s, p, on_track(s, p), log)


@compiled
def is_side_home(s, p):
    """Both dinosaurs of a player or team are home."""
    return on_track(s, p) + (s.teams and on_track(s, partner_of(s, p))) == 0


@compiled
def is_race_over(s):
    """The egg is safe (DR-63, DR-70); in "survive" somebody has both dinosaurs home (DR-75)."""
    if not s.survive:
        return is_side_home(s, s.egg)
    for side in range(s.sides):
        if is_side_home(s, side):
            return True
    return False


@compiled(inline=False)
def end_race(s, log):
    """Draw the egg counter and go on to the second race, if there is one (DR-63, DR-76)."""
    if not s.survive:
        s.egg_safe = 1
        s.egg_value = s.egg_values[below(s, DEALS, EGG_COUNTERS)]
        emit(log, EGG_SAFE, s.egg, s.egg_value)
    if s.matches > 1:
        emit_race_over(s, log)
    if s.race == s.matches:
        end_game(s, 0)
    elif s.turn >= s.max_turns:  # DR-73
        end_game(s, 1)
    else:
        begin_second_race(s, log)


@compiled(inline=False)
def emit_race_over(s, log):
    """Note the scores of the race that has ended."""
    n = s.num_players
    emit(
        log,
        RACE_OVER,
        race_score(s, 0),
        race_score(s, 1),
        race_score(s, 2) if n > 2 else 0,
        race_score(s, 3) if n > 3 else 0,
        race_score(s, 4) if n > 4 else 0,
        race_score(s, 5) if n > 5 else 0,
        race_score(s, 6) if n > 6 else 0,
        race_score(s, 7) if n > 7 else 0,
    )


@compiled(inline=False)
def begin_second_race(s, log):
    """Everything anew; the player to the left of the first starter begins (DR-76)."""
    for p in range(s.num_players):
        s.points[p] = race_score(s, p)
        s.eggs_home[p] = has_egg_safe(s, p)
    starter = after(s, s.starter)
    s.race += 1
    s.turn += 1
    set_up_race(s, starter)
    emit(log, RACE_BEGINS, s.race, starter)


def longest(options: dict[str, Any]) -> int:
    """Most decisions that a game can have: every turn ends, because cards run out.

    All hands together hold 52 cards at most.  Every action of the play part takes at least one out
    of them (standing up and paying takes two), but for one pass to the partner and the roll; an
    eruption asks once; every dinosaur asks for one prize.
    """
    return (CARDS + 3) * int(options["max_turns"]) + 8 * int(options["matches"])


@compiled
def end_game(s, truncated):
    """Nobody is to act any more."""
    s.phase = END
    s.to_act = -1
    s.truncated = truncated


# --- scores --------------------------------------------------------------------------------------


@compiled
def has_egg_safe(s, p):
    """1 if the player or team brought the egg home in this race."""
    return s.egg_safe and s.egg % s.sides == p % s.sides


@compiled(inline=False)
def race_score(s, p):
    """The score of a player or team in this race, as it stands (DR-71, DR-75, DR-85)."""
    if s.survive:
        return int(is_side_home(s, p))
    score = s.egg_value if has_egg_safe(s, p) else 0
    won, red = 0, 0
    for q in range(p % s.sides, s.num_players, s.sides):
        score -= s.drops[q]
        for k in range(s.prizes_won[q]):
            score += s.prize_values[s.prizes[q, k]]
            red += s.prizes[q, k] % 2
            won += 1
    return score + COLOUR_BONUS if won == 2 and red != 1 else score


@compiled
def outcome(s, scores, ranks):
    """Scores and ranks: of equal scores, more eggs brought home come first (DR-72, DR-76)."""
    for p in range(s.num_players):
        scores[p] = s.points[p] + race_score(s, p)
    for p in range(s.num_players):
        ranks[p] = 1
        for q in range(s.sides):
            level = scores[q] == scores[p]
            ranks[p] += scores[q] > scores[p] or (level and eggs_of(s, q) > eggs_of(s, p))


@compiled
def eggs_of(s, p):
    """Eggs that a player or team brought home in all races."""
    return s.eggs_home[p] + has_egg_safe(s, p)
