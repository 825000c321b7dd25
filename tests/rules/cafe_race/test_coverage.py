"""Every clause has a test that names it."""

from __future__ import annotations

import pathlib
import re

import pytest

#: The clauses of Café Race that are rules.
CLAUSES = (
    *("CR-01", "CR-02", "CR-03", "CR-04"),
    *("CR-10", "CR-11", "CR-12", "CR-13", "CR-14", "CR-15"),
    *("CR-20", "CR-21", "CR-22", "CR-23", "CR-24", "CR-25", "CR-26", "CR-27", "CR-29"),
    *("CR-30", "CR-31", "CR-32", "CR-33", "CR-34", "CR-35", "CR-36"),
    *("CR-40", "CR-41", "CR-42", "CR-43", "CR-44", "CR-45"),
)

_SOURCES = [p.read_text("utf-8") for p in pathlib.Path(__file__).parent.glob("test_*.py")]
TESTS = [name for text in _SOURCES for name in re.findall(r"^def (test_cr_\w+)", text, re.M)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_has_a_test(clause: str) -> None:
    start = f"test_{clause.lower().replace('-', '_')}_"
    assert any(name.startswith(start) for name in TESTS), f"no test is named {start}…"


def test_tests_name_clauses_that_exist() -> None:
    named = {f"CR-{name[8:10]}" for name in TESTS}
    assert named == set(CLAUSES)
