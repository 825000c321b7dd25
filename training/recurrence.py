"""Sequences of decisions, for training recurrent networks through time.

A sequence is made of decisions of one seat in one game, in order, each with what the network
remembered when it was made.  Only the first memory of a sequence is used: the others follow from
it, and the gradient goes back to it and no further (Hausknecht and Stone 2015; truncated
backpropagation through time).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from training.networks import Network, device_of
from training.rollout import Rollout


def sequences_of(rollout: Rollout, longest: int) -> Tensor:
    """The closed decisions of a finished rollout as sequences.

    A decision carried over from the rollout before is a sequence of its own: older weights made
    it, and the memory behind it is not what they would make now.

    Returns:
        int64 (sequences, at most ``longest``), indices into the rollout's arrays with rows and
        games as one axis, in order, -1 behind the end of a sequence.
    """
    first, games = rollout.seats, rollout.games
    carried = np.flatnonzero(rollout.closed[:first])
    step, game = np.nonzero(rollout.closed[first:])
    seat = rollout.seat[first + step, game]
    nth = (np.cumsum(rollout.ended, axis=0) - rollout.ended)[step, game]
    order = np.lexsort((step, nth, seat, game))
    key = np.stack([game, seat, nth])[:, order]
    new = np.ones(len(order), bool)
    new[1:] = (key[:, 1:] != key[:, :-1]).any(axis=0)
    starts = np.flatnonzero(new)
    place = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    place %= longest
    number = np.cumsum(place == 0) - 1
    count = int(number[-1]) + 1 if len(number) else 0
    width = int(place.max()) + 1 if len(place) else 1
    table = np.full((count + len(carried), width), -1, np.int64)
    table[number, place] = ((first + step) * games + game)[order]
    table[count:, 0] = carried
    return torch.from_numpy(table)


def unrolled(
    network: Network, sequences: Tensor, observation: Tensor, state: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """What a recurrent network answers to all decisions of some sequences.

    Args:
        sequences: as :func:`sequences_of` gives them, any of its rows.
        observation, state: (decisions, …), which the sequences index.

    Returns:
        int64 (n,), the indices of the decisions; logits (n, actions); values (n,).
    """
    device = device_of(network)
    longest_first = (sequences >= 0).sum(1).argsort(descending=True, stable=True)
    sequences = sequences[longest_first]
    memory = state[sequences[:, 0]].to(device)
    indices, logits, values = [], [], []
    for column in sequences.unbind(1):
        now = column[column >= 0]  # the longer ones, which come first
        if not len(now):
            break
        answer, value, memory = network(observation[now].to(device), memory[: len(now)])
        indices.append(now)
        logits.append(answer)
        values.append(value)
    return torch.cat(indices), torch.cat(logits), torch.cat(values)
