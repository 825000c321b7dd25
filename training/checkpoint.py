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

import numpy as np
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


def check_savable(tensors: Mapping[str, Any], plain: Any) -> None:
    """Refuse what no checkpoint can hold, at once instead of when one is written.

    Raises:
        CheckpointError: the message names the entry that is wrong.
    """
    for name, tensor in tensors.items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor):
            raise CheckpointError(f"the tensors hold {type(tensor).__name__} at {name!r}")
        try:
            save({"one": torch.empty(0, dtype=tensor.dtype, layout=tensor.layout)})
        except Exception:  # safetensors raises its own and several built-in ones
            kind = f"{tensor.dtype} {tensor.layout}".replace("torch.", "")
            raise CheckpointError(f"the tensors hold a {kind} one at {name!r}") from None
    try:
        json.dumps(plain, sort_keys=True, allow_nan=True)
    except (TypeError, ValueError, RecursionError) as error:
        place = _no_json(plain, "", ())
        raise CheckpointError(f"the data hold {place or error}, which is no JSON") from None


def _no_json(part: Any, place: str, above: tuple[int, ...]) -> str | None:
    """``deque at 'memory.0'`` for the first part that JSON does not have; None: there is none."""
    name = place.removeprefix(".")
    if id(part) in above:
        return f"{type(part).__name__} inside itself at {name!r}"
    if part is None or isinstance(part, str | bool | int | float):
        return None
    if not isinstance(part, dict | list | tuple):
        return f"{type(part).__name__} at {name!r}"
    entries = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in entries:
        if isinstance(part, dict) and not isinstance(key, str):
            return f"the key {key!r} at {name!r}"
        found = _no_json(value, f"{place}.{key}", (*above, id(part)))
        if found is not None:
            return found
    return None


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


# --- nested state --------------------------------------------------------------------------------

_TENSOR, _ARRAY, _ITEMS, _TUPLE = "$tensor", "$array", "$items", "$tuple"


def packed(state: Any) -> tuple[dict[str, torch.Tensor], Any]:
    """A nested state as the two parts of a checkpoint: tensors by name, and JSON data.

    Args:
        state: dicts, lists and tuples in any depth, of tensors, NumPy arrays (of numbers or bool),
            texts, numbers, bool and None, such as the ``state_dict()`` of any optimiser.

    Raises:
        CheckpointError: something else in it; the message names the place.
    """
    tensors: dict[str, torch.Tensor] = {}
    return tensors, _packed(state, "", tensors)


def _packed(part: Any, place: str, tensors: dict[str, torch.Tensor]) -> Any:
    name = place.removeprefix(".")
    if isinstance(part, torch.Tensor):
        tensors[name] = part
        return {_TENSOR: name}
    if isinstance(part, np.ndarray) and part.dtype.kind in "fiub":
        tensors[name] = torch.from_numpy(np.ascontiguousarray(part))
        return {_ARRAY: name}
    if isinstance(part, Mapping):
        if all(isinstance(key, str) and key[:1] != "$" for key in part):
            return {key: _packed(v, f"{place}.{key}", tensors) for key, v in part.items()}
        pairs = [[key, _packed(v, f"{place}.{key}", tensors)] for key, v in part.items()]
        return {_ITEMS: pairs}
    if isinstance(part, list | tuple):
        found = [_packed(v, f"{place}.{i}", tensors) for i, v in enumerate(part)]
        return {_TUPLE: found} if isinstance(part, tuple) else found
    if isinstance(part, np.generic):
        return part.item()
    if part is None or isinstance(part, str | bool | int | float):
        return part
    raise CheckpointError(f"the state holds {type(part).__name__} at {name!r}: it cannot be saved")


def unpacked(tensors: Mapping[str, torch.Tensor], plain: Any) -> Any:
    """The state of :func:`packed`; raises KeyError if tensors are missing."""
    if isinstance(plain, list):
        return [unpacked(tensors, part) for part in plain]
    if not isinstance(plain, Mapping):
        return plain
    for mark, meaning in (
        (_TENSOR, lambda name: tensors[name]),
        (_ARRAY, lambda name: tensors[name].numpy()),
        (_TUPLE, lambda parts: tuple(unpacked(tensors, part) for part in parts)),
        (_ITEMS, lambda pairs: {key: unpacked(tensors, part) for key, part in pairs}),
    ):
        if mark in plain:
            return meaning(plain[mark])
    return {key: unpacked(tensors, part) for key, part in plain.items()}
