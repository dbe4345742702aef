"""Functions that share a line are checked as on lines of their own, each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.syntax.record import MultiLine
from tests.support.lint import HEADER

FUNCTIONS = [
    ".func a() { ret; }",
    ".func b() { mov.u32 %no, 1; ret; }",
    ".func c(.reg .b32 x) { foo x; ; ret; }",
    ".func d() { .reg .b32 y; add.s32 y, y; }",
    ".extern .func e;",
    ".global .b32 f;",
    ".entry g() { { .reg .b32 z; } mov.u32 z, 1; }",
]


def check_shared_line(functions: list[str]) -> None:
    """Fails unless a line of functions has the diagnostics of as many lines."""
    lines = [rule for rule, _ in found(HEADER + "\n".join(functions) + "\n")]
    shared = [rule for rule, _ in found(HEADER + " ".join(functions) + "\n")]
    assert shared == lines


def found(text: str) -> list[tuple[str, str]]:
    """Rule and message of each diagnostic in order."""
    return [(one.rule, one.message) for one in lint(Document.read(text))]


@pytest.mark.slow
@settings(max_examples=100)
@given(st.lists(st.sampled_from(FUNCTIONS), max_size=6, unique=True))
def test_any_functions(functions: list[str]) -> None:
    check_shared_line(functions)


def test_each_function_has_its_own_statements() -> None:
    document = Document.read(HEADER + ".func f() { ret; } " * 50)
    for function in list(document.leaves())[1:]:
        run = region_text(function).records[-1]
        assert isinstance(run, MultiLine)
        assert len(run.records) == len([".func f() {", "ret;", "}"])
