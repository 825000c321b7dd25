"""Export a trained policy as one ONNX file: ``python -m training.export RUN -o POLICY.onnx``.

The file holds the network with its normaliser and the action mask inside, and says in its metadata
what it was made for; :class:`racegym.agents.policy.PolicyAgent` plays it.  It is written only after
onnxruntime has given the same answers as the network in real situations.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import logging
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from racegym.agents.metadata import PolicyMetadata
from racegym.agents.onnx_file import DIGEST, digest_of
from racegym.agents.policy import PolicyAgent
from racegym.cli import Parser, run_command
from racegym.engine.game import Encoder, Game
from racegym.errors import RacegymError
from racegym.files import check_writable, write_whole
from training.agent import loaded, metadata_of
from training.config import Config
from training.fleet import Fleet
from training.networks import ILLEGAL_LOGIT, Network
from training.runs import Run

#: Real decisions on which the file must agree with the network, and how closely.
CHECKED_DECISIONS = 1000
TOLERANCE = 1e-4


class ExportError(RacegymError):
    """A policy that cannot be exported."""


class MaskedPolicy(nn.Module):
    """What is exported: observation and action mask in, masked logits and value out.

    With a recurrent network the state goes in and the next one comes out as well.
    """

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    @property
    def state_shape(self) -> tuple[int, ...] | None:
        """Of the network's state, None if it has none."""
        return getattr(self.network, "state_shape", None)

    def forward(
        self, observation: Tensor, action_mask: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        """Logits float32 (batch, actions), illegal ones :data:`ILLEGAL_LOGIT`; value (batch,);
        next state (batch, *state_shape) if there is one."""
        given = (observation,) if state is None else (observation, state)
        logits, *more = self.network(*given)
        return torch.where(action_mask != 0, logits, ILLEGAL_LOGIT), *more


def export_network(
    network: nn.Module,
    game: Game,
    encoder: Encoder,
    metadata: PolicyMetadata,
    path: str | Path,
    options: Sequence[Mapping[str, Any]] = ({},),
) -> None:
    """Write a network as a policy file, after checking it.

    Args:
        network: ``network(observation)`` gives logits (batch, actions) and values (batch,); with
            an attribute ``state_shape`` that is not None it is recurrent, see
            :class:`training.networks.Network`.
        game, encoder: what it plays and what it reads.
        metadata: goes into the file.
        path: of the file.
        options: option sets whose games it is checked in.

    Raises:
        ExportError: the file's answers differ from the network's; nothing is written.
    """
    path = _checked_output(path)
    policy = MaskedPolicy(network).cpu().eval()
    metadata = dataclasses.replace(metadata, state_shape=list(policy.state_shape or ()))
    content = _as_onnx(policy, game, encoder, metadata)
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "policy.onnx"
        draft.write_bytes(content)
        _check(draft, policy, game, encoder, options)
    write_whole(path, content)


def _checked_output(path: str | Path) -> Path:
    """Where a policy is to be written, before any work is done; raises ExportError, OSError."""
    path = Path(path)
    if path.suffix != ".onnx":
        raise ExportError(f"a policy's file is named FILE.onnx, not {path.name!r}")
    if not path.parent.is_dir():
        raise ExportError(f"there is no folder {path.parent}")
    check_writable(path)
    return path


def _as_onnx(policy: MaskedPolicy, game: Game, encoder: Encoder, metadata: PolicyMetadata) -> bytes:
    """The ONNX model with its metadata, all weights inside."""
    example = [
        torch.zeros(2, *encoder.shape),
        torch.ones(2, game.num_actions, dtype=torch.int8),
    ]
    inputs, outputs = ["observation", "action_mask"], ["logits", "value"]
    if policy.state_shape is not None:
        example.append(torch.zeros(2, *policy.state_shape))
        inputs.append("state")
        outputs.append("next_state")
    with torch.inference_mode():
        policy(*example)  # what fails in it is told better here than from inside the exporter
    batch = torch.export.Dim("batch", min=1)
    try:
        with _quiet():
            program = torch.onnx.export(
                policy,
                tuple(example),
                dynamo=True,
                input_names=inputs,
                output_names=outputs,
                dynamic_shapes={name: {0: batch} for name in inputs},
                external_data=False,
                verbose=False,
            )
    except torch.onnx.errors.OnnxExporterError as error:
        reason = " ".join(str(error.__cause__ or error).split())
        raise ExportError(f"torch cannot write the network as ONNX: {reason[:300]}") from error
    assert program is not None, "the exporter returns a program when dynamo is on"
    model = program.model_proto
    if not all(entry.type.tensor_type.shape.dim[0].dim_param for entry in model.graph.input):
        raise ExportError(
            "the network fixes the size of the batch when it is exported: "
            "observation.shape[0] stays open, len(observation) does not"
        )
    _forget_sources(model)
    del model.metadata_props[:]
    for key, value in metadata.to_props().items():
        _note(model, key, value)
    _note(model, DIGEST, digest_of(_serialised(model)))
    return _serialised(model)


def _forget_sources(model: Any) -> None:
    """Take out the exporter's stack traces: they name folders of this machine."""
    for part in (model.graph, *model.graph.node, *model.graph.value_info):
        del part.metadata_props[:]
        part.ClearField("doc_string")


def _note(model: Any, key: str, value: str) -> None:
    """Add an entry to a model's metadata."""
    entry = model.metadata_props.add()
    entry.key, entry.value = key, value


def _serialised(model: Any) -> bytes:
    return bytes(model.SerializeToString(deterministic=True))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the exporter's talk about packages that it does not need here, and its graphs."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _check(
    draft: Path,
    policy: MaskedPolicy,
    game: Game,
    encoder: Encoder,
    options: Sequence[Mapping[str, Any]],
) -> None:
    """Compare the file, run by onnxruntime, with the network in real decisions."""
    agent = PolicyAgent(draft, game)
    fleet = Fleet(game, options, max(8, len(options)), seed=0, encoder=encoder.id)
    batch = fleet.reset()
    checked = 0
    rng = np.random.default_rng(0)
    places = (fleet.num_games, game.max_players)
    states = np.zeros((*places, *(policy.state_shape or ())), np.float32)
    now = np.arange(fleet.num_games)
    while checked < CHECKED_DECISIONS:
        given = [batch.observation, batch.mask]
        if policy.state_shape is not None:
            states[batch.ended] = 0.0
            given.append(states[now, batch.seat])
        found = agent.evaluate(*given)
        with torch.inference_mode():
            wanted = policy(*map(torch.from_numpy, given))
        _compare(found, [answer.numpy() for answer in wanted], batch.mask)
        if policy.state_shape is not None:
            states[now, batch.seat] = found[2]
        checked += len(batch.seat)
        legal = [np.flatnonzero(row) for row in batch.mask]
        batch = fleet.step(np.array([rng.choice(actions) for actions in legal]))


