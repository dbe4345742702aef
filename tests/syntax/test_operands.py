"""Operands and opcodes as plain data: each way of writing one."""

from __future__ import annotations

import pytest

from ptx_ls.syntax.operands import OperandForm, OperandSyntax
from ptx_ls.syntax.parser import parse
from ptx_ls.syntax.parsing.instruction_parts import of_instruction, opcode_parts

F = OperandForm


def check_operand(text: str) -> OperandSyntax:
    """The last operand of `op a, <text>;`, whose text and range are checked."""
    statement = f"op a, {text};"
    operands, identifiers = of_instruction(parse(statement).tree)
    assert len(operands) == 2
    found = operands[-1]
    assert found.text == text
    assert (found.start, found.end) == ((0, 6), (0, 6 + len(text)))
    for identifier in identifiers:
        line, column = identifier.start
        assert line == 0
        assert statement[column : identifier.end[1]] == identifier.full
        assert identifier.full.startswith(identifier.name)
    return found


def names(text: str) -> list[str]:
    """Identifiers of an instruction in order."""
    return [identifier.full for identifier in of_instruction(parse(text).tree)[1]]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("%r1", F.IDENTIFIER),
        ("label", F.IDENTIFIER),
        ("WARP_SZ", F.IDENTIFIER),
        ("%tid.x", F.IDENTIFIER),
        ("_", F.SINK),
        ("1", F.INTEGER),
        ("0x1fU", F.INTEGER),
        ("0b101", F.INTEGER),
        ("017", F.INTEGER),
        ("0x1e5", F.INTEGER),
        ("0f3F800000", F.FLOAT32),
        ("0d3FF0000000000000", F.FLOAT64),
        ("1.5", F.DECIMAL),
        ("1e5", F.DECIMAL),
        ('"text"', F.STRING),
        ("[a]", F.ADDRESS),
        ("{a, b}", F.VECTOR),
        ("{}", F.VECTOR),
        ("(a, b)", F.LIST),
        ("()", F.LIST),
        ("(1 + 2)", F.EXPRESSION),
        ("1 + 2", F.EXPRESSION),
        ("a + 4", F.IDENTIFIER),
        ("table[3]", F.IDENTIFIER),
        ("generic(table)", F.EXPRESSION),
        ("0xff(table)", F.EXPRESSION),
    ],
)
def test_form(text: str, form: OperandForm) -> None:
    assert check_operand(text).form is form


@pytest.mark.parametrize(
    ("text", "negation"),
    [("-a", "-"), ("!a", "!"), ("~a", "~"), ("- 1", "-"), ("+1", ""), ("-%f1", "-")],
)
def test_negation(text: str, negation: str) -> None:
    assert check_operand(text).negation == negation


@pytest.mark.parametrize(
    ("text", "selector"),
    [("a.b0", ".b0"), ("a.h1", ".h1"), ("%tid.x", ".x"), ("[a].unified", ".unified"), ("%r1", "")],
)
def test_selector(text: str, selector: str) -> None:
    assert check_operand(text).selector == selector


def test_pair() -> None:
    for text in ("p|q", "p | q", "%p1|_", "{a, b}|p"):
        found = check_operand(text)
        assert found.paired is not None
        assert found.paired.text == text.split("|")[1].strip()
    assert check_operand("_|q").form is F.SINK


def test_address() -> None:
    found = check_operand("[%rd1+-4]")
    assert [element.form for element in found.elements] == [F.IDENTIFIER]
    assert found.elements[0].has_offset
    assert not check_operand("[%rd1]").elements[0].has_offset
    assert [element.form for element in check_operand("[16]").elements] == [F.INTEGER]


def test_compound_address() -> None:
    found = check_operand("[tex, samp, {x, y}]")
    assert [element.form for element in found.elements] == [F.IDENTIFIER, F.IDENTIFIER, F.VECTOR]
    assert [element.text for element in found.elements[2].elements] == ["x", "y"]


def test_vector_with_sink_and_constants() -> None:
    found = check_operand("{_, %r1, 3, -4}")
    assert [element.form for element in found.elements] == [
        F.SINK,
        F.IDENTIFIER,
        F.INTEGER,
        F.INTEGER,
    ]


def test_no_operands() -> None:
    assert of_instruction(parse("ret;").tree) == ((), ())


def test_identifiers_in_the_order_of_the_text() -> None:
    assert names("@!%p1 fma.rn.f32 %f1, {a, b}, [c+4], %tid.x;") == [
        "%p1",
        "%f1",
        "a",
        "b",
        "c",
        "%tid.x",
    ]
    assert names("call (r), f, (a, 1, b), p;") == ["r", "f", "a", "b", "p"]
    assert names("mov.u32 %r1, 0xff;") == ["%r1"]
    assert names("mov.u32 %r1, _;") == ["%r1"]


def test_operands_before_an_error() -> None:
    operands, _ = of_instruction(parse("add.u32 %r1, %r2, );").tree)
    assert [operand.text for operand in operands][:2] in (["%r1", "%r2"], [])


@pytest.mark.parametrize("end", ["", ",", ", [", ";"])
def test_an_unfinished_instruction_has_operands_behind_its_guard(end: str) -> None:
    operands, identifiers = of_instruction(parse(f"@!%p add.u32 %r1, %r2{end}").tree)
    assert [operand.text for operand in operands][:2] == ["%r1", "%r2"]
    assert [identifier.name for identifier in identifiers] == ["%p", "%r1", "%r2"]
    assert names("@%p") == ["%p"]
    assert names("@!") == []


def test_positions_over_lines() -> None:
    operands, identifiers = of_instruction(parse("add.u32\n  %r1,\n\t%r2, 3;").tree)
    assert [operand.start for operand in operands] == [(1, 2), (2, 1), (2, 6)]
    assert [identifier.start for identifier in identifiers] == [(1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ret;", ["ret"]),
        ("add.sat.s32 a, b, c;", ["add", ".sat", ".s32"]),
        (
            "@%p ld.global.L1::no_allocate.u32 a, [b];",
            ["ld", ".global", ".L1::no_allocate", ".u32"],
        ),
        ("@ ! p ret.uni;", ["ret", ".uni"]),
        ("add .s32 a, b, c;", ["add", ".s32"]),
        ("add\n.s32 a, b, c;", ["add", ".s32"]),
        ("mov.f64 a, .5;", ["mov", ".f64"]),
        ("@%p", []),
        ("", []),
        ("add.", ["add", "."]),
        (".reg .b32 a;", []),
    ],
)
def test_opcode_parts(text: str, expected: list[str]) -> None:
    parts = opcode_parts(parse(text).tree)
    assert [part for part, _, _ in parts] == expected
    lines = text.split("\n")
    for part, (line, column), (end_line, end) in parts:
        assert line == end_line
        assert lines[line][column:end] == part
