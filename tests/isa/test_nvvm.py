"""The intrinsics of instructions: known pairs, sound data, and the output of NVIDIA's compiler."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify import nvvm as certificate
from certify.nvvm_compiler import Compiler, find
from certify.nvvm_modules import parse_signature
from ptx_ls.isa import Context, Operand, OperandKind, check, database, split_modifiers
from ptx_ls.isa.intrinsics import intrinsics_of
from ptx_ls.isa.nvvm import read_pattern

TABLE = database().nvvm
NAME = re.compile(r"llvm\.[a-zA-Z0-9_.]+|[a-z]+( [a-z_]+)?")
KINDS = {"[": OperandKind.ADDRESS, "{": OperandKind.VECTOR}
MODIFIERS = st.lists(
    st.sampled_from([".sync", ".rn", ".ftz", ".f32", ".b32", ".aligned", ".idx", "", ".", ".x{y}"])
    | st.text(max_size=8)
)


def operand(text: str) -> Operand:
    """An operand of which only the brackets are known."""
    kind = KINDS.get(text[0], OperandKind.UNKNOWN)
    parts = tuple(map(operand, text[1:-1].split())) if kind in KINDS.values() else ()
    return Operand(kind, elements=parts)


def check_intrinsics(statement: str, types: dict[str, str] | None = None) -> set[str]:
    """Names for an instruction, `shfl.sync.idx.b32 d,a,b,c,mask`, as hover finds them."""
    head, _, operands = statement.partition(" ")
    opcode, modifiers = split_modifiers(head)
    instruction = database().instruction(opcode)
    assert instruction is not None
    written = tuple(map(operand, filter(None, operands.split(","))))
    verdict = check(instruction, modifiers, written, Context())
    return {intrinsic.name for intrinsic in intrinsics_of(instruction, verdict, types)}


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("add.rn.ftz.sat.f32 d,a,b", {"llvm.nvvm.add.rn.ftz.sat.f"}),
        ("add.s32 d,a,b", {"add"}),
        ("lop3.b32 d,a,b,c,t", set()),
        ("vadd.s32.s32.s32 d,a,b", set()),
        ("mul.hi.u64 d,a,b", {"llvm.nvvm.mulhi.ull"}),
        ("fma.rn.f64 d,a,b,c", {"llvm.nvvm.fma.rn.d", "llvm.fma.f64"}),
        ("min.ftz.NaN.f32 d,a,b", {"llvm.nvvm.fmin.ftz.nan.f"}),
        ("min.NaN.ftz.f32 d,a,b", {"llvm.nvvm.fmin.ftz.nan.f"}),
        ("cvt.rzi.ftz.u64.f32 d,a", {"llvm.nvvm.f2ull.rz.ftz"}),
        ("cvt.rn.satfinite.relu.e4m3x2.f32 d,a,b", {"llvm.nvvm.ff.to.e4m3x2.rn.relu"}),
        ("dp4a.s32.u32 d,a,b,c", {"llvm.nvvm.idp4a.s.u"}),
        (
            "bar.sync a",
            {"llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier0", "llvm.nvvm.barrier.n"},
        ),
        ("bar.sync a,b", {"llvm.nvvm.barrier.cta.sync.aligned.count"}),
        ("barrier.cta.sync a,b", {"llvm.nvvm.barrier.cta.sync.count"}),
        ("cp.async.cg.shared.global [d],[s],n", {"llvm.nvvm.cp.async.cg.shared.global.16"}),
        ("cp.async.cg.shared.global [d],[s],n,z", {"llvm.nvvm.cp.async.cg.shared.global.16.s"}),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d,a,b,c",
            {"llvm.nvvm.mma.m16n8k16.row.col.f32.f32"},
        ),
        (
            "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 d,a,b,c",
            {"llvm.nvvm.mma.m16n8k32.row.col.satfinite.u8.s8"},
        ),
        (
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 r,[p],s",
            {
                "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p3",
                "llvm.nvvm.hmma.m16n16k16.ld.a.p3i32",
            },
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 r,[p]",
            {"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3"},
        ),
        ("mbarrier.arrive.shared.b64 s,[a]", {"llvm.nvvm.mbarrier.arrive.shared"}),
        (
            "mbarrier.try_wait.parity.acquire.cluster.shared.b64 p,[a],x,t",
            {"llvm.nvvm.mbarrier.try.wait.parity.tl.scope.cluster.space.cta"},
        ),
        ("tcgen05.ld.sync.aligned.32x32b.x2.b32 {a b},[t]", {"llvm.nvvm.tcgen05.ld.32x32b.x2"}),
        (
            "tcgen05.mma.cta_group::2.kind::f16 [d],a,b,i,p",
            {"llvm.nvvm.tcgen05.mma.shared"},
        ),
        ("trap", {"llvm.trap"}),
    ],
)
def test_intrinsics_of_an_instruction(statement: str, names: set[str]) -> None:
    assert check_intrinsics(statement) == names


@pytest.mark.parametrize(
    ("register", "component", "name"),
    [
        ("%tid", "x", "llvm.nvvm.read.ptx.sreg.tid.x"),
        ("%cluster_ctarank", "", "llvm.nvvm.read.ptx.sreg.cluster.ctarank"),
        ("%lanemask_lt", "", "llvm.nvvm.read.ptx.sreg.lanemask.lt"),
        ("%envreg31", "", "llvm.nvvm.read.ptx.sreg.envreg31"),
        ("%envreg32", "", None),
        ("%tid", "", None),
        ("%clock_hi", "", None),
    ],
)
def test_intrinsic_of_a_special_register(register: str, component: str, name: str | None) -> None:
    found = TABLE.of_special_register(register, component)
    assert (found.name if found else None) == name


def test_unknown_operands_leave_every_choice() -> None:
    names = {intrinsic.name for intrinsic in TABLE.of_modifiers("barrier", (".sync",))}
    assert names == {"llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.cta.sync.count"}


@pytest.mark.parametrize(
    ("statement", "written", "names"),
    [
        ("shfl.sync.up.b32 d,a,b,c,m", {"d": ".b32"}, {"llvm.nvvm.shfl.sync.up.i32"}),
        ("shfl.sync.up.b32 d,a,b,c,m", {"d": ".f32"}, {"llvm.nvvm.shfl.sync.up.f32"}),
        ("shfl.sync.up.b32 d,a,b,c,m", {"d": ".f32", "p": ""}, {"llvm.nvvm.shfl.sync.up.f32p"}),
        (
            "shfl.sync.up.b32 d,a,b,c,m",
            {"d": ""},
            {"llvm.nvvm.shfl.sync.up.i32", "llvm.nvvm.shfl.sync.up.f32"},
        ),
        ("match.all.sync.b64 d,a,m", {"d": ""}, set()),
        (
            "match.all.sync.b64 d,a,m",
            {"d": "", "p": ".pred"},
            {"llvm.nvvm.match.all.sync.i64", "llvm.nvvm.match.all.sync.i64p"},
        ),
        (
            "match.all.sync.b64 d,a,m",
            None,
            {"llvm.nvvm.match.all.sync.i64", "llvm.nvvm.match.all.sync.i64p"},
        ),
    ],
)
def test_second_destinations_and_declared_types_choose(
    statement: str, written: dict[str, str] | None, names: set[str]
) -> None:
    assert check_intrinsics(statement, written) == names


def test_kind_and_note() -> None:
    kinds = {i.name: i.kind for i in TABLE.of_modifiers("fma", (".rn", ".f32"))}
    assert kinds == {"llvm.nvvm.fma.rn.f": "nvvm", "llvm.fma.f32": "llvm"}
    assert TABLE.of_modifiers("dp2a", (".lo", ".s32", ".s32"))[0].note


@pytest.mark.parametrize("opcode", sorted(TABLE.opcodes))
def test_every_entry_is_a_legal_spelling_with_proper_names(opcode: str) -> None:
    instruction = database().instruction(opcode)
    assert instruction is not None
    rows = [row for form in instruction.forms for row in form.operands]
    names = {
        name for row in rows for place in (row, *row.parts) for name in (place.name, place.pair)
    }
    for pattern in TABLE.patterns(opcode):
        spellings = [pattern.spell(choice) for choice in pattern.choices()]
        assert any(certificate.is_spelling(opcode, text) for text in spellings), pattern.syntax
        conditions = {word.partition(":")[0] for word in pattern.needs | pattern.lacks}
        assert conditions <= names, pattern.syntax
        for choice in pattern.choices():
            found = pattern.match(pattern.spell(choice))
            assert found == pattern.fill(choice)
            assert all(NAME.fullmatch(intrinsic.name) for intrinsic in found), found


def test_an_intrinsic_belongs_to_one_opcode() -> None:
    """But for barriers and fences, which have two spellings."""
    owners: dict[str, set[str]] = {}
    for opcode in TABLE.opcodes:
        expanded = (it for pattern in TABLE.patterns(opcode) for it in pattern.expand())
        for intrinsic in {each for _, found in expanded for each in found}:
            if intrinsic.kind == "nvvm":
                owners.setdefault(intrinsic.name, set()).add(opcode)
    shared = {frozenset(opcodes) for opcodes in owners.values() if len(opcodes) > 1}
    assert shared == {frozenset({"bar", "barrier"}), frozenset({"membar", "fence"})}


def test_special_registers_exist() -> None:
    known = database().special_registers
    for pattern in TABLE.register_patterns:
        for choice in pattern.choices():
            name = pattern.spell(choice).partition(".")[0]
            assert name in known or name.rstrip("0123456789") in known, name


@given(st.sampled_from([*sorted(TABLE.opcodes), "frob"]), MODIFIERS)
def test_any_modifiers_are_answered(opcode: str, modifiers: list[str]) -> None:
    for intrinsic in TABLE.of_modifiers(opcode, modifiers):
        assert "{" not in intrinsic.name


@given(st.text(max_size=20), st.text(max_size=5))
def test_any_register_is_answered(name: str, component: str) -> None:
    found = TABLE.of_special_register(name, component)
    assert found is None or found.name.startswith("llvm.nvvm.")


@pytest.mark.parametrize(
    ("key", "value"),
    [("{nothing}", "llvm.x"), (".x", "llvm.{mode}"), ("{a:.x .y}", ["{a|m}", "{a}"])],
)
def test_a_wrong_entry_is_refused(key: str, value: str | list[str]) -> None:
    with pytest.raises(ValueError, match="unknown"):
        read_pattern(key, value, {}, {"m": {".x": "1", ".y": "2"}})


def test_signatures() -> None:
    read = parse_signature("4*float (anyptr, 2*i32, 2*i1=false|true)", "llvm.some.p3")
    assert read.result == "{float, float, float, float}"
    assert read.parameters == ("ptr addrspace(3)", "i32", "i32", "i1", "i1")
    assert read.constants == {3: ("false", "true"), 4: ("false", "true")}


@pytest.mark.slow
@pytest.mark.skipif(find() is None, reason="needs the nvidia-nvvm wheel")
@pytest.mark.parametrize("opcode", ["add", "shfl", "redux", "match", "stacksave"])
def test_the_compiler_agrees(opcode: str) -> None:
    path = find()
    assert path is not None
    report = certificate.Report()
    with Compiler(path) as compiler:
        certificate.Prover(compiler).prove(opcode, report)
    assert report.contradicted == {}
    assert report.proven
