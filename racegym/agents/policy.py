"""Exported policies: one ONNX file, played by onnxruntime.

The graph has the inputs ``observation`` (float32, (batch, \\*shape of the encoder)) and
``action_mask`` (int8, (batch, actions)), and the outputs ``logits`` (float32, (batch, actions),
:data:`ILLEGAL_LOGIT` where the mask is 0) and ``value`` (float32, (batch,), expected reward of the
seat to act).  The file's metadata says what it was made for, see :class:`PolicyMetadata`.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np

from racegym.agents.luck import fractions
from racegym.agents.metadata import PolicyError, PolicyMetadata, layout_hash
from racegym.agents.onnx_file import NotOnnx, inspect
from racegym.agents.protocol import AgentError, SeededAgent, checked_batch
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
_MODES = {"": False, "sample": False, "greedy": True}


class PolicyAgent(SeededAgent):
    """An exported policy as an agent.

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
    """

    def __init__(
        self, path: str | os.PathLike[str], game: Game, greedy: bool = False, threads: int = 1
    ) -> None:
        shown = os.fspath(path)
        data = _bytes_of(shown)
        try:
            self.metadata = PolicyMetadata.from_props(inspect(data))
            encoder = self.metadata.check(game)
            self._session = _session(data, threads)
            _check_graph(self._session, encoder, game.num_actions)
        except (NotOnnx, PolicyError) as error:
            raise PolicyError(f"{shown}: {error}") from None
        super().__init__(Path(shown).stem + ("?greedy" if greedy else ""), encoder.id)
        self.greedy = greedy

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Logits float32 (N, A), illegal ones ILLEGAL_LOGIT, and values float32 (N,)."""
        seats = np.zeros(len(observations), np.int64)
        observations, masks, _ = checked_batch(self.name, observations, masks, seats)
        logits, values = self._run(observations, masks)
        return logits, values

    def _run(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        feed = {"observation": observations, "action_mask": masks}
        try:
            logits, values = self._session.run(["logits", "value"], feed)
        except Exception as error:
            raise AgentError(f"agent {self.name!r}: {' '.join(str(error).split())}") from None
        return logits, values

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, luck: np.ndarray
    ) -> np.ndarray:
        """As :meth:`SeededAgent.choose`; raises AgentError if the policy answers with NaN."""
        if len(masks) == 0:
            return np.empty(0, np.int64)
        logits, _ = self._run(observations, masks)
        logits = np.where(masks != 0, logits.astype(np.float64), -np.inf)
        best = logits.max(axis=1, keepdims=True)
        if not np.isfinite(best).all():
            raise AgentError(f"agent {self.name!r} gives logits that are not finite")
        if self.greedy:
            return logits.argmax(axis=1)
        reached = np.exp(logits - best).cumsum(axis=1)
        drawn = fractions(luck)[:, None] * reached[:, -1:]
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


def _check_graph(session: Any, encoder: Encoder, num_actions: int) -> None:
    """Refuse a graph with other inputs or outputs, or one that does not mask."""
    for wanted, found, what in (
        (_INPUTS, session.get_inputs(), "inputs"),
        (_OUTPUTS, session.get_outputs(), "outputs"),
    ):
        kinds = {entry.name: entry.type for entry in found}
        if kinds != wanted:
            raise PolicyError(f"its {what} are {kinds}, those of a policy are {wanted}")
    for batch in (1, 3):
        _check_answer(session, batch, encoder, num_actions)


def _check_answer(session: Any, batch: int, encoder: Encoder, num_actions: int) -> None:
    masks = np.zeros((batch, num_actions), np.int8)
    masks[np.arange(batch), np.arange(batch) % num_actions] = 1
    observations = np.zeros((batch, *encoder.shape), np.float32)
    feed = {"observation": observations, "action_mask": masks}
    try:
        logits, values = session.run(["logits", "value"], feed)
    except Exception as error:
        text = " ".join(str(error).split())[:200]
        raise PolicyError(f"it does not take a batch of {batch}: {text}") from None
    if logits.shape != masks.shape or values.shape != (batch,):
        raise PolicyError(
            f"it answers {batch} situations with logits {logits.shape} and value {values.shape}, "
            f"not {masks.shape} and {(batch,)}"
        )
    if not (np.isfinite(logits).all() and np.isfinite(values).all()):
        raise PolicyError("it answers with numbers that are not finite")
    if (logits[masks == 0] > ILLEGAL_LOGIT).any():
        raise PolicyError(f"it does not mask: illegal actions must get the logit {ILLEGAL_LOGIT:g}")
