"""Checks one rule about what a function computes, in statements of a kernel."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import Final

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import RuleSettings
from tests.support.fixture import assert_diagnostics, parse_fixture

HEADER: Final = """\
.version 8.5
.target sm_90a
.address_size 64
"""
BODY: Final = """\
.visible .entry kernel(.param .u64 parameter)
{
.reg .pred %p<10>;
.reg .b16 %h<10>;
.reg .b32 %r<40>;
.reg .b64 %rd<10>;
.reg .f32 %f<20>;
.reg .f64 %fd<10>;
"""


def check_rule(name: str, marked: str) -> None:
    """Fails unless a rule reports exactly what is marked in statements of a kernel."""
    check_rule_in_module(name, f"{HEADER}{BODY}{_block(marked)}ret;\n}}\n")


def check_rule_in_module(name: str, marked: str) -> None:
    """Fails unless a rule reports exactly what is marked in a module."""
    fixture = parse_fixture(_block(marked))
    only = RuleSettings(frozenset(rules()) - {name})
    assert_diagnostics(fixture, lint(Document.read(fixture.text), only))


def check_quiet(name: str, *statements: str) -> None:
    """Fails if a rule reports one of some statements of a kernel."""
    for each in statements:
        check_rule(name, indent(each, "    ") + "\n")


def _block(text: str) -> str:
    return dedent(text.removeprefix("\n"))
