"""Scripted agents for Café Race."""

from __future__ import annotations

from racegym.engine.game import Bot

BOTS: tuple[Bot, ...] = ()
