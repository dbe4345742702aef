"""Puts statements into a small module, and checks what is reported about them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import engine, lint
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import DEFAULT_RULES, RuleSettings
from ptx_ls.source import Diagnostic, TextEdit
from tests.support.fixture import assert_diagnostics, parse_fixture

HEADER = """\
.version 8.0
.target sm_90
.address_size 64
"""
BODY = """\
.visible .entry kernel(.param .u64 parameter)
{
.reg .pred %p<10>;
.reg .b16 %rs<10>;
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
.reg .f32 %f<10>;
.reg .f64 %fd<10>;
"""
END = "}\n"
_HEADERS = (".version", ".target", ".address_size")
_OF_MODULES = (
    *(".visible", ".weak", ".extern", ".entry", ".func", ".section", ".file"),
    *(".const", ".global"),
)
"""Words that begin a statement of a module, not one in a body."""


def module(statements: str) -> str:
    """Returns a module with statements in a kernel that has ten registers of each usual type."""
    return HEADER + BODY + _block(statements) + END


def example_module(example: str) -> str:
    """Returns the example of a page as a module, with the header and the kernel it leaves out."""
    if example.startswith(_HEADERS):
        return example
    return HEADER + example if example.startswith(_OF_MODULES) else module(example)


def check_lint(marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported in the body of a kernel.

    Rules about what a function computes are off, because the statements are only an excerpt.
    """
    _check(module(marked))


def check_module(marked: str) -> None:
    """Does what `check_lint` does, for a module."""
    _check(_block(marked))


def check_computation(marked: str) -> None:
    """Fails unless exactly the marked diagnostics of all rules are reported in a module."""
    fixture = parse_fixture(_block(marked))
    assert_diagnostics(fixture, lint(Document.read(fixture.text)))


def check_rule(rule: str, marked: str) -> None:
    """Fails unless one rule reports exactly what is marked, in the body of a kernel or in a module.

    All other rules are off, so the kernel may have registers and parameters that it does not use.
    """
    block = _block(marked)
    fixture = parse_fixture(block if block.startswith("//") else example_module(block))
    assert_diagnostics(fixture, lint(Document.read(fixture.text), _only(rule)))


def check_rule_fix(rule: str, before: str, after: str) -> None:
    """Fails unless the fix of the first diagnostic of a rule turns some statements into others."""
    document = Document.read(module(before))
    first = lint(document, _only(rule))[0]
    assert applied(document, first.fixes[0].edits) == module(after)


def check_no_fix(rule: str, statements: str) -> None:
    """Fails unless a rule reports something in some statements, and offers no fix."""
    found = lint(Document.read(module(statements)), _only(rule))
    assert found
    assert [one for one in found if one.fixes] == []


def _only(rule: str) -> RuleSettings:
    """Returns settings in which one rule is on."""
    return RuleSettings(frozenset(rules()) - {rule})


def check_declarations(marked: str) -> None:
    """Does what `check_lint` does, for statements at module scope."""
    _check(HEADER + _block(marked))


def check_fix(before: str, after: str) -> None:
    """Fails unless the first fix of the first diagnostic turns some statements into others."""
    document = Document.read(module(before))
    first = next(found for found in lint_excerpt(document) if found.fixes)
    assert applied(document, first.fixes[0].edits) == module(after)


def diagnostics(text: str) -> list[Diagnostic]:
    """Returns everything that is reported in a text whose functions are excerpts."""
    return lint_excerpt(Document.read(text))


def lint_excerpt(document: Document, settings: RuleSettings = DEFAULT_RULES) -> list[Diagnostic]:
    """Returns everything that is reported in a document, except about what functions compute."""
    with pytest.MonkeyPatch.context() as patch:
        only_excerpts(patch)
        return lint(document, settings)


def only_excerpts(patch: pytest.MonkeyPatch) -> None:
    """Turns rules about what a function computes off: an excerpt never writes its registers."""
    patch.setattr(engine, "computation_checks_on", lambda _: ())


def applied(document: Document, edits: tuple[TextEdit, ...]) -> str:
    """Returns the text of a document after edits, which must not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.range, reverse=True):
        document = edited(document, edit.range.start, edit.range.end, edit.new_text)
    return document.text


def _block(text: str) -> str:
    block = dedent(text.removeprefix("\n"))
    return block if block.endswith("\n") or not block else block + "\n"


def _check(marked: str) -> None:
    fixture = parse_fixture(marked)
    assert_diagnostics(fixture, diagnostics(fixture.text))
