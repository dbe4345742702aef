"""Names that the handbook answers, and what it says about them."""

import json

import pytest

from ptx_ls.handbook.instructions import InstructionFacts
from ptx_ls.handbook.lookup import UnknownNameError, describe, names
from ptx_ls.handbook.markdown import markdown
from ptx_ls.handbook.page import Entry
from ptx_ls.isa import database


def check_entry(name: str, kind: str, *expected: str) -> Entry:
    """The only entry of a name, whose page holds all `expected`."""
    (entry,) = describe(name)
    assert entry.kind == kind
    text = markdown(entry.page)
    for part in expected:
        assert part in text, text
    json.dumps(entry.as_data())
    return entry


def facts_of(name: str) -> InstructionFacts:
    facts = check_entry(name, "instruction").facts
    assert isinstance(facts, InstructionFacts)
    return facts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("movmatrix", set()),
        ("barrier", {"isimm(b) == 1 => value(b) != 0"}),
        ("vote", set()),
    ],
)
def test_rules_on_what_only_ptxas_takes_are_left_out(name: str, expected: set[str]) -> None:
    rules = [rule.expression for form in facts_of(name).forms for rule in form.rules]
    assert {rule for rule in rules if "isimm" in rule or "typeof" in rule} == expected


def test_instruction() -> None:
    check_entry(
        "add",
        "instruction",
        "# `add`",
        "## Forms",
        "add{.sat}.type d, a, b;",
        "| `.sat` |  |",
        "only 32-bit",
        "PTX ISA 8.6 and `sm_100` or newer",
        "[`sub`](sub.md)",
        "## Pitfalls",
        "## Example",
    )


def test_modifiers_choose_the_forms() -> None:
    whole, given = facts_of("shfl"), facts_of("shfl.sync")
    assert [form.id for form in whole.forms] == ["sync", "legacy"]
    assert [form.id for form in given.forms] == ["sync"]
    assert [each.values for each in given.modifiers] == [(".sync",)]
    assert ".up" in {each.modifier for each in given.next_modifiers}
    assert facts_of("shfl").next_modifiers == ()


def test_modifiers_narrow_what_is_said() -> None:
    (form,) = facts_of("add.rn.f64").forms
    assert all("`.f64`" in operand.accepts for operand in form.operands)
    assert not any(".rm" in need.condition for need in form.needs)


def test_descriptors_name_swizzling_modes() -> None:
    modes = {mode.mode: (mode.value, mode.bits) for mode in facts_of("wgmma").swizzles}
    assert modes == {
        "none": (0, ""),
        "32 bytes": (3, "bit 4 ^= bit 7"),
        "64 bytes": (2, "bits 4..5 ^= bits 7..8"),
        "128 bytes": (1, "bits 4..6 ^= bits 7..9"),
    }
    check_entry("tcgen05", "instruction", "| 128 bytes | 2 | `bits 4..6 ^= bits 7..9` | 1,024 |")
    assert facts_of("wgmma.fence").swizzles == facts_of("mma").swizzles == ()


def test_complete_modifiers_leave_out_forms_that_need_more() -> None:
    name = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    facts = facts_of(name)
    assert [form.id for form in facts.forms] == ["f16"]
    assert [layout.operand for layout in facts.layouts] == ["d", "a", "b", "c"]
    assert facts.layouts[0].drawing.startswith("T0 r0")
    assert {len(form.operands) for form in facts.forms} == {4}
    counts = {operand.name: operand.accepts.split()[0] for operand in facts.forms[0].operands}
    assert counts == {"d": "4", "a": "4", "b": "2", "c": "4"}


def test_order_of_modifiers_does_not_matter() -> None:
    assert facts_of("ld.u32.global").forms == facts_of("ld.global.u32").forms


def test_removed_and_deprecated() -> None:
    legacy = next(form for form in facts_of("shfl").forms if form.id == "legacy")
    assert legacy.removed[0].version == "6.3"
    assert legacy.deprecated[0].replacement


def test_special_registers() -> None:
    expected = ("threadIdx.x", "and was `.u16` before PTX ISA 2.0", "llvm.nvvm.read.ptx.sreg.tid.x")
    for name in ("%tid", "%tid.x"):
        check_entry(name, "special register", *expected)
    for name in ("%envreg3", "%envreg<32>"):
        check_entry(name, "special register", "`%envreg31`", "LLVM: `llvm", "envreg0` to `llvm")
    check_entry("%clock", "special register", "May differ")


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (".maxntid", "directive", ".reqntid"),
        ("WARP_SZ", "predefined name", "Value: 32"),
        ("generic", "predefined name", "PTX ISA 3.1"),
        ("mask", "predefined name", "0xff00"),
        ("_", "predefined name", "destination"),
        (".f16x2", "type", "32 bits"),
        ("nounroll", "pragma", ".pragma"),
        ("sm_90a", "target", "wgmma"),
        ("compute_90a", "target", "Hopper"),
        ("texmode_independent", "target", "PTX ISA"),
        ("8.5", "version", "CUDA 12.5"),
        (".sat", "modifier", "[`add`](add.md)"),
    ],
)
def test_other_names(name: str, kind: str, expected: str) -> None:
    check_entry(name, kind, expected)


def test_intrinsics_lead_to_what_they_become() -> None:
    check_entry("llvm.nvvm.read.ptx.sreg.tid.x", "special register", "threadIdx")
    (entry,) = describe("llvm.nvvm.shfl.sync.idx.i32")
    assert entry.name == "shfl.sync.idx.b32"
    with pytest.raises(UnknownNameError, match="no PTX instruction is known"):
        describe("llvm.nvvm.nothing")


def test_a_name_of_several_things() -> None:
    assert [entry.kind for entry in describe(".shared")] == ["directive", "state space"]


@pytest.mark.parametrize(
    ("name", "message", "part"),
    [
        ("ad", "nothing in PTX is called `ad`", "ad"),
        ("ad.u32", "no opcode is called `ad`", "ad"),
        ("add.foo", "`add` has no modifier `.foo`", ".foo"),
        ("add.sat.cc", "no form of `add` takes `.sat.cc`", ""),
        ("%clock<2>", "nothing in PTX is called `%clock<2>`", "%clock<2>"),
        ("%envreg32", "nothing in PTX is called `%envreg32`", "%envreg32"),
        ("9.99", "nothing in PTX is called `9.99`", "9.99"),
        ("", "nothing in PTX is called ``", ""),
        (".", "nothing in PTX is called `.`", "."),
        ("%", "nothing in PTX is called `%`", "%"),
    ],
)
def test_unknown_names(name: str, message: str, part: str) -> None:
    with pytest.raises(UnknownNameError, match="`") as caught:
        describe(name)
    assert (str(caught.value), caught.value.name) == (message, part)


@pytest.mark.slow
def test_every_name_is_answered() -> None:
    assert set(names()) >= database().opcodes
    for name in sorted(names() - {name for name in names() if name.startswith("sm_")}):
        for entry in describe(name):
            assert entry.summary, name
            assert len(markdown(entry.page)) > 20
            json.dumps(entry.as_data())


def test_intrinsics_tell_what_must_be_written() -> None:
    (match,) = facts_of("match.all.sync.b32").intrinsics
    assert match.names == ("llvm.nvvm.match.all.sync.i32p", "llvm.nvvm.match.all.sync.i32")
    assert match.notes[0] == "With `p`."
    floats = facts_of("shfl.sync.up.b32").intrinsics[1]
    assert floats.names == ("llvm.nvvm.shfl.sync.up.f32",)
    assert floats.notes == ("`d` is declared `.f32`.", "Without `p`.")
