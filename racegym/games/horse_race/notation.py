"""Horse Race in text and JSON: actions, states, events, and the situation in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from racegym.errors import nearest, no_such_action
from racegym.games.horse_race import state as sizes
from racegym.games.horse_race.board import CARDS, draw, own_order

_LANES = range(1, sizes.LANES + 1)


def _texts(order: Sequence[Any]) -> tuple[str, ...]:
    """All actions in words, with the horses in the order given."""
    cards = (*(f"R{h}" if isinstance(h, int) else h for h in order), "F", "E")
    return (
        *(f"back {h}" for h in range(1, sizes.HORSES + 1)),
        *(f"up {card} lane {lane}" for lane in _LANES for card in cards),
        *(f"down {card} lane {lane}" for lane in _LANES for card in cards),
        *(f"swap {card}" for card in cards),
        "draw",
        *(f"sell {card}" for card in cards),
        "pass",
        *(f"out {h}" for h in order),
    )


#: A player's own order of the horses: those it backed, then the others by number.
OWN_ORDER = (
    *(f"own {i}" for i in range(1, sizes.BETS + 1)),
    *(f"other {i}" for i in range(1, sizes.HORSES - sizes.BETS + 1)),
)

ACTION_TABLE = tuple(enumerate(_texts(OWN_ORDER)))


def horses_in_order(state: Any, p: int) -> tuple[int, ...]:
    """The horses in a player's own order; by number as long as the player has bets to make."""
    return own_order(_backed(state)[p])


@lru_cache(maxsize=1024)  # more orders than there are: 9 * 8 * 7 + 1
def _numbers_of(order: tuple[int, ...]) -> dict[str, int]:
    return {text: action for action, text in enumerate(_texts(order))}


@lru_cache(maxsize=1024)
def _texts_of(order: tuple[int, ...]) -> tuple[str, ...]:
    return _texts(order)


