"""Pseudo-code of an instruction in its own operands."""

from __future__ import annotations

import fnmatch
import re
from textwrap import dedent

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.document.statements import statement_at
from ptx_ls.features.hover.instructions.pseudo_code import operand_texts, pseudo_code
from ptx_ls.features.hover.instructions.pseudo_code_conditions import variant_of
from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
from ptx_ls.source import Position
from tests.features.hover.test_hover import KERNEL
from tests.support.fixture import parse_fixture


def code_of(analysis: Analysis, judged: JudgedInstruction) -> str:
    """The pseudo-code of an instruction, as its hover shows it."""
    operands = operand_texts(judged)
    return pseudo_code(judged, operands, variant_of(analysis, judged, operands))


def check_pseudo_code(statement: str, expected: str) -> None:
    """Checks the pseudo-code of an instruction, without comments."""
    lines = (line.partition("//")[0].rstrip() for line in lines_of(statement))
    assert "\n".join(filter(None, lines)) == dedent(expected).strip()


def comments_of(statement: str) -> list[str]:
    """The comments in the pseudo-code of an instruction."""
    return [line.partition("// ")[2] for line in lines_of(statement) if "//" in line]


def lines_of(statement: str) -> list[str]:
    """The pseudo-code of an instruction in a kernel."""
    fixture = parse_fixture(KERNEL.replace("BODY", f"<|>{statement}"))
    analysis = Analysis(Document.read(fixture.text))
    place = statement_at(analysis.document, fixture.cursor)
    assert place is not None
    judged = analysis.instruction(place)
    assert judged is not None
    return code_of(analysis, judged).split("\n")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("cp.async.wait_group 0;", "wait until all committed groups are complete;"),
        (
            "cp.async.wait_group 1;",
            "wait until all committed groups except the newest one are complete;",
        ),
        (
            "cp.async.wait_group 0x2;",
            "wait until all committed groups except the newest 2 are complete;",
        ),
        (
            "cp.async.bulk.wait_group.read 0;",
            "wait until all committed groups have read their sources;",
        ),
        (
            "cp.async.ca.shared.global [tile], [%rd1], 0x8;",
            "start { tile[0 .. 7] = %rd1[0 .. 7] };",
        ),
        ("add.s32 %r3, %r1, 0x10;", "%r3 = %r1 + 0x10;"),
        ("add.s32 %r3, %r1, -4;", "%r3 = %r1 - 4;"),
        ("add.cc.s32 %r3, %r1, %r2;", "t = %r1[31:0] + %r2[31:0];\n%r3 = t;  CC.CF = t[32];"),
        ("@!%p1 add.s32 %r3, %r1, %r2;", "if (!%p1) %r3 = %r1 + %r2;"),
        (
            "@%p1 add.cc.u32 %r3, %r1, 1;",
            """
            if (%p1) {
              t = %r1 + 1;
              %r3 = t;  CC.CF = t[32];
            }
            """,
        ),
        ("mad.lo.s32 %r3, %r1, %r2, 5;", "%r3 = %r1 * %r2 + 5;"),
        ("mad.wide.s32 %rd3, %r1, %r2, %rd1;", "%rd3 = %r1 * %r2 + %rd1;"),
        ("fma.rn.f32 %f3, %f1, %f2, %f4;", "%f3 = rn(%f1 * %f2 + %f4);"),
        (
            "fma.rn.f16x2 %r3, %r1, %r2, %r4;",
            "for i in 0 .. 1: %r3[i] = rn(%r1[i] * %r2[i] + %r4[i]);",
        ),
        ("ld.global.u32 %r1, [%rd1+4];", "%r1 = *(global u32 *)(%rd1+4);"),
        ("ld.global.v2.u32 {%r1, %r2}, [%rd1];", "{%r1, %r2} = *(global v2 u32 *)%rd1;"),
        ("ld.u32 %r1, [%rd1];", "%r1 = *(u32 *)%rd1;"),
        ("ld.param.u32 %r1, [count];", "%r1 = count;"),
        ("st.shared.f32 [%r1], %f1;", "*(shared f32 *)%r1 = %f1;"),
        ("selp.b32 %r1, %r2, %r3, %p1;", "%r1 = %p1 ? %r2 : %r3;"),
        ("setp.lt.s32 %p1, %r1, 7;", "%p1 = %r1 < 7;"),
        ("setp.ne.f32 %p1, %f1, %f2;", "%p1 = %f1 < %f2 || %f1 > %f2;"),
        ("setp.geu.f32 %p1, %f1, %f2;", "%p1 = %f1 >= %f2 || isnan(%f1) || isnan(%f2);"),
        ("setp.geu.f32 %p1, %f1, 0f3F800000;", "%p1 = %f1 >= 0f3F800000 || isnan(%f1);"),
        ("setp.nan.f32 %p1, %f1, %f1;", "%p1 = isnan(%f1);"),
        ("setp.num.f32 %p1, %f1, 1.0;", "%p1 = !isnan(%f1);"),
        ("setp.equ.f32 %p1, %f1, 0f7FC00000;", "%p1 = 1;"),
        ("mul.ftz.f32 %f1, %f2, 0f3F000000;", "%f1 = ftz(ftz(%f2) * 0f3F000000);"),
        ("mul.ftz.f32 %f1, %f2, 0f00000001;", "%f1 = ftz(ftz(%f2) * ftz(0f00000001));"),
        ("cvt.ftz.f32.f32 %f1, %f2;", "%f1 = ftz(%f2);"),
        ("bfi.b32 %r1, %r2, %r3, 8, 5;", "%r1 = (%r3 & ~0x1f00) | ((%r2 << 8) & 0x1f00);"),
        (
            "cvt.rzi.s64.f32 %rd1, %f1;",
            "%rd1 = isnan(%f1) ? 0x8000000000000000 : clamp(rzi(%f1), s64);",
        ),
        (
            "cp.async.cg.shared.global [tile], [%rd1], 16, 16;",
            "start { tile[0 .. 15] = %rd1[0 .. 15] };",
        ),
        (
            "cp.async.cg.shared.global [tile], [%rd1], 16, 8;",
            "start { tile[0 .. 7] = %rd1[0 .. 7]; the rest up to 16 = 0 };",
        ),
        (
            "fence.mbarrier_init.release.cluster;",
            (
                "order each earlier mbarrier.init of this thread before its later accesses, "
                "as seen by the threads of its cluster;"
            ),
        ),
        (
            "fence.release.sync_restrict::shared::cta.cluster;",
            (
                "order the earlier accesses of this thread before its later ones, "
                "as seen by the threads of its cluster;\nfor shared memory of the block only;"
            ),
        ),
        (
            "membar.gl;",
            (
                "order the earlier accesses of this thread before its later ones, "
                "as seen by the threads of the device;"
            ),
        ),
        (
            "setp.eq.and.u32 %p1|%p2, %r1, %r2, !%p3;",
            "t = %r1 == %r2;\n%p1 = t && !%p3;\n%p2 = !t && !%p3;",
        ),
        ("mov.u32 %r1, %tid.x;", "%r1 = %tid.x;"),
        ("mov.u64 %rd1, (.u64)-1;", "%rd1 = (.u64)-1;"),
        (
            "wmma.load.c.sync.aligned.col.m16n16k16.f16 {%r1, %r2, %r3, %r4}, [%rd1], 16;",
            (
                "{%r1, %r2, %r3, %r4} = this lane's part of the matrix at %rd1, "
                "columns 16 elements apart;"
            ),
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 0;",
            "start { D at %r1 = (A at %rd1) * (B at %rd2) };",
        ),
        (
            "elect.sync _|%p1, -1;",
            (
                "wait until all 32 lanes are here;\n"
                "leader = one lane among all 32 lanes;  %p1 = (this lane == leader);"
            ),
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r1}, [%r2];",
            (
                "for each matrix m (x1):\n"
                "    row[k] = 16 bytes at the address held by lane 8 * m + k;\n"
                "    register m of {%r1} = element i of row[2 * j] and of row[2 * j + 1];"
            ),
        ),
        ("mov.u64 %rd1, table;", "%rd1 = address of table;"),
        ("mov.b64 {%r1, %r2}, %rd1;", "{%r1, %r2} = %rd1;"),
        ("cvt.rn.f32.s32 %f1, %r1;", "%f1 = rn(%r1);"),
        ("cvt.rn.f16x2.f32 %r1, %f1, %f2;", "%r1[1] = rn(%f1);  %r1[0] = rn(%f2);"),
        ("cvta.to.global.u64 %rd1, %rd2;", "%rd1 = global address of the generic address %rd2;"),
        ("cvta.shared.u64 %rd1, tile;", "%rd1 = generic address of the shared address tile;"),
        ("shl.b32 %r1, %r2, 40;", "%r1 = %r2 << 32;"),
        ("shf.l.wrap.b32 %r1, %r2, %r3, 33;", "%r1 = (((%r3 << 32) | %r2) << 1)[63:32];"),
        ("bfe.u32 %r1, %r2, 4, 8;", "%r1 = %r2[11:4];"),
        (
            "prmt.b32 %r1, %r2, %r3, 0x5410;",
            (
                "t = (%r3 << 32) | %r2;\n%r1.byte[0] = t.byte[0];  %r1.byte[1] = t.byte[1];"
                "  %r1.byte[2] = t.byte[4];  %r1.byte[3] = t.byte[5];"
            ),
        ),
        (
            "prmt.b32 %r1, %r2, 0, 0x8880;",
            (
                "t = %r2;\n%r1.byte[0] = t.byte[0];  %r1.byte[1] = t.byte[0][7] ? 255 : 0;"
                "  %r1.byte[2] = t.byte[0][7] ? 255 : 0;  %r1.byte[3] = t.byte[0][7] ? 255 : 0;"
            ),
        ),
        ("lop3.b32 %r1, %r2, %r3, %r4, 0x80;", "%r1 = %r2 & %r3 & %r4;"),
        ("min.s32 %r1, %r2, 3;", "%r1 = min(%r2, 3);"),
        ("@%p1 bra done;\ndone:", "if (%p1) goto done;"),
        (
            "@%p1 mbarrier.init.shared.b64 [%r1], 64;",
            "if (%p1) { phase = 0; expected = pending = 64; tx = 0; }",
        ),
        ("mbarrier.init.shared.b64 [%rd1], 1;", "phase = 0; expected = pending = 1; tx = 0;"),
        ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%rd1], 16;", "tx += 16;"),
        (
            "mbarrier.arrive.noComplete.shared.b64 %rd1, [%rd2], 2;",
            "%rd1 = phase;\npending -= 2;",
        ),
        ("bar.warp.sync -1;", "wait until all 32 lanes are here, with the same mask;"),
        ("red.global.add.u32 [%rd1], %r2;", "*%rd1 += %r2 atomically;"),
        (
            "atom.global.cas.b32 %r1, [%rd1], %r2, %r3;",
            """
            atomically {
              old = *%rd1;
              *%rd1 = old == %r2 ? %r3 : old;
              %r1 = old;
            }
            """,
        ),
        (
            "vote.sync.ballot.b32 %r1, !%p1, 0xff;",
            """
            wait(0xff);
            %r1 = sum(i in 0xff: ((!%p1) of lane i) << i);
            """,
        ),
        (
            "shfl.sync.bfly.b32 %r6|%p1, %r5, 16, 0x1f, -1;",
            """
            wait(0xffffffff);
            %r6 = %r5 of lane (lane ^ 16);
            %p1 = 1;
            """,
        ),
        (
            "createpolicy.fractional.L2::evict_last.b64 %rd1, 0.5;",
            "%rd1 = L2::evict_last with probability 0.5, else L2::evict_unchanged;",
        ),
        (
            "createpolicy.range.L2::evict_last.L2::evict_first.b64 %rd1, [%rd2], 8, 16;",
            """
            %rd1 = L2::evict_last for [%rd2, %rd2 + 8),
              L2::evict_first for the rest of [%rd2 - 8, %rd2 + 16);
            """,
        ),
    ],
)
def test_real_instructions(statement: str, expected: str) -> None:
    check_pseudo_code(statement, expected)


