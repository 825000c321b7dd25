"""The generic kernels: what can be done with any game's states, one game or many at once.

These are plain functions with free names.  :mod:`racegym.engine.compile` makes a copy for each
game in which the names mean that game's functions and sizes:

``view``         ``view(raw)``: bytes as an array of state records
``start``        ``start(s, options)``: set up a game in a zeroed state
``legal``        ``legal(s, mask)``: mark the legal actions of ``s.to_act``
``apply``        ``apply(s, action, log)``: play a legal action, up to the next decision
``outcome``      ``outcome(s, scores, ranks)``: scores and ranks of a finished game
``redeal``       ``redeal(s, seat)``: guess afresh what the seat may not know
``observe``      ``observe(s, seat, out)``: the encoder chosen
``choose``       ``choose(observation, mask, bits)``: a scripted agent (kernel ``choose_all`` only)
``set_up``       the function of that name below, made for this game

States come as plain bytes (uint8), because handing a record array from Python to compiled code
costs several microseconds; they are viewed as records inside.
"""

# ruff: noqa: F821 (the free names are the point)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from racegym.engine.chance import game_seed, hashed, mix, seed_chance
from racegym.engine.rewards import write_rewards
from racegym.engine.sampling import nth_set

if TYPE_CHECKING:
    view: Any
    start: Any
    legal: Any
    apply: Any
    outcome: Any
    redeal: Any
    observe: Any
    choose: Any

OVER = -1  #: status: the game is over
ILLEGAL = -2  #: status: the action is not legal, nothing was changed


def set_up(raw, s, options, seed):
    """Start a game from a seed in the state ``s``, whose bytes are ``raw``."""
    raw[:] = 0
    seed_chance(s, seed)
    s.num_players = options[0]
    s.sides = options[0]
    s.reward = options[1]
    start(s, options)


def begin(raw, options, seed):
    """Start a game in ``raw`` (uint8, one state) from a seed; returns the seat to act."""
    s = view(raw)[0]
    set_up(raw, s, options, seed)
    return s.to_act


def mark_legal(raw, mask):
    """Write the legal actions of the seat to act into ``mask`` (int8, all actions).

    Returns the seat to act or OVER.
    """
    s = view(raw)[0]
    mask[:] = 0
    if s.to_act >= 0:
        legal(s, mask)
    return s.to_act


def look(raw, seat, observation):
    """Write what ``seat`` sees into ``observation`` (float32, the encoder's shape)."""
    observe(view(raw)[0], seat, observation)


def advance(raw, action, mask, observation, log):
    """Play one action, then write the next seat's mask and observation.

    Returns the next seat to act, OVER, or ILLEGAL (with state, mask and observation untouched).
    When the game is over the mask is all zero and the observation is seat 0's.
    """
    s = view(raw)[0]
    if s.to_act < 0 or action < 0 or action >= mask.shape[0]:
        return ILLEGAL
    allowed = np.zeros(mask.shape[0], np.int8)
    legal(s, allowed)
    if allowed[action] == 0:
        return ILLEGAL
    s.decisions += 1
    apply(s, action, log)
    mask[:] = 0
    if s.to_act >= 0:
        legal(s, mask)
    observe(s, max(s.to_act, 0), observation)  # one call: it is copied into this kernel
    return s.to_act if s.to_act >= 0 else OVER


def conclude(raw, scores, ranks, rewards):
    """Write scores and ranks (int32) and rewards (float64) of a game that is over."""
    s = view(raw)[0]
    scores[:] = 0
    ranks[:] = 0
    outcome(s, scores, ranks)
    write_rewards(s, scores, ranks, rewards)


def deal_again(raw, seat, seed):
    """Guess afresh everything that ``seat`` may not know, the random numbers to come included.

    Nothing of it is left, not even how many numbers have been drawn.
    """
    s = view(raw)[0]
    seed_chance(s, seed)
    s.chance_count[:] = 0
    redeal(s, seat)


def begin_all(raw, options, seeds, seats, masks, observations):
    """Start a game from ``seeds[i]`` in every row of a batch; rows with a negative one are left."""
    states = view(raw)
    for i in range(raw.shape[0]):
        if seeds[i] < 0:
            continue
        s = states[i, 0]
        set_up(raw[i], s, options, seeds[i])
        seats[i] = s.to_act
        masks[i, :] = 0
        legal(s, masks[i])
        observe(s, s.to_act, observations[i])


