"""Training by self-play, in PyTorch: see ``docs/guides/training.md``."""

from __future__ import annotations

import sys

from training.extras import require

require(
    # python -m training.sb3 needs more than the others, so that is the extra to be named.
    "sb3" if "training.sb3" in sys.orig_argv else "train",
    "torch",
    "safetensors",
    "jsonargparse",
    "yaml",
    "onnx",
    "onnxscript",
    "filelock",
)
