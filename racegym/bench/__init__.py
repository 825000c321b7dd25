"""Measuring speed: what ``racegym bench`` prints."""

from __future__ import annotations

from racegym.bench.measure import Effort, measure_game
from racegym.bench.report import full_report

__all__ = ["Effort", "full_report", "measure_game"]