@pytest.mark.parametrize(
    ("selectors", "is_explained"),
    [("0x5410", False), ("0x7777", False), ("0x8880", True), ("0xffff", True), ("%r3", True)],
)
def test_a_comment_on_a_choice_goes_with_the_choice(selectors: str, *, is_explained: bool) -> None:
    comment = "bit 3 of a selector: only the sign"
    assert (comment in comments_of(f"prmt.b32 %r1, %r2, %r3, {selectors};")) is is_explained


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        (
            "[%r1], %rd1, %rd2, %r2, %p1",
            "start { D at %r1 = (A at %rd1) * (B at %rd2) + (%p1 ? D : 0) };",
        ),
        (
            "[%r1], [%r3], %rd2, %r2, %p1",
            "start { D at %r1 = (A at %r3) * (B at %rd2) + (%p1 ? D : 0) };",
        ),
        (
            "[%r1], %rd1, %rd2, %r2, %p1, 3",
            "start { D at %r1 = (A at %rd1) * (B at %rd2) + (%p1 ? D * 2^-3 : 0) };",
        ),
        (
            "[%r1], [%r3], %rd2, %r2, %p1, 3",
            "start { D at %r1 = (A at %r3) * (B at %rd2) + (%p1 ? D * 2^-3 : 0) };",
        ),
    ],
)
def test_a_product_of_matrices_names_where_they_are(operands: str, expected: str) -> None:
    check_pseudo_code(f"tcgen05.mma.cta_group::1.kind::f16 {operands};", expected)


