"""What no state of Café Race can be, whatever its fields are by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.game import Contradictions, Unreachable
from racegym.engine.invariants import acting, upto
from racegym.games.cafe_race.state import DIE, FIRST_FINISH, LAST_FINISH, MAX_PLAYERS, PHASE


def contradictions(states: Any) -> Contradictions:
    """Pairs of (bool (N, …), what is wrong somewhere); see :class:`racegym.engine.game.Game`.

    Args:
        states: (N,) records within the bounds of the layout.
    """
    s = states
    yield from acting(s, PHASE.end)
    running = s["to_act"] >= 0
    yield (s["phase"] == PHASE.impulse) & (s["advanced"] != 0), "impulses are bid for in an auction"
    auction = (s["phase"] == PHASE.auction) | (s["phase"] == PHASE.bid)
    yield auction & (s["advanced"] == 0), "there are no auctions under the basic rules"
    playing = upto(s["num_players"], MAX_PLAYERS)
    spilled = playing & (s["coffee"] == 0)
    yield running[:, None] & spilled, "coffee is 0 in the middle of a round"
    yield from _dice(s, running, playing)
    yield from _auction(s, auction)
    yield from _unreachable(s, running, auction, playing)


def _dice(s: Any, running: np.ndarray, playing: np.ndarray) -> Contradictions:
    left = upto(s["num_dice"], MAX_PLAYERS)
    yield (s["dice"] > 0) != left, "dice does not hold num_dice speed dice"
    without = (playing & (s["speed"] == 0)).sum(axis=1)
    yield running & (s["num_dice"] != without), "dice does not hold one for each without a speed"
    choosing = s["phase"] == PHASE.impulse
    yield choosing & (without != s["num_players"]), "speed is given out before all impulses are"


def _auction(s: Any, auction: np.ndarray) -> Contradictions:
    rows, bidding = np.arange(len(s)), s["phase"] == PHASE.bid
    yield auction & (s["num_dice"] < 2), "the last of the dice is under auction"
    yield auction & (s["auctioneer"] < 0), "auctioneer is nobody in an auction"
    for name in ("auctioneer", "to_act"):
        yield auction & (s["speed"][rows, s[name]] > 0), f"{name} has a speed die already"
    choosing = s["phase"] == PHASE.auction
    yield choosing & (s["to_act"] != s["auctioneer"]), "to_act is not the auctioneer"
    there = (s["dice"] == s["auctioned"][:, None]).any(axis=1) & (s["auctioned"] > 0)
    yield bidding & ~there, "auctioned is none of the dice"
    opened = s["high_bidder"] >= 0
    yield auction & (opened != (s["high_bid"] > 0)), "high_bid and high_bidder do not belong"
    served = opened & (s["speed"][rows, s["high_bidder"]] > 0)
    yield auction & served, "high_bidder has a speed die already"
    yield auction & (s["high_bid"] == DIE), "high_bid cannot be beaten, but the die is not sold"


def _unreachable(
    s: Any, running: np.ndarray, auction: np.ndarray, playing: np.ndarray
) -> Contradictions:
    spaces = np.arange(1, LAST_FINISH + 1)[:, None]
    workers = (playing[:, None] & (s["position"][:, None] == spaces)).sum(axis=2)
    yield workers > 2, Unreachable("more than two workers stand on a space (CR-04)")
    lead = np.where(playing, s["position"], 0).max(axis=1)
    finished = lead >= FIRST_FINISH
    yield running & finished, Unreachable("a round begins with a worker on the finish (CR-40)")
    last = (s["last_round"] != 0) != (~running & finished)
    yield last, Unreachable("last_round does not tell that a worker has finished (CR-40)")
    selling = (s["auctioneer"] >= 0) != auction
    yield selling, Unreachable("there is an auctioneer just as long as there are auctions (CR-21)")
