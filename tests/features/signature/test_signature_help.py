"""Signature help: what a statement takes, and which operand is at the cursor."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.signature.signature_help import signature_help
from ptx_ls.features.signature.signature_item import SignatureItem
from ptx_ls.semantics.analysis import Analysis
from tests.features.hover.test_hover import KERNEL
from tests.support.fixture import parse_fixture


def check_signature(
    marked: str, label: str | None, active: str | None = None, *parts: str, whole: bool = False
) -> tuple[SignatureItem, ...]:
    """The best signature at the cursor, its active parameter, and parts of their descriptions.

    `marked` is in the body of a kernel, or is the text itself if `whole`.
    """
    fixture = parse_fixture(marked if whole else KERNEL.replace("BODY", marked))
    found = signature_help(Analysis(Document.read(fixture.text)), fixture.cursor)
    if label is None:
        assert found is None, found
        return ()
    assert found is not None
    for each in found.signatures:
        for parameter in each.parameters:
            assert 0 <= parameter.start < parameter.stop <= len(each.label)
    best = found.signatures[found.best]
    assert best.label == label
    if active is None:
        assert best.active == -1
        return found.signatures
    assert best.active >= 0
    parameter = best.parameters[best.active]
    assert best.label[parameter.start : parameter.stop] == active
    for part in parts:
        assert part in f"{parameter.documentation}\n{best.documentation}"
    return found.signatures


@pytest.mark.parametrize(
    ("marked", "active", "part"),
    [
        ("add.s32 <|>", "d", "`d`, written: a register of type `.s32`"),
        ("add.s32 %r<|>", "d", "Destination"),
        ("add.s32 %r1,<|>", "a", "`a`, read: a register or constant of type `.s32`"),
        ("add.s32 %r1, %r2, <|>", "b", "Second summand"),
        ("add.s32 %r1, <|>%r2, 3;", "a", "First summand"),
        ("@!%p1 add.s32 %r1, <|>", "a", ""),
        ("add.s32\n  %r1, // the sum\n  <|>", "a", ""),
        ("ret; add.s32 %r1, <|>; ret;", "a", ""),
    ],
)
def test_the_operand_at_the_cursor(marked: str, active: str, part: str) -> None:
    check_signature(marked, "add.s32 d, a, b", active, part)


def test_more_operands_than_there_are() -> None:
    check_signature("add.s32 %r1, %r2, %r3, <|>", "add.s32 d, a, b")


def test_vectors() -> None:
    mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    written = f"{mma} {{%f1, %f2, %f3, %f4}}, {{%r1, <|>"
    operand = "4 registers of type `.b32` in braces"
    check_signature(written, f"{mma} d, a, b, c", "a", "Element 1", operand)
    check_signature(
        "ld.global.v2.f32 {<|>", "ld.global.v2.f32 d, [a]{.unified}{, cache-policy}", "d"
    )


@pytest.mark.parametrize("dimension", [".1d", ".2d", ".3d"])
def test_a_vector_that_the_modifiers_do_not_allow(dimension: str) -> None:
    opcode = f"cp.async.bulk.prefetch.tensor{dimension}.L2.global"
    label = (
        f"{opcode} [tensorMap{{, gAddrToOverride}}{{, tensorSizeToOverride}}"
        "{, tensorLowerStrideToOverride}{, tensorUpperStrideToOverride}, tensorCoords]"
        "{, im2colInfo}{, cache-policy}"
    )
    operand = (
        "registers or constants of type `.u16` in braces: "
        "1 (`.3d`), 2 (`.4d`) or 3 (`.5d`) if `.load_mode` is `.im2col`; "
        "2 if `.load_mode` is `.im2col::w` or `.im2col::w::128`"
    )
    check_signature(f"{opcode} [%rd1, {{%r1}}], <|>", label, "im2colInfo", operand)


def test_brackets() -> None:
    check_signature(
        "st.global.u32 [<|>", "st.global.u32 [a], b{, cache-policy}", "[a]", "address in `.global`"
    )
    copy = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
    for inside, active in (
        ("<|>", "tensorMap"),
        ("%rd1, <|>", "tensorCoords"),
        ("%rd1, {%r1, <|>", "tensorCoords"),
    ):
        fixture = KERNEL.replace("BODY", f"{copy} [%r1], [{inside}")
        (found,) = check_signature_of(fixture)
        parameter = found.parameters[found.active]
        assert found.label[parameter.start : parameter.stop] == active


def check_signature_of(marked: str) -> tuple[SignatureItem, ...]:
    """The signatures in a text."""
    fixture = parse_fixture(marked)
    found = signature_help(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert found is not None
    return found.signatures


def test_second_destinations() -> None:
    label = "setp.lt.s32 p{|q}, a, b"
    check_signature("setp.lt.s32 <|>", label, "p")
    check_signature("setp.lt.s32 %p1|<|>", label, "q")
    check_signature("setp.lt.s32 %p1|%p2, <|>", label, "a")


def test_ranges_and_kinds() -> None:
    check_signature(
        "lop3.b32 %r1, %r2, %r3, %r4, <|>", "lop3.b32 d, a, b, c, immLut", "immLut", "0 to 255"
    )
    check_signature(
        "cp.async.ca.shared.global [%r1], [%rd1], <|>",
        "cp.async.ca.shared.global [dst], [src], cp-size{, {!}src-size}{, cache-policy}",
        "cp-size",
        "4, 8 or 16",
    )
    check_signature("@%p1 bra <|>", "bra tgt", "tgt", "label")


def test_all_forms_that_fit() -> None:
    found = check_signature("mov.b64 <|>", "mov.b64 d, a", "d")
    assert len(found) > 1
    (only,) = check_signature("mov.b64 {<|>", "mov.b64 d, a", "d", "vector in braces")
    assert "Splits" in only.documentation
    check_signature("mov.b64 %rd1, {<|>", "mov.b64 d, a", "a", "Joins")


def test_what_was_given_decides() -> None:
    labels = {
        each.label
        for each in check_signature("setp.lt.s32 %p1, %r1, <|>", "setp.lt.s32 p{|q}, a, b", "b")
    }
    assert labels == {"setp.lt.s32 p{|q}, a, b"}
    check_signature("setp.lt.and.s32 %p1, %r1, 2, <|>", "setp.lt.and.s32 p{|q}, a, b, {!}c", "{!}c")


def test_wrong_operands_leave_the_signature() -> None:
    check_signature("add.s32 %f1, %p1, <|>", "add.s32 d, a, b", "b")


@pytest.mark.parametrize(
    ("written", "operands"),
    [
        ("sust.p.1d.f32.trap", "[<|>a, b], c"),
        ("sust.p.2d.v4.u32.clamp", "[<|>a, b], c"),
        ("suld.p.1d.v4.f32.trap", "<|>d, [a, b]"),
        ("add.b32", "<|>d, a, b"),
        ("add.s32.nosuch", "<|>d, a, b"),
        ("ld.global.globl.u32", "<|>d, [a]{.unified}{, cache-policy}"),
    ],
)
def test_wrong_modifiers_leave_the_signature(written: str, operands: str) -> None:
    typed, _, rest = operands.partition("<|>")
    active = rest.removeprefix("[").partition(",")[0]
    check_signature(f"{written} {typed}<|>", f"{written} {typed}{rest}", active)


def test_what_the_module_lacks() -> None:
    check_signature(
        "add.f32x2 <|>", "add.f32x2 d, a, b", "d", "Needs PTX ISA 8.6 and sm_100 or newer."
    )


POWER = "(.param .b32 result), power, (.param .b32 base, .param .align 8 .b8 more[12])"


@pytest.mark.parametrize(
    ("marked", "active"),
    [
        ("call (<|>), power, (%r1);", ".param .b32 result"),
        ("call (%r1), power, (<|>", ".param .b32 base"),
        ("call (%r1), power, (%r2, <|>);", ".param .align 8 .b8 more[12]"),
        ("call (%r1), power, <|>", None),
        ("call (%r1), power, (%r2, %r3, <|>", None),
    ],
)
def test_calls(marked: str, active: str | None) -> None:
    check_signature(marked, f"call {POWER}", active)


def test_calls_through_prototypes_and_lists() -> None:
    prototype = "P: .callprototype (.param .b32 _) _ (.param .b64 x, .param .f32 y);\n"
    check_signature(
        prototype + "call (%r1), %rd1, (%rd2, <|>), P;",
        "call (.param .b32 _), _, (.param .b64 x, .param .f32 y)",
        ".param .f32 y",
    )
    check_signature(
        "T: .calltargets power;\ncall (%r1), %rd1, (<|>), T;", f"call {POWER}", ".param .b32 base"
    )


def test_calls_of_what_nobody_knows() -> None:
    check_signature("call (<|>", "call (ret), f, (params){, fproto}", "(ret)")
    check_signature("call (%r1), nobody, (<|>", "call (ret), f, (params){, fproto}", "(params)")


def test_mangled_names_are_told_as_the_source_has_them() -> None:
    function = ".func _Z5saxpyiPf(.param .b32 n, .param .b64 x) { ret; }\n"
    text = function + ".entry k() { call _Z5saxpyiPf, (<|>"
    check_signature(
        text,
        "call _Z5saxpyiPf, (.param .b32 n, .param .b64 x)",
        ".param .b32 n",
        "`saxpy(int, float*)`",
        whole=True,
    )


@pytest.mark.parametrize(
    ("marked", "label", "active"),
    [
        (".entry k()\n.maxntid <|>", ".maxntid nx{, ny{, nz}}", "nx"),
        (".entry k()\n.maxntid 32, <|>", ".maxntid nx{, ny{, nz}}", "ny"),
        (".entry k()\n.maxntid 32, 4, 1<|>", ".maxntid nx{, ny{, nz}}", "nz"),
        (".entry k() .maxnreg 3<|>", ".maxnreg n", "n"),
        (".target sm_90, <|>", ".target architecture{, option}", "option"),
        (".version <|>", ".version major.minor", "major.minor"),
        (".entry k() {\n.loc 1 <|>", ".loc file line column", "line"),
        (".entry k() { A: B: .branchtargets A, <|>", ".branchtargets label{, label}", "label"),
        ('.pragma "<|>', '.pragma "string"{, "string"}', '"string"'),
    ],
)
def test_directives(marked: str, label: str, active: str) -> None:
    check_signature(marked, label, active, whole=True)


@pytest.mark.parametrize(
    "marked",
    [
        "<|>",
        "add<|>",
        "add.s32<|>",
        "ret;<|>",
        "ret; <|>",
        "// add.s32 <|>",
        "/* add.s32 <|> */",
        "nosuch %r1, <|>",
        "@%p1 <|>",
        "@<|>",
        ".reg .b32 <|>",
        "L: <|>",
        ".noreturn <|>",
    ],
)
def test_nothing_to_show(marked: str) -> None:
    check_signature(marked, None)
