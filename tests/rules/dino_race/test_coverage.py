"""Every clause has a test that names it."""

from __future__ import annotations

import pathlib
import re

import pytest

#: The clauses of Dino Race that are rules.
CLAUSES = (
    *("DR-01", "DR-02", "DR-03", "DR-04", "DR-05", "DR-06"),
    *("DR-10", "DR-11", "DR-12", "DR-13"),
    *("DR-20", "DR-21", "DR-22", "DR-23", "DR-24", "DR-25"),
    *("DR-30", "DR-31", "DR-32", "DR-33", "DR-34", "DR-35"),
    "DR-40",
    *("DR-50", "DR-51", "DR-52", "DR-53", "DR-54"),
    *("DR-60", "DR-61", "DR-62", "DR-63"),
    *("DR-70", "DR-71", "DR-72", "DR-73", "DR-74", "DR-75", "DR-76"),
    *("DR-80", "DR-81", "DR-82", "DR-83", "DR-84", "DR-85"),
)

_SOURCES = [p.read_text("utf-8") for p in pathlib.Path(__file__).parent.glob("test_*.py")]
TESTS = [name for text in _SOURCES for name in re.findall(r"^def (test_dr_\w+)", text, re.M)]


@pytest.mark.parametrize("clause", CLAUSES)
def test_clause_has_a_test(clause: str) -> None:
    start = f"test_{clause.lower().replace('-', '_')}_"
    assert any(name.startswith(start) for name in TESTS), f"no test is named {start}…"


def test_tests_name_clauses_that_exist() -> None:
    assert {f"DR-{name[8:10]}" for name in TESTS} == set(CLAUSES)
