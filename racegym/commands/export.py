"""``racegym export``: write a trained policy as one ONNX file (``python -m training.export``)."""

from __future__ import annotations

from collections.abc import Sequence

from racegym.training_package import training_module


def main(words: Sequence[str]) -> int:
    """Run the command line; returns the exit code."""
    code: int = training_module("export").main(words, prog="racegym export")
    return code
