"""Snippets of completion: whole instructions, calls and idioms, checked with ptxas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.features.completion.completion import completions
from ptx_ls.features.completion.snippets import operand_snippet, snippet
from ptx_ls.features.completion.snippets.idioms import IDIOMS
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.toolchain import ptxas
from tests.support.assembling import require_ptxas
from tests.support.fixture import parse_fixture

if TYPE_CHECKING:
    from pathlib import Path

    from ptx_ls.features.completion.snippets.idiom import Idiom

MODULE = """\
.version 8.5
.target sm_90
.address_size 64
.func (.param .b32 result) power(.param .b32 base, .param .align 8 .b8 more[12]) { ret; }
.func (.param .f64 a) narrow(.param .u8 x, .param .f16 y, .param .s32 z) { ret; }
.func (.reg .b32 a, .reg .b64 b) both(.reg .f64 x) { ret; }
.func (.reg .b32 r) old(.reg .f32 x, .reg .u64 y) { ret; }
.func nothing() { ret; }
.func takes(.param .f32 x) { ret; }
.entry kernel(.param .u64 data) {
    .reg .pred %p<4>;
    .reg .b16 %h<3>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<5>;
    .reg .f32 %f<5>;
    .reg .f64 %d<5>;
    BODY
    ret;
}
"""


def check_expanded(marked: str, label: str, *expected: str) -> str:
    """The text after an item was taken, which must hold what is expected."""
    fixture = parse_fixture(marked)
    document = Document.read(fixture.text)
    found = completions(Analysis(document), fixture.cursor).items
    (item,) = [item for item in found if item.label == label]
    if item.kind in (ItemKind.IDIOM, ItemKind.FUNCTION):  # complete as they are
        assert item.text == snippet.plain(item.template)
    text = snippet.plain(item.template or item.text)
    for part in expected:
        assert part in text, text
    document = edited(document, item.range.start, item.range.end, text)
    return document.text


def offered(body: str, text: str = MODULE) -> tuple[CompletionItem, ...]:
    """The items that are offered in the body of the kernel."""
    fixture = parse_fixture(text.replace("BODY", body))
    return completions(Analysis(Document.read(fixture.text)), fixture.cursor).items


@pytest.fixture(scope="module")
def program() -> Path:
    return require_ptxas()


def check_accepted(program: Path, text: str, place: Path, *, is_accepted: bool = True) -> None:
    """The messages of ptxas about a module, for its own target."""
    match = re.search(r"\.target (\w+)", text)
    assert match is not None
    source = place / "module.ptx"
    source.write_text(text, encoding="utf-8")
    messages = ptxas.run(program, source, match[1]).messages
    errors = [message for message in messages if message.is_error]
    assert (not errors) is is_accepted, (errors, text)


def module(idiom: Idiom, version: str, target: str, before: str = "") -> str:
    """A module in which an idiom is to be chosen."""
    header = f".version {version}\n.target {target}\n.address_size 64\n"
    word = idiom.name[:2]
    if not idiom.in_function:
        return f"{header}{before}\n{word}<|>\n"
    return f"{header}.visible .entry main()\n{{\n\t{before}\n\t{word}<|>\n\tret;\n}}\n"


IDS = [idiom.name for idiom in IDIOMS]


@pytest.mark.parametrize("idiom", IDIOMS, ids=IDS)
def test_idioms_are_accepted_where_they_are_offered(
    idiom: Idiom, program: Path, tmp_path: Path
) -> None:
    text = check_expanded(module(idiom, idiom.version, idiom.target), idiom.name)
    check_accepted(program, text, tmp_path)


OLDER = {"6.0": "5.0", "7.0": "6.5", "7.8": "7.7", "8.0": "7.8"}
LOWER = {"sm_30": "sm_20", "sm_80": "sm_75", "sm_90": "sm_89"}
GATED = [idiom for idiom in IDIOMS if idiom.version in OLDER]


@pytest.mark.parametrize("idiom", GATED, ids=[idiom.name for idiom in GATED])
def test_idioms_are_refused_where_they_are_said_to_be(
    idiom: Idiom, program: Path, tmp_path: Path
) -> None:
    version = max(idiom.version, "7.8")
    for old in (
        module(idiom, OLDER[idiom.version], idiom.target),
        module(idiom, version, LOWER[idiom.target]),
    ):
        fixture = parse_fixture(old)
        found = completions(Analysis(Document.read(fixture.text)), fixture.cursor).items
        (item,) = [item for item in found if item.label == idiom.name]
        assert not item.is_available
        target = idiom.target
        where = f"on {target}" if target.endswith("a") else f"and {target} or newer"
        assert item.detail == f"needs PTX ISA {idiom.version} {where}"
        check_accepted(program, check_expanded(old, idiom.name), tmp_path, is_accepted=False)


@pytest.mark.parametrize("idiom", IDIOMS, ids=IDS)
def test_an_idiom_may_be_put_in_twice(idiom: Idiom, program: Path, tmp_path: Path) -> None:
    version, target = max(idiom.version, "7.8"), idiom.target
    text = check_expanded(module(idiom, version, target), idiom.name)
    once = text.partition(".address_size 64\n")[2]
    before = once.partition("{\n")[2].rpartition("\tret;")[0] if idiom.in_function else once
    twice = check_expanded(module(idiom, version, target, before), idiom.name)
    assert twice.count("\n") > text.count("\n")
    check_accepted(program, twice, tmp_path)


def test_idioms_stand_where_they_may() -> None:
    in_function = {item.label for item in offered("<|>") if item.kind is ItemKind.IDIOM}
    assert {"warp sum", "mbarrier arrive and wait"} <= in_function
    assert not {"kernel", "device function"} & in_function
    assert not [item for item in offered("<|> %r1;") if item.kind is ItemKind.IDIOM]
    narrow = MODULE.replace("64\n", "32\n", 1)
    shown = {item.label for item in offered("<|>", narrow)}
    assert "cp.async copy" not in shown
    assert "warp sum" in shown


CALLS = [
    ("call <|>", "power", ("retval", "st.param.b8 [param1+0]", "call (retval), power, (param0")),
    ("call.uni po<|>", "power", ("call.uni (retval)",)),
    ("call <|>", "both", ("call (%r0, %rd0), both, (%d0);",)),
    ("call <|>", "narrow", ("ld.param.f64 %d0, [retval];", "st.param.b16 [param1], %h0")),
    ("call <|>", "old", ("call (%r0), old, (%f0, %rd0);",)),
    ("call <|>", "nothing", ("call nothing;",)),
    ("call <|>", "takes", ("st.param.f32 [param0], %f0;",)),
    ("ca<|>", "call takes", ("call takes, (param0);",)),
    ("tak<|>", "call takes", ("call takes, (param0);",)),
]


@pytest.mark.parametrize(("body", "label", "expected"), CALLS)
def test_calls(
    body: str, label: str, expected: tuple[str, ...], program: Path, tmp_path: Path
) -> None:
    text = check_expanded(MODULE.replace("BODY", body), label, *expected)
    check_accepted(program, text, tmp_path)


def test_the_arguments_of_a_call_are_what_waits_to_be_read() -> None:
    body = "mov.b32 %r7, 1;\nmov.b32 %r8, 2;\nadd.s32 %r3, %r8, 1;\ncall <|>"
    check_expanded(MODULE.replace("BODY", body), "power", "st.param.b32 [param0], %r3;")


def test_no_call_sequence_where_it_cannot_stand() -> None:
    for body in ("@%p1 call <|>", "call <|>, (%r1);", "call (%r1), <|>", "call %r<|>", "ca<|>, x"):
        assert not [item for item in offered(body) if "\n" in item.text]


CONTEXTS = [
    isa.Context((3, 2), ("sm_30",)),
    isa.Context((7, 0), ("sm_75",)),
    isa.Context((8, 5), ("sm_90",)),
    isa.Context((9, 0), ("sm_100a",)),
]


@pytest.mark.slow
@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.target[0])
@pytest.mark.parametrize("opcode", sorted(isa.database().opcodes))
def test_opcodes_are_legal_with_what_they_come_with(opcode: str, context: isa.Context) -> None:
    text = snippet.plain(operand_snippet.of_opcode(opcode, context))
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    if not text:
        assert not any(choice.is_legal for choice in isa.next_modifiers(instruction, (), context))
        return
    written, _, operands = text.rstrip(";").partition(" ")
    _, modifiers = isa.split_modifiers(written)
    count = count_operands(operands)
    unknown = [isa.Operand(isa.OperandKind.UNKNOWN)] * count
    verdict = isa.check(instruction, modifiers, unknown, context)
    assert verdict.is_accepted, (text, verdict.violations)


def count_operands(text: str) -> int:
    """Operands that are separated by commas outside of brackets."""
    flat = re.sub(r"\{[^{}]*\}|\[[^][]*\]|\([^()]*\)", "x", text)
    return len(flat.split(",")) if text else 0


SHAPES = [
    ("ad<|>", "add", "add.s32 d, a, b;"),
    ("s<|>", "st", "st.global.b32 [a], b;"),
    ("b<|>", "bra", "bra tgt;"),
    ("r<|>", "ret", "ret;"),
    ("el<|>", "elect", "elect.sync d|p, membermask;"),
    ("fma.rn.<|>", ".f32", ".f32 d, a, b, c;"),
    ("setp.lt.<|>", ".s32", ".s32 p, a, b;"),
    ("ldmatrix.sync.aligned.m8n8.x4.<|>", ".b16", ".b16 {r0, r1, r2, r3}, [p];"),
    ("cvt.<|>", ".rn", ".rn"),
    (".max<|>", ".reg", ".reg .type name;"),
    (".pa<|>", ".param", ".param .type name;"),
    (".ca<|>", ".calltargets", "label: .calltargets "),
]


@pytest.mark.parametrize(("body", "label", "expected"), SHAPES)
def test_whole_instructions(body: str, label: str, expected: str) -> None:
    check_expanded(MODULE.replace("BODY", body), label, expected)


def test_a_label_is_not_repeated() -> None:
    for body in ("L: .ca<|>", "L:\n.ca<|>"):
        (item,) = [item for item in offered(body) if item.label == ".callprototype"]
        assert item.template.startswith(".callprototype")


def test_operands_are_not_repeated() -> None:
    for body in ("ad<|> %r1, %r2, 3;", "add.<|> %r1, %r2, 3;", "fma.rn.<|> %f1;"):
        assert not any(item.template for item in offered(body) if item.kind is not ItemKind.IDIOM)
    assert any(item.template for item in offered("fma.rn.<|> // comment"))


def test_text_mate() -> None:
    assert snippet.text_mate("mov.u32 «d», $L_1;\n{ «a$» }«»") == (
        "mov.u32 ${1:d}, \\$L_1;\n{ ${2:a\\$} \\}$0"
    )
