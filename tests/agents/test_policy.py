"""Exported policies: what is played, and what is refused."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import racegym
from racegym.agents import AgentError, agent_from_spec
from racegym.agents.onnx_file import DIGEST, digest_of
from racegym.agents.policy import (
    ILLEGAL_LOGIT,
    PolicyAgent,
    PolicyError,
    PolicyMetadata,
    layout_hash,
)
from racegym.engine.parts import Parts
from racegym.envs.vector import VectorEnv
from tests.agents.graphs import linear_policy, node, with_metadata

GAME = racegym.game("cafe_race")


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    target = tmp_path / "a policy – é.onnx"
    onnx.save(linear_policy(GAME), target)
    return target


def situations(rows: int = 64, encoder: str = "flat", **options: Any) -> tuple[np.ndarray, ...]:
    """Observations, masks and seats in the middle of games."""
    env = VectorEnv(GAME, rows, seed=3, encoder=encoder, **options)
    batch = env.reset()
    for _ in range(25):
        batch = env.step(env.sample())
    return batch.observation, batch.mask, batch.seat


# --- playing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["basic", "advanced"])
def test_plays_legal_actions(path: pathlib.Path, rules: str) -> None:
    """PITFALL 2: no illegal action, whatever the mask."""
    agent = PolicyAgent(path, GAME)
    observations, masks, seats = situations(256, rules=rules)
    for _ in range(20):
        actions = agent.act(observations, masks, seats)
        assert actions.dtype == np.int64
        assert (masks[np.arange(256), actions] == 1).all()


def test_logits_and_values_are_the_graphs(path: pathlib.Path) -> None:
    """PITFALL 9: the exported file alone gives the policy's own numbers."""
    observations, masks, _ = situations()
    weights = {i.name: onnx.numpy_helper.to_array(i) for i in onnx.load(path).graph.initializer}
    logits, values = PolicyAgent(path, GAME).evaluate(observations, masks)
    free = observations @ weights["to_logits"]
    np.testing.assert_allclose(logits, np.where(masks, free, ILLEGAL_LOGIT), atol=1e-4)
    np.testing.assert_allclose(values, (observations @ weights["to_value"])[:, 0], atol=1e-4)


def test_greedy_chooses_the_best_every_time(path: pathlib.Path) -> None:
    """PITFALL 31: the same input gives the same output."""
    agent = agent_from_spec(f"{path}?greedy", GAME)
    observations, masks, seats = situations()
    best = agent.evaluate(observations, masks)[0].argmax(axis=1)
    for seed in (0, 1):
        agent.reset(seed)
        np.testing.assert_array_equal(agent.act(observations, masks, seats), best)


def test_samples_with_the_policys_probabilities(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "p.onnx"
    onnx.save(linear_policy(GAME, scale=0.3), path)
    agent = PolicyAgent(path, GAME)
    observation, mask, seat = (part[:1] for part in situations())
    logits = agent.evaluate(observation, mask)[0][0].astype(float)
    wanted = np.exp(logits - logits.max())
    wanted /= wanted.sum()
    n = 20_000
    actions = agent.act(np.repeat(observation, n, 0), np.repeat(mask, n, 0), np.repeat(seat, n))
    found = np.bincount(actions, minlength=GAME.num_actions) / n
    assert np.abs(found - wanted).max() < 5 * np.sqrt(0.25 / n)


def test_a_single_legal_action_is_certain(path: pathlib.Path) -> None:
    """PITFALL 28."""
    agent = PolicyAgent(path, GAME)
    observations, _, seats = situations(GAME.num_actions)
    only = np.eye(GAME.num_actions, dtype=np.int8)
    np.testing.assert_array_equal(agent.act(observations, only, seats), np.arange(len(only)))


def test_reset_repeats_the_choices(path: pathlib.Path) -> None:
    agent = PolicyAgent(path, GAME)
    batch = situations()
    agent.reset(5)
    first = [agent.act(*batch) for _ in range(3)]
    agent.reset(5)
    again = [agent.act(*batch) for _ in range(3)]
    np.testing.assert_array_equal(first, again)
    assert (first[0] != first[1]).any()


def test_one_row_at_a_time_is_the_same(path: pathlib.Path) -> None:
    observations, masks, _ = situations(64)
    agent = PolicyAgent(path, GAME)
    together = agent.evaluate(observations, masks)[0]
    alone = [agent.evaluate(observations[i : i + 1], masks[i : i + 1])[0][0] for i in range(64)]
    np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-5)