def first_illegal(masks, actions):
    """Index of the first row whose action its mask does not allow, or -1 when all do."""
    for i in range(actions.shape[0]):
        action = actions[i]
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            return i
    return -1


def step_all(
    raw,
    options,
    seed,
    first,
    episodes,
    seeds,
    actions,
    restart,
    seats,
    masks,
    observations,
    rewards,
    terminated,
    cut,
    scores,
    ranks,
    last_raw,
    last_seeds,
    log,
):
    """Play one legal action in every game of a batch; rows with a negative one are left alone.

    For a game that ended in this step, ``rewards`` (zero elsewhere), ``terminated``, ``cut`` (at
    ``max_turns``), ``scores`` and ``ranks`` are written.  With ``restart`` it starts again at once:
    ``last_raw`` is its final state, ``last_seeds`` its seed, and ``seats``, ``masks``,
    ``observations`` and ``seeds`` are those of the new game.  Without, it stays as it ended: its
    seat is OVER, its mask all zero, its observation that of the last decision; the arguments from
    ``seed`` to ``seeds`` and from ``last_raw`` on have no part.  Returns how many games ended.
    """
    states = view(raw)
    ended = 0
    for i in range(raw.shape[0]):
        if actions[i] < 0:
            continue
        s = states[i, 0]
        s.decisions += 1
        apply(s, actions[i], log)
        rewards[i, :] = 0.0
        terminated[i] = False
        cut[i] = False
        if s.to_act < 0:
            ended += 1
            scores[i, :] = 0
            ranks[i, :] = 0
            outcome(s, scores[i], ranks[i])
            write_rewards(s, scores[i], ranks[i], rewards[i])
            terminated[i] = True
            cut[i] = s.truncated != 0
            if not restart:
                seats[i] = OVER
                masks[i, :] = 0
                continue
            last_raw[i, :] = raw[i, :]
            last_seeds[i] = seeds[i]
            episodes[i] += 1
            seeds[i] = game_seed(seed, first + i, episodes[i])
            set_up(raw[i], s, options, seeds[i])
        seats[i] = s.to_act
        masks[i, :] = 0
        legal(s, masks[i])
        observe(s, s.to_act, observations[i])
    return ended


def look_all(raw, seats, observations):
    """Write what ``seats[i]`` sees of game i into ``observations[i]``."""
    states = view(raw)
    for i in range(raw.shape[0]):
        observe(states[i, 0], seats[i], observations[i])


def mark_legal_all(raw, seats, masks):
    """Read the seats to act of a batch (OVER at the end) and mark their legal actions."""
    states = view(raw)
    for i in range(raw.shape[0]):
        s = states[i, 0]
        seats[i] = s.to_act
        masks[i, :] = 0
        if s.to_act >= 0:
            legal(s, masks[i])


def deal_again_all(raw, seats, seeds):
    """Guess afresh, in every game of a batch, everything that ``seats[i]`` may not know.

    The guess of row i follows from what the seat knows and from ``seeds[i]`` (int64).
    """
    states = view(raw)
    for i in range(raw.shape[0]):
        s = states[i, 0]
        seed_chance(s, seeds[i])
        s.chance_count[:] = 0
        redeal(s, seats[i])


def choose_all(observations, masks, bits, actions):
    """Let the scripted agent choose in every row; ``bits`` (int64, not negative) is its dice."""
    for i in range(observations.shape[0]):
        actions[i] = choose(observations[i], masks[i], bits[i])


def rollout(raw, options, seed, decisions, mask, observation, log, scores, ranks, rewards):
    """Play ``decisions`` random legal actions in one game after the other.

    Mask and observation are written at every decision, as a learner would need them.  Returns
    the number of games finished and a checksum (so that nothing can be left out).
    """
    s = view(raw)[0]
    games = 0
    checksum = 0.0
    bits = hashed(np.uint64(seed), np.uint64(0xC0FFEE))
    entries = observation.reshape(-1)
    entry = 0
    fresh = True
    for _ in range(decisions):
        if fresh:
            set_up(raw, s, options, game_seed(seed, 0, games))
            fresh = False
        mask[:] = 0
        legal(s, mask)
        observe(s, s.to_act, observation)
        checksum += entries[entry]
        entry += 1
        if entry == entries.size:
            entry = 0
        bits = mix(bits + np.uint64(1))
        s.decisions += 1
        apply(s, nth_set(mask, bits), log)
        if s.to_act < 0:
            games += 1
            fresh = True
            outcome(s, scores, ranks)
            write_rewards(s, scores, ranks, rewards)
            checksum += rewards[0]
    return games, checksum
