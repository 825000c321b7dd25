"""Which torch device a run computes on."""

from __future__ import annotations

import warnings

import torch

from training.config import ConfigError


def chosen_device(name: str) -> torch.device:
    """The torch device that ``run.device`` means; raises ConfigError if it does not work."""
    if name == "auto":
        for candidate in ("cuda", "mps"):
            if _works(candidate):
                return torch.device(candidate)
        return torch.device("cpu")
    if not _works(name):
        raise ConfigError(
            f"run.device {name!r} does not work here; known: auto, cpu, cuda, mps", "run.device"
        )
    return torch.device(name)


def _works(name: str) -> bool:
    """True if a small network can be trained there."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layer = torch.nn.Linear(2, 2).to(name)
            loss = layer(torch.ones(1, 2, device=name)).sum()
            loss.backward()
            loss.cpu()  # "meta" only pretends to compute
    except Exception:  # torch raises many kinds, and backends that it does not have their own
        return False
    return True
