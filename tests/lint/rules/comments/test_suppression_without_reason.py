"""Comments without a reason, reported only if the rule is selected."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import RuleSettings
from tests.support.lint import module

RULE = "suppression-without-reason"


def check_reported(note: str, *, expected: bool) -> None:
    """Fails unless the rule reports a comment, or not, if it is on; it never does if it is off."""
    document = Document.read(module(f"add.u32 %r1, %rd2, %r3; {note}"))
    found = [one.rule for one in lint(document, RuleSettings(frozenset()))]
    assert (RULE in found) is expected
    assert RULE not in [one.rule for one in lint(document)]


@pytest.mark.parametrize(
    "note",
    [
        "// ptx-ls: ignore",
        "// ptx-ls: ignore[operand-width]",
        "/* ptx-ls: ignore-function[operand-width] */",
        "// ptx-ls: ignore-file[operand-width]:",
        "// ptx-ls: ignore[operand-width] -- ",
    ],
)
def test_without(note: str) -> None:
    check_reported(note, expected=True)


@pytest.mark.parametrize(
    "note",
    [
        "// ptx-ls: ignore: because",
        "// ptx-ls: ignore[operand-width] because",
        "/* ptx-ls: ignore-function[operand-width] -- because */",
        "// ptx-ls: ignore-end[operand-width]",
        "// ptx-ls: ignored",
    ],
)
def test_with(note: str) -> None:
    check_reported(note, expected=False)


def test_it_can_be_suppressed() -> None:
    check_reported(f"// ptx-ls: ignore[operand-width, {RULE}]", expected=False)
