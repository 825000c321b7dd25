"""The rules of Dino Race, clause by clause (ids like DR-23 name the clauses).

The game has too many rules for one file.  Components, options and the layout of the state are in
:mod:`state`, dealing, drawing and discarding in :mod:`cards`, the legal actions in :mod:`legal`,
scores and ranks in :mod:`scores`, and who knows what of hidden things in :mod:`knowledge`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.chance import DEALS, DICE, below, roll, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import WIDTH, emit
from racegym.games.dino_race.cards import (
    deal_cards,
    discard,
    discard_at_random,
    discard_hand,
    discard_pair,
    draw,
    move_card,
    random_card,
)
from racegym.games.dino_race.knowledge import (
    keep_prize,
    look_at_prizes,
    redeal,
)
from racegym.games.dino_race.legal import (
    dino_of_target,
    legal,
    steps_to_target,
)
from racegym.games.dino_race.scores import has_egg_safe, is_side_home, outcome, race_score
from racegym.games.dino_race.state import (
    AT_HOME,
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
    DIE_ROLLED,
    DINOS,
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
    LAST_TERRAIN,
    LAVA,
    LAYOUT,
    MATCHES_OPTION,
    MAX_PLAYERS,
    MAX_TURNS_OPTION,
    MOVED,
    MOVES,
    NUM_ACTIONS,
    OPTIONS,
    PAIRS,
    PAY,
    PLAY,
    PRIZE_VALUES_OPTION,
    PRIZES,
    PUSH,
    RACE_BEGINS,
    RACE_OVER,
    ROLL,
    STEAL,
    STOLE,
    TARGETS,
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


@compiled
def take_drop(s, p, log):
    """A player takes a lava drop, if there is one left (DR-06)."""
    if s.drop_supply > 0:
        s.drop_supply -= 1
        s.drops[p] += 1
        emit(log, DROP, p)


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
    elif action >= FIRST_PAY:
        discard_pair(s, p, (action - FIRST_PAY) % PAIRS)
        s.phase = PLAY
        if action >= FIRST_EXCHANGE:  # DR-40
            draw(s, p, 1, log)
    elif action >= FIRST_STAND:  # DR-34
        s.lying[p, action - FIRST_STAND] = 0
        s.phase = PAY
    elif action >= FIRST_PUSH:
        play_special(s, p, action, log)
    elif move_by_card(s, p, (action - FIRST_MOVE) // MOVES, (action - FIRST_MOVE) % MOVES, log):
        settle(s, PLAY_PART, log)


@compiled
def move_by_card(s, p, d, way, log):
    """A dinosaur moves one tile forward for a card or three (DR-23); true if it is home then."""
    kind, count = way, 1
    if way == BY_WILD:
        kind = WILD
    elif way >= BY_THREE:
        kind, count = way - BY_THREE, 3
    discard(s, p, kind, count)
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
def play_special(s, p, action, log):
    """Push, trip, give the egg away, or steal (DR-31 to DR-35)."""
    if action >= FIRST_STEAL:
        discard(s, p, STEAL, 1)
        steal(s, p, seat_at(s, p, action - FIRST_STEAL + 1), log)
        return
    discard(s, p, EGG if action >= FIRST_TRIP else PUSH, 1)
    if action >= FIRST_EGG:
        give_egg(s, p, seat_at(s, p, action - FIRST_EGG + 1), log)
        return
    target = (action - FIRST_PUSH) % TARGETS
    q, d = seat_at(s, p, steps_to_target(target)), dino_of_target(target)
    if action >= FIRST_TRIP:
        s.lying[q, d] = 1
    else:
        push_back(s, q, d, log)


@compiled
def steal(s, p, q, log):
    """A player takes a card at random from another's hand (DR-35)."""
    kind = random_card(s, q)
    move_card(s, q, p, kind)
    emit(log, STOLE, p, q, kind)


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
