"""Mistakes elsewhere cost nothing while a line is edited, and fixes cost nothing unasked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from benchmarks.blame import mutants
from certify.oracle import FOOTER, header
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.lint.fixes.apply import choose
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
from ptx_ls.semantics.name_resolver import NameResolver
from ptx_ls.semantics.region_check import RegionChecker
from ptx_ls.semantics.symbols.symbols import Facts
from ptx_ls.source import Applicability, Offers, Position
from ptx_ls.syntax.record import Shape

KERNEL = """\
.version 9.3
.target sm_90a
.address_size 64
.visible .entry kernel()
{
.reg .pred %p<10>;
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
.reg .f32 %f<10>;
add.u32 %r0, %r1, %r2;
"""
ACCUMULATORS = "{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}"
BAD = {
    "cp.async": "cp.async.cg.shared.global.L1::foo [%r1], [%rd1], 16;\n",
    "mma.sp": "mma.sp.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},"
    " {%r1,%r2}, {%r5,%r6}, {%f1,%f2,%f3,%f4}, %r1, 0;\n",
    "wgmma": f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.e5m2 {ACCUMULATORS},"
    " %rd1, %rd2, 1, 1, 1, 0, 0;\n",
    "unknown opcode": "addd.u32 %r1, %r2, %r3;\n",
    "undeclared": "add.u32 %r1, %x, %r3;\n",
    "operand type": "add.f32 %rd1, %r2, %r3;\n",
    "number": "bar.sync 99;\n",
}


def check_keystroke(bad: str, count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Types in a kernel with `count` bad lines; returns the number of statements checked."""
    document = Document.read(KERNEL + bad * count + "}\n")
    session = LintSession(document)
    finish(session)
    before = session.diagnostics()
    look, looked = RegionChecker._instruction, Counter[str]()  # noqa: SLF001  the work

    def counted(checker: RegionChecker, *given: object) -> None:
        looked["statements"] += 1
        look(checker, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(RegionChecker, "_instruction", counted)
    line = KERNEL.count("\n") - 1
    document = edited(
        document, Position(line, len("add.u32 %r0")), Position(line, len("add.u32 %r0")), "9"
    )
    session.document = document
    finish(session)
    document = edited(
        document, Position(line, len("add.u32 %r0")), Position(line, len("add.u32 %r09")), ""
    )
    session.document = document
    finish(session)
    monkeypatch.undo()
    assert session.diagnostics() == before == lint(Document.read(document.text))
    return looked["statements"]


def finish(session: LintSession) -> None:
    """Does all work that is due."""
    while (work := session.pending()) is not None:
        work.run(lambda: False)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_only_the_edited_line_is_looked_at(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few = check_keystroke(bad, 10, monkeypatch)
    assert few <= len(("%r09", "%r0"))
    assert check_keystroke(bad, 200, monkeypatch) == few


def _place(text: str, offset: int) -> Position:
    return Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


def check_edit(bad: str, before: str, after: str) -> None:
    """Fails unless the diagnostics after an edit elsewhere are those of a fresh check."""
    text = KERNEL + bad * 3 + "}\n"
    document = Document.read(text)
    session = LintSession(document)
    finish(session)
    begin = text.index(before)
    document = edited(document, _place(text, begin), _place(text, begin + len(before)), after)
    session.document = document
    finish(session)
    assert session.diagnostics() == lint(Document.read(document.text))


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_a_line_depends_on_is_edited(bad: str) -> None:
    for before, after in (
        (".reg .f32 %f<10>;", ".reg .b32 %f<10>;"),
        (".reg .f32 %f<10>;", ".reg .f32 %f<10>, %x;"),
        (".reg .b32 %r<10>;", ".reg .f32 %r<10>;"),
        ("sm_90a", "sm_70"),
        ("9.3", "7.0"),
        ("add.u32 %r0", "\n\nadd.u32 %r0"),
        ("\nadd.u32 %r0", " add.u32 %r0"),
        ("{\n", "{\n{\n"),
    ):
        check_edit(bad, before, after)


def wrong_modules() -> list[str]:
    """Modules with one mistake each, of every kind."""
    made = mutants(300, seed=3)
    return [f"{header(mutant.where)}{mutant.statement}\n{FOOTER}" for mutant in made]


def check_offers(count: Callable[[Document], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """Lints modules with mistakes; returns how many offers of fixes were looked for."""
    found, look = Counter[str](), Offers.fixes

    def counted(offers: Offers) -> object:
        found["offers"] += 1
        return look(offers)

    monkeypatch.setattr(Offers, "fixes", counted)
    for text in wrong_modules():
        count(Document.read(text))
    monkeypatch.undo()
    return found["offers"]


@pytest.mark.slow
def test_no_guess_is_looked_for_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_offers(lambda document: choose(lint(document)), monkeypatch) == 0
    asked = check_offers(lambda document: [one.fixes for one in lint(document)], monkeypatch)
    assert asked > 0


@pytest.mark.slow
def test_what_is_offered_when_asked_is_a_guess_without_a_header() -> None:
    n_offered = 0
    for text in wrong_modules():
        for one in lint(Document.read(text)):
            for fix in one.offers.fixes() if one.offers is not None else ():
                n_offered += 1
                assert fix.applicability is Applicability.GUESS
                assert not fix.header
                assert fix.edits
    assert n_offered > 0


@pytest.mark.parametrize("name", ["cp.async", "mma.sp", "wgmma", "number"])
def test_names_of_an_illegal_instruction_are_resolved_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolved(*_given: object) -> None:
        pytest.fail("its names were known already")

    monkeypatch.setattr(NameResolver, "resolve", resolved)
    assert lint(Document.read(KERNEL + BAD[name] * 2 + "}\n"))


@pytest.mark.parametrize("name", ["cp.async", "mma.sp", "wgmma"])
def test_violations_share_equal_operands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, judged = InstructionChecker.shape, set[InstructionVerdict]()

    def kept(
        self: InstructionChecker, shape: Shape, facts: tuple[Facts, ...]
    ) -> InstructionVerdict:
        found = judge(self, shape, facts)
        judged.add(found)
        return found

    monkeypatch.setattr(InstructionChecker, "shape", kept)
    others = [BAD[name].replace(" ", f"{modifier} ", 1) for modifier in (".b", ".c", ".d")]
    lint(Document.read(KERNEL + BAD[name] + "".join(others) + "}\n"))
    operands = [operand for one in judged for operand in one.operands]
    assert len(operands) >= len(others)
    assert len({id(operand) for operand in operands}) == len(set(operands))
