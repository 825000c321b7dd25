"""Every setting is listed with default, bounds and meaning, from one declaration."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path

import pytest

from racegym.cli import main as racegym_main
from training import sb3, train
from training.config import BaseConfig, Config
from training.sb3 import Sb3Config
from training.settings import settings_of

ROOT = Path(__file__).parents[2]


def keys_of(schema: type[BaseConfig]) -> list[str]:
    return [
        f"{section.name}.{f.name}"
        for section in dataclasses.fields(schema)
        for f in dataclasses.fields(section.default_factory)
    ]


@pytest.mark.parametrize("schema", [Config, Sb3Config])
def test_every_setting_has_a_meaning(schema):
    settings = settings_of(schema)
    assert [s.key for s in settings] == keys_of(schema)
    for setting in settings:
        assert len(setting.meaning) > 5, setting.key
        assert setting.takes


def test_bounds_and_defaults_are_the_declared_ones():
    by_key = {s.key: s for s in settings_of(Config)}
    assert by_key["run.threads"].takes == "a whole number, 1 to 1,024"
    assert by_key["ppo.learning_rate"].takes == "a number, above 0, at most 1"
    assert by_key["ppo.learning_rate"].default == "0.001"
    assert by_key["ppo.target_kl"].takes == "a number, above 0, at most 1e+09; or null"
    assert by_key["opponents.sampling"].takes == "one of 'uniform', 'recent', 'hard'"
    assert by_key["evaluation.against"].default == '["random"]'


@pytest.mark.parametrize("command", ["racegym", "train", "sb3"])
def test_help_lists_every_setting(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    mains = {"train": train.main, "sb3": sb3.main, "racegym": racegym_main}
    assert mains[command](["train", "--help"] if command == "racegym" else ["--help"]) == 0
    told = capsys.readouterr().out
    for key in keys_of(Sb3Config if command == "sb3" else Config):
        assert f"  --{key}  (default: " in told
    assert max(map(len, told.splitlines())) <= 100
    assert "1 to 1,024" in told
    if command != "sb3":
        usage = told.partition("Train a policy")[0]
        assert "--config FILE [--init SOURCE]" in usage
        assert "--resume RUN [--checkpoint WHICH]" in usage
        assert "from last (default), best, or a number" in " ".join(told.split())


@pytest.mark.parametrize("command", ["match", "record"])
def test_help_lists_every_form_of_an_agent(command, capsys):
    assert racegym_main([command, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for form in ("scripted:NAME", "FILE.onnx", "runs/NAME@best", "FILE.safetensors", "?greedy"):
        assert form in told


def test_the_guides_table_is_up_to_date():
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    assert spec is not None and spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    guide = (ROOT / "docs" / "guides" / "training.md").read_text(encoding="utf-8")
    assert tables.renewed_guide(guide) == guide, "run: python docs/tables.py"
    for key in keys_of(Config):
        assert f"| `{key}` |" in guide
    assert tables.renewed_guide("<!-- table:settings -->\nstale\n<!-- end -->") != guide
