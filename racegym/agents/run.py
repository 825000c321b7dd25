"""Runs of the trainer as agents, without an export: ``runs/NAME``, ``runs/NAME@best``."""

from __future__ import annotations

from pathlib import Path

from racegym.agents.policy import policy_from_spec
from racegym.agents.protocol import AgentError, AnyAgent
from racegym.engine.game import Game
from racegym.errors import RacegymError, nearest
from racegym.training_package import training_module

_CONFIG, _CHECKPOINT = "config.yaml", ".safetensors"
#: What a run of MaskablePPO holds instead of checkpoints.
_EXPORTED, _CHECKPOINTS = "policy.onnx", "checkpoints"
_MODES = {"": False, "sample": False, "greedy": True}
_KNOWN = ("sample", "greedy")


def names_a_run(spec: str) -> bool:
    """True for what can only be a run or a checkpoint, whether it exists or not."""
    path = _split(spec)[0]
    folder = path.rpartition("@")[0] or path
    is_run = any((Path(place) / _CONFIG).is_file() for place in (path, folder))
    return is_run or path.endswith(_CHECKPOINT) or "/" in path or "\\" in path


def run_from_spec(spec: str, game: Game) -> AnyAgent:
    """The agent for a run's folder or a checkpoint's file.

    Args:
        spec: ``RUN``, ``RUN@best``, ``RUN@last``, ``RUN@DECISIONS`` or ``FILE.safetensors``, with
            ``?greedy`` behind it for the most probable action instead of one drawn.  ``RUN`` alone
            is the best checkpoint if there was an evaluation, else the last; of a run of
            MaskablePPO it is the policy that it exported.
        game: the game it is to play.

    Raises:
        AgentError: there is no such run, it is of another game, or the trainer's extra is missing.
    """
    path, mode = _split(spec)
    if mode not in _MODES:
        raise AgentError(
            f"agent {spec!r}: a policy plays ?sample or ?greedy{nearest(mode, _KNOWN)}"
        )
    exported = Path(path) / _EXPORTED
    if exported.is_file() and not (Path(path) / _CHECKPOINTS).is_dir():
        policy = policy_from_spec(str(exported), mode, game)
        policy.name = policy.name.replace(exported.stem, Path(path).resolve().name, 1)
        return policy
    try:
        agent: AnyAgent = training_module("agent").run_agent(path, game, _MODES[mode])
    except RacegymError as error:
        text = str(error)
        raise AgentError(text if path in text else f"agent {spec!r}: {text}") from error
    return agent


def _split(spec: str) -> tuple[str, str]:
    """Path and mode of ``PATH?MODE``."""
    path, _, mode = spec.partition("?")
    return path, mode
