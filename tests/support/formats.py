"""A kernel with values of several formats, for tests of the rules about formats."""

from __future__ import annotations

from textwrap import dedent

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from tests.support.fixture import assert_diagnostics, parse_fixture

_HEAD = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u64 .ptr .global .align 16 values, .param .f32 scale)
{
    .reg .pred %p<3>;
    .reg .b16 %h<3>;
    .reg .b32 %r<7>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [values];
    ld.param.f32 %f1, [scale];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
"""
_END = """\
    ret;
}
"""


def assert_formats(statements: str, rule: str) -> None:
    """Fails unless a rule reports exactly the marked places in the body of a kernel."""
    fixture = parse_fixture(_HEAD + dedent(statements.removeprefix("\n")) + _END)
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule == rule])
