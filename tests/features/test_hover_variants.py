"""Hovers on legal instructions of every opcode describe that variant, and show no template."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

import pytest

from certify import record
from certify.judging import context_of, first_error
from certify.oracle import configuration_of, header
from certify.reader import read_statement
from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.hover.hover import hover
from ptx_ls.isa import Form, Instruction, Prose, ViolationKind
from ptx_ls.isa.checking.verdict import OF_MODIFIERS
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.isa.notation.table import ModifierSlot

BLOCK: Final = re.compile(r"```ptx\n(\S+).*?```", re.DOTALL)
CODE: Final = re.compile(r"```(?:c|text)\n(.*?)```", re.DOTALL)
OPTIONAL: Final = re.compile(r"\{[^{}]*\}")
WARNING: Final = re.compile(r"^- ⚠ (.*)", re.MULTILINE)
OPERAND_NAME: Final = re.compile(r"[A-Za-z][\w-]*")
BITS_OF_NUMBER: Final = re.compile(r"(?<![\w%$])-?\d+\[\d+:\d+\]")
LEFT_OVER: Final = {
    "bits of a constant": BITS_OF_NUMBER,
    "lanes of a constant": re.compile(r"lanes? of -?\d"),
    "arithmetic with a constant": re.compile(r"(?<![\w%$.\])])\d+ (?:[-&/%]|<<|>>) \d+\b"),
    "sum less one": re.compile(r"\+ \d+ - \d+\b"),
    "plural": re.compile(r"\blane \d+ (?:are|have)\b"),
}
"""Text that must not remain in pseudo-code with constants, unless it is the operation itself."""
COMPUTING: Final = frozenset({"arithmetic", "logic", "shift", "conversion", "comparison", "video"})
SAMPLE: Final = 4
"""Statements of an opcode that a test looks at that runs often."""
MMA: Final = "tcgen05.mma.cta_group::1.kind::f16"
Legal = tuple[str, str]
"""The configuration and a statement that ptxas takes there."""


@cache
def legal(opcode: str) -> tuple[Legal, ...]:
    """The statements of an opcode that ptxas accepted, in the order of the file."""
    lines = record.read(record.DIRECTORY / f"{opcode}.tsv")
    return tuple((where, text) for where, is_accepted, text in lines if is_accepted)


def sample(opcode: str) -> list[Legal]:
    """Some of them, evenly spread: they are in the order of versions."""
    found = legal(opcode)
    return list(found[:: max(1, len(found) // SAMPLE)])


@cache
def kernel(where: str) -> tuple[Document, Position]:
    """A kernel of a configuration with an empty statement, and the place of that."""
    head = header(configuration_of(where))
    return Document.read(f"{head};\nLabel: }}\n"), Position(head.count("\n"), 0)


def grammar(where: str, text: str) -> str:
    """The grammar in the hover on the first modifier that is not a part of the name; or ""."""
    word = text.partition(" ")[0].rstrip(";")
    for dot in re.finditer(r"\.(?=[\w:])", word):
        markdown = shown(where, text, dot.end())
        if f"**`{word}`**: " not in markdown:
            head = BLOCK.search(markdown)
            assert head is not None, text
            return head[1]
    return ""


def shown(where: str, text: str, column: int = 0) -> str:
    """The hover on a statement, at a column, in a kernel of that configuration."""
    document, start = kernel(where)
    document = edited(document, start, start._replace(column=len(document.lines[start.line])), text)
    found = hover(Analysis(document), start._replace(column=column))
    assert found is not None, (where, text)
    return found.markdown


def check_hover(where: str, text: str) -> None:
    """Fails if the hover on a legal statement describes other variants, too."""
    head = grammar(where, text)
    if head:
        check_grammar(where, text, head)
        check_offers(where, text, head)
    markdown = shown(where, text)
    assert f"**`{text.partition(' ')[0].rstrip(';')}`**: " in markdown, text
    check_code(text, markdown)


def check_grammar(where: str, text: str, head: str) -> None:
    """Fails unless the grammar has the modifiers that are written, in a spelling that is legal."""
    statement = read_statement(text)
    opcode, modifiers = isa.split_modifiers(OPTIONAL.sub("", head).rstrip(";"))
    assert opcode == statement.opcode, (text, head)
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    ignored = instruction.ignored.union(*(form.row.ignored for form in instruction.forms))
    assert set(modifiers) ^ set(statement.modifiers) <= ignored, (text, head)
    context = context_of(configuration_of(where))
    verdict = isa.check(instruction, modifiers, statement.values, context)
    assert first_error(verdict, gates=True) is None, (text, head)


def check_offers(where: str, text: str, head: str) -> None:
    """Fails unless the grammar has just those groups in braces that may be added, each alone."""
    statement = read_statement(text)
    instruction = isa.database().instruction(statement.opcode)
    assert instruction is not None
    context = context_of(configuration_of(where))
    verdict = isa.check(instruction, statement.modifiers, statement.values, context)
    assert verdict.form is not None
    slots = {f".{slot.name}": slot for slot in verdict.form.slots}
    for group in OPTIONAL.findall(verdict.form.syntax.partition(" ")[0]):
        added = [slots[name] for name in isa.split_modifiers(group.strip("{}"))[1]]
        if any(slot.name in verdict.slots for slot in added):
            continue
        names = [slot.name for slot in added]
        fillings = (dict(zip(names, values, strict=True)) for values in slot_values(added))
        broken = broken_rules(verdict.form, verdict.slots)
        is_legal = any(
            broken_rules(verdict.form, {**verdict.slots, **more}) <= broken for more in fillings
        )
        assert (group in head) is is_legal, (text, group, head)


def slot_values(slots: Iterable[ModifierSlot]) -> Iterator[tuple[str, ...]]:
    """All ways to fill some slots."""
    return product(*(slot.values for slot in slots))


def broken_rules(form: Form, slots: Mapping[str, str]) -> set[tuple[ViolationKind, str]]:
    """Modifiers of a form that are wrong with any operands."""
    alone = Instruction(form.opcode, (form.row,), frozenset(), lambda: Prose({}), isa.database())
    modifiers = [slots[slot.name] for slot in form.slots if slot.name in slots]
    violations = isa.check(alone, modifiers, (), isa.Context()).violations
    return {(each.kind, each.note) for each in violations if each.kind in OF_MODIFIERS}


def check_code(text: str, markdown: str) -> None:
    """Fails where the pseudo-code has names of slots or operands, or arithmetic of constants."""
    code = CODE.search(markdown)
    opcode, _ = isa.split_modifiers(text.partition(" ")[0].rstrip(";"))
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    if code is None or instruction.prose.category in COMPUTING:
        return
    lines = [line.partition("//")[0] for line in code[1].split("\n")]
    slots = {slot.name for form in instruction.forms for slot in form.slots}
    for slot in slots:
        leak = rf"(?<![\w)\]}}.%])\.{re.escape(slot)}(?![\w:])"
        if f".{slot}" not in isa.split_modifiers(text.partition(" ")[0])[1]:
            assert not any(re.search(leak, line) for line in lines), (text, slot, code[1])
    for name in operand_names(instruction):
        word = re.escape(name) if name != "a" else "a(?! [a-z])"  # else it is the article
        leak = rf"(?<![\w.%$'-]){word}(?![\w'-]|::)"
        assert not any(re.search(leak, line) for line in lines), (text, name, code[1])
    for kind, pattern in LEFT_OVER.items():
        assert not any(pattern.search(line) for line in lines), (text, kind, code[1])


def operand_names(instruction: Instruction) -> set[str]:
    """The manual's names of the operands of all forms."""
    syntaxes = (form.syntax.partition(" ")[2] for form in instruction.forms)
    return {name for syntax in syntaxes for name in OPERAND_NAME.findall(syntax)}


