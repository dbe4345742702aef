"""The verdict of `isa.check` on one statement."""

from __future__ import annotations

import pytest

from certify.reader import read_statement
from ptx_ls import isa

V = isa.ViolationKind


def check_violations(text: str, context: isa.Context | None = None) -> list[isa.Violation]:
    """The violations of a statement written with certify's register names."""
    statement = read_statement(text)
    instruction = isa.database().instruction(statement.opcode)
    assert instruction is not None
    verdict = isa.check(
        instruction, statement.modifiers, statement.values, context or isa.Context()
    )
    return list(verdict.violations)


def check_kinds(text: str, context: isa.Context | None = None) -> list[isa.ViolationKind]:
    return [violation.kind for violation in check_violations(text, context)]


@pytest.mark.parametrize(
    "text",
    [
        "add.u32 b32_1, u32_2, s32_3;",
        "mad.wide.u16 f16x2_1, b16_2, b16_3, f16x2_4;",
        "bar.sync 4294967297;",
        "add.f32 f32_1, b32_2, 1.5;",
        "ld.global.u8 b64_1, [b64_2];",
        "ld.global.v4.f32 {f32_1, f32_2, f32_3, f32_4}, [global_variable];",
        "ld.global.L2::cache_hint.u32 b32_1, [b64_1], b64_2;",
        "setp.lt.and.s32 pred_1|pred_2, b32_1, 1, !pred_3;",
        "mov.b64 b64_1, {b32_1, b32_2};",
        "mov.u32 b32_1, %tid.x;",
        "ret;",
        "bar.sync 0;",
        "bra Label;",
        "txq.width.b32 b32_1, [texture];",
        "tex.2d.v4.f32.f32 {f32_1, f32_2, f32_3, f32_4}|pred_1, [texture, {f32_5, f32_6}];",
        "tcgen05.ld.sync.aligned.32x32b.x2.b32 {b32_1, b32_2}, [b32_3];",
    ],
)
def test_legal(text: str) -> None:
    assert check_kinds(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("add.nosuch.u32 b32_1, b32_2, b32_3;", V.UNKNOWN_MODIFIER),
        ("add.sat.u64 b64_1, b64_2, b64_3;", V.ILLEGAL_MODIFIER),
        ("add b32_1, b32_2, b32_3;", V.MISSING_MODIFIER),
        ("add.u32.u32 b32_1, b32_2, b32_3;", V.DUPLICATE_MODIFIER),
        ("add.u32 b32_1, b32_2;", V.OPERAND_COUNT),
        ("add.u32 b32_1, b32_2, f32_3;", V.OPERAND_TYPE),
        ("shl.b32 b32_1, b32_2, f16x2_3;", V.OPERAND_TYPE),
        ("redux.sync.add.u32 b32_1, f16x2_2, b32_3;", V.OPERAND_TYPE),
        ("bfe.u32 b32_1, b32_2, 4294967297, 4;", V.IMMEDIATE_RANGE),
        ("ld.global.u32 b32_1, [b128_2];", V.OPERAND_WIDTH),
        ("add.u32 b32_1, b32_2, b64_3;", V.OPERAND_WIDTH),
        ("add.u32 b32_1, b32_2, [b64_3];", V.OPERAND_KIND),
        ("add.f32 f32_1, f32_2, 1;", V.OPERAND_TYPE),
        ("ld.global.v4.f32 {f32_1, f32_2}, [b64_1];", V.VECTOR_SIZE),
        ("ld.shared.u32 b32_1, [global_variable];", V.STATE_SPACE),
        ("bar.sync 16;", V.IMMEDIATE_RANGE),
        ("txq.width.b32 b32_1, [b32_2];", V.OPERAND_WIDTH),
        ("txq.width.b32 b32_1, [surface];", V.OPERAND_TYPE),
        ("tcgen05.ld.sync.aligned.32x32b.x2.b32 {b32_1, b32_2}, [b64_3];", V.OPERAND_WIDTH),
        ("mma.sync.aligned.m16n8k8.col.row.f32.f16.f16.f32 {f32_1}, {f32_1}, {f32_1}, {f32_1};",
         V.MODIFIER_ORDER),
    ],
)  # fmt: skip
def test_illegal(text: str, kind: isa.ViolationKind) -> None:
    violations = check_violations(text)
    assert kind in [violation.kind for violation in violations if not violation.lenient]


def test_order_is_a_hint() -> None:
    (violation,) = check_violations("ld.v2.global.f32 {f32_1, f32_2}, [b64_1];")
    assert violation.kind is V.MODIFIER_ORDER
    assert violation.lenient
    assert violation.expected == (".global.v2.f32",)


def test_missing_modifier_lists_what_is_legal() -> None:
    (violation,) = check_violations("cvt.s32.f32 b32_1, f32_1;")
    assert violation.kind is V.MISSING_MODIFIER
    assert violation.expected == (".rni", ".rzi", ".rmi", ".rpi")


def test_version_and_target_name_what_is_required() -> None:
    (violation,) = check_violations(
        "add.rn.f32x2 b64_1, b64_2, b64_3;", isa.Context((8, 5), ("sm_90a", "debug"))
    )
    assert violation.kind is V.TARGET
    assert violation.required == "PTX ISA 8.6 and sm_100 or newer"


