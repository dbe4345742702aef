"""Which name is proposed for a mistyped one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import lists, text

from ptx_ls import isa
from ptx_ls.lint.suggestions import all_near, mistakes, near_modifiers, nearest


def check_nearest(name: str, candidates: str, expected: str | None) -> None:
    assert nearest(name, candidates.split()) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ad", "add"),
        ("addd", "add"),
        ("mvo", "mov"),
        ("sqtr", "sqrt"),
        ("setpp", "setp"),
        ("ADD", "add"),
        ("qwertyuiop", None),
    ],
)
def test_opcodes(name: str, expected: str | None) -> None:
    check_nearest(name, " ".join(isa.database().keywords), expected)


def test_nothing_is_proposed_for_a_single_letter() -> None:
    check_nearest(".i32", ".u32 .s32 .f32", None)
    check_nearest("%x3", "%r3 %f3", None)


def test_name_itself_is_not_proposed() -> None:
    check_nearest("LOOP", "LOOP", None)


def test_ties_go_to_what_begins_alike_then_to_the_alphabet() -> None:
    check_nearest("boat", "coat boar", "boar")
    check_nearest("boat", "boax boaz", "boax")


def test_no_more_than_eight_mistakes_in_a_long_name() -> None:
    """Names of C++ have a hundred letters: a third of them make another name."""
    name = "abcdefgh" * 12
    check_nearest(name, "12345678" + name[8:], "12345678" + name[8:])
    check_nearest(name, "123456789" + name[9:], None)


def test_thousands_of_names() -> None:
    names = [f"$L__BB0_{number}" for number in range(5_000)]
    assert nearest("$L__BB0_49999", names) == "$L__BB0_4999"


def test_of_many_names_those_one_mistake_away() -> None:
    names = [f"accumulator_{number}" for number in range(600)]
    assert nearest("acumulator_31", names) == "accumulator_31"
    assert nearest("acumulatr_31", names) is None
    assert nearest("acumulatr_31", names[:100]) == "accumulator_31"


def test_crowded_names() -> None:
    assert nearest("accumlator", ["accumulator"], is_crowded=True) == "accumulator"
    assert nearest("accumlatr", ["accumulator"], is_crowded=True) is None
    assert nearest("accumlatr", ["accumulator"]) == "accumulator"


@given(text("abcdefxyz1", max_size=8), lists(text("abcdefxyz1", max_size=8), max_size=30))
def test_the_letters_that_differ_rule_nothing_near_out(name: str, names: list[str]) -> None:
    n_letters = sum(map(str.isalpha, name))
    limit = max(1, n_letters // 3) if n_letters > 1 else 0
    near = {
        other
        for other in {*names} - {name}
        if mistakes(name, other, 9) <= max(limit, sorted(other) == sorted(name))
    }
    assert set(all_near(name, names)) == near


def test_a_digit_too_few_makes_a_type_and_no_count() -> None:
    known = frozenset((".b32", ".u32", ".x1", ".x2", ".x4", ".x32", ".v2", ".v32"))
    assert near_modifiers(known, ".b3") == (".b32",)
    assert near_modifiers(known, ".b322") == (".b32",)
    assert near_modifiers(known, ".x3") == ()
    assert near_modifiers(known, ".v3") == ()
