"""Scores and ranks of Dino Race, as things stand or at the end (DR-70 to DR-76, DR-85)."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.games.dino_race.state import COLOUR_BONUS, on_track, partner_of


@compiled
def is_side_home(s, p):
    """Both dinosaurs of a player or team are home."""
    return on_track(s, p) + (s.teams and on_track(s, partner_of(s, p))) == 0


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