def test_conditions_are_of_what_there_is() -> None:
    """Every name in a condition is a modifier, a slot, an operand or a word of the notation."""
    words = {"float", "packed", "signed", "unsigned", "rejected"}
    looks = {"", "vector", "address", "wide", "name", "negated", "volatile", "predicate"}
    kinds = {*looks, "special", "constant", "integer", "repeated", "wider", "narrower", *words}
    for name in sorted(isa.database().keywords):
        instruction = isa.database().instruction(name)
        if instruction is None:
            continue
        syntax = " ".join(form.syntax for form in instruction.forms)
        accepted = {it.strip(".") for form in instruction.forms for it in form.row.accepts}
        every = [slot for form in instruction.forms for slot in form.row.slots]
        accepted |= {value.strip(".") for slot in every for value in slot.values}
        accepted |= {slot.name for form in instruction.forms for slot in form.row.slots}
        tests = re.findall(r"// if ((?:[^:\n]|::)*)", instruction.prose.semantics)
        tests += [condition for _, condition in instruction.prose.headlines if condition]
        for test in (*tests, *filter(None, instruction.prose.pitfall_conditions)):
            for item in re.split(r" and | or ", test.strip()):
                kind, _, operand = item.removeprefix("no ").rpartition(" ")
                if kind in ("in", "before"):
                    places = {"in": {"kernel", "function"}, "before": isa.database().targets}
                    assert operand in places[kind], (name, item)
                    continue
                is_known = operand in words or bool(
                    re.search(rf"(?<![\w.]){operand}(?!\w)", syntax)
                )
                is_known = is_known or (kind in kinds and operand in accepted)
                if operand.startswith("."):
                    names = {operand[1:], *operand[1:].split(".")}
                    is_known = bool(fnmatch.filter(accepted, operand[1:]) or accepted & names)
                if kind in accepted and operand.startswith("."):  # what is in a slot
                    kind = ""
                assert is_known, (name, item)
                assert kind in kinds, (name, item)


def test_something_is_left_of_every_opcode() -> None:
    for name in sorted(isa.database().keywords):
        fixture = parse_fixture(KERNEL.replace("BODY", f"<|>{name} %r1, %r2;"))
        analysis = Analysis(Document.read(fixture.text))
        place = statement_at(analysis.document, fixture.cursor)
        judged = analysis.instruction(place) if place is not None else None
        if judged is not None and judged.instruction is not None:
            assert bool(code_of(analysis, judged)) == bool(judged.instruction.prose.semantics)


@pytest.mark.parametrize("name", ["h1", "b0", "b32"])
def test_a_register_that_is_named_like_a_selector(name: str) -> None:
    analysis = Analysis(
        Document.read(f".entry k() {{\n.reg .b32 x, {name};\nnot.b32 x, {name};\n}}\n")
    )
    place = statement_at(analysis.document, Position(2, 0))
    assert place is not None
    judged = analysis.instruction(place)
    assert judged is not None
    assert code_of(analysis, judged) == f"x = ~{name};"
