"""A fix of a statement with one mistake restores the meaning that it had before.

Each statement is spoilt by one change, and fixed as `--fix` and `--fix --unsafe-fixes` do. If no
error is left, the code says what the author wrote, or what it said before it was spoilt: told by
its words, by executing it, and by ptxas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import fix
from ptx_ls.source import Applicability, Severity
from tests.support.assembling import assemble
from tests.support.lint import applied, module
from tests.support.mutants import BANKS, STATEMENTS, mutants
from tests.support.straight_line import NotComputableError, run

pytestmark = pytest.mark.excerpts

STEP: Final = 97
"""One of this many mutants is tried: all 20,000 take ten minutes."""
ALL: Final = [(each, mutant) for each in STATEMENTS for mutant in mutants(each)]
FRAME: Final = set(module("").splitlines())
PROGRAM: Final = (
    "mov.u32 %r1, 7;",
    "mul.wide.u32 %rd1, %r2, 4;",
    "add.s32 %r3, %r2, %r1;",
    "mad.lo.s32 %r4, %r3, %r1, %r5;",
    "cvt.rn.f32.s32 %f1, %r4;",
    "fma.rn.f32 %f2, %f1, %f3, 1.5;",
    "setp.lt.s32 %p1, %r4, %r5;",
    "selp.b32 %r6, %r1, %r5, %p1;",
    "@%p1 xor.b32 %r6, %r6, %r3;",
    "shl.b32 %r7, %r6, 3;",
    "shr.s32 %r8, %r5, %r1;",
    "cvt.u64.u32 %rd2, %r8;",
    "add.s64 %rd3, %rd1, %rd2;",
    "max.u32 %r9, %r8, %r7;",
)
SEEDS: Final = (0x9E3779B97F4A7C15, 0x0000000100000003)
WRONG: Final = {
    "add.s32 %r1,%r2,%rd1;": "another register",
    "mul.wide.u32 %r1,%r2,4;": "another register",
    "@%r1 add.s32 %r1,%r2,%r3;": "another register",
    "mov.u32 %r1,%f1;": "another register",
    "cvt.rn.s32.f32 %r1, %f2;": "another type",
    "cvt.rni.f32.s32 %f1, %r2;": "another type",
    "min.relu.f32 %f1, %f2, %f3;": "no modifier",
    "setp.lo.s32 %p1, %r1, %r2;": "another type",
    "wgmma.fence.sync.aligned;": "another target",
    "membar.async;": "another modifier",
}
"""Statements that fixes made another program of, and how."""


def says(statement: str) -> tuple[str, frozenset[str], str]:
    """Opcode with its guard, modifiers in any order, and operands, without blanks."""
    match = re.fullmatch(
        r"\s*(@\s*!?\s*%p\d)?\s*([a-z]\w*)((?:\s*\.\w+(?:::\w+)*)*)(.*)", statement, re.DOTALL
    )
    if match is None:
        return statement, frozenset(), ""
    guard, operands = (re.sub(r"\s+", "", part or "") for part in match.group(1, 4))
    return guard + match[2], frozenset(re.findall(r"\.\w+(?:::\w+)*", match[3])), operands


def errors(text: str) -> bool:
    """Whether a module has an error."""
    return any(one.severity is Severity.ERROR for one in lint(Document.read(text)))


def body(text: str) -> str:
    """The statements of a module that `module` made."""
    return "\n".join(line for line in text.splitlines() if line not in FRAME)


def fixed(statements: str) -> list[str]:
    """The statements after the fixes that are made unseen, for each way that leaves no error."""
    texts = (fix(module(statements), has_unsafe=unsafe).text for unsafe in (False, True))
    return [body(text) for text in texts if text != module(statements) and not errors(text)]


def check_meaning(before: str, mutant: str) -> None:
    """Fails if a fix of the mutant says what neither it nor the statement before it says."""
    for after in fixed(mutant):
        assert says(after) in (says(before), says(mutant)), (before, mutant, after)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(8))
def test_statements_mean_what_they_meant(start: int) -> None:
    for before, mutant in ALL[start * STEP :: 8 * STEP]:
        check_meaning(before, mutant)


@pytest.mark.slow
def test_all_statements_mean_what_they_meant() -> None:
    for before, mutant in ALL[::7]:
        check_meaning(before, mutant)


def registers(seed: int) -> dict[str, int]:
    """All registers of the kernel with bits that look random."""
    widths = (1, 16, 32, 64, 32, 64)
    return {
        f"{bank}{number}": (seed * (31 * index + number + 1) >> 7) % (1 << width)
        for index, (bank, width) in enumerate(zip(BANKS, widths, strict=True))
        for number in range(10)
    }


def test_the_machine() -> None:
    found = run("\n".join(PROGRAM[:5]), registers(5) | {"%r2": 0xFFFFFFFF, "%r5": 1})
    assert (found["%rd1"], found["%r3"], found["%r4"]) == (0x3FFFFFFFC, 6, 43)
    assert found["%f1"] == 0x422C0000
    found = run("setp.lt.s32 %p1, %r1, 0;\n@!%p1 mov.b32 %r1, 5;", {"%r1": 1 << 31})
    assert found == {"%r1": 1 << 31, "%p1": 1}
    with pytest.raises(NotComputableError):
        run("sin.approx.f32 %f1, %f2;", registers(1))
    with pytest.raises(NotComputableError):
        run("ld.global.u32 %r1, [%rd1];", registers(1))


@pytest.mark.slow
def test_programs_compute_what_they_computed() -> None:
    n_executed = 0
    for number, statement in enumerate(PROGRAM):
        for mutant in list(mutants(statement))[number % 11 :: 11]:
            statements = [*PROGRAM[:number], mutant, *PROGRAM[number + 1 :]]
            for after in fixed("\n".join(statements)):
                is_legal = not errors(module("\n".join(statements)))
                n_executed += executes_as(after, statements if is_legal else PROGRAM)
    assert n_executed > 10


def executes_as(after: str, expected: Sequence[str]) -> bool:
    """Fails if two programs leave different registers; False if the machine cannot run one."""
    for seed in SEEDS:
        try:
            found = run(after, registers(seed))
            wanted = run("\n".join(expected), registers(seed))
        except NotComputableError:
            return False
        assert found == wanted, (after, expected)
    return True


@pytest.mark.parametrize("statement", WRONG)
def test_what_is_a_guess_is_left_to_a_person(statement: str) -> None:
    text = module(f"{statement}\n")
    assert fix(text, has_unsafe=True).text == text
    fixes = [each for one in lint(Document.read(text)) for each in one.fixes]
    assert fixes
    assert {each.applicability for each in fixes} == {Applicability.GUESS}


@pytest.mark.slow
@pytest.mark.ptxas
def test_ptxas_takes_what_is_fixed(tmp_path: Path) -> None:
    """All that fixes make of statements, in one kernel."""
    made = [after for before, mutant in ALL[5::61] for after in fixed(mutant)]
    assert len(made) > 10
    run = assemble(module("\n".join(made)), tmp_path, "sm_90")
    assert run.status == 0, run.output


def test_offers_still_mend() -> None:
    text = module("add.s32 %r1, %r2, %rd1;\n")
    (found,) = lint(Document.read(text))
    assert applied(Document.read(text), found.fixes[0].edits) == module("add.s32 %r1, %r2, %r1;\n")
