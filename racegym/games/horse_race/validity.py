"""What no state of Horse Race can be, whatever its fields are by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.game import Contradictions, Unreachable
from racegym.engine.invariants import acting, count_kinds, hand_sizes, upto
from racegym.games.horse_race.state import (
    BETS,
    COUNTERS,
    DECK,
    EMPTIES,
    FRONT,
    FRONTS,
    HAND,
    KINDS,
    LANES,
    LARGEST_PURSE,
    LAST_SLOTS,
    MAX_PLAYERS,
    PHASE,
    SLOTS,
    STAGES,
)

#: Most points of a horse before the end; the rest of the race can bring it as many again.
MOST_BEFORE_END = 40


def contradictions(states: Any) -> Contradictions:
    """Pairs of (bool (N, …), what is wrong somewhere); see :class:`racegym.engine.game.Game`.

    Args:
        states: (N,) records within the bounds of the layout.
    """
    s = states
    yield from acting(s, PHASE.end)
    running = s["to_act"] >= 0
    yield running & (s["passes"] >= s["num_players"]), "passes would have ended the phase"
    many = s["points"] > MOST_BEFORE_END
    yield running[:, None] & many, f"points are above {MOST_BEFORE_END} before the end"
    purses = s["counters"].astype(np.int64).sum(axis=1) + s["bank"]
    yield purses > COUNTERS, f"there are more than {COUNTERS} counters"
    falling = s["phase"] == PHASE.fall
    yield falling & (s["falls"] == 0), "a horse falls, but horses cannot fall"
    yield falling & (s["stage"] == STAGES), "a horse falls in the last phase of the race"
    yield (s["phase"] == PHASE.bet) & (s["stage"] > 1), "horses are backed before the race only"
    first, second = s["horses_out"].T
    yield (second > 0) & ((first == 0) | (first == second)), "horses_out are no two horses in order"
    yield from _bets(s)
    yield from _lanes(s)
    yield from _cards(s)
    yield from _known(s)
    yield from _unreachable(s)


def _bets(s: Any) -> Contradictions:
    playing = upto(s["num_players"], MAX_PLAYERS)
    over, betting = s["phase"] == PHASE.end, (s["phase"] == PHASE.bet)[:, None]
    yield ~playing & (s["num_bets"] > 0), "num_bets of nobody is above 0"
    made = upto(s["num_bets"], BETS)
    there, none = np.where(
        over[:, None, None], (s["revealed"], s["bets"]), (s["bets"], s["revealed"])
    )
    yield (there > 0) != made, "num_bets is not the number of bets"
    yield none > 0, "bets are secret to the end, and revealed then"
    for i, k in ((0, 1), (0, 2), (1, 2)):
        same = (there[..., i] == there[..., k]) & (there[..., i] > 0)
        yield same, "bets hold a horse twice"
    missing = playing & (s["num_bets"] < BETS)
    yield ~betting & missing, "bets are missing in the race"
    seats, to_act = np.arange(MAX_PLAYERS), s["to_act"][:, None]
    early = (seats > to_act) & (s["num_bets"] > 0)
    late = (seats < to_act) & (s["num_bets"] < BETS)
    yield betting & (early | late), "bets are not made one player after the other"
    full = s["num_bets"][np.arange(len(s)), s["to_act"]] == BETS
    yield betting[:, 0] & full, "the player to act has made all bets"


def _lanes(s: Any) -> Contradictions:
    size = s["lane_size"]
    yield ~upto(s["num_lanes"], LANES) & (size > 0), "lane_size of no lane"
    longest, last = size.max(axis=1), s["stage"] == STAGES
    yield last & (longest > LAST_SLOTS), f"lane_size is above {LAST_SLOTS} in the last phase"
    full = longest >= np.where(last, LAST_SLOTS, SLOTS)
    open_for_cards = (s["phase"] != PHASE.fall) & (s["phase"] != PHASE.end)
    yield open_for_cards & full, "lane_size of a full lane, which would have ended the phase"
    placed, face_up = upto(size, SLOTS), s["lane_card"] > 0
    yield placed & (s["placer"] < 0), "placer of a card is nobody"
    yield face_up & ~placed, "lane_card is behind the end of its lane"
    seats = np.arange(MAX_PLAYERS)[:, None, None]
    hers = (s["placer"][:, None] == seats) & (placed & ~face_up)[:, None]
    yield (s["down"] > 0) != hers, "down does not hold the cards face down"


def _cards(s: Any) -> Contradictions:
    yield from hand_sizes(s, s["hands"].astype(np.int64))
    yield (s["pile"] > 0) != upto(s["pile_size"], DECK), "pile does not hold pile_size cards"
    surplus = _cards_there(s) - _all_cards(s)
    yield surplus > 0, "there are more cards of a kind than in the game"
    yield surplus < 0, Unreachable("cards of the game are missing (HR-03)")


def _known(s: Any) -> Contradictions:
    """What players remember must be true of the cards."""
    yield s["under_left"] > s["pile_size"], "under_left is above pile_size"
    under_pile = np.where(upto(s["under_left"], DECK), s["pile"], 0)
    bottom = count_kinds(under_pile, KINDS)[:, None]
    wrong = bottom + s["under_drawn"] > s["under"][:, None]
    yield wrong, "under holds fewer cards than were drawn or are left of them"
    hidden = (s["down"] == FRONT).sum(axis=(2, 3)) + s["hands"][:, :, FRONT - 1]
    yield s["fronts"] > hidden, "fronts are more than a player holds and hides"


def _unreachable(s: Any) -> Contradictions:
    purses = s["counters"].astype(np.int64).sum(axis=1) + s["bank"]
    yield purses < COUNTERS, Unreachable("counters are missing (HR-05)")
    rich = s["counters"] > LARGEST_PURSE
    yield rich, Unreachable(f"a player has more than {LARGEST_PURSE} counters (HR-05)")
    many = s["hand_size"] > HAND
    yield many, Unreachable(f"a player holds more than {HAND} cards (HR-25)")
    first, begun = s["lane_card"][..., 0], s["lane_size"] > 0
    wrong = begun & ((first == 0) | (first == FRONT))
    yield wrong, Unreachable("a lane begins with no rear or empty face up (HR-23)")
    paid = np.take_along_axis(s["points"], np.maximum(s["horses_out"] - 1, 0), axis=1)
    yield (s["horses_out"] > 0) & (paid > 0), Unreachable("a horse that is out has points (HR-52)")
    drawn = s["starter"] >= 0
    yield drawn == (s["phase"] == PHASE.bet), Unreachable("starter is drawn after the bets (HR-12)")
    any_placed = begun.any(axis=1)
    wrong = any_placed != (s["last_placer"] >= 0)
    yield wrong, Unreachable("last_placer is there just as long as cards are (HR-34)")
    opening = (s["phase"] == PHASE.race) & (s["stage"] > 1) & (s["to_act"] == s["starter"])
    wrong = (s["must_open"] != 0) & ~(opening & ~any_placed)
    yield wrong, Unreachable("must_open is for the first turn of phases 2 and 3 (HR-35)")


def _cards_there(s: Any) -> Any:
    """Cards of each kind, wherever they are: int64 (N, kinds)."""
    lying = (s[name].reshape(len(s), -1) for name in ("pile", "lane_card", "down"))
    held = s["hands"].astype(np.int64).sum(axis=1)
    return held + s["out_of_game"] + count_kinds(np.concatenate([*lying], axis=1), KINDS)


def _all_cards(s: Any) -> Any:
    """Cards of each kind in the game (HR-03, HR-04): int64 (N, kinds)."""
    others = np.broadcast_to(np.array([FRONTS, EMPTIES]), (len(s), 2))
    return np.concatenate([s["rears"].astype(np.int64), others], axis=1)
