"""Agents by name: what may stand for AGENT on the command line and in configs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from racegym.agents.failures import failures_of
from racegym.agents.protocol import AgentError, AnyAgent, encoder_of
from racegym.engine.game import Game
from racegym.errors import did_you_mean
from racegym.importing import imported, is_reference

#: The forms of a spec, for messages and the docs.
FORMS = (
    "random",
    "scripted",
    "scripted:NAME",
    "FILE.onnx",
    "FILE.onnx?greedy",
    "runs/NAME",
    "runs/NAME@best",
    "FILE.safetensors",
    "module:callable",
)
#: Those of them that are names as they stand.
_NAMES = ("random", "scripted")

_NEEDED = ("name", "encoder", "reset", "act")


def agent_from_spec(spec: str | AnyAgent, game: Game) -> AnyAgent:
    """An agent for a game.

    Args:
        spec: one of

            - ``random``: any legal action, all equally likely;
            - ``scripted`` or ``scripted:NAME``: one of the game's scripted agents;
            - ``FILE.onnx``: an exported policy that draws from its probabilities, and
              ``FILE.onnx?greedy``: the same policy always choosing its most probable action;
            - ``runs/NAME``: a run's folder, which plays the checkpoint that an export would take;
              ``runs/NAME@best``, ``@last`` or ``@DECISIONS`` and the file of a checkpoint
              (``FILE.safetensors``) choose another.  ``?greedy`` may stand behind it;
            - ``package.module:callable``: a function (or class) of yours that is called with the
              :class:`~racegym.engine.game.Game` and returns an agent.  Modules are also looked for
              in the current folder;
            - an agent, which is checked and returned.
        game: the game it is to play.

    Raises:
        AgentError: a spec that means nothing, an agent without the attributes of :class:`Agent`,
            or one whose encoder the game does not have.
        PolicyError: a file that is no policy for this game.
    """
    if not isinstance(spec, str):
        return _checked(spec, game, repr(spec))
    kind, _, rest = spec.partition(":")
    if spec == "random":
        from racegym.agents.random import RandomAgent

        return RandomAgent()
    if kind == "scripted":
        from racegym.agents.scripted import ScriptedAgent

        return ScriptedAgent(game, rest or "default")
    path, _, mode = spec.rpartition("?") if "?" in spec else (spec, "", "")
    if path.endswith(".onnx"):
        from racegym.agents.policy import policy_from_spec

        return policy_from_spec(path, mode, game)
    if is_reference(spec):
        return _from_callable(spec, game)
    from racegym.agents.run import names_a_run, run_from_spec

    if names_a_run(spec):
        return run_from_spec(spec, game)
    hint = did_you_mean(kind, _NAMES) or f"; known: {', '.join(FORMS)}"
    raise AgentError(f"there is no agent {spec!r}{hint}")


def _from_callable(spec: str, game: Game) -> AnyAgent:
    factory: Callable[[Game], Any] = imported(spec, "callable", callable, "agent", AgentError)
    with failures_of(f"agent {spec!r}"):
        made = factory(game)
    return _checked(made, game, spec)


def _checked(agent: Any, game: Game, spec: str) -> AnyAgent:
    if isinstance(agent, type):
        raise AgentError(f"{spec} is no agent: it is a class, not an object")
    needed = ("name", "encoder") if hasattr(agent, "decide") else _NEEDED
    missing = [name for name in needed if not hasattr(agent, name)]
    if missing:
        raise AgentError(f"{spec} is no agent: it has no {missing[0]}")
    if not isinstance(agent.name, str) or not agent.name:
        raise AgentError(f"{spec} is no agent: its name must be a text")
    encoder_of(game, agent)
    made: AnyAgent = agent
    return made
