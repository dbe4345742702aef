"""Conditions of pseudo-code as pages word them."""

from __future__ import annotations

import pytest

from ptx_ls.handbook.wording.pseudo_code import with_worded_conditions


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (".cc and no .sat", ".cc and no .sat"),
        ("no name a or .vec and b", "(a is not a name or .vec) and b"),
        (
            "wide d and no signed: sign-extended",
            "d is wider than the type and not signed: sign-extended",
        ),
        ("cdtype .e* or no float atype", ".cdtype is .e* or .atype is not a floating-point type"),
        ("wider dtype", ".dtype is wider"),
        ("no before sm_20", "the target is not older than sm_20"),
    ],
)
def test_condition(condition: str, expected: str) -> None:
    assert with_worded_conditions(f"d = a;  // if {condition}") == f"d = a;  // if {expected}"


def test_lines_without_a_condition_are_kept() -> None:
    assert with_worded_conditions("~ wait;  // then\nd = a;") == "wait;  // then\nd = a;"
