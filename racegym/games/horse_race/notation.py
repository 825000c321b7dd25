"""Horse Race in text and JSON: actions, states, and the situation in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from racegym.engine.actions import Actions
from racegym.engine.forms import check_at_most, check_length, checked_list, number_of
from racegym.engine.words import counted, over_line, player_line
from racegym.games.horse_race.board import draw, own_order
from racegym.games.horse_race.state import (
    BETS,
    CARDS,
    EMPTIES,
    FRONTS,
    LAYOUT,
    PHASE,
    SCORING,
    SLOTS,
    STAGES,
    actions_for,
)

TITLE = "Horse Race"
#: Cards in text; None for one that is not known.
CARD_TEXTS = (None, *CARDS)

# --- actions -------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)  # more than there are: 9 * 8 * 7 + 9 * 8 + 9 + 1
def _actions_after(bets: tuple[int, ...]) -> Actions:
    return actions_for(own_order([horse for horse in bets if horse]))


def _actions_of(state: Any) -> Actions:
    """The actions with the horses in the order of the player to act; of player 0 at the end."""
    return _actions_after(tuple(_bets(state)[max(state.to_act, 0)].tolist()))


def action_to_text(state: Any, action: int) -> str:
    """The action of the player to act in words, which name cards and horses."""
    return _actions_of(state).texts[action]


def action_from_text(state: Any, text: str) -> int:
    """The action that the words mean; raises IllegalAction when they mean none."""
    return _actions_of(state).number(text, TITLE)


# --- states --------------------------------------------------------------------------------------


def state_to_dict(state: Any) -> dict[str, Any]:
    """The state fields of a record; ``lanes`` and ``bets`` are each made of several fields."""
    return LAYOUT.to_dict(state, {"lanes": _lanes(state), "bets": _backed(state)})


def _lanes(state: Any) -> list[list[dict[str, Any]]]:
    fields = ("lane_size", "lane_card", "placer", "down")
    sizes, up, placer, down = (state.arrays[name].tolist() for name in fields)
    lanes = []
    for lane in range(state.num_lanes):
        cards = []
        for slot in range(sizes[lane]):
            card, by = up[lane][slot], placer[lane][slot]
            text = CARD_TEXTS[card or down[by][lane][slot]]
            cards.append({"card": text, "up": card > 0, "by": by})
        lanes.append(cards)
    return lanes


def _bets(state: Any) -> Any:
    """The horses that each seat has backed, in order, 0 for none: int8 (seats, bets)."""
    return state.arrays["revealed" if state.phase == PHASE.end else "bets"]


def _backed(state: Any) -> list[list[int]]:
    """The horses that each player has backed, in order, whether revealed or not."""
    return [[h for h in row if h] for row in _bets(state)[: state.num_players].tolist()]


def state_from_dict(state: Any, fields: dict[str, Any]) -> None:
    """Set any of the fields of :func:`state_to_dict` in a started state.

    What players remember (``under``, ``fronts`` and so on) is in no record: when the pile or the
    hands become others, nothing is remembered of them.
    """
    hands, pile, bets = state.hands.copy(), state.pile.copy(), _backed(state)
    LAYOUT.from_dict(state, fields, TITLE)
    state.fronts[(state.hands != hands).any(axis=1)] = 0
    if (state.pile != pile).any():
        state.under[:] = 0
        state.under_left = 0
        state.under_drawn[:] = 0
    if "lanes" in fields:
        _set_lanes(state, fields["lanes"])
    _set_bets(state, fields.get("bets", bets))


def _set_lanes(state: Any, lanes: Any) -> None:
    check_length("lanes", lanes, state.num_lanes)
    state.lane_card[:] = 0
    state.down[:] = 0
    state.placer[:] = -1
    for lane, cards in enumerate(lanes):
        check_at_most(f"lanes[{lane}]", cards, SLOTS)
        state.lane_size[lane] = len(cards)
        for slot, placed in enumerate(cards):
            _place(state, lane, slot, placed)


def _place(state: Any, lane: int, slot: int, placed: Any) -> None:
    if not isinstance(placed, Mapping) or not {"card", "up", "by"} <= placed.keys():
        raise ValueError(f"a card in lanes says card, up and by, not {placed!r}")
    card, p = number_of(placed["card"], CARDS), placed["by"]
    if p not in range(state.num_players):
        raise ValueError(f"a card in lanes is by a player, not {p!r}")
    state.placer[lane, slot] = p
    if placed["up"]:
        state.lane_card[lane, slot] = card
    else:
        state.down[p, lane, slot] = card


def _set_bets(state: Any, bets: Any) -> None:
    """Bets are secret until the end (HR-11, HR-42)."""
    check_length("bets", bets, state.num_players)
    state.bets[:] = 0
    state.revealed[:] = 0
    shown = state.revealed if state.phase == PHASE.end else state.bets
    for p, horses in enumerate(bets):
        check_at_most(f"bets[{p}]", horses, BETS)
        count = len(horses)
        shown[p, :count] = checked_list(f"bets[{p}]", horses, count, shown[p, :count])
        state.num_bets[p] = count


# --- the situation in words ----------------------------------------------------------------------


def describe(state: Any, seat: int) -> str:
    """The situation as ``seat`` may know it, in plain words."""
    lines = [
        f"Horse Race, phase {state.stage} of {STAGES}, turn {state.turn} of at most "
        f"{state.max_turns}; scoring {SCORING._fields[state.scoring]}, "
        f"falls {'on' if state.falls else 'off'}.",
        draw(state, seat),
    ]
    lines += [_describe_player(state, p, seat) for p in range(state.num_players)]
    lines.append(f"Your hand: {_list(state.hands[seat].tolist())}.")
    lines += _describe_horses(state)
    lines += _describe_cards(state, seat)
    lines.append(_describe_turn(state, seat))
    return "\n".join(lines)


def _describe_player(state: Any, p: int, seat: int) -> str:
    parts = [f"{counted(state.hand_size[p], 'card')}, {counted(state.counters[p], 'counter')}"]
    horses = _backed(state)[p]
    if p == seat or state.phase == PHASE.end:
        parts.append("backs " + (", ".join(str(h) for h in horses) or "no horse yet"))
    elif state.num_bets[p] < BETS:
        parts.append(f"{counted(state.num_bets[p], 'bet')} made")
    if state.fronts[p]:
        parts.append(f"known to hold {state.fronts[p]} F")
    if p == state.starter:
        parts.append("began this phase")
    if p == state.last_placer:
        parts.append("placed last")
    return player_line(p, seat, parts)


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
        f"Cards in the game: {rears}, F {FRONTS}, E {EMPTIES}.",
        f"Draw pile: {counted(state.pile_size, 'card')}; bank: {counted(state.bank, 'counter')}.",
        f"Out of the game: {_list(state.out_of_game.tolist())}.",
    ]
    if any(state.under.tolist()):
        drawn = _list(state.under_drawn[seat].tolist())
        are = "is" if state.under_left == 1 else "are"
        lines.append(
            f"Put under the pile after phase 1: {_list(state.under.tolist())}; {state.under_left} "
            f"of them {are} still there; you drew {drawn} of them."
        )
    return lines


def _describe_turn(state: Any, seat: int) -> str:
    if state.to_act < 0:
        return over_line(state)
    who = "You are" if state.to_act == seat else f"Player {state.to_act} is"
    if state.phase == PHASE.bet:
        return f"{who} to back a horse."
    if state.phase == PHASE.fall:
        return f"{who} to choose the horse that fell."
    passed = f" Passes in a row: {state.passes}." if state.passes else ""
    opening = ", and must place a card face up if possible" if state.must_open else ""
    return f"{who} to act{opening}.{passed}"


def _list(numbers: list[int]) -> str:
    return ", ".join(f"{card} {k}" for card, k in zip(CARDS, numbers, strict=True) if k) or "none"
