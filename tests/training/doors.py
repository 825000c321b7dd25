"""Learners and rewards of a user's own, for the tests of the doors."""

from __future__ import annotations

import numpy as np
import torch

from training.checkpoint import packed, unpacked


class Steady:
    """The smallest learner: plays the same fixed action rule, and nudges one weight."""

    def __init__(self, context):
        self.network = context.new_network()
        self.fleet = context.new_fleet()
        self.batch = self.fleet.reset()
        self.length = context.config.run.decisions
        self.decisions = 0

    @property
    def is_done(self):
        return self.decisions >= self.length

    def iterate(self):
        for _ in range(16):
            self.batch = self.fleet.step(self.batch.mask.argmax(1))
            self.decisions += len(self.batch.seat)
        with torch.no_grad():
            next(self.network.parameters()).add_(float(self.batch.observation.sum()) / 1e6)
        return {"train/sum": self.batch.observation.sum(), "train/nothing": None}

    def state_dict(self):
        return packed({"games": self.fleet.state_dict(), "decisions": self.decisions})

    def load_state_dict(self, tensors, plain):
        state = unpacked(tensors, plain)
        self.fleet.load_state_dict(state["games"])
        self.decisions = state["decisions"]
        self.batch = self.fleet.now()


class WithMeetings(Steady):
    def meetings(self):
        return {"a friend": {"games": 3, "learner_share": 0.75}}


class Failing(Steady):
    def iterate(self):
        return {"train/x": 1 / 0}


class Strange(Steady):
    def iterate(self):
        super().iterate()
        return [1, 2]


class StandingStill(Steady):
    def iterate(self):
        return {}


class Diverging(Steady):
    def iterate(self):
        super().iterate()
        return {"train/loss": float("nan")}


class Forgetful(Steady):
    def load_state_dict(self, tensors, plain):
        pass


class Unsaved(Steady):
    def state_dict(self):
        return {}, {"what": object()}


class NoPair(Steady):
    def state_dict(self):
        return {"what": 1}


class NoTensor(Steady):
    def state_dict(self):
        return {"sums": [1, 2]}, {}


class Sparse(Steady):
    def state_dict(self):
        return {"sums": torch.zeros(3).to_sparse()}, {}


class Deep(Steady):
    def state_dict(self):
        return {}, {"memory": [{"games": np.int64(3)}]}


class Undecided(Steady):
    @property
    def is_done(self):
        return 1 / 0 > 3


class OwnWeights(Steady):
    def __init__(self, context):
        super().__init__(context)
        self.network = torch.nn.Linear(3, 3)


class Unmade:
    def __init__(self, context):
        raise KeyError("no such thing")


class Bare:
    def __init__(self, context):
        self.network = context.new_network()


# --- rewards -------------------------------------------------------------------------------------


def places(states, seats):
    """How far a worker of Café Race is."""
    return states["position"][np.arange(len(seats)), seats] / 30


def places_scaled(states, seats, *, scale):
    return places(states, seats) * scale


def steps_made(before, after, seats):
    """Spaces walked from one decision to the next."""
    rows = np.arange(len(seats))
    return after["position"][rows, seats].astype(float) - before["position"][rows, seats]


def too_many(states, seats):
    return np.zeros(len(seats) + 1)


def words(states, seats):
    return ["far"] * len(seats)


def nothing(states, seats):
    pass


def one_number(states, seats):
    return 1.5


def ragged(states, seats):
    return [[1], [2, 3]]


def endless(states, seats):
    return np.full(len(seats), np.inf)


def broken(states, seats):
    return states["positions"][:, 0]