def _compare(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray], mask: np.ndarray) -> None:
    logits, wanted_logits = found[0], wanted[0]
    difference = float(np.abs(np.where(mask != 0, logits - wanted_logits, 0.0)).max())
    for one, other in zip(found[1:], wanted[1:], strict=True):
        difference = max(difference, float(np.abs(one - other).max()))
    if not difference <= TOLERANCE:
        raise ExportError(
            f"the exported file differs from the network by {difference:.2g} (at most "
            f"{TOLERANCE:g} is allowed); nothing was written"
        )
    best = wanted_logits.max(1)
    chosen = wanted_logits[np.arange(len(mask)), logits.argmax(1)]
    if (best - chosen > TOLERANCE).any():
        raise ExportError("the exported file prefers other actions; nothing was written")


# --- from a run ----------------------------------------------------------------------------------


def load_policy(run: Run, which: str) -> tuple[Network, Config, dict[str, Any]]:
    """The network of a checkpoint in evaluation mode, its config, and the checkpoint's plain data.

    Raises:
        CheckpointError: the checkpoint is damaged or of another config.
    """
    config = run.config()
    tensors, plain = run.load(which)
    return loaded(config, tensors), config, plain


def export_run(folder: str | Path, path: str | Path, which: str | None = None) -> PolicyMetadata:
    """Export a checkpoint of a run; returns the metadata written.

    Args:
        folder: of the run.
        path: of the policy's file.
        which: ``best``, ``last`` or a number of decisions; None takes the best if there was an
            evaluation, else the last.
    """
    _checked_output(path)
    run = Run.open(folder)
    if which is None:
        which = run.preferred
    network, config, plain = load_policy(run, which)
    game = config.description
    encoder = game.encoder(config.network.encoder)
    metadata = metadata_of(config, plain, run.evaluation_at(plain["decisions"]))
    export_network(network, game, encoder, metadata, path, config.combinations())
    return metadata


def main(words: Sequence[str] | None = None, prog: str = "python -m training.export") -> int:
    """Run the command line (default: the process's own); returns the exit code.

    ``prog`` is what the command is called in messages.
    """
    name = prog.removeprefix("python -m ")
    return run_command(name, partial(_main, prog), sys.argv[1:] if words is None else words)


def _main(prog: str, words: Sequence[str]) -> int:
    parser = Parser(
        prog=prog,
        description="Export a trained policy as one ONNX file.",
        allow_abbrev=False,
    )
    parser.add_argument("run", metavar="RUN", help="folder of the run")
    parser.add_argument("-o", "--output", metavar="FILE.onnx", required=True)
    parser.add_argument(
        "--checkpoint",
        metavar="WHICH",
        help="best, last, or a number of decisions (default: best, or last without evaluation)",
    )
    arguments = parser.parse_args(words)
    metadata = export_run(arguments.run, arguments.output, arguments.checkpoint)
    decisions = metadata.provenance["decisions"]
    print(f"{arguments.output}: {metadata.game}, {metadata.encoder}, {decisions:,} decisions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