def action_to_text(state: Any, action: int) -> str:
    """The action of the player to act in words, which name cards and horses."""
    return _texts_of(horses_in_order(state, max(int(state.to_act), 0)))[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    numbers = _numbers_of(horses_in_order(state, max(int(state.to_act), 0)))
    if text not in numbers:
        raise no_such_action(text, "Horse Race", numbers)
    return numbers[text]


# --- states --------------------------------------------------------------------------------------


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record."""
    n = int(state.num_players)
    return {
        "phase": sizes.PHASES[state.phase],
        "stage": int(state.stage),
        "turn": int(state.turn),
        "to_act": _player(state.to_act),
        "hands": [_counts(hand) for hand in state.hands[:n].tolist()],
        "counters": state.counters[:n].tolist(),
        "bank": int(state.bank),
        "pile": [_card(card) for card in state.pile[: state.pile_size][::-1].tolist()],
        "out_of_game": _counts(state.out_of_game.tolist()),
        "lanes": [_lane(state, lane) for lane in range(int(state.num_lanes))],
        "points": state.points.tolist(),
        "horses_out": [h for h in state.horses_out.tolist() if h],
        "bets": _backed(state),
        "starter": _player(state.starter),
        "passes": int(state.passes),
        "must_open": bool(state.must_open),
        "last_placer": _player(state.last_placer),
    }


def _backed(state: Any) -> list[list[int]]:
    """The horses that each player has backed, in order, whether revealed or not."""
    bets = state.revealed if state.phase == sizes.END else state.bets
    return [[h for h in row if h] for row in bets[: int(state.num_players)].tolist()]


def _player(number: int) -> int | None:
    return int(number) if number >= 0 else None


def _card(number: int) -> str | None:
    """A card in text; None for one that is not known."""
    return CARDS[number - 1] if number else None


def _counts(numbers: list[int]) -> dict[str, int]:
    return {card: k for card, k in zip(CARDS, numbers, strict=True) if k}


def _lane(state: Any, lane: int) -> list[dict[str, Any]]:
    cards = []
    for slot in range(int(state.lane_size[lane])):
        up, p = int(state.lane_card[lane, slot]), int(state.placer[lane, slot])
        card = up or int(state.down[p, lane, slot])
        cards.append({"card": _card(card), "up": up > 0, "by": p})
    return cards


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state.

    What players remember (``under``, ``fronts`` and so on) is in no record: when the pile or the
    hands become others, nothing is remembered of them.
    """
    known = state_to_dict(state)
    for name in fields:
        if name not in known:
            raise ValueError(f"a state of Horse Race has no field {name!r}{nearest(name, known)}")
    n = int(state.num_players)
    lengths = dict.fromkeys(("hands", "counters", "bets"), n)
    lengths |= {"lanes": int(state.num_lanes), "points": sizes.HORSES}
    for name, length in lengths.items():
        if name in fields and len(fields[name]) != length:
            raise ValueError(f"{name} needs {length} values, not {len(fields[name])}")
    for name in ("stage", "turn", "bank", "passes", "must_open"):
        if name in fields:
            state[name] = fields[name]
    for name in ("to_act", "starter", "last_placer"):
        if name in fields:
            state[name] = -1 if fields[name] is None else fields[name]
    if "phase" in fields:
        state.phase = sizes.PHASES.index(fields["phase"])
    if "counters" in fields:
        state.counters[:n] = fields["counters"]
    if "points" in fields:
        state.points[:] = fields["points"]
    if "horses_out" in fields:
        state.horses_out[:] = 0
        state.horses_out[: len(fields["horses_out"])] = fields["horses_out"]
    _set_cards(state, fields, known)
    _set_bets(state, fields.get("bets", known["bets"]))


def _set_cards(state: Any, fields: dict[str, Any], known: dict[str, Any]) -> None:
    if "hands" in fields:
        for p, hand in enumerate(fields["hands"]):
            state.hands[p] = _numbers(hand)
            state.hand_size[p] = sum(hand.values())
            if hand != known["hands"][p]:
                state.fronts[p] = 0
    if "out_of_game" in fields:
        state.out_of_game[:] = _numbers(fields["out_of_game"])
    if "pile" in fields:
        cards = [_number(card) for card in reversed(fields["pile"])]
        state.pile[:] = 0
        state.pile[: len(cards)] = cards
        state.pile_size = len(cards)
        if fields["pile"] != known["pile"]:
            for name in ("under", "under_left", "under_drawn"):
                state[name] = 0
    if "lanes" in fields:
        state.lane_card[:] = 0
        state.down[:] = 0
        state.placer[:] = -1
        for lane, cards in enumerate(fields["lanes"]):
            state.lane_size[lane] = len(cards)
            for slot, placed in enumerate(cards):
                number, p = _number(placed["card"]), placed["by"]
                state.placer[lane, slot] = p
                if placed["up"]:
                    state.lane_card[lane, slot] = number
                else:
                    state.down[p, lane, slot] = number


def _set_bets(state: Any, bets: list[list[int]]) -> None:
    """Bets are secret until the end (HR-11, HR-42)."""
    state.bets[:] = 0
    state.revealed[:] = 0
    shown = state.revealed if state.phase == sizes.END else state.bets
    for p, horses in enumerate(bets):
        shown[p, : len(horses)] = horses
        state.num_bets[p] = len(horses)


def _number(card: Any) -> int:
    if card not in CARDS:
        raise ValueError(f"there is no card {card!r}: cards are {', '.join(CARDS)}")
    return CARDS.index(card) + 1


def _numbers(cards: dict[str, int]) -> list[int]:
    counts = [0] * sizes.KINDS
    for card, k in cards.items():
        counts[_number(card) - 1] = k
    return counts


# --- events --------------------------------------------------------------------------------------


def event_to_dict(state: Any, row: Sequence[int]) -> dict[str, Any]:
    """One event of the log in the form of a record."""
    kind, a, b, c, d = (int(v) for v in row[:5])
    if kind == sizes.DREW:
        return {"kind": "drew", "player": a, "card": CARDS[b - 1]}
    if kind == sizes.REVEALED:
        return {"kind": "reveal", "lane": a, "slot": b, "card": CARDS[c - 1]}
    if kind == sizes.PAIR:
        return {"kind": "pair", "lane": a, "slot": b, "horse": c}
    if kind == sizes.PLACE:
        return {"kind": "place", "horse": a, "lane": b, "place": c, "bonus": d}
    if kind == sizes.WENT_OUT:
        return {"kind": "out", "horse": a, "by": b}
    if kind == sizes.STAGE:
        return {"kind": "stage", "stage": a, "starter": b}
    return {"kind": "jump" if kind == sizes.JUMPED else "fall", "player": a}


# --- the situation in words ----------------------------------------------------------------------


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    lines = [
        f"Horse Race, phase {state.stage} of {sizes.STAGES}, turn {state.turn} of at most "
        f"{state.max_turns}; scoring {sizes.SCORING[state.scoring]}, "
        f"falls {'on' if state.falls else 'off'}.",
        draw(state, seat),
    ]
    lines += [_describe_player(state, p, seat) for p in range(int(state.num_players))]
    lines.append(f"Your hand: {_list(state.hands[seat].tolist())}.")
    lines += _describe_horses(state)
    lines += _describe_cards(state, seat)
    lines.append(_describe_turn(state, seat))
    return "\n".join(lines)


def _describe_player(state: Any, p: int, seat: int) -> str:
    parts = [f"{state.hand_size[p]} cards, {state.counters[p]} counters"]
    horses = _backed(state)[p]
    if p == seat or state.phase == sizes.END:
        parts.append("backs " + (", ".join(str(h) for h in horses) or "no horse yet"))
    elif state.num_bets[p] < sizes.BETS:
        parts.append(f"{state.num_bets[p]} bets made")
    if state.fronts[p]:
        parts.append(f"known to hold {state.fronts[p]} F")
    if p == state.starter:
        parts.append("began this phase")
    if p == state.last_placer:
        parts.append("placed last")
    return f"Player {p}{' (you)' if p == seat else ''}: {'; '.join(parts)}."


def _describe_horses(state: Any) -> list[str]:
    out = [h for h in state.horses_out.tolist() if h]
    points = enumerate(state.points.tolist(), 1)
    lines = ["Points: " + ", ".join(f"horse {h}: {k}" for h, k in points if h not in out) + "."]
    if out:
        lines.append("Out of the race, in order: " + ", ".join(f"horse {h}" for h in out) + ".")
    return lines


def _describe_cards(state: Any, seat: int) -> list[str]:
    rears = ", ".join(f"R{h} {k}" for h, k in enumerate(state.rears.tolist(), 1))
    lines = [
        f"Cards in the game: {rears}, F {sizes.FRONTS}, E {sizes.EMPTIES}.",
        f"Draw pile: {state.pile_size} cards; bank: {state.bank} counters.",
        f"Out of the game: {_list(state.out_of_game.tolist())}.",
    ]
    if any(state.under.tolist()):
        drawn = _list(state.under_drawn[seat].tolist())
        lines.append(
            f"Put under the pile after phase 1: {_list(state.under.tolist())}; {state.under_left} "
            f"of them are still there; you drew {drawn} of them."
        )
    return lines


def _describe_turn(state: Any, seat: int) -> str:
    if state.to_act < 0:
        return "The game was cut." if state.truncated else "The game is over."
    who = "You are" if state.to_act == seat else f"Player {state.to_act} is"
    if state.phase == sizes.BET:
        return f"{who} to back a horse."
    if state.phase == sizes.FALL:
        return f"{who} to choose the horse that fell."
    passed = f" Passes in a row: {state.passes}." if state.passes else ""
    opening = ", and must place a card face up if possible" if state.must_open else ""
    return f"{who} to act{opening}.{passed}"


def _list(numbers: list[int]) -> str:
    return ", ".join(f"{card} {k}" for card, k in _counts(numbers).items()) or "none"


# --- what always holds ---------------------------------------------------------------------------


def check_fields(fields: dict[str, Any]) -> None:
    """What holds for the state fields of every position; raises AssertionError."""
    n = len(fields["counters"])
    slots = sizes.LAST_SLOTS if fields["stage"] == sizes.STAGES else sizes.SLOTS
    _check_cards(fields)
    assert fields["bank"] + sum(fields["counters"]) == sizes.COUNTERS, "40 counters (HR-05)"
    assert min(fields["bank"], *fields["counters"]) >= 0
    assert max(fields["counters"]) <= sizes.LARGEST_PURSE
    assert all(sum(hand.values()) <= sizes.HAND for hand in fields["hands"])
    full = any(len(lane) == slots for lane in fields["lanes"])
    assert not (full and fields["phase"] in ("bet", "race")), "a full lane ends a phase (HR-30)"
    for lane in fields["lanes"]:
        assert len(lane) <= slots and all(0 <= placed["by"] < n for placed in lane)
        assert not lane or (lane[0]["card"] != "F" and lane[0]["up"]), "HR-23"
    assert all(len(set(bets)) == len(bets) <= sizes.BETS for bets in fields["bets"]), "HR-11"
    assert all(fields["points"][h - 1] == 0 for h in fields["horses_out"]), "HR-52"
    assert min(fields["points"]) >= 0
    assert len(set(fields["horses_out"])) == len(fields["horses_out"]) <= sizes.MOST_OUT
    assert (fields["to_act"] is None) == (fields["phase"] == "end")
    assert (fields["starter"] is None) == (fields["phase"] == "bet")
    assert fields["passes"] < n or fields["phase"] == "end"
    if fields["must_open"]:
        assert fields["phase"] == "race" and fields["stage"] > 1
        assert fields["to_act"] == fields["starter"] and not any(fields["lanes"])
    assert (fields["last_placer"] is not None) == any(fields["lanes"])


def _check_cards(fields: dict[str, Any]) -> None:
    """60 cards, 30 of them fronts and 10 empties (HR-03)."""
    cards = Counter(fields["pile"])
    for part in (*fields["hands"], fields["out_of_game"]):
        assert min(part.values(), default=1) > 0
        cards.update(part)
    cards.update(placed["card"] for lane in fields["lanes"] for placed in lane)
    assert set(cards) <= set(CARDS)
    assert cards.total() == sizes.CARDS
    assert (cards["F"], cards["E"]) == (sizes.FRONTS, sizes.EMPTIES)


#: No game can have more turns (HR-47).
MOST_TURNS = 612


def most_decisions(options: dict[str, Any]) -> int:
    """How many decisions a game can have at most: bets, turns (HR-47) and horses that fall."""
    n = options["num_players"]
    return sizes.BETS * n + min(options["max_turns"], MOST_TURNS) + sizes.MOST_OUT