def warnings(statement: str, where: str = "9.5/sm_90a") -> str:
    """The warnings of the hover on a statement."""
    return "\n".join(WARNING.findall(shown(where, statement)))


@pytest.mark.slow
@pytest.mark.parametrize("opcode", sorted(isa.database().opcodes))
def test_some_legal_instructions(opcode: str) -> None:
    for where, text in sample(opcode):
        check_hover(where, text)


@pytest.mark.slow
@pytest.mark.parametrize("opcode", sorted(isa.database().opcodes))
def test_every_legal_instruction(opcode: str) -> None:
    for where, text in legal(opcode):
        check_hover(where, text)


@pytest.mark.parametrize(
    ("statement", "group", "other"),
    [
        ("add.s32 b32_1, b32_2, b32_3;", "{.sat}", "add.s64 b64_1, b64_2, b64_3;"),
        ("add.f32 f32_1, f32_2, f32_3;", "{.ftz}", "add.f64 f64_1, f64_2, f64_3;"),
        ("cvt.rn.f32.s16 f32_1, b16_1;", "{.ftz}", "cvt.rn.f64.s16 f64_1, b16_1;"),
        ("fma.rn.oob.f16 b16_1, b16_2, b16_3, b16_4;", "{.relu}",
         "fma.rn.sat.f16 b16_1, b16_2, b16_3, b16_4;"),
        ("fma.rn.f16 b16_1, b16_2, b16_3, b16_4;", "{.sat}",
         "fma.rn.oob.relu.f16 b16_1, b16_2, b16_3, b16_4;"),
        ("ld.u32 b32_1, [b64_1];", "{.cop}", "ld.volatile.u32 b32_1, [b64_1];"),
        ("ld.global.nc.u32 b32_1, [b64_1];", "{.level::prefetch_size}",
         "ld.shared.u32 b32_1, [b32_2];"),
        (f"{MMA} [b32_1], [b32_2], b64_1, b32_3, pred_1;", "{.ashift}",
         f"{MMA}.collector::a::fill [b32_1], [b32_2], b64_1, b32_3, pred_1;"),
    ],
)  # fmt: skip
def test_a_modifier_is_offered_where_it_is_legal(statement: str, group: str, other: str) -> None:
    for text, is_offered in ((statement, True), (other, False)):
        head = grammar("9.5/sm_100a", text)
        assert (group in head) is is_offered, head


