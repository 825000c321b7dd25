"""``racegym train``: train a policy by self-play (``python -m training.train``)."""

from __future__ import annotations

from collections.abc import Sequence

from racegym.training_package import training_module


def main(words: Sequence[str]) -> int:
    """Run the command line; returns the exit code."""
    code: int = training_module("train").main(words, prog="racegym train")
    return code
