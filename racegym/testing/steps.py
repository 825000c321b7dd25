"""Checks of single decisions: masks, texts, illegal actions, events, bounds, ends and rewards."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from racegym.engine.game import Game
from racegym.engine.position import Position
from racegym.engine.validity import check_states
from racegym.errors import GameOver, IllegalAction, RacegymError, StateError
from racegym.testing.play import (
    Choose,
    Scenario,
    bytes_of,
    choose_first,
    choose_last,
    choose_random,
    ensure,
    place_of,
    scenarios,
    walk,
)


def check_steps(game: Game, games: int = 30) -> None:
    """Random play with clone and compare at every step."""
    for scenario in scenarios(game, games, seed=1):
        rng = random.Random(scenario.seed)
        position = scenario.start()
        while not position.is_over:
            place = place_of(scenario, position)
            _check_decision(position, place)
            action = choose_random(position, rng)
            before, twin = position.clone(), position.clone()
            position.apply(action)
            events = twin.apply_with_events(action)
            ensure(twin == position, "apply and apply_with_events differ", place)
            ensure(hash(twin) == hash(position), "equal positions, different hashes", place)
            ensure(np.array_equal(twin.mask, position.mask), "their masks differ", place)
            ensure(np.array_equal(twin.observation, position.observation), "so do views", place)
            ensure(before.decisions + 1 == position.decisions, "decisions are miscounted", place)
            ensure(before != position, "an action changed nothing", place)
            for event in events:
                ensure("kind" in event and is_json(event), f"{event!r} is no event", place)
        _check_over(position, place_of(scenario, position))


def _check_decision(position: Position, place: str) -> None:
    game = position.game
    mask = position.mask
    ensure(0 <= position.seat < position.num_players, f"seat {position.seat} is to act", place)
    ensure(mask.dtype == np.int8 and mask.shape == (game.num_actions,), "not a mask", place)
    ensure(set(mask.tolist()) <= {0, 1}, "a mask is made of 0 and 1", place)
    ensure(mask.any(), "nothing is legal for the player to act", place)
    ensure(position.legal_actions() == np.flatnonzero(mask).tolist(), "legal actions", place)
    for seat in range(position.num_players):
        wanted = mask if seat == position.seat else np.zeros_like(mask)
        ensure(np.array_equal(position.mask_of(seat), wanted), f"mask of seat {seat}", place)


def _check_over(position: Position, place: str) -> None:
    ensure(position.seat == -1 and not position.mask.any(), "the game is over", place)
    ensure(position.legal_actions() == [], "legal actions after the end", place)
    before = bytes_of(position)
    try:
        position.apply(0)
    except GameOver:
        pass
    else:
        ensure(False, "an action was accepted after the end", place)
    ensure(bytes_of(position) == before, "a refused action changed the state", place)


def check_illegal_actions(game: Game, games: int = 10) -> None:
    """Every action that is not legal is refused and changes nothing, at every decision."""
    for scenario in scenarios(game, games, seed=2):
        for position in walk(scenario):
            place = place_of(scenario, position)
            before, seat = bytes_of(position), position.seat
            wrong = np.flatnonzero(position.mask == 0).tolist() if seat >= 0 else []
            for action in [*random.Random(seat).sample(wrong, min(5, len(wrong))), -1, 2**70]:
                try:
                    position.apply(action)
                except (IllegalAction, GameOver) as error:
                    ensure("\n" not in str(error), "an error is one line", place)
                else:
                    ensure(False, f"the illegal action {action} was accepted", place)
            ensure(bytes_of(position) == before, "a refused action changed the state", place)
            ensure(position.seat == seat, "a refused action changed the seat to act", place)


def check_texts(game: Game, games: int = 20) -> None:
    """The mask and the list of legal texts say the same; texts and numbers match one to one."""
    for scenario in scenarios(game, games, seed=3):
        for position in walk(scenario):
            place = place_of(scenario, position)
            texts = position.legal_texts()
            ensure(texts == sorted(set(texts)), f"texts sorted, none twice: {texts}", place)
            ensure(len(texts) == position.mask.sum(), "as many texts as legal actions", place)
            back = sorted(position.action_from_text(text) for text in texts)
            ensure(back == position.legal_actions(), f"texts do not mean the mask: {back}", place)
    for nonsense in ("", "no such action", "\n", "0"):
        try:
            scenario.start().action_from_text(nonsense)
        except IllegalAction:
            continue
        ensure(False, f"{nonsense!r} was read as an action", scenario)


def check_action_table(game: Game) -> None:
    """The action table explains the numbers 0 … num_actions - 1, each once."""
    numbers = [number for number, _ in game.action_table]
    ensure(numbers == list(range(game.num_actions)), "the action table has gaps", game.name)
    ensure(all(text for _, text in game.action_table), "an action without words", game.name)


def check_invariants(game: Game, games: int = 40) -> None:
    """The bounds of the layout and ``Game.contradictions`` hold after every step."""
    for scenario in scenarios(game, games, seed=4):
        hold_invariants(scenario, [position.raw.copy() for position in walk(scenario)])


def hold_invariants(scenario: Scenario, states: Sequence[np.ndarray], what: str = "") -> None:
    """Raise CheckFailed if some states of a scenario's game cannot be.

    Args:
        scenario: the game and its options.
        states: uint8 (bytes of a state,) each, in the order of play.
        what: where they come from, for the message.
    """
    game = scenario.game
    codes = game.options.encode(game.options.resolve(scenario.options))
    try:
        check_states(game, codes, np.stack(states), reachable=True)
    except StateError as error:
        ensure(False, f"an invariant does not hold: {error}", f"{what}{scenario}")


def is_json(value: Any) -> bool:
    """True if a value is made of JSON types only and survives writing and reading."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError):
        return False


