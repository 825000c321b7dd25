"""Configs: bad ones are told in one line and nothing is made (PITFALLS 47 and 48)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from racegym.engine.registry import BUILT_IN
from tests.training.configs import TINY, tiny
from training.config import Config, ConfigError
from training.reading import config_from_dict, read_config
from training.runs import Run
from training.sb3 import Sb3Config
from training.train import main

CONFIGS = Path(__file__).parents[2] / "configs"


def test_every_shipped_config_can_be_read():
    paths = sorted(CONFIGS.glob("*/*.yaml"))
    named = {(path.parent.name, path.stem) for path in paths}
    assert named >= {(name, kind) for name in BUILT_IN for kind in ("default", "sb3")}
    for path in paths:
        kind = Sb3Config if path.stem == "sb3" else Config
        config = read_config(kind, path)
        assert config.game.name == path.parent.name


def test_overrides_of_every_form():
    config = tiny(
        "--ppo.clip_range", "0.5", "--game.num_players=[4,6]", "--game.options.max_turns", "50",
        "--network.layer_norm", "true", "--ppo.target_kl", "0.1",
    )  # fmt: skip
    assert config.ppo.clip_range == 0.5
    assert [o["num_players"] for o in config.combinations()] == [4, 4, 6, 6]
    assert {o["max_turns"] for o in config.combinations()} == {50}
    assert config.network.layer_norm is True
    assert config.ppo.target_kl == 0.1
    assert config.rollout.n_envs == 16


def test_one_player_count_or_the_games_default():
    assert len(tiny("--game.num_players", "4").combinations()) == 2
    assert len(tiny("--game.num_players", "null", "--game.vary", "{}").combinations()) == 1


def test_sets_of_options_that_belong_together():
    sets = "[{rules: basic, max_turns: 9}, {rules: advanced}]"
    config = tiny("--game.sets", sets, "--game.vary", "{}", "--game.num_players", "[3, 4]")
    found = [(o["num_players"], o["rules"], o["max_turns"]) for o in config.combinations()]
    assert found == [(3, "basic", 9), (4, "basic", 9), (3, "advanced", 200), (4, "advanced", 200)]


BAD = {
    "section": (
        {"pppo": {"clip_range": 1}},
        (),
        "r.yaml: unknown section 'pppo'; did you mean 'ppo'?",
    ),
    "key": (
        {"ppo": {"klip_range": 1}},
        (),
        "r.yaml: unknown key 'ppo.klip_range'; did you mean 'ppo.clip_range'?",
    ),
    "override": (
        {},
        ("--ppo.klip_range", "1"),
        "command line: unknown key 'ppo.klip_range'; did you mean",
    ),
    "override section": ({}, ("--pppo.clip_range", "1"), "command line: unknown section 'pppo'"),
    "type": (
        {"ppo": {"clip_range": "big"}},
        (),
        "r.yaml: ppo.clip_range takes a number, not 'big'",
    ),
    "bool for number": (
        {"ppo": {"clip_range": True}},
        (),
        "r.yaml: ppo.clip_range takes a number, not True",
    ),
    "fraction": (
        {},
        ("--ppo.n_epochs", "1.5"),
        "line: ppo.n_epochs takes a whole number, not '1.5'",
    ),
    "flag": ({}, ("--ppo.anneal_lr=maybe",), "ppo.anneal_lr takes true or false, not 'maybe'"),
    "or null": ({}, ("--ppo.target_kl", "x"), "takes a number or null, not 'x'"),
    "choice": ({"network": {"kind": "cnn"}}, (), "r.yaml: network.kind takes one of 'mlp', "),
    "near choice": ({}, ("--network.kind=mpl",), "not 'mpl'; did you mean 'mlp'?"),
    "no list": ({}, ("--evaluation.against", "random"), "against takes a list of texts, not 'ran"),
    "numbers": ({}, ("--opponents.agents=[1]",), "opponents.agents takes a list of texts, not '[1"),
    "several kinds": (
        {},
        ("--game.num_players", "[4"),
        "num_players takes a whole number or a list of whole numbers or null, not '[4'",
    ),
    "no mapping": ({}, ("--game.options", "3"), "game.options takes a mapping, not '3'"),
    "no mappings": ({}, ("--game.sets", "[3]"), "game.sets takes a list of mappings, not '[3]'"),
    "no lists": ({}, ("--game.vary.rules", "3"), "game.vary.rules takes a list, not '3'"),
    "too deep": ({}, ("--game.options.rules.x", "3"), "unknown key 'game.options.rules.x'; did"),
    "section alone": ({}, ("--ppo", "3"), "settings are --section.key value, not '--ppo'; did you"),
    "dotted key in the file": ({"game": {"options.rules": "x"}}, (), "unknown key 'game.options.r"),
    "dotted section": ({"game.options": {}}, (), "r.yaml: unknown section 'game.options'; did you"),
    "null": ({"ppo": {"clip_range": None}}, (), "r.yaml: ppo.clip_range takes a number, not null"),
    "null mapping": ({"game": {"options": None}}, (), "game.options takes a mapping, not null"),
    "beyond floats": (
        {},
        (f"--ppo.clip_range={10**400}",),
        "command line: ppo.clip_range takes a number, not '1",
    ),
    "dashes": ({}, ("--ppo.learning-rate=3",), "did you mean 'ppo.learning_rate'?"),
    "huge": (
        {},
        ("--ppo.learning_rate", "1e300"),
        "learning_rate must be above 0 and at most 1, n",
    ),
    "huge whole": (
        {},
        (f"--run.decisions={10**30}",),
        "must be at least 1 and at most 92233720368",
    ),
    "range": (
        {"ppo": {"gae_lambda": 1.5}},
        (),
        "r.yaml: ppo.gae_lambda must be at least 0 and at most 1",
    ),
    "range above": (
        {},
        ("--ppo.clip_range=0",),
        "command line: ppo.clip_range must be above 0 and at most 100",
    ),
    "nan": (
        {"ppo": {"clip_range": float("nan")}},
        (),
        "r.yaml: ppo.clip_range must be above 0 and at most 100, a finite number, not nan",
    ),
    "weight": ({}, ("--reward.weight", "nan"), "weight takes a finite number, not 'nan'"),
    "no section": ({"ppo": 3}, (), "r.yaml: section 'ppo' holds settings, not 3"),
    "empty section": ({"ppo": None}, (), "r.yaml: section 'ppo' holds settings, not None"),
    "no value": (
        {},
        ("--ppo.clip_range",),
        "command line: --ppo.clip_range needs a value behind it",
    ),
    "next key": (
        {},
        ("--ppo.clip_range", "--ppo.vf_coef"),
        "--ppo.clip_range needs a value behind it",
    ),
    "stray word": ({}, ("fast",), "command line: settings are --section.key value, not 'fast'"),
    "plain flag": ({}, ("--fast",), "command line: settings are --section.key value"),
    "game": ({"game": {"name": "cafe_rase"}}, (), "did you mean 'cafe_race'?"),
    "no game": ({"game": {"name": ""}}, (), "r.yaml: game.name is missing"),
    "option": ({}, ("--game.options.rulez=x",), "command line: game.options.rulez: unknown option"),
    "option value": (
        {},
        ("--game.vary.rules=[fast]",),
        "line: game.vary.rules: option rules takes",
    ),
    "players": (
        {},
        ("--game.num_players", "[2]"),
        "command line: game.num_players: option num_players takes a whole number from 3",
    ),
    "players in the file": (
        {"game": {"name": "cafe_race", "num_players": 9}},
        ("--ppo.clip_range=0.1",),
        "r.yaml: game.num_players: option num_players takes a whole number from 3 to 6, not 9",
    ),
    "set": ({}, ("--game.sets=[{rulez: 1}]",), "line: game.sets: unknown option 'rulez'; did you"),
    "no players": ({}, ("--game.num_players", "[]"), "must name at least one player count"),
    "vary": ({"game": {"name": "cafe_race", "vary": {"rules": []}}}, (), "takes a list of values"),
    "encoder": ({}, ("--network.encoder", "flatt"), "has no encoder 'flatt'; did you mean"),
    "seeing all": ({}, ("--network.encoder", "full"), "'full' shows hidden information: a policy"),
    "heads": ({}, ("--network.kind=attention", "--network.heads=5"), "network.heads must divide"),
    "shares": ({}, ("--opponents.snapshot_share=0.9",), "must be at most 1"),
    "no agents": ({}, ("--opponents.agents=[]",), "agent_share needs opponents.agents"),
    "games": ({}, ("--rollout.n_envs=3",), "rollout.n_envs must be at least 4"),
    "agent": ({}, ("--opponents.agents=[randon]",), "line: opponents.agents: there is no agent"),
    "evaluation agent": (
        {},
        ("--evaluation.against=[skripted]",),
        "line: evaluation.against: there",
    ),
    "device": ({}, ("--run.device", "abacus"), "line: run.device 'abacus' does not work here"),
    "pretending device": ({}, ("--run.device=meta",), "line: run.device 'meta' does not work here"),
    "device in the file": ({"run": {"device": "meta"}}, (), "r.yaml: run.device 'meta' does not"),
    "name": ({}, ("--run.name", "a/b"), "line: run.name must be the name of a folder"),
    "attention on a vector": ({}, ("--network.kind=attention",), "needs observations in rows"),
}


def told_by(capsys) -> list[str]:
    """The lines on stderr, without the note that rules are compiled for the first time."""
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    return [line for line in lines if not line.startswith("racegym: compiling ")]


@pytest.mark.parametrize("case", BAD)
def test_bad_configs_are_one_line_and_exit_code_2(case, tmp_path, monkeypatch, capsys):
    changed, overrides, wanted = BAD[case]
    settings = {**TINY, **changed}
    monkeypatch.chdir(tmp_path)
    Path("r.yaml").write_text(yaml.safe_dump(settings))
    assert main(["--config", "r.yaml", *overrides]) == 2
    lines = told_by(capsys)
    assert len(lines) == 1
    assert lines[0].startswith("training.train: ")
    assert wanted in lines[0]
    assert os.listdir() == ["r.yaml"]
    assert Path.cwd() == tmp_path


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("a: [", "is no YAML file: expected the node content, but found '<stream end>' (line 1)"),
        ("run:\n  name: a: b\n", "is no YAML file: mapping values are not allowed here (line 2)"),
        ("run: {}\ngame: {}\nrun: {}\n", "r.yaml: the key 'run' stands twice (line 3)"),
        ("a: \x07", "is no YAML file: special characters are not allowed"),
        ("- 1", "holds no sections"),
        ("", "holds no sections"),
    ],
)
def test_files_that_are_no_configs(content, wanted, tmp_path, capsys):
    path = tmp_path / "r.yaml"
    path.write_text(content)
    assert main(["--config", str(path)]) == 2
    (line,) = told_by(capsys)
    assert wanted in line
    assert "^" not in line and "unicode string" not in line
    assert main(["--config", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml cannot be read" in capsys.readouterr().err
    assert main([]) == 2


def test_yaml_cannot_make_objects(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(f"run: !!python/object/apply:os.mkdir ['{tmp_path}/made']\n")
    with pytest.raises(ConfigError, match="is no YAML file"):
        read_config(Config, path)
    assert not (tmp_path / "made").exists()


def test_the_resolved_config_is_kept_and_read_back(tmp_path):
    config = tiny("--run.folder", str(tmp_path / "Läufe hier"), "--ppo.clip_range", "0.3")
    run = Run.create(config)
    assert run.folder.name == "tiny-001"
    assert Run.open(run.folder).config() == config
    assert Run.create(config).folder.name == "tiny-002"


def test_a_dict_reads_as_its_file_does():
    assert config_from_dict(Config, tiny().to_dict(), "x") == tiny()


@pytest.mark.parametrize(
    "text", ["ppo:\n  gamma: 0.5\n  gamma: 0.9\n", "ppo: {}\nrun: {}\nppo: {clip_range: 0.1}\n"]
)
def test_a_key_stands_once(tmp_path, text):
    path = tmp_path / "twice.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match="stands twice"):
        read_config(Config, path)
