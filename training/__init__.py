"""Training by self-play, in PyTorch: see ``docs/guides/training.md``."""
