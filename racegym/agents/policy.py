"""Exported policies: one ONNX file, played by onnxruntime.

The graph has the inputs ``observation`` (float32, (batch, \\*shape of the encoder)) and
``action_mask`` (int8, (batch, actions)), and the outputs ``logits`` (float32, (batch, actions),
:data:`ILLEGAL_LOGIT` where the mask is 0) and ``value`` (float32, (batch,), expected reward of the
seat to act).  The file's metadata says what it was made for, see :class:`PolicyMetadata`.

The graph of a recurrent policy has the input ``state`` (float32, (batch, \\*state_shape of the
metadata)) and the output ``next_state`` of the same shape as well.  A state belongs to one seat in
one game: it is zero when the game begins, and what one decision of the seat puts out goes into its
next one.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np

from racegym.agents.decisions import Decisions
from racegym.agents.memory import SeatMemory
from racegym.agents.metadata import PolicyError, PolicyMetadata, layout_hash
from racegym.agents.onnx_file import NotOnnx, inspect
from racegym.agents.protocol import AgentError, SeededAgent, checked_batch
from racegym.agents.randomness import fractions
from racegym.engine.game import Encoder, Game
from racegym.errors import nearest

__all__ = [
    "ILLEGAL_LOGIT",
    "LARGEST_FILE",
    "PolicyAgent",
    "PolicyError",
    "PolicyMetadata",
    "layout_hash",
    "policy_from_spec",
]

#: What the graph writes into ``logits`` for an illegal action.
ILLEGAL_LOGIT = -1e9

#: Most bytes a policy file may have.
LARGEST_FILE = 256 * 2**20

_INPUTS = {"observation": "tensor(float)", "action_mask": "tensor(int8)"}
_OUTPUTS = {"logits": "tensor(float)", "value": "tensor(float)"}
_STATE_INPUTS = {**_INPUTS, "state": "tensor(float)"}
_STATE_OUTPUTS = {**_OUTPUTS, "next_state": "tensor(float)"}
_MODES = {"": False, "sample": False, "greedy": True}


class PolicyAgent(SeededAgent):
    """An exported policy as an agent.

    A recurrent one has ``decide``, ``begin`` and ``end`` as well, by which it is told which game it
    plays in (:class:`~racegym.agents.protocol.Rememberer`); it cannot be asked otherwise.

    Args:
        path: the ``.onnx`` file.
        game: the game it is to play.
        greedy: always choose the most probable action (the first of those level); else an action
            is drawn from the policy's probabilities.
        threads: threads onnxruntime uses within one batch.

    Raises:
        PolicyError: the file cannot be read, is no policy, or was made for something else.

    Attributes:
        metadata: what the file says about itself.
        memory: the states of a recurrent policy in the games that it plays, else None.
    """

    def __init__(
        self, path: str | os.PathLike[str], game: Game, greedy: bool = False, threads: int = 1
    ) -> None:
        shown = os.fspath(path)
        data = _bytes_of(shown)
        try:
            self.metadata = PolicyMetadata.from_props(inspect(data))
            encoder = self.metadata.check(game)
            state_shape = tuple(self.metadata.state_shape) or None
            self._graph = _Graph(data, threads, state_shape is not None)
            self._graph.check(encoder, game.num_actions, state_shape)
        except (NotOnnx, PolicyError) as error:
            raise PolicyError(f"{shown}: {error}") from None
        super().__init__(Path(shown).stem + ("?greedy" if greedy else ""), encoder.id)
        self.greedy = greedy
        self.memory: SeatMemory | None = None
        if state_shape is not None:
            self.memory = SeatMemory(state_shape)
            self.decide, self.begin, self.end = self._decide, self.memory.begin, self._end

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, states: np.ndarray | None = None
    ) -> tuple[np.ndarray, ...]:
        """Logits float32 (N, A), illegal ones ILLEGAL_LOGIT, and values float32 (N,).

        A recurrent policy needs the states, float32 (N, *state_shape), and gives the next ones as
        well; its memory is left alone.

        Raises:
            AgentError: arrays that do not fit.
        """
        seats = np.zeros(len(observations), np.int64)
        observations, masks, _ = checked_batch(self.name, observations, masks, seats)
        return self._run(observations, masks, states)

    def _run(
        self, observations: np.ndarray, masks: np.ndarray, states: np.ndarray | None = None
    ) -> tuple[np.ndarray, ...]:
        if states is None and self.memory is not None:
            raise AgentError(f"agent {self.name!r} has a memory of its games: ask it by decide")
        if states is not None and self.memory is None:
            raise AgentError(f"agent {self.name!r} has no memory: pass no states")
        feed = {"observation": observations, "action_mask": masks}
        if states is not None:
            feed["state"] = np.ascontiguousarray(states, np.float32)
        try:
            return self._graph.run(feed)
        except Exception as error:
            raise AgentError(f"agent {self.name!r}: {' '.join(str(error).split())}") from None

    def _decide(self, decisions: Decisions) -> np.ndarray:
        """As :meth:`~racegym.agents.protocol.Decider.decide`."""
        assert self.memory is not None
        places = decisions.games, decisions.seats
        if len(decisions.seats) == 0:
            return np.empty(0, np.int64)
        states = self.memory.read(*places)
        logits, _, states = self._run(decisions.observations, decisions.masks, states)
        actions = self._chosen(logits, decisions.masks, decisions.bits)
        self.memory.write(*places, states)
        return actions

    def _end(self, games: np.ndarray, seats: np.ndarray, ranks: np.ndarray) -> None:
        """As :meth:`~racegym.agents.protocol.Rememberer.end`."""
        assert self.memory is not None
        self.memory.end(games, seats)

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, bits: np.ndarray
    ) -> np.ndarray:
        """As :meth:`SeededAgent.choose`; raises AgentError if the policy answers with NaN."""
        if len(masks) == 0:
            return np.empty(0, np.int64)
        logits, _ = self._run(observations, masks)
        return self._chosen(logits, masks, bits)

    def _chosen(self, logits: np.ndarray, masks: np.ndarray, bits: np.ndarray) -> np.ndarray:
        logits = np.where(masks != 0, logits.astype(np.float64), -np.inf)
        best = logits.max(axis=1, keepdims=True)
        if not np.isfinite(best).all():
            raise AgentError(f"agent {self.name!r} gives logits that are not finite")
        if self.greedy:
            return logits.argmax(axis=1)
        reached = np.exp(logits - best).cumsum(axis=1)
        drawn = fractions(bits)[:, None] * reached[:, -1:]
        return (reached > drawn).argmax(axis=1)


def policy_from_spec(path: str, mode: str, game: Game) -> PolicyAgent:
    """The agent for ``path?mode``; mode ``sample`` (default) or ``greedy``."""
    if mode not in _MODES:
        raise AgentError(
            f"{path}: a policy plays ?sample or ?greedy{nearest(mode, ['sample', 'greedy'])}"
        )
    return PolicyAgent(path, game, greedy=_MODES[mode])


def _bytes_of(path: str) -> bytes:
    """The file's content; raises PolicyError for what is no readable file of sensible size."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise PolicyError(f"{path} is no file")
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PolicyError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise PolicyError(f"{path} has more than {LARGEST_FILE >> 20} MiB: that is no policy")
    return data


