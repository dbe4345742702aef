"""The levels of values and code, and the reasons for them."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity, function_uniformity

if TYPE_CHECKING:
    from ptx_ls.threads.uniformity.function_uniformity import Agreement

_HEAD = """\
.version 8.6
.target sm_90
.address_size 64
.shared .align 4 .b32 sm;
.visible .entry k(.param .u64 p, .param .u32 n)
{directive}
{{
.reg .pred %p<9>;
.reg .b32 %r<20>;
.reg .b64 %rd<5>;
"""
ONE = ".reqntid 128"


def uniformity_of(body: str, directive: str = ONE) -> FunctionUniformity:
    """Returns the agreement of the threads of a kernel."""
    text = _HEAD.format(directive=directive) + dedent(body) + "ret;\n}\n"
    document = Document.read(text)
    function = next(each for each in document.leaves() if ".entry" in each.text)
    return function_uniformity(function, module_facts(document))


def last_written(found: FunctionUniformity) -> Agreement:
    """Returns the agreement on what the last instruction that writes a register writes."""
    ways = found.flow.uses.ways
    return found.written(max(use for use in range(len(ways)) if ways[use] & WRITES))


def check_value(body: str, expected: str, directive: str = ONE) -> None:
    """Fails unless the last value has the levels `surely` and `at most`."""
    said = last_written(uniformity_of(body, directive))
    assert f"{said.surely.name} {said.at_most.name}".lower() == expected


def check_marked(body: str, directive: str = ONE) -> None:
    """Fails unless each line with a comment runs at the levels in it."""
    found = uniformity_of(body, directive)
    for statement in found.flow.text.statements():
        line = found.flow.text.lines[statement.start[0]]
        if "//" in line:
            said = found.statement(statement)
            levels = f"{said.surely.name} {said.at_most.name}".lower()
            assert levels == line.partition("//")[2].strip(), line


def check_reason(body: str, expected: str) -> None:
    """Fails unless the last value has a chain of reasons, as `kind:name` with spaces between."""
    found = uniformity_of(body)
    chain = found.chain(last_written(found).cause)
    assert " ".join(f"{each.kind.name}:{each.name}".lower() for each in chain) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ld.param.u32 %r1, [n];", "grid grid"),
        ("mov.u32 %r1, sm;", "grid grid"),
        ("mov.u32 %r1, %ntid.x;", "grid grid"),
        ("mov.u32 %r1, %ctaid.x;", "cta grid"),
        ("mov.u32 %r1, %clusterid.x;", "cluster grid"),
        ("mov.u32 %r1, %tid.x;", "divergent divergent"),
        ("mov.u32 %r1, %tid.y;", "grid grid"),
        ("mov.u32 %r1, %laneid;", "divergent divergent"),
        ("mov.u32 %r1, %warpid;", "warp grid"),
        ("mov.u32 %r1, %clock;", "divergent grid"),
        ("mov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, 5;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, 4;", "divergent divergent"),
        ("mov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, -32;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 96;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\ndiv.u32 %r1, %r0, 32;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\nbfe.u32 %r1, %r0, 5, 2;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\nrem.u32 %r1, %r0, 32;", "divergent divergent"),
        ("mov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, 7;", "grid grid"),
        ("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 64;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 65;", "divergent divergent"),
        ("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 128;", "grid grid"),
        (
            "mov.u32 %r0, %tid.x;\nld.param.u32 %r1, [n];\nadd.u32 %r2, %r0, %r1;",
            "divergent divergent",
        ),
        (
            "mov.u32 %r0, %tid.x;\nld.param.u32 %r1, [n];\nsetp.lt.u32 %p1, %r0, %r1;",
            "divergent grid",
        ),
        (
            (
                "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 128, %r0;\n"
                "shr.u32 %r3, %r2, 5;"
            ),
            "warp grid",
        ),
        (
            (
                "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 120, %r0;\n"
                "shr.u32 %r3, %r2, 5;"
            ),
            "divergent grid",
        ),
        ("mov.u32 %r0, %tid.x;\nshfl.sync.idx.b32 %r1, %r0, 0, 31, -1;", "warp warp"),
        ("mov.u32 %r0, %tid.x;\nshfl.sync.idx.b32 %r1, %r0, 0, 0x181f, -1;", "divergent grid"),
        ("mov.u32 %r0, %tid.x;\nshfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;", "divergent grid"),
        ("mov.u32 %r0, %tid.x;\nshfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffff;", "divergent grid"),
        ("elect.sync _|%p1, -1;", "divergent divergent"),
        ("elect.sync %r1|%p1, -1;\nmov.u32 %r2, %r1;", "warp grid"),
        (
            "{.reg .pred p; elect.sync _|p, -1; selp.b32 %r1, 1, 0, p;}",
            "divergent divergent",
        ),
        (
            (
                "mov.u32 %r0, %tid.x;\n"
                "{.reg .b32 a; mov.b32 a, 1; mov.b32 %r1, a;}\n"
                "{.reg .b32 a; mov.b32 a, %r0; shr.u32 %r2, a, 5;}"
            ),
            "warp warp",
        ),
        ("activemask.b32 %r1;", "divergent grid"),
        ("ld.param.u64 %rd1, [p];\nld.global.nc.u32 %r1, [%rd1];", "grid grid"),
        ("ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];", "warp grid"),
        ("ld.param.u64 %rd1, [p];\natom.global.add.u32 %r1, [%rd1], 1;", "divergent grid"),
        ("bar.sync 0;\nld.shared.u32 %r1, [sm];\nbar.sync 0;", "cta grid"),
        ("st.shared.u32 [sm], 1;\nbar.sync 0;\nld.shared.u32 %r1, [sm];", "cta grid"),
        ("st.shared.u32 [sm], 1;\nld.shared.u32 %r1, [sm];", "warp grid"),
        ("bar.sync 0;\nld.shared.u32 %r1, [sm];\nst.shared.u32 [sm], 1;", "warp grid"),
        (
            "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 5;\nbar.red.popc.u32 %r1, 0, %p1;",
            "cta grid",
        ),
        (
            "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 5;\nvote.sync.any.pred %p2, %p1, -1;",
            "warp grid",
        ),
        (
            "mov.u32 %r0, %laneid;\nsetp.lt.u32 %p1, %r0, 5;\nselp.b32 %r1, 3, 4, %p1;",
            "divergent divergent",
        ),
        (
            (
                "mov.u32 %r0, %laneid;\nsetp.lt.u32 %p1, %r0, 5;\nmov.u32 %r1, 0;\n"
                "@%p1 mov.u32 %r1, 1;\n"
                "mov.u32 %r2, %r1;"
            ),
            "divergent grid",
        ),
    ],
)
def test_value(body: str, expected: str) -> None:
    check_value(body + "\n", expected)


def test_shape_of_the_block() -> None:
    row = "mov.u32 %r1, %tid.y;\n"
    check_value(row, "warp warp", ".reqntid 32, 4, 1")
    check_value(row, "divergent divergent", ".reqntid 16, 8, 1")
    check_value(row, "divergent warp", "")
    warp = "mov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, 5;\n"
    check_value(warp, "warp warp", "")
    check_value(warp, "warp warp", ".maxntid 64")
    check_value(warp, "grid grid", ".maxntid 32")
    check_value(warp, "divergent divergent", ".reqntid 48, 4, 1")
    check_value(warp, "warp warp", ".reqntid 64, 4, 1")


def test_join_after_a_divergent_branch() -> None:
    check_marked(
        """
        mov.u32 %r0, %laneid;
        setp.lt.u32 %p1, %r0, 16;
        @%p1 bra A;                 // divergent divergent
        mov.u32 %r1, 1;             // divergent divergent
        bra J;                      // divergent divergent
        A:
        mov.u32 %r1, 2;             // divergent divergent
        J:
        mov.u32 %r2, 3;             // grid grid
        """
    )
    check_value(
        """
        mov.u32 %r0, %laneid;
        setp.lt.u32 %p1, %r0, 16;
        @%p1 bra A;
        mov.u32 %r1, 1;
        bra J;
        A:
        mov.u32 %r1, 2;
        J:
        add.u32 %r2, %r1, 3;
        """,
        "divergent grid",
    )


def test_survivors_of_an_exit_stay_together() -> None:
    check_marked(
        """
        mov.u32 %r0, %tid.x;
        ld.param.u32 %r1, [n];
        setp.ge.u32 %p1, %r0, %r1;
        @%p1 exit;                  // divergent grid
        mov.u32 %r2, 3;             // grid grid
        @%p1 bra DONE;
        mov.u32 %r3, 3;             // grid grid
        DONE:
        """
    )


def test_trap_ends_all_threads() -> None:
    check_marked(
        """
        mov.u32 %r0, %tid.x;
        setp.eq.u32 %p1, %r0, 7;
        @%p1 bra BAD;
        mov.u32 %r3, 3;             // grid grid
        bra GOOD;
        BAD:
        mov.u32 %r4, 3;
        trap;
        GOOD:
        mov.u32 %r2, 3;             // grid grid
        """
    )


def test_loops() -> None:
    check_marked(
        """
        mov.u32 %r0, %ctaid.x;
        mov.u32 %r5, %tid.x;
        A:
        add.u32 %r0, %r0, 8;        // cta grid
        setp.lt.u32 %p1, %r0, 100;
        @%p1 bra A;
        B:
        add.u32 %r5, %r5, 8;        // divergent grid
        setp.lt.u32 %p1, %r5, 100;
        @%p1 bra B;
        mov.u32 %r6, 1;             // grid grid
        """
    )
    check_value(  # the number of iterations differs between threads
        """
        mov.u32 %r5, %tid.x;
        mov.u32 %r7, 0;
        B:
        add.u32 %r5, %r5, 8;
        add.u32 %r7, %r7, 1;
        setp.lt.u32 %p1, %r5, 100;
        @%p1 bra B;
        mov.u32 %r6, %r7;
        """,
        "divergent grid",
    )


def test_promise_is_believed_unless_it_is_a_lie() -> None:
    check_marked(
        """
        ld.param.u64 %rd1, [p];
        atom.global.add.u32 %r1, [%rd1], 1;
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra.uni A;             // warp grid
        mov.u32 %r2, 1;             // warp grid
        A:
        mov.u32 %r0, %laneid;
        setp.eq.u32 %p1, %r0, 0;
        @%p1 bra.uni B;             // divergent divergent
        mov.u32 %r2, 1;             // divergent divergent
        B:
        mov.u32 %r3, 1;
        """
    )


def test_jump_through_a_table() -> None:
    check_marked(
        """
        mov.u32 %r0, %tid.x;
        shr.u32 %r1, %r0, 5;
        T: .branchtargets A, B;
        brx.idx %r1, T;
        A:
        mov.u32 %r2, 1;             // warp grid
        bra C;
        B:
        mov.u32 %r2, 2;             // warp grid
        C:
        mov.u32 %r2, 3;             // grid grid
        """
    )


def test_reasons() -> None:
    check_reason(
        "mov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;\nsetp.lt.u32 %p1, %r1, 70;\n",
        "operand: operand: special:%tid.x",
    )
    check_reason("ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\n", "instruction:ld")
    check_reason("elect.sync _|%p1, -1;\n", "instruction:elect.sync")
    check_reason("add.u32 %r1, %r9, 1;\n", "unset:%r9")
    check_reason(
        """
        mov.u32 %r0, %laneid;
        setp.lt.u32 %p1, %r0, 16;
        mov.u32 %r1, 2;
        @%p1 bra A;
        mov.u32 %r1, 1;
        A:
        mov.u32 %r2, %r1;
        """,
        "branch: operand: operand: special:%laneid",
    )


def test_function_that_is_called() -> None:
    text = """\
.version 8.0
.target sm_90
.address_size 64
.func (.reg .b32 %out) f(.reg .b32 %in)
{
.reg .pred %p;
setp.eq.u32 %p, %in, 0;
@%p ret;
mov.u32 %out, 1;
ret;
}
"""
    document = Document.read(text)
    function = next(each for each in document.leaves() if ".func" in each.text)
    found = function_uniformity(function, module_facts(document))
    said = [found.statement(each) for each in found.flow.text.statements()]
    assert said[-3].surely.name == "DIVERGENT"  # the others returned to the caller
    assert [each.name for each in found.chain(said[-3].cause)][-1] == "%in"
