"""The rules of Dino Race, clause by clause (ids like DR-23 name the clauses).

Components, options and the layout of the state are in :mod:`state`, who knows what of hidden
things in :mod:`knowledge`: together the three would be too long for one file.
"""

from __future__ import annotations

from racegym.engine.chance import DEALS, DICE, TIES, below, roll, shuffle
from racegym.engine.compile import compiled
from racegym.engine.events import emit
from racegym.games.dino_race.knowledge import (
    handed_over,
    learn_prizes,
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
    "outcome",
    "redeal",
    "start",
]

# --- set-up --------------------------------------------------------------------------------------


@compiled
def start(s, options):
    """Set up a game; the first player has drawn (DR-01, DR-13, DR-80)."""
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
    s.starter = below(s, DEALS, s.num_players)
    set_up_race(s, s.starter)
    draw_for_turn(s, s.log_nothing)