class _Graph:
    """The computation of a policy.  Nothing in it changes, so copies of an agent share it."""

    def __init__(self, data: bytes, threads: int, recurrent: bool) -> None:
        self._made_of = data, threads, recurrent
        self._session = _session(data, threads)
        self.inputs = _STATE_INPUTS if recurrent else _INPUTS
        self.outputs = _STATE_OUTPUTS if recurrent else _OUTPUTS

    def __deepcopy__(self, memo: dict[int, Any]) -> _Graph:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Graph, self._made_of

    def run(self, feed: dict[str, np.ndarray]) -> tuple[np.ndarray, ...]:
        """The outputs, in order."""
        return tuple(self._session.run(list(self.outputs), feed))

    def check(
        self, encoder: Encoder, num_actions: int, state_shape: tuple[int, ...] | None
    ) -> None:
        """Refuse a graph with other inputs or outputs, or one that does not mask."""
        for wanted, found, what in (
            (self.inputs, self._session.get_inputs(), "inputs"),
            (self.outputs, self._session.get_outputs(), "outputs"),
        ):
            kinds = {entry.name: entry.type for entry in found}
            if kinds != wanted:
                raise PolicyError(f"its {what} are {kinds}, those of a policy are {wanted}")
        for batch in (1, 3):
            self._check_answer(batch, encoder, num_actions, state_shape)

    def _check_answer(
        self, batch: int, encoder: Encoder, num_actions: int, state_shape: tuple[int, ...] | None
    ) -> None:
        masks = np.zeros((batch, num_actions), np.int8)
        masks[np.arange(batch), np.arange(batch) % num_actions] = 1
        observations = np.zeros((batch, *encoder.shape), np.float32)
        feed: dict[str, np.ndarray] = {"observation": observations, "action_mask": masks}
        shapes: dict[str, tuple[int, ...]] = {"logits": masks.shape, "value": (batch,)}
        if state_shape is not None:
            feed["state"] = np.zeros((batch, *state_shape), np.float32)
            shapes["next_state"] = (batch, *state_shape)
        try:
            answers = self.run(feed)
        except Exception as error:
            text = " ".join(str(error).split())[:200]
            raise PolicyError(f"it does not take a batch of {batch}: {text}") from None
        found = {name: answer.shape for name, answer in zip(shapes, answers, strict=True)}
        if found != shapes:
            told = (" and ".join(f"{k} {v}" for k, v in part.items()) for part in (found, shapes))
            raise PolicyError(f"it answers {batch} situations with {', not '.join(told)}")
        if not all(np.isfinite(answer).all() for answer in answers):
            raise PolicyError("it answers with numbers that are not finite")
        if (answers[0][masks == 0] > ILLEGAL_LOGIT).any():
            raise PolicyError(
                f"it does not mask: illegal actions must get the logit {ILLEGAL_LOGIT:g}"
            )


def _session(data: bytes, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise PolicyError(
            f"playing a policy needs onnxruntime: pip install onnxruntime ({reason})"
        ) from None

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        return onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"], enable_fallback=0
        )
    except Exception as error:
        raise PolicyError(f"onnxruntime refuses it: {' '.join(str(error).split())[:200]}") from None