# --- ends and rewards ----------------------------------------------------------------------------


def check_ends(game: Game, games: int = 60) -> None:
    """Games end, also when everybody always takes the first or the last legal action.

    A game may state with ``Game.max_decisions`` how many decisions a game can have at most.
    """
    choosers: list[Choose] = [choose_random, choose_first, choose_last]
    for scenario in scenarios(game, games, seed=5):
        for choose in choosers:
            *_, position = walk(scenario, choose)
            if game.max_decisions is not None:
                limit = game.max_decisions(position.options)
                ensure(position.decisions <= limit, f"more than {limit} decisions", scenario)


def check_rewards(game: Game, games: int = 60) -> None:
    """Rewards sum to zero and follow the formulas; scores and ranks agree with each other."""
    for scenario in scenarios(game, games, seed=6):
        for position in walk(scenario):
            if not position.is_over:
                ensure(position.rewards() == [0.0] * position.num_players, "early", scenario)
                _check_no_result_yet(position, scenario)
        ranks, rewards = position.ranks(), position.rewards()
        sides, scale = position.state.sides, position.state.score_scale
        for rank in ranks[:sides]:
            better = sum(other < rank for other in ranks[:sides])
            ensure(rank == better + 1, f"nobody won, or gaps or overlaps: {ranks}", scenario)
        wanted = expected_rewards(
            position.options["reward"], position.scores(), ranks, sides, scale
        )
        ensure(np.allclose(rewards, wanted, atol=1e-6), f"{rewards}, not {wanted}", scenario)
        ensure(abs(sum(rewards)) < 1e-5, f"rewards {rewards} do not sum to zero", scenario)


def _check_no_result_yet(position: Position, scenario: Scenario) -> None:
    try:
        position.scores()
    except RacegymError:
        return
    ensure(False, "scores are told before the end", place_of(scenario, position))


def expected_rewards(
    scheme: str, scores: Sequence[int], ranks: Sequence[int], sides: int, scale: int
) -> list[float]:
    """The rewards by the formulas, per seat; seat p plays for side p % sides."""
    side_ranks, side_scores = list(ranks[:sides]), list(scores[:sides])
    result = []
    for p in range(len(ranks)):
        rank, score = ranks[p], scores[p]
        if scheme == "win":
            k = side_ranks.count(1)
            share = sides / (sides - 1) * (1 / k - 1 / sides)
            result.append(share if rank == 1 else -1 / (sides - 1))
        elif scheme == "rank":
            mean_place = rank + (side_ranks.count(rank) - 1) / 2
            result.append(1 - 2 * (mean_place - 1) / (sides - 1))
        else:
            others = (sum(side_scores) - side_scores[p % sides]) / (sides - 1)
            result.append((score - others) / scale)
    return result