def test_other_encoders(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tokens.onnx"
    onnx.save(linear_policy(GAME, "tokens"), path)
    agent = PolicyAgent(path, GAME)
    assert agent.encoder == "tokens-1"
    batch = situations(encoder="tokens")
    actions = agent.act(*batch)
    assert (batch[1][np.arange(len(actions)), actions] == 1).all()


def test_empty_batch(path: pathlib.Path) -> None:
    observations, masks, seats = situations()
    for spec in (str(path), f"{path}?greedy", "random"):
        agent = agent_from_spec(spec, GAME)
        assert agent.act(observations[:0], masks[:0], seats[:0]).shape == (0,)


def test_needs_no_torch_and_no_onnx(path: pathlib.Path) -> None:
    """PITFALL 43, 56: playing needs onnxruntime alone."""
    code = (
        "import sys, racegym; from racegym.agents import agent_from_spec\n"
        "assert 'onnxruntime' not in sys.modules\n"
        f"agent_from_spec({str(path)!r}, racegym.game('cafe_race'))\n"
        "assert not {'torch', 'onnx', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


# --- metadata ------------------------------------------------------------------------------------


def test_metadata_round_trip(path: pathlib.Path) -> None:
    """PITFALL 51."""
    metadata = PolicyMetadata.of(
        GAME,
        "flat",
        options=[{"num_players": 3}, {"num_players": 5, "rules": "advanced"}],
        config={"learning_rate": 3e-4, "name": "é"},
        provenance={"racegym": racegym.__version__, "decisions": 10**9, "seed": 1},
        evaluation={"random": 0.5},
    )
    props = metadata.to_props()
    assert PolicyMetadata.from_props(props) == metadata
    assert PolicyMetadata.from_props(props).to_props() == props
    assert PolicyAgent(path, GAME).metadata.options == [{"num_players": 4}]


def test_empty_evaluation_and_single_options_are_read() -> None:
    props = PolicyMetadata.of(GAME, "flat").to_props()
    props |= {"racegym.evaluation": "", "racegym.options": '{"num_players": 4}'}
    metadata = PolicyMetadata.from_props(props)
    assert metadata.evaluation == {}
    assert metadata.options == [{"num_players": 4}]


def test_layout_hash_tells_layouts_apart() -> None:
    """PITFALL 33: other encoder, other slices, other meaning of an action: another hash."""
    encoder = GAME.encoder("flat")
    first, *others = encoder.table.parts
    table = Parts(dataclasses.replace(first, name="new"), *others)
    renamed = dataclasses.replace(encoder, table=table)
    texts = [GAME.action_table[1], GAME.action_table[0], *GAME.action_table[2:]]
    relabelled = dataclasses.replace(GAME, action_table=tuple(texts))
    hashes = [layout_hash(GAME, e) for e in GAME.encoders]
    hashes += [layout_hash(GAME, renamed), layout_hash(relabelled, encoder)]
    assert len(set(hashes)) == len(hashes)
    assert layout_hash(GAME, "flat") == layout_hash(GAME, "flat-1") == layout_hash(GAME, encoder)


def test_a_digest_is_checked_where_there_is_one(path: pathlib.Path) -> None:
    """Of files exported before there were digests, nothing is asked."""
    model = onnx.load(path)
    entry = model.metadata_props.add()
    entry.key, entry.value = DIGEST, digest_of(path.read_bytes())
    onnx.save(model, path)
    assert digest_of(path.read_bytes()) == entry.value
    PolicyAgent(path, GAME)
    model.graph.initializer[1].raw_data = bytes(len(model.graph.initializer[1].raw_data))
    onnx.save(model, path)
    with pytest.raises(PolicyError, match="it is damaged: its contents do not match the digest"):
        PolicyAgent(path, GAME)
    model.metadata_props.remove(model.metadata_props[-1])
    onnx.save(model, path)
    PolicyAgent(path, GAME)


def test_a_missing_onnxruntime_is_told(path: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(PolicyError, match="needs onnxruntime: pip install onnxruntime"):
        PolicyAgent(path, GAME)


# --- refusing ------------------------------------------------------------------------------------


def spoilt(change: Callable[[Any], Any]) -> Callable[[], bytes]:
    """The bytes of a policy changed by ``change(model)``."""

    def made() -> bytes:
        model = linear_policy(GAME)
        return (change(model) or model).SerializeToString()

    return made


def outside_data(model: Any) -> None:
    tensor = model.graph.initializer[1]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/passwd"


def outside_data_unmarked(model: Any) -> None:
    entry = model.graph.initializer[1].external_data.add()
    entry.key, entry.value = "location", "weights.bin"


def outside_data_in_a_constant(model: Any) -> None:
    tensor = onnx.TensorProto(data_type=TensorProto.FLOAT, dims=[1], name="c")
    tensor.data_location = TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "weights.bin"
    model.graph.node.append(helper.make_node("Constant", [], ["unused"], value=tensor))


def custom_operator(model: Any) -> None:
    model.graph.node.append(helper.make_node("Run", ["observation"], ["x"], domain="evil.ops"))
    model.opset_import.append(helper.make_opsetid("evil.ops", 1))


def binary_engine(model: Any) -> None:
    context = helper.make_node(
        "EPContext", ["observation"], ["x"], domain="com.microsoft", ep_cache_context="x.bin"
    )
    model.graph.node.append(context)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))


def endless_loop(model: Any) -> None:
    body = helper.make_graph([], "body", [], [])
    model.graph.node.append(helper.make_node("Loop", ["", ""], ["x"], body=body))


def own_function(model: Any) -> None:
    body = [helper.make_node("Identity", ["a"], ["b"])]
    opsets = list(model.opset_import)
    model.functions.append(helper.make_function("mine", "Same", ["a"], ["b"], body, opsets))


def random_answers(model: Any) -> None:
    model.graph.node.append(helper.make_node("RandomUniform", [], ["x"], shape=[1]))


def huge_array(model: Any) -> None:
    model.graph.initializer.append(
        TensorProto(data_type=TensorProto.FLOAT, dims=[2**40, 2**20], name="huge")
    )


def rename_output(model: Any) -> None:
    model.graph.output[0].name = "policy"
    node(model, "Where").output[0] = "policy"


def one_more_input(model: Any) -> None:
    model.graph.input.append(helper.make_tensor_value_info("h", TensorProto.FLOAT, ["batch"]))


def no_mask_input(model: Any) -> None:
    del model.graph.input[1]
    node(model, "Equal").input[0] = "zero"


def fixed_batch(model: Any) -> None:
    for entry in [*model.graph.input, *model.graph.output]:
        dimension = entry.type.tensor_type.shape.dim[0]
        dimension.ClearField("dim_param")
        dimension.dim_value = 1


def does_not_mask(model: Any) -> None:
    node(model, "Where").input[1] = "free"


def gives_nan(model: Any) -> None:
    for initializer in model.graph.initializer:
        if initializer.name == "to_value":
            array = np.full(initializer.dims, np.nan, np.float32)
            initializer.CopyFrom(onnx.numpy_helper.from_array(array, "to_value"))


def wrong_shape(model: Any) -> None:
    node(model, "Squeeze").op_type = "Identity"
    del node(model, "Identity").input[1]
    model.graph.output[1].type.tensor_type.shape.dim.add()


def unknown_operator(model: Any) -> None:
    node(model, "MatMul").op_type = "MatMull"


def metadata(**changed: str | None) -> Callable[[], bytes]:
    return spoilt(lambda model: with_metadata(model, GAME, **changed))


def cut_off() -> bytes:
    whole = linear_policy(GAME).SerializeToString()
    return whole[: len(whole) // 2]


REFUSED: list[tuple[str, Callable[[], bytes], str]] = [
    ("empty", lambda: b"", "not an ONNX model"),
    ("text", lambda: b"PK\x03\x04 not a model" * 10, "not an ONNX model"),
    ("json", lambda: b'{"format": "racegym-policy/1"}', "not an ONNX model"),
    ("pickle", lambda: b"\x80\x04\x95\x1d\x00\x00\x00cos\nsystem\n(S'touch x'\ntR.", "not an ONNX"),
    ("truncated", cut_off, "cut off"),
    ("zeros", lambda: bytes(1000), "not an ONNX model"),
    ("outside data", spoilt(outside_data), "data in other files"),
    ("outside data, unmarked", spoilt(outside_data_unmarked), "data in other files"),
    ("outside data in a node", spoilt(outside_data_in_a_constant), "data in other files"),
    ("custom operator", spoilt(custom_operator), "evil.ops:Run"),
    ("binary engine", spoilt(binary_engine), "com.microsoft:EPContext"),
    ("loop", spoilt(endless_loop), "loops"),
    ("own function", spoilt(own_function), "functions of its own"),
    ("random answers", spoilt(random_answers), "answers are random"),
    ("huge array", spoilt(huge_array), "array of more than"),
    ("unknown operator", spoilt(unknown_operator), "onnxruntime refuses it"),
    ("other output", spoilt(rename_output), "its outputs are"),
    ("another input", spoilt(one_more_input), "its inputs are"),
    ("no mask", spoilt(no_mask_input), "its inputs are"),
    ("fixed batch", spoilt(fixed_batch), "batch of 3"),
    ("no masking", spoilt(does_not_mask), "does not mask"),
    ("NaN", spoilt(gives_nan), "not finite"),
    ("wrong shape", spoilt(wrong_shape), "answers 1 situations"),
    ("no metadata", spoilt(lambda m: m.ClearField("metadata_props")), "not a policy exported by"),
    ("other format", metadata(format="racegym-policy/2"), "racegym-policy/1"),
    ("missing key", metadata(layout_hash=None), "lack racegym.layout_hash"),
    ("other game", metadata(game="horse_race"), "for horse_race, not for cafe_race"),
    ("other version", metadata(game_version="7"), "version 7 of cafe_race"),
    ("other encoder", metadata(encoder="flat-9"), "needs the encoder 'flat-9'"),
    ("other actions", metadata(num_actions="20"), "knows 20 actions"),
    ("other layout", metadata(layout_hash="0" * 16), "another layout of flat-1"),
    ("not JSON", metadata(config="{"), "racegym.config is no JSON"),
    ("deep JSON", metadata(config="[" * 100_000), "racegym.config is no JSON"),
    ("wrong type", metadata(num_actions='"19"'), "racegym.num_actions is no int"),
    ("wrong options", metadata(options="[1]"), "no list of dicts"),
]


@pytest.mark.parametrize(("name", "made", "reason"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refuses(
    name: str, made: Callable[[], bytes], reason: str, tmp_path: pathlib.Path, capfd: Any
) -> None:
    """PITFALLS 10, 33, 51: one line with the file and the reason, and no side effect."""
    path = tmp_path / "bad.onnx"
    path.write_bytes(made())
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(PolicyError) as caught:
        agent_from_spec(str(path), GAME)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    assert reason in message
    assert sorted(os.listdir(tmp_path)) == before
    assert capfd.readouterr() == ("", "")


def test_refuses_what_is_no_file(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "folder.onnx"
    folder.mkdir()
    with pytest.raises(PolicyError, match="is no file"):
        agent_from_spec(str(folder), GAME)
    with pytest.raises(PolicyError, match="No such file"):
        agent_from_spec(str(tmp_path / "none.onnx"), GAME)
    fifo = tmp_path / "pipe.onnx"
    os.mkfifo(fifo)
    with pytest.raises(PolicyError, match="is no file"):
        agent_from_spec(str(fifo), GAME)


def test_refuses_absurd_size(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "big.onnx"
    with open(path, "wb") as file:
        file.truncate(2**40)
    with pytest.raises(PolicyError, match="MiB"):
        agent_from_spec(str(path), GAME)


def test_unknown_mode(path: pathlib.Path) -> None:
    with pytest.raises(AgentError, match="did you mean 'greedy'"):
        agent_from_spec(f"{path}?gready", GAME)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_are_refused_or_play(tmp_path: pathlib.Path, seed: int, capfd: Any) -> None:
    """Whatever bytes are changed: one error of ours, or a policy that plays legally; no noise."""
    rng = np.random.default_rng(seed)
    data = bytearray(linear_policy(GAME).SerializeToString())
    # Most bytes are weights: damage the structure around them.
    for _ in range(3):
        edge = int(rng.integers(0, 600))
        data[edge if rng.random() < 0.5 else len(data) - 1 - edge] = int(rng.integers(256))
    path = tmp_path / "damaged.onnx"
    path.write_bytes(data)
    observations, masks, seats = situations()
    capfd.readouterr()
    try:
        agent = PolicyAgent(path, GAME)
        actions = agent.act(observations, masks, seats)
    except AgentError as error:
        assert "\n" not in str(error)
    else:
        assert (masks[np.arange(len(actions)), actions] == 1).all()
    assert capfd.readouterr() == ("", "")
