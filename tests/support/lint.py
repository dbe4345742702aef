"""Puts statements into a small module, and checks what is reported about them."""

from __future__ import annotations

from textwrap import dedent

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import lint
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
    """Fails unless exactly the marked diagnostics are reported in the body of a kernel."""
    _check(module(marked))


def check_module(marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported in a whole module."""
    _check(_block(marked))


def check_declarations(marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported in statements at module scope."""
    _check(HEADER + _block(marked))


def check_fix(before: str, after: str) -> None:
    """Fails unless the first fix of the first diagnostic turns some statements into others."""
    document = Document.read(module(before))
    first = next(found for found in lint(document) if found.fixes)
    assert applied(document, first.fixes[0].edits) == module(after)


def diagnostics(text: str) -> list[Diagnostic]:
    """Returns everything that is reported in a text."""
    return lint(Document.read(text))


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
