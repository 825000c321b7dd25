"""Turns and races of Dino Race: all that happens by itself, up to the next decision."""

from __future__ import annotations

from typing import Any

from racegym.engine.chance import DEALS, below
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.engine.names import numbered
from racegym.engine.seats import after
from racegym.games.dino_race.rules.cards import draw
from racegym.games.dino_race.rules.home import ask_for_prize
from racegym.games.dino_race.rules.scores import has_egg_safe, is_side_home, race_score
from racegym.games.dino_race.rules.setup import set_up_race
from racegym.games.dino_race.rules.volcano import erupt, must_give, roll_die
from racegym.games.dino_race.state import CARDS, EGG_COUNTERS, FACE, MAX_PLAYERS, PHASE, E, on_track

#: Parts of a turn, as far as things happen by themselves.
PART = numbered("Part", ("play", "die", "lava", "over"))


@compiled(inline=False)
def settle(s, part, log):
    """Go on from a part of the turn, by itself, to the next decision or the end.

    Prizes to be chosen come first, then the end of the race, then turns.  Players whose dinosaurs
    are all home only roll, and are not asked (DR-62).
    """
    while True:
        if part == PART.die:
            part = PART.over
            if roll_die(s, log) == FACE.eruption:
                if must_give(s, log):
                    return
                part = PART.lava
        if part == PART.lava:
            erupt(s, log)
            part = PART.over
        if ask_for_prize(s):
            return
        if is_race_over(s):
            end_race(s, log)
            return
        if part == PART.over:
            if s.turn >= s.max_turns:  # DR-73
                end_game(s, 1)
                return
            begin_turn(s, after(s, s.current), log)
        if on_track(s, s.current) > 0:
            s.phase = PHASE.play
            s.to_act = s.current
            return
        part = PART.die


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
        emit(log, E.egg_safe, s.egg, s.egg_value)
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
        E.race_over,
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
    emit(log, E.race, s.race, starter)


@compiled
def end_game(s, truncated):
    """Nobody is to act any more."""
    s.phase = PHASE.end
    s.to_act = -1
    s.truncated = truncated


def max_decisions(options: dict[str, Any]) -> int:
    """Most decisions that a game can have: every turn ends, because cards run out.

    All hands together hold 52 cards at most.  Every action of the play part takes at least one out
    of them (standing up and paying takes two), but for one pass to the partner and the roll; an
    eruption asks once; every dinosaur asks for one prize.
    """
    return (CARDS + 3) * int(options["max_turns"]) + MAX_PLAYERS * int(options["matches"])