@pytest.mark.parametrize(
    ("about", "statement", "other"),
    [
        ("generic address", "ld.u32 b32_1, [b64_1];", "ld.shared.u32 b32_1, [b32_2];"),
        ("constant memory", "st.u32 [b64_1], b32_1;", "st.shared.u32 [b32_2], b32_1;"),
        ("Float sums", "red.global.add.f64 [b64_1], f64_1;", "red.global.add.u32 [b64_1], b32_1;"),
        ("use `red`", "atom.add.u32 b32_1, [b64_1], 1;", "atom.exch.b32 b32_1, [b64_1], 1;"),
        ("thread count", "bar.sync 0, 64;", "bar.sync 0;"),
        ("thread count", "barrier.arrive 0, 64;", "barrier.cluster.arrive;"),
        (
            "Both addresses must be multiples of 4",
            "cp.async.ca.shared.global [b32_1], [b64_1], 4;",
            "cp.async.wait_all;",
        ),
        ("waits neither for bulk copies", "cp.async.wait_group 0;", "cp.async.commit_group;"),
        ("primary range", "createpolicy.range.L2::evict_last.b64 b64_1, [b64_2], 8, 8;",
         "createpolicy.fractional.L2::evict_last.b64 b64_1;"),
        ("1,048,575", "mbarrier.expect_tx.relaxed.cta.shared.b64 [b32_1], 8;",
         "mbarrier.init.shared.b64 [b32_1], 1;"),
        ("relative to its state space", "mov.b64 b64_1, global_variable;", "mov.b64 b64_1, b64_2;"),
        ("`%clock`", "mov.u32 b32_1, %clock;", "mov.u32 b32_1, b32_2;"),
    ],
)  # fmt: skip
def test_a_warning_is_shown_on_the_variants_that_it_concerns(
    about: str, statement: str, other: str
) -> None:
    assert about in warnings(statement)
    assert about not in warnings(other)


@pytest.mark.parametrize(
    ("about", "statement", "where"),
    [
        ("Up to `sm_6x`", "red.shared.add.u32 [b32_2], 1;", "6.0/sm_60"),
        ("as if `.aligned`", "barrier.sync 0;", "6.0/sm_60"),
        ("`.noComplete`", "mbarrier.arrive.shared.b64 b64_1, [b32_1], 2;", "7.0/sm_80"),
    ],
)
def test_a_warning_about_older_targets_is_shown_there_alone(
    about: str, statement: str, where: str
) -> None:
    assert about in warnings(statement, where)
    assert about not in warnings(statement)


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        (
            "cp.async.ca.shared.global [b32_1], [b64_1], 4;",
            "start { b32_1[0 .. 3] = b64_1[0 .. 3] };",
        ),
        (
            "cp.async.ca.shared.global [b32_1], [b64_1], 4, pred_1;",
            "start { b32_1[0 .. 3] = pred_1 ? 0 : b64_1[0 .. 3] };",
        ),
        (
            "cp.async.bulk.prefetch.L2.global [b64_1], 32;",
            "start { bring b64_1[0 .. 31] into the L2 cache };",
        ),
        (
            "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [b64_1, {b32_1}], [b32_2];",
            "start { box of b64_1 at {b32_1} = b32_2 };",
        ),
        (
            "st.async.shared::cluster.b32 [b32_1], b32_2;",
            "start { *(shared::cluster b32 *)b32_1 = b32_2 };",
        ),
        (
            "multimem.red.add.u32 [b64_1], b32_1;",
            "value at b64_1 on each GPU = add(that value, b32_1);",
        ),
        ("elect.sync b32_1|pred_1, 7;", "leader = one lane among lanes 0-2;  b32_1 = leader;"),
        ("bar.warp.sync 2;", "wait until lane 1 is here, with the same mask;"),
        (
            "alloca.u64 b64_1, b64_2;",
            "stackptr = (stackptr - b64_2) rounded down to a multiple of 8;",
        ),
        (
            "fence.proxy.tensormap::generic.acquire.gpu [b64_1], 128;",
            "for the bytes b64_1 .. b64_1 + 127 only;",
        ),
    ],
)  # fmt: skip
def test_pseudo_code_names_the_data_that_is_moved(statement: str, line: str) -> None:
    code = CODE.search(shown("9.5/sm_90a", statement))
    assert code is not None
    assert line in code[1]


@pytest.mark.parametrize("n", [8, 16, 64, 256])
def test_layouts_of_wgmma_count_the_lanes_of_a_warp(n: int) -> None:
    registers = ", ".join(f"f32_{i}" for i in range(1, n // 2 + 1))
    text = (
        f"wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16 "
        f"{{{registers}}}, b64_1, b64_2, pred_1, 1, 1, 0, 0;"
    )
    markdown = shown("9.5/sm_90a", text, text.index("f32_1"))
    assert "lane / 32" not in markdown
    assert "warp" in markdown
