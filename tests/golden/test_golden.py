"""The golden games replay to the letter; action numbers and observations keep their meaning."""

from __future__ import annotations

import importlib
import json

import pytest

import racegym
from tests.golden.make import FOLDER, golden_files
from tests.golden.variants import VARIANTS
from tests.reference import check

WHAT_TO_DO = "if that is meant: `python -m tests.golden.make {0}`, a new version, the changelog"


@pytest.mark.parametrize("name", VARIANTS)
def test_golden_files_are_reproduced(name: str) -> None:
    for file, text in golden_files(racegym.game(name)).items():
        stored = (FOLDER / name / file).read_text("utf-8")
        if file.endswith(".jsonl"):
            for number, (old, new) in enumerate(
                zip(stored.splitlines(), text.splitlines(), strict=True), 1
            ):
                assert old == new, f"{file}, line {number}; {WHAT_TO_DO.format(name)}"
        assert stored == text, f"{file}; {WHAT_TO_DO.format(name)}"


@pytest.mark.parametrize("name", VARIANTS)
def test_no_golden_file_is_left_over(name: str) -> None:
    stored = {path.name for path in (FOLDER / name).iterdir()}
    extra = {"actions.txt", "layout.txt", "observations.txt"}
    assert stored == {f"{variant}.jsonl" for variant in VARIANTS[name]} | extra


@pytest.mark.parametrize("name", VARIANTS)
def test_golden_games_replay_move_by_move(name: str) -> None:
    """From the stored files alone: options, seed and actions lead to the stored states."""
    for variant in VARIANTS[name]:
        text = (FOLDER / name / f"{variant}.jsonl").read_text("utf-8")
        head, *moves, end = [json.loads(line) for line in text.splitlines()]
        position = racegym.make(head["game"], seed=head["seed"], **head["options"])
        assert position.to_dict() == head["state"]
        for move in moves:
            assert position.seat == move["agent"]
            assert position.legal_texts() == move["legal"]
            action = position.action_from_text(move["action"])
            assert position.apply_with_events(action) == move["events"]
            assert position.to_dict() == move["state"]
        assert (position.scores(), position.ranks()) == (end["scores"], end["ranks"])
        assert position.rewards() == end["rewards"]
        assert position.is_truncated == (end["reason"] == "truncated")


@pytest.mark.parametrize("name", VARIANTS)
def test_golden_games_obey_the_clauses(name: str) -> None:
    reference = importlib.import_module(f"tests.reference.{name}").Reference
    for variant in VARIANTS[name]:
        text = (FOLDER / name / f"{variant}.jsonl").read_text("utf-8")
        check(reference, [json.loads(line) for line in text.splitlines()])


@pytest.mark.parametrize("name", VARIANTS)
def test_golden_games_show_both_ways_to_end(name: str) -> None:
    reasons = set()
    for variant in VARIANTS[name]:
        text = (FOLDER / name / f"{variant}.jsonl").read_text("utf-8")
        reasons.add(json.loads(text.splitlines()[-1])["reason"])
    assert reasons == {"finished", "truncated"}
