"""The rule read-only-load."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.source import Severity

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 one, .param .u64 two, .param .u32 shift)
.reqntid 64
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [one];
    ld.param.u64 %rd2, [two];
    ld.param.u32 %r1, [shift];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.u64 %rd4, %rd1, %rd3;
    add.u64 %rd5, %rd2, %rd3;
    mul.wide.u32 %rd6, %r1, 4;
    add.u64 %rd7, %rd4, %rd6;
"""


def check_loads(load: str, store: str, expected: Severity | None) -> None:
    """Fails unless a load is reported with a severity; None: not reported."""
    text = (
        f"{HEAD}    ld.global.nc.u32 %r3, {load};\n    st.global.u32 {store}, %r3;\n    ret;\n}}\n"
    )
    everything = lint(Document.read(text), DEFAULT_RULES)
    found = [each for each in everything if each.rule == "read-only-load"]
    assert [each.severity for each in found] == ([] if expected is None else [expected])


def test_the_same_place() -> None:
    check_loads("[%rd4]", "[%rd4]", Severity.WARNING)


def test_the_place_of_another_thread() -> None:
    check_loads("[%rd4+4]", "[%rd4]", Severity.WARNING)


def test_a_place_that_no_thread_writes() -> None:
    check_loads("[%rd4]", "[%rd4+256]", None)


def test_an_array_that_may_follow_another() -> None:
    check_loads("[%rd4]", "[%rd7]", None)


def test_another_pointer() -> None:
    check_loads("[%rd4]", "[%rd5]", None)
