"""Fixes that are offered for a mistake, each judged by ptxas: no cure is worse than the disease."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import fix
from ptx_ls.toolchain import ptxas
from tests.support.assembling import assemble
from tests.support.lint import HEADER, applied, module

pytestmark = pytest.mark.excerpts

STATEMENTS: Final = {
    "add.s32 %r1, %r2, %r3\n": "add.s32 %r1, %r2, %r3;\n",
    "bra L\nL: ret;\n": "bra L;\nL: ret;\n",
    "add.s32 %r1 %r2, %r3;\n": "add.s32 %r1, %r2, %r3;\n",
    "add.s32 %r1, %r2 5;\n": "add.s32 %r1, %r2, 5;\n",
    "add.s32 %r1, %r2 -5;\n": "add.s32 %r1, %r2, -5;\n",
    "ld.global.v2.f32 {%f1 %f2}, [%rd1];\n": "ld.global.v2.f32 {%f1, %f2}, [%rd1];\n",
    "addd.s32 %r1, %r2, %r3;\n": "add.s32 %r1, %r2, %r3;\n",
    "ld.golbal.u32 %r1, [%rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "mov.u32 %r1, %tdi.x;\n": "mov.u32 %r1, %tid.x;\n",
    "mov.u32 %r1, %ctid.x;\n": "mov.u32 %r1, %ctaid.x;\n",
    "mul.s32 %r1, %r2, %r3;\n": "mul.lo.s32 %r1, %r2, %r3;\n",
    "mov %r1, %r2;\n": "mov.b32 %r1, %r2;\n",
    "tanh.f32 %f1, %f2;\n": "tanh.approx.f32 %f1, %f2;\n",
    "st.release.u32 [%rd1], %r1;\n": "st.release.cta.u32 [%rd1], %r1;\n",
    "membar;\n": "membar.cta;\n",
    "fence.sc;\n": "fence.sc.cta;\n",
    "bar 0;\n": "bar.sync 0;\n",
    "match.any.b32 %r1, %r2, -1;\n": "match.any.sync.b32 %r1, %r2, -1;\n",
    "shfl.down.b32 %r1, %r2, 1, 31;\n": "shfl.sync.down.b32 %r1, %r2, 1, 31, -1;\n",
    "vote.sync.any.pred %p1, %p2;\n": "vote.sync.any.pred %p1, %p2, -1;\n",
    "div.f32 %f1, %f2, %f3;\n": "div.approx.f32 %f1, %f2, %f3;\n",
    "sin.f32 %f1, %f2;\n": "sin.approx.ftz.f32 %f1, %f2;\n",
    "ld.u32.global %r1, [%rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "and.u32 %r1, %r2, %r3;\n": "and.b32 %r1, %r2, %r3;\n",
    "st.global.u32 %rd1, %r1;\n": "st.global.u32 [%rd1], %r1;\n",
    "ld.global.u32 %r1, %rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "ld.global.u32 %r1, [%rd1};\n": "ld.global.u32 %r1, [%rd1];\n",
    "mov.b64 %rd1, {%r1, %r2];\n": "mov.b64 %rd1, {%r1, %r2};\n",
    "mov.b64 {%r1, %r2), %rd1;\n": "mov.b64 {%r1, %r2}, %rd1;\n",
    "@p1 ret;\n": "@%p1 ret;\n",
    "mov.f32 %f1, 1;\n": "mov.f32 %f1, 1.0;\n",
    "LOOP:\nbra LOP;\n": "LOOP:\nbra LOOP;\n",
    ".reg .b32 %x\nmov.b32 %x, 1;\n": ".reg .b32 %x;\nmov.b32 %x, 1;\n",
}
"""The statements of a kernel, and what the first fix makes of them."""
MODULES: Final = {
    ".entry k() .maxnctapersm 4 .maxntid 32 { ret; }": (
        ".entry k() .minnctapersm 4 .maxntid 32 { ret; }"
    ),
    ".entry k() .maxntidd 32 { ret; }": ".entry k() .maxntid 32 { ret; }",
    ".entry k()\n{\n.reg .b32 %r<3>;\nmov.b32 %r7, 1;\n}": (
        ".entry k()\n{\n.reg .b32 %r<8>;\nmov.b32 %r7, 1;\n}"
    ),
    ".entry k()\n{\n.reg .b32 %r<3>;\nmov.b64 %rd7, 1;\n}": (
        ".entry k()\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd7;\nmov.b64 %rd7, 1;\n}"
    ),
    ".entry k()\n{\nret;": ".entry k()\n{\nret;\n}",
    ".entry k()\n{\nret;\n}\n}": ".entry k()\n{\nret;\n}\n",
    ".globl .b32 x;": ".global .b32 x;",
    ".global .align 3 .b32 x;": ".global .align 4 .b32 x;",
}
"""Statements, and the version and target that their first fix sets in the header."""
RAISED: Final = {
    "griddepcontrol.wait;": ("7.8", "sm_90"),
    "wgmma.fence.sync.aligned;": ("8.0", "sm_90a"),
    "fence.mbarrier_init.release.cluster;": ("8.0", "sm_90"),
    "redux.sync.add.s32 %r1, %r2, -1;": ("7.0", "sm_80"),
    "fence.sc.cta;": ("6.0", "sm_70"),
    "activemask.b32 %r1;": ("6.2", "sm_50"),
}
"""Instructions in a module of PTX 6.0 for sm_50, and what has them first."""
ABSURD: Final = ("mov.b32 %r70000, 1;\n", "mov.b32 %r99999999999999999999, 1;\n")
"""No register is meant, so the range is not widened to it."""


def check_first_fix(before: str, after: str, folder: Path) -> None:
    """Fails unless the first fix of the only diagnostic makes a text that ptxas accepts."""
    (found,) = lint(Document.read(before))
    assert applied(Document.read(before), found.fixes[0].edits) == after
    check_accepted(after, folder)


def check_accepted(text: str, folder: Path) -> None:
    """Fails unless ptxas accepts a module for its target."""
    target = re.search(r"\.target (\w+)", text)
    run = assemble(text, folder, ptxas.architecture(target[1] if target else "sm_90"))
    assert run.status == 0, run.output


@pytest.mark.ptxas
@pytest.mark.parametrize(("before", "after"), STATEMENTS.items())
def test_fix_of_a_statement(before: str, after: str, tmp_path: Path) -> None:
    check_first_fix(module(before), module(after), tmp_path)


@pytest.mark.ptxas
@pytest.mark.parametrize(("before", "after"), MODULES.items())
def test_fix_of_a_module(before: str, after: str, tmp_path: Path) -> None:
    check_first_fix(f"{HEADER}{before}\n", f"{HEADER}{after}\n", tmp_path)


@pytest.mark.ptxas
@pytest.mark.parametrize("statement", RAISED)
def test_header_that_is_raised(statement: str, tmp_path: Path) -> None:
    version, target = RAISED[statement]
    low = module(f"{statement}\n").replace("sm_90", "sm_50").replace("8.0", "6.0")
    assert fix(low, has_unsafe=True).text == low
    after = applied(Document.read(low), lint(Document.read(low))[0].fixes[0].edits)
    assert after == low.replace("sm_50", target).replace("6.0", version)
    check_accepted(after, tmp_path)


@pytest.mark.parametrize("statement", ABSURD)
def test_no_absurd_range(statement: str) -> None:
    (found,) = lint(Document.read(module(statement)))
    assert not found.fixes


def test_no_fix_that_turns_an_address_around() -> None:
    (found,) = lint(Document.read(module("cvta.global.u32 %r1, %r2;\n")))
    assert not found.fixes
