"""Training by self-play, in PyTorch: see ``docs/guides/training.md``."""

from __future__ import annotations

from training.extras import require

require("train", "torch", "safetensors", "jsonargparse", "yaml", "onnx", "onnxscript")
