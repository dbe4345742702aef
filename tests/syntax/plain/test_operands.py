"""Operands that are read without a tree are those that the tree of the statement has."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.parsing.instruction_parts import of_instruction
from ptx_ls.syntax.plain.operands import plain_parts
from ptx_ls.syntax.record import MultiLine, Shape
from ptx_ls.syntax.shapes import Shapes

CORPUS = Path(__file__).parents[2] / "corpus"
GUARDS = ["", "@%p0", "@!%p0", "@n", "@%p.x", "@!!%p0", "@ %p0"]
NAMES = ["%r0", "n", "%tid.x", "%r0.b0", "n.x", "_", "_.x", "WARP_SZ", "n.const", "n.a::b", "$"]
NUMBERS = ["0", "0.0", "0f00000000", "0d0000000000000000", "00", "0x0", "0."]
MARKS = [",", ", ", " ", "  ", "+", "-", "!", "~", "|", "||", "<<", "*", "?", ":", "=", ".b32"]
BRACKETS = ["[", "]", "{", "}", "(", ")"]

PLAIN = [
    "%r0",
    "%r0, %r0, 0",
    "%r0, -0, !%p0",
    "%p0|%p0, %r0",
    "_, [%rd0+0]",
    "%r0|_, [n-0], {%r0, %tid.x}",
    "{%r0, _}, [%rd0 + -0, {%r0, 0f00000000}]",
    "[%rd0, {%r0}], {{%r0, %r0}, {0, 0.0}}",
    "(%r0), n, (%r0, n), n",
    "(0), WARP_SZ, (- 0)",
    "{%r0, %r0}|%p0, ~%r0",
    "n, ()",
    "{}, %r0",
    "{%r0" + ", 0" * 70 + "}",
]


def check_alike(guard: str, arguments: str) -> bool:
    """Fails if operands are read otherwise than from a tree; returns whether they are plain."""
    before = f"{guard} add.s32 " if guard else "add.s32 "
    statement = f"{before}{arguments};"
    found = plain_parts(guard, arguments, len(before))
    if found is None:
        return False
    parsed = parse(statement)
    assert parsed.problem is None
    assert found == of_instruction(parsed.tree)
    return True


@pytest.mark.parametrize("guard", GUARDS[:4])
@pytest.mark.parametrize("arguments", PLAIN)
def test_plain_operands(guard: str, arguments: str) -> None:
    assert check_alike(guard, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        "%r0 %r0",
        "%r0,",
        ",%r0",
        "n[0]",
        "n(%r0)",
        "0(n)",
        "[%r0].x",
        "[%r0",
        "%r0]",
        "[]",
        "0 - ",
        "%r0||%r0",
        "n.const[0]",
        "{" + "0," * 32 + "0}",
        "[" * 10 + "%r0" + "]" * 10,
        '""',
    ],
)
def test_other_operands_are_parsed(arguments: str) -> None:
    assert not check_alike("", arguments)


@settings(max_examples=1000)
@given(
    st.sampled_from(GUARDS),
    st.lists(st.sampled_from([*NAMES, *NUMBERS, *MARKS * 2, *BRACKETS])).map("".join),
)
@example("", "%r0, 0.0")
@example("@%p.x", "%r0")
def test_any_words(guard: str, arguments: str) -> None:
    check_alike(guard, arguments.strip())


OPERANDS = st.recursive(
    st.sampled_from([*NAMES, *NUMBERS, "-0", "!%p0"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "|", "-", " + ", "+-"]), inner).map("".join),
        st.lists(inner, min_size=1, max_size=4).map(lambda them: f"[{', '.join(them)}]"),
        st.lists(inner, min_size=1, max_size=4).map(lambda them: f"{{{','.join(them)}}}"),
        st.lists(inner, min_size=1, max_size=4).map(lambda them: f"({', '.join(them)})"),
    ),
    max_leaves=8,
)


@settings(max_examples=500)
@given(st.sampled_from(GUARDS[:4]), st.lists(OPERANDS, min_size=1, max_size=4).map(", ".join))
def test_any_operands(guard: str, arguments: str) -> None:
    check_alike(guard, arguments)


@pytest.mark.slow
def test_nearly_all_operands_of_compilers_are_plain() -> None:
    counts = {True: 0, False: 0}
    seen = set()
    for path in sorted(CORPUS.glob("*/*.ptx")):
        for read in set(Document.read(path.read_bytes().decode()).records):
            for shape in read.records if isinstance(read, MultiLine) else (read,):
                if isinstance(shape, Shape) and not shape.gaps:
                    arguments = shape.text.removeprefix(f"{shape.guard} ".lstrip())
                    arguments = arguments.removeprefix(shape.opcode)[1:-1]
                    key = shape.guard, arguments
                    if key not in seen:
                        seen.add(key)
                        counts[check_alike(*key)] += 1
    assert counts[True] > 20 * counts[False]


def test_a_plain_instruction_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> None:
        raise AssertionError(text)

    monkeypatch.setattr("ptx_ls.syntax.parser.parse", fail)
    shape = Shapes().of("@%p1 ", "ld.global.v2.u32", "{%r1, %r2}, [%rd7+16]")
    assert shape is not None
    assert [each.text for each in shape.operands] == ["{%r0, %r0}", "[%rd0+0]"]
    assert [each.name for each in shape.identifiers] == ["%p0", "%r0", "%r0", "%rd0"]
