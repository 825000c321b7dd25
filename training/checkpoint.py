"""Checkpoints: one safetensors file each, with the plain data as JSON in its header.

Nothing in them is ever unpickled or run.  A digest over tensors and data tells damage, and files
appear under their name only when they are complete.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import save

from racegym.errors import RacegymError
from racegym.files import write_whole

FORMAT = "racegym-checkpoint/1"
_KEY = "racegym"


class CheckpointError(RacegymError, ValueError):
    """A file that is no checkpoint, is damaged, or does not belong to this run."""


def save_checkpoint(
    path: str | Path, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]
) -> None:
    """Write a checkpoint; equal contents give equal bytes.

    Args:
        path: of the file.
        tensors: by name.
        plain: JSON types only (whole numbers of any size).
    """
    ready = {name: t.detach().cpu().contiguous().clone() for name, t in tensors.items()}
    data = {"format": FORMAT, "digest": _digest(ready, plain), "plain": plain}
    text = json.dumps(data, sort_keys=True, allow_nan=True)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, save(ready, metadata={_KEY: text}))


def load_checkpoint(path: str | Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Tensors (on the CPU) and plain data of a checkpoint.

    Raises:
        CheckpointError: the file is missing, damaged, cut off, or something else.
    """
    path = Path(path)
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {path}")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except Exception as error:  # safetensors raises its own and several built-in ones
        raise CheckpointError(
            f"{path} is no safetensors file, or it is damaged: {' '.join(str(error).split())}"
        ) from None
    if _KEY not in metadata:
        raise CheckpointError(f"{path} is a safetensors file, but no checkpoint of racegym")
    try:
        data = json.loads(metadata[_KEY])
        known, digest, plain = data["format"], data["digest"], data["plain"]
    except (ValueError, TypeError, KeyError):
        raise CheckpointError(f"{path} is damaged: its header cannot be read") from None
    if known != FORMAT:
        raise CheckpointError(f"{path} has the format {known!r}; this racegym reads {FORMAT!r}")
    if digest != _digest(tensors, plain):
        raise CheckpointError(f"{path} is damaged: its contents do not match their digest")
    return tensors, plain


def _digest(tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode())
    for name in sorted(tensors):
        tensor = tensors[name].contiguous()
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def with_prefix(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors under ``PREFIX/NAME``."""
    return {f"{prefix}/{name}": tensor for name, tensor in tensors.items()}


def under_prefix(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors below ``PREFIX/``, without it."""
    start = f"{prefix}/"
    return {n.removeprefix(start): t for n, t in tensors.items() if n.startswith(start)}


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The state of an optimiser whose entries are all tensors (Adam), by ``PARAMETER.NAME``."""
    state = optimiser.state_dict()["state"]
    return {f"{i}.{name}": t for i, entry in state.items() for name, t in entry.items()}


def load_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor]) -> None:
    """Give an optimiser the state of :func:`optimiser_tensors`; its settings stay."""
    whole = optimiser.state_dict()
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        number, _, part = name.partition(".")
        state.setdefault(int(number), {})[part] = tensor
    optimiser.load_state_dict({"state": state, "param_groups": whole["param_groups"]})
