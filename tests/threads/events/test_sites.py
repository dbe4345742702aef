"""Statements with memory events, with the addresses and numbers that they name."""

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module import module_of
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.threads.events.sites import EventSite, address_of, base_name, event_sites, number_of
from ptx_ls.values.function_values import FunctionValues, function_values

KERNEL = """\
.version 8.6
.target sm_100
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.shared .align 16 .b8 sm[256];
.shared .align 8 .b64 gate;
mov.u32 %r1, %tid.x;
mov.u32 %r2, sm;
mad.lo.u32 %r3, %r1, 4, %r2;
mov.u32 %r4, 2;
STATEMENT
ret;
}
"""


def check_site(statement: str) -> tuple[FunctionValues, EventSite]:
    """The only site of a kernel with a statement, and the values of the kernel."""
    document = Document.read(KERNEL.replace("STATEMENT", statement))
    module = module_of([interface(each.function) for each in document.functions])
    kernel = [*document.functions][-1].function
    values = function_values(kernel, module)
    opcode = statement.partition(".")[0]
    (site,) = event_sites(values, (opcode,), bool)
    assert site.found.text == statement
    assert site.block == 0
    return values, site


@pytest.mark.parametrize(
    ("statement", "operand", "base", "form"),
    [
        ("ld.shared.u32 %r5, [%r3+8];", "a", "%r3", "sm + 4*%tid.x + 8"),
        ("st.shared.u32 [sm+16], %r1;", "a", "sm", "sm + 16"),
        ("mbarrier.init.shared.b64 [gate], 4;", "addr", "gate", "gate"),
        ("cp.async.ca.shared.global [%r3], [%rd1], 8;", "dst", "%r3", "sm + 4*%tid.x"),
    ],
)
def test_address(statement: str, operand: str, base: str, form: str) -> None:
    values, site = check_site(statement)
    assert base_name(site, operand) == base
    assert str(address_of(values, site, operand)) == form


@pytest.mark.parametrize(
    ("statement", "operand", "number"),
    [
        ("cp.async.ca.shared.global [%r3], [%rd1], 8;", "cp-size", 8),
        ("cp.async.wait_group 3;", "N", 3),
        ("bar.sync 1, 64;", "b", 64),
        ("bar.sync %r4;", "a", 2),
        ("bar.sync %r5;", "a", None),
        ("bar.sync 1;", "b", None),
        ("mbarrier.init.shared.b64 [gate], 4;", "count", 4),
    ],
)
def test_number(statement: str, operand: str, number: int | None) -> None:
    values, site = check_site(statement)
    assert number_of(values, site, operand) == number
