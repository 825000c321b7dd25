"""Agents of our own for tests; those named ``make_…`` are factories for specs."""

from __future__ import annotations

import numpy as np

from racegym.engine.game import Game


class Own:
    """Plays the first legal action; subclasses misbehave."""

    name = "own"
    encoder = "flat"

    def __init__(self, game: Game | None = None) -> None:
        self.seeds: list[int] = []
        self.asked = 0

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        self.asked += 1
        return masks.argmax(axis=1)


class Last(Own):
    """Plays the last legal action."""

    name = "last"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class Seeing(Own):
    """Sees everything."""

    name = "seeing"
    encoder = "full"


class ByTokens(Own):
    """Reads another encoder."""

    name = "tokens"
    encoder = "tokens-1"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        assert observations.ndim == 3
        return masks.argmax(axis=1)


class Illegal(Own):
    """Answers with an action that is not legal, in the second call."""

    name = "illegal"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        self.asked += 1
        return masks.argmax(axis=1) if self.asked < 2 else masks.argmin(axis=1)


class Outside(Own):
    """Answers with an action that does not exist."""

    name = "outside"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.full(len(masks), -1)


class Floats(Own):
    """Answers with floats."""

    name = "floats"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1).astype(float)


class Short(Own):
    """Answers with too few actions."""

    name = "short"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)[:-1]


class Failing(Own):
    """Fails."""

    name = "failing"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        raise RuntimeError("out of\nideas")


class FailingReset(Own):
    """Fails before its first decision."""

    def reset(self, seed: int) -> None:
        raise KeyError("luck")


class Leaving(Own):
    """Ends the program."""

    name = "leaving"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        raise SystemExit(0)


class FailingElsewhere(Own):
    """Asks NumPy for what it cannot do."""

    name = "elsewhere"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.linalg.inv(observations)


class Meddling(Own):
    """Tries to write to what it is shown."""

    name = "meddling"

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        for array in (observations, masks, seats):
            try:
                array[:] = 1
            except ValueError:
                continue
            raise AssertionError("an agent could write to what it was shown")
        for array in (observations, masks, seats):
            array.base[:] = 1
        return np.full(len(masks), np.random.default_rng(0).integers(6))


class Interrupted(Own):
    """Somebody presses Ctrl-C after it has been asked so many times."""

    name = "interrupted"
    patience = 60

    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        self.asked += 1
        if self.asked > self.patience:
            raise KeyboardInterrupt
        return masks.argmax(axis=1)


class InterruptedAtOnce(Interrupted):
    """Somebody presses Ctrl-C before any game has ended."""

    patience = 0


def broken_factory(game: Game) -> Own:
    raise RuntimeError("no agent today")


def nothing(game: Game) -> None:
    """A factory that gives no agent."""


def odd_encoder(game: Game) -> Own:
    agent = Own(game)
    agent.encoder = "flatt"
    return agent
