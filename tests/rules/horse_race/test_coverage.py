"""Every clause has a test that names it."""

from __future__ import annotations

import pathlib
import re

import pytest

#: The clauses of Horse Race that are rules.
CLAUSES = (
    *("HR-01", "HR-02", "HR-03", "HR-04", "HR-05", "HR-06", "HR-10", "HR-11", "HR-12"),
    *("HR-20", "HR-21", "HR-22", "HR-23", "HR-24", "HR-25", "HR-26", "HR-27", "HR-28", "HR-29"),
    *("HR-30", "HR-31", "HR-32", "HR-33", "HR-34", "HR-35", "HR-36"),
    *("HR-40", "HR-41", "HR-42", "HR-43", "HR-44", "HR-45", "HR-46", "HR-47", "HR-48"),
    *("HR-50", "HR-51", "HR-52"),
)

_SOURCES = [p.read_text("utf-8") for p in pathlib.Path(__file__).parent.glob("test_*.py")]
TESTS = [name for text in _SOURCES for name in re.findall(r"^def (test_hr_\w+)", text, re.M)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_has_a_test(clause: str) -> None:
    start = f"test_{clause.lower().replace('-', '_')}_"
    assert any(name.startswith(start) for name in TESTS), f"no test is named {start}…"


def test_tests_name_clauses_that_exist() -> None:
    named = {f"HR-{name[8:10]}" for name in TESTS}
    assert named == set(CLAUSES)
