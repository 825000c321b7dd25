"""Every clause has a test that names it."""

from __future__ import annotations

import pathlib
import re

import pytest

#: The clauses of Ave Caesar that are rules.
CLAUSES = (
    *("AC-01", "AC-02", "AC-03", "AC-04"),
    *("AC-10", "AC-11", "AC-12"),
    *("AC-20", "AC-21", "AC-22", "AC-23"),
    *("AC-30", "AC-31", "AC-32", "AC-33", "AC-34"),
    *("AC-40", "AC-41", "AC-42", "AC-43"),
    *("AC-50", "AC-51", "AC-52", "AC-53"),
    *("AC-60", "AC-61", "AC-62", "AC-63", "AC-64", "AC-65"),
)

_SOURCES = [p.read_text("utf-8") for p in pathlib.Path(__file__).parent.glob("test_*.py")]
TESTS = [name for text in _SOURCES for name in re.findall(r"^def (test_ac_\w+)", text, re.M)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_has_a_test(clause: str) -> None:
    start = f"test_{clause.lower().replace('-', '_')}_"
    assert any(name.startswith(start) for name in TESTS), f"no test is named {start}…"


def test_tests_name_clauses_that_exist() -> None:
    named = {f"AC-{name[8:10]}" for name in TESTS}
    assert named == set(CLAUSES)
