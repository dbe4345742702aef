"""Brackets in brackets as deep as ptxas takes them, which is beyond Python's stack."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.source import Severity
from tests.support.lint import HEADER, diagnostics, module

DEPTH = 1000
CONSTANTS = {
    "parentheses": "(" * DEPTH + "1" + ")" * DEPTH,
    "parentheses on lines": "(\n" * DEPTH + "1" + ")\n" * DEPTH,
    "sums": "(1+" * DEPTH + "1" + ")" * DEPTH,
    "signs": "-" * DEPTH + "1",
    "negated parentheses": "~(" * DEPTH + "1" + ")" * DEPTH,
    "casts": "(.s64)" * DEPTH + "1",
    "else after else": "1 ? 2 : " * DEPTH + "3",
    "condition in condition": "1 ? " * DEPTH + "1" + " : 2" * DEPTH,
}
DIMENSIONS = "[1]" * DEPTH
OPENED = ["(", "[", "{", "a[", "a(", "-(", "([{", "{(", "[a+(", "1?", "1?2:", "a|", ".v2 {"]
PLACES = [
    "mov.b64 %rd0, {};",
    "ld.global.b32 %r0, [%rd0 + {}];",
    "mov.b64 %rd0, {{1, {}}};",
    "call (%r0), name, ({});",
    "@%p0 nothing.at.all %rd0, {};",
]


def check_errors(text: str, *, rejected: bool) -> None:
    """Fails unless a text has an error, or has none."""
    errors = [found for found in diagnostics(text) if found.severity is Severity.ERROR]
    assert bool(errors) == rejected, errors[:1]


@pytest.mark.slow
@pytest.mark.parametrize("constant", CONSTANTS.values(), ids=CONSTANTS)
def test_constants(constant: str) -> None:
    check_errors(module(f"mov.b64 %rd0, {constant};"), rejected=False)
    check_errors(module(f"ld.global.b32 %r0, [%rd0 + {constant}];"), rejected=False)
    check_errors(HEADER + f".global .u64 a = {constant};\n", rejected=False)
    check_errors(HEADER + f".global .u64 a[1];\n.global .u64 b = a + {constant};\n", rejected=False)
    check_errors(HEADER + f".global .texref a = {{width = {constant}}};\n", rejected=False)
    check_errors(module(f"mov.b64 %rd0, {constant} + no;"), rejected=True)


def test_division_by_zero_far_inside() -> None:
    constant = "(" * DEPTH + "1 / 0" + ")" * DEPTH
    check_errors(module(f"mov.b64 %rd0, {constant};"), rejected=True)


@pytest.mark.slow
def test_initial_values() -> None:
    value = "{" * DEPTH + "1" + "}" * DEPTH
    check_errors(HEADER + f".global .b32 a{DIMENSIONS} = {value};\n", rejected=False)
    check_errors(HEADER + f".global .b32 a{DIMENSIONS[3:]} = {value};\n", rejected=True)
    field = "{" * DEPTH + "{width = 1}" + "}" * DEPTH
    check_errors(HEADER + f".global .texref a{DIMENSIONS} = {field};\n", rejected=False)
    check_errors(HEADER + f".global .texref a{DIMENSIONS[3:]} = {field};\n", rejected=True)


@pytest.mark.parametrize("end", ["", "\n"])
def test_scopes(end: str) -> None:
    blocks = f"{{{end}" * DEPTH + "mov.b32 %r0, 1;" + f"}}{end}" * DEPTH
    check_errors(module(blocks), rejected=False)
    check_errors(module(f"{{{end}" * DEPTH + "mov.b32 %r0, 1;"), rejected=True)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(st.sampled_from(OPENED), min_size=1, max_size=3), st.sampled_from(PLACES))
def test_any_brackets(opened: list[str], place: str) -> None:
    brackets = "".join(opened) * (DEPTH // len(opened))
    check_errors(module(place.replace("{}", brackets)), rejected=True)
    check_errors(HEADER + f".global .b64 a = {brackets};\n", rejected=True)