def test_unknown_version_and_target_gate_nothing() -> None:
    assert check_kinds("add.rn.f32x2 b64_1, b64_2, b64_3;") == []


def test_newer_version_draws_no_error() -> None:
    assert check_kinds("add.nosuch.u32 b32_1;", isa.Context((10, 0), ("sm_90",))) == []


def test_unknown_operand_draws_nothing() -> None:
    instruction = isa.database().instruction("add")
    assert instruction is not None
    unknown = isa.Operand(isa.OperandKind.UNKNOWN)
    verdict = isa.check(instruction, (".u32",), (unknown, unknown, unknown), isa.Context())
    assert verdict.violations == ()
    assert [spec.type for spec in verdict.operand_specs if spec] == [".u32"] * 3


def test_next_modifiers_are_legal_and_in_order() -> None:
    instruction = isa.database().instruction("add")
    assert instruction is not None
    context = isa.Context((8, 5), ("sm_90",))
    choices = isa.next_modifiers(instruction, (".sat",), context)
    assert ".u64" not in [choice.modifier for choice in choices]
    by_name = {choice.modifier: choice for choice in choices}
    assert by_name[".s32"].is_legal
    assert by_name[".u32"].requires.startswith("PTX ISA 9.2")


def test_matrix_fragments_are_counted() -> None:
    modifiers = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
    fragments = (
        "{f32_1, f32_2, f32_3, f32_4}, {b32_1, b32_2}, {b32_3}, {f32_5, f32_6, f32_7, f32_8}"
    )
    assert check_kinds(f"{modifiers} {fragments};") == []
    assert check_kinds(f"{modifiers} {fragments.replace(', b32_2', '')};") == [V.VECTOR_SIZE]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("tex.1d.v4.f32.f32 {f32_1, f32_2, f32_3, f32_4}, [texture, sampler], f32_5;",
         V.OPERAND_KIND),
        (("mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.tf32.f32 {f32_1, f32_2, f32_3, f32_4}, "
         "{b32_1, b32_2}, {b32_3}, {f32_5, f32_6, f32_7, f32_8};"), V.UNKNOWN_MODIFIER),
        ("tcgen05.mma.cta_group::1.kind::f16 [b32_1], b64_1, b64_2, b32_2, !pred_1, pred_2, 1;",
         V.OPERAND_KIND),
        ("bar.b2.sync 0;", V.UNKNOWN_MODIFIER),
        ("bar.sync.any 0;", V.UNKNOWN_MODIFIER),
        ("ld.global.nc.L1::32B.b64 b64_1, [b64_2];", V.UNKNOWN_MODIFIER),
        ("stmatrix.sync.aligned.row.m8n8.x1.shared.b16 [b64_1], {b32_1};", V.UNKNOWN_MODIFIER),
        ("tcgen05.ld.sync.aligned.16x64b.x1.col.b32 {b32_1}, [b32_2];", V.UNKNOWN_MODIFIER),
        (("mma.sync.aligned.m8n8k32.row.or.col.s32.u4.s4.s32.bf16x2 {b32_1, b32_2}, {b32_3}, "
         "{b32_4}, {b32_5, b32_6};"), V.UNKNOWN_MODIFIER),
        ("wmma.load.c.sync.aligned.col.m8n8k32.s32 {b32_1, b32_2}, [b64_1].unified;",
         V.OPERAND_KIND),
    ],
)  # fmt: skip
def test_accepted_against_the_manual(text: str, kind: isa.ViolationKind) -> None:
    violations = check_violations(text)
    assert kind in [violation.kind for violation in violations]
    assert all(violation.lenient for violation in violations)


@pytest.mark.parametrize(
    "text",
    [
        # types that do not belong there, where they move the later ones
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.tf32.e5m2.f32 "
            "{f32_1, f32_2, f32_3, f32_4}, "
            "{b32_1, b32_2}, {b32_3}, {f32_5, f32_6, f32_7, f32_8};"
        ),
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32.b2 {f32_1, f32_2, f32_3, f32_4}, "
            "{b32_1, b32_2}, {b32_3}, {f32_5, f32_6, f32_7, f32_8};"
        ),
        "tex.1d.v4.f32.f32 {f32_1, f32_2, f32_3, f32_4}, [texture], f32_5;",
        "tcgen05.mma.cta_group::1.kind::f16 [b32_1], b64_1, b64_2, b32_2, !pred_1, pred_2;",
        "bar.b2.cta.sync 0;",
        "barrier.sync.any 0;",
        "wgmma.fence.sync.aligned.row;",
        "tcgen05.row.ld.sync.aligned.16x64b.x1.b32 {b32_1}, [b32_2];",
        "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [b64_1, {b32_1}], [b64_2].unified;",
        "stmatrix.sync.aligned.m8n8.x2.b16 [b64_1], {1, 2};",
        "red.async.relaxed.cluster.mbarrier::complete_tx::bytes.or.b32 [b64_1], 1, [b16_1];",
        (
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [b64_1], [b64_2], 16, "
            "[b16_1];"
        ),
    ],
)
def test_rejected_as_ptxas_does(text: str) -> None:
    assert not all(violation.lenient for violation in check_violations(text))
