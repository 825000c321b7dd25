"""Small ONNX graphs for tests: a linear policy, and ways to spoil it."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from racegym.agents.policy import ILLEGAL_LOGIT, PolicyMetadata
from racegym.engine.game import Game


def linear_policy(game: Game, encoder: str = "flat", seed: int = 0, scale: float = 1.0) -> Any:
    """An ONNX model of a policy whose logits and value are linear in the observation."""
    chosen = game.encoder(encoder)
    size = int(np.prod(chosen.shape))
    rng = np.random.default_rng(seed)
    weights = {
        "shape": np.array([-1, size], np.int64),
        "to_logits": (scale * rng.normal(size=(size, game.num_actions))).astype(np.float32),
        "to_value": rng.normal(size=(size, 1)).astype(np.float32),
        "illegal": np.float32(ILLEGAL_LOGIT),
        "zero": np.int8(0),
        "last": np.array([1], np.int64),
    }
    nodes = [
        helper.make_node("Reshape", ["observation", "shape"], ["flat"]),
        helper.make_node("MatMul", ["flat", "to_logits"], ["free"]),
        helper.make_node("Equal", ["action_mask", "zero"], ["forbidden"]),
        helper.make_node("Where", ["forbidden", "illegal", "free"], ["logits"]),
        helper.make_node("MatMul", ["flat", "to_value"], ["values"]),
        helper.make_node("Squeeze", ["values", "last"], ["value"]),
    ]
    return with_metadata(make_model(chosen.shape, game.num_actions, nodes, weights), game, encoder)


def make_model(
    shape: tuple[int, ...], num_actions: int, nodes: list[Any], weights: dict[str, np.ndarray]
) -> Any:
    """A model with a policy's inputs and outputs."""
    graph = helper.make_graph(
        nodes,
        "policy",
        [
            helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", *shape]),
            helper.make_tensor_value_info("action_mask", TensorProto.INT8, ["batch", num_actions]),
        ],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", num_actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def with_metadata(model: Any, game: Game, encoder: str = "flat", /, **changed: str | None) -> Any:
    """The model with the metadata of a policy; ``changed`` replaces texts, None leaves one out."""
    props = PolicyMetadata.of(game, encoder, options=[{"num_players": 4}]).to_props()
    props |= {f"racegym.{name}": text for name, text in changed.items()}
    del model.metadata_props[:]
    kept = {name: text for name, text in props.items() if text is not None}
    onnx.helper.set_model_props(model, kept)
    return model


def node(model: Any, operator: str) -> Any:
    """The first node of a model with that operator."""
    return next(n for n in model.graph.node if n.op_type == operator)
