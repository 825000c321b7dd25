"""Scripted agents for Horse Race."""

from __future__ import annotations

from racegym.engine.game import Bot

BOTS: tuple[Bot, ...] = ()
