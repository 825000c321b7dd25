"""Writing the track as it matters to the observer's bets: the part ``stakes`` of Horse Race."""

from __future__ import annotations

from racegym.engine.compile import compiled
from racegym.games.horse_race.observation.parts import END, LANE, STAKES
from racegym.games.horse_race.rules.knowledge import known_card
from racegym.games.horse_race.rules.terms import horse_backed, is_out, slots_of
from racegym.games.horse_race.state import BETS, FRONT, HORSES, SCORING, WINNER_BONUS

S, L = STAKES.at, LANE.at
PER_S, PER_L = STAKES.per, LANE.per


@compiled
def write_stakes(s, seat, out, at):
    """The part ``stakes``, from ``out[at]`` on."""
    most, best_other = 0, 0
    for h in range(1, HORSES + 1):
        points = s.points[h - 1]
        most = max(most, points)
        if place_backed(s, seat, h) < 0:
            best_other = max(best_other, points)
    out[at + S.best_other] = best_other * PER_S.best_other
    out[at + S.worth] = worth_of_bets(s, seat, most) * PER_S.worth
    for lane in range(s.num_lanes):
        write_lane(s, seat, lane, out, at)


@compiled
def place_backed(s, seat, horse):
    """0, 1 or 2 for the horse that the observer backed first, second or third; -1 for others.

    A horse that is out is worth as little as others.
    """
    if is_out(s, horse):
        return -1
    for i in range(BETS):
        if horse_backed(s, seat, i) == horse:
            return i
    return -1


@compiled
def worth_of_bets(s, seat, most):
    """What the horses backed are worth with the points they have (HR-43 to HR-45)."""
    worth = 0
    for i in range(s.num_bets[seat] if s.scoring != SCORING.first else min(s.num_bets[seat], 1)):
        worth += s.points[horse_backed(s, seat, i) - 1]
    first = horse_backed(s, seat, 0)
    if s.scoring == SCORING.sum_bonus and first > 0 and s.points[first - 1] == most:
        worth += WINNER_BONUS
    return worth


@compiled
def write_lane(s, seat, lane, out, at):
    """A lane: its complete horses, and what a card placed now would follow."""
    before, end = 0, END.nothing
    for slot in range(s.lane_size[lane]):
        card = known_card(s, seat, lane, slot)
        if card == FRONT and 0 < before <= HORSES and not is_out(s, before):  # HR-52
            if END.backed <= end < END.other:
                out[at + S.complete + end - END.backed] += PER_S.complete
            else:
                out[at + S.other_complete] += PER_S.other_complete
        end = end_of(s, seat, card)
        before = card
    first = at + S.lane + lane * L.stride
    out[first] = s.lane_size[lane] * PER_L.size
    out[first + L.last] = s.lane_size[lane] + 1 == slots_of(s)
    out[first + L.end + end] = 1.0


@compiled
def end_of(s, seat, card):
    """What a card at the end of a lane is to the observer."""
    if card == 0:
        return END.unknown
    if card > HORSES:
        return END.front if card == FRONT else END.empty
    i = place_backed(s, seat, card)
    return END.backed + i if i >= 0 else END.other
