"""What no state of Dino Race can be, whatever its fields are by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from racegym.engine.game import Contradictions, Unreachable
from racegym.engine.invariants import acting, count_kinds, hand_sizes, upto
from racegym.games.dino_race.state import (
    CARDS,
    COUNTER,
    DECK,
    DINOS,
    DROPS,
    HOME,
    KINDS,
    LAST_TERRAIN,
    MAX_PLAYERS,
    PHASE,
    PRIZES,
)


def contradictions(states: Any) -> Contradictions:
    """Pairs of (bool (N, …), what is wrong somewhere); see :class:`racegym.engine.game.Game`.

    Args:
        states: (N,) records within the bounds of the layout.
    """
    s = states
    running = s["to_act"] >= 0
    playing = upto(s["num_players"], MAX_PLAYERS)
    yield from acting(s, PHASE.end)
    yield s["race"] > s["matches"], "race is above the number of races"
    giving = s["phase"] == PHASE.give
    yield giving & (s["to_act"] != s["egg"]), "the player to act has no egg to give away"
    others = ~giving & (s["phase"] != PHASE.prize)
    yield running & others & (s["to_act"] != s["current"]), "to_act is not whose turn it is"
    drops = s["drops"].astype(np.int64).sum(axis=1) + s["drop_supply"]
    yield running & (drops > DROPS), f"there are more than {DROPS} lava drops"
    yield from _track(s, running, playing)
    yield from _cards(s, playing)
    yield from _prizes(s, running, playing)
    yield from _unreachable(s, playing)


def _track(s: Any, running: np.ndarray, playing: np.ndarray) -> Contradictions:
    yield (s["volcano_active"] == 0) & (s["lava"] > 0), "lava flows from a volcano not active"
    on_track = s["position"] < HOME
    yield on_track & ~playing[..., None], "position of nobody is on the track"
    second = on_track[:, :, 1] & (s["teams"] != 0)[:, None]
    yield second, "position of a second dinosaur in team play"
    active = running & (s["volcano_active"] != 0)
    in_lava = on_track & (s["position"] <= s["lava"][:, None, None])
    yield active[:, None, None] & in_lava, "position of a dinosaur is in the lava"
    covered = active & (s["lava"] == LAST_TERRAIN)
    yield covered & (s["phase"] != PHASE.prize), "lava covers all tiles before the end"


# --- cards ---------------------------------------------------------------------------------------


def _cards(s: Any, playing: np.ndarray) -> Contradictions:
    yield from hand_sizes(s, s["hands"].astype(np.int64))
    yield _in_pile(s) & (s["pile"] < 0), "pile does not hold pile_size cards"
    yield _cards_there(s) > DECK, "there are more cards of a kind than in the game"
    pile = _pile_of(s)
    both = playing[:, :, None] & playing[:, None]
    beyond = playing[..., None] & (pile[:, None] > s["pile_limit"])
    yield beyond, "pile holds more of a kind than pile_limit"
    beyond = playing[..., None] & (s["pile_limit"] > s["shuffled"][:, None])
    yield beyond, "pile_limit is above what was shuffled into the pile"
    wrong = both[..., None] & (s["known"] > s["hands"][:, None])
    yield wrong, "known cards are not in the hand that they are known of"
    own: Any = np.diagonal(s["known"], axis1=1, axis2=2)
    yield own > 0, "known cards are the player's own"
    differs = both[..., None] & (s["shown"] != s["known"].transpose(0, 2, 1, 3))
    yield differs, "shown cards are not those that others know"


def _in_pile(s: Any) -> Any:
    """Which places of the pile are filled: bool (N, cards)."""
    return ~upto(CARDS - s["pile_size"], CARDS)


def _pile_of(s: Any) -> np.ndarray:
    """Cards in the pile by kind: (N, kinds)."""
    return count_kinds(np.where(_in_pile(s), s["pile"], -1), KINDS, first=0)


def _cards_there(s: Any) -> Any:
    """Cards in hands, pile and discards by kind: (N, kinds)."""
    return s["hands"].astype(np.int64).sum(axis=1) + _pile_of(s) + s["discards"]


# --- prize counters ------------------------------------------------------------------------------


def _prizes(s: Any, running: np.ndarray, playing: np.ndarray) -> Contradictions:
    rows, choosing = np.arange(len(s)), s["phase"] == PHASE.prize
    each = np.where(s["teams"] != 0, 1, DINOS)
    yield choosing & (s["survive"] != 0), "no prizes are chosen in this variant"
    yield s["prize_left"].sum(axis=1) != s["num_prizes"], "prize_left does not hold num_prizes"
    won = s["prizes_won"].astype(np.int64)
    yield won > np.where(playing, each[:, None], 0), "prizes_won are too many"
    there = upto(won, DINOS)
    wrong = playing[..., None] & ((s["prizes"] >= 0) != there)
    yield wrong, "prizes do not hold prizes_won counters"
    counters = s["prize_left"].astype(np.int64)
    at, p, k = np.nonzero(there)
    np.add.at(counters, (at, s["prizes"][at, p, k]), 1)
    yield counters > 1, "a prize counter is in two places"
    to_win = (each[:, None] - won).sum(axis=1, where=playing)
    standard = s["survive"] == 0
    yield running & standard & (to_win > s["num_prizes"]), "prize_left holds too few to be won"
    home = each - (s["position"] < HOME).sum(axis=2)[rows, s["to_act"]]
    yield choosing & (home <= won[rows, s["to_act"]]), "the player to act has no prize to choose"
    yield from _known_prizes(s, standard, playing)


def _known_prizes(s: Any, standard: np.ndarray, playing: np.ndarray) -> Contradictions:
    """What is known of the counters is true of them; see :func:`knowledge.recall_prizes`."""
    won, seats = s["prizes_won"].astype(np.int64), np.arange(MAX_PLAYERS)
    side = seats % s["sides"][:, None]
    mates = (side[:, :, None] == side[:, None]) & playing[:, :, None] & playing[:, None]
    most = np.where(mates, 0, won[:, None])
    late = playing[:, :, None] & playing[:, None] & (s["since_look"] > most)
    yield standard[:, None, None] & late, "since_look is above the prizes won by others"
    looked = (mates & (won > 0)[:, None]).any(axis=2)
    turn = mates[np.arange(len(s)), s["to_act"]]
    looked |= (s["phase"] == PHASE.prize)[:, None] & turn
    left = np.broadcast_to((s["prize_left"] != 0)[:, None], (len(s), MAX_PLAYERS, PRIZES))
    known = np.where(looked[..., None] & left, COUNTER.seen, COUNTER.unknown)
    for at, q, k in np.argwhere(upto(won, DINOS)):
        prize = s["prizes"][at, q, k]
        seen = looked[at] & (k >= won[at, q] - s["since_look"][at, :, q])
        others = np.where(seen, COUNTER.seen, COUNTER.unknown)
        known[at, :, prize] = np.where(mates[at, q], COUNTER.partners, others)
        known[at, q, prize] = COUNTER.own
    wrong = playing[..., None] & (s["prize_known"] != known)
    yield standard[:, None, None] & wrong, "prize_known is not what was seen of the counters"


# --- what play never leads to --------------------------------------------------------------------


def _unreachable(s: Any, playing: np.ndarray) -> Contradictions:
    standard, on_track = s["survive"] == 0, s["position"] < HOME
    yield _cards_there(s) != DECK, Unreachable("cards of the game are missing")
    out = playing & ~on_track.any(axis=2)
    yield out & (s["hand_size"] > 0), Unreachable("a player at home holds cards")
    in_lava = on_track & (s["position"] <= s["lava"][:, None, None])
    burning = in_lava & (s["volcano_active"] != 0)[:, None, None]
    yield burning, Unreachable("a dinosaur stands in the lava")
    yield ~on_track & (s["lying"] != 0), Unreachable("a dinosaur lies at home")
    drops = s["drops"].astype(np.int64).sum(axis=1) + s["drop_supply"]
    yield drops != np.where(standard, DROPS, 0), Unreachable("lava drops are missing")
    dinos = s["num_players"] * np.where(s["teams"] != 0, 1, DINOS)
    home, won = dinos - on_track.sum(axis=(1, 2)), s["prizes_won"].astype(np.int64).sum(axis=1)
    there = won + s["num_prizes"] != np.where(standard, dinos, 0)
    yield there, Unreachable("there is not a prize counter for every dinosaur")
    choosing = s["phase"] == PHASE.prize
    chosen = np.where(choosing, won < home, won == home)
    yield standard & ~chosen, Unreachable("there is not a prize won for every dinosaur at home")
