"""Tests of the rule address-round-trip."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import check_rule, check_rule_fix, module

RULE = "address-round-trip"

SHARED = """\
.shared .align 8 .b8 tile[64];
mov.u64 %rd2, tile;
cvta.shared.u64 %rd1, %rd2;
"""


def test_reported() -> None:
    check_rule(
        RULE,
        """
        .shared .align 8 .b8 tile[64];
        cvta.shared.u64 %rd1, tile;
        cvta.to.shared.u64 %rd2, %rd1;
    //  ^^^^^^^^^^^^^^^^^^ address-round-trip: this conversion undoes an earlier `cvta.shared`
        add.s64 %rd3, %rd1, 8;
        cvta.to.shared.u64 %rd4, %rd3;
    //  ^^^^^^^^^^^^^^^^^^ address-round-trip
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        .shared .align 8 .b8 tile[64];
        ld.param.b64 %rd1, [parameter];
        cvta.to.shared.u64 %rd2, %rd1;
        cvta.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd3;
        cvta.shared.u64 %rd5, tile;
        selp.b64 %rd6, %rd5, %rd1, %p1;
        cvta.to.shared.u64 %rd7, %rd6;
    """,
    )


def test_older_targets() -> None:
    text = module(f"{SHARED}cvta.to.shared.u64 %rd3, %rd1;\n")
    assert RULE in {one.rule for one in lint(Document.read(text))}
    assert RULE not in {one.rule for one in lint(Document.read(text.replace("sm_90", "sm_80")))}


def test_fix() -> None:
    check_rule_fix(
        RULE,
        f"{SHARED}cvta.to.shared.u64 %rd3, %rd1;",
        f"{SHARED}mov.u64 %rd3, %rd2;",
    )
