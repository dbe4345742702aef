"""Files that ptxas accepts have no errors, rejected ones have one, and both readings agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from certify.reading_errors import reading_errors
from ptx_ls.document.document import Document
from ptx_ls.document.statements import statements_on
from ptx_ls.lint import lint
from ptx_ls.source import Diagnostic
from ptx_ls.syntax import operands, parser
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Kind, MultiLine, Shape
from ptx_ls.syntax.statement import Statement

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parent.parent / "corpus"
ACCEPTED = sorted((*CORPUS.glob("ptx/*.ptx"), *CORPUS.glob("handwritten/*.ptx")))
REJECTED = sorted(CORPUS.glob("rejected/*.ptx"))
CLAIM = re.compile(r"// ptxas: error at line (\d+): ")
ELSEWHERE = {
    "loc-without-column": 8,  # the end of what lacks the column, not the next statement
    "missing-semicolon": 17,  # where it is missing, not the next statement
    "missing-version": 2,  # where it should be
    "section-value": 7,  # the value, not the token after it
    "unclosed-parameters": 5,  # the end of the list, not the body after it
    "several-lines": 20,  # the operand, not the beginning of its statement
}
"""Where ptx-ls points, if not at the line that ptxas names."""
MISSED: dict[str, str] = {}
"""Files that ptxas rejects and ptx-ls accepts, with the reason."""

_NO_STATEMENT = (Kind.BLANK, Kind.COMMENT)
_NO_TREE = (Kind.LABEL, Kind.OPEN, Kind.CLOSE)
_met: set[str] = set()


@cache
def read(path: Path) -> Document:
    return Document.read(path.read_bytes().decode())


def check_errors(path: Path) -> list[Diagnostic]:
    """The errors in a file, without those that only compiling it would show."""
    return reading_errors(lint(read(path)))


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_accepted_file_has_no_error(path: Path) -> None:
    assert check_errors(path) == []


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_rejected_file_has_an_error_there(path: Path) -> None:
    claim = CLAIM.match(path.read_text("utf-8"))
    assert claim is not None
    lines = {found.range.start.line + 1 for found in check_errors(path)}
    if path.stem in MISSED:
        assert lines == set(), f"{path.stem} is no longer missed"
    else:
        assert ELSEWHERE.get(path.stem, int(claim[1])) in lines


@pytest.mark.parametrize("path", [*ACCEPTED, *REJECTED], ids=lambda path: path.stem)
def test_file_round_trips(path: Path) -> None:
    assert read(path).text.encode() == path.read_bytes()


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_regular_expressions_read_what_the_parser_reads(path: Path) -> None:
    for statement in _statements(read(path)):
        parsed = parser.parse(statement.text)
        assert parsed.problem is None, statement.text
        assert parsed.tree.get_code() == statement.text
        if isinstance(statement.record, Shape):
            written, identifiers = instruction_parts.of_instruction(parsed.tree)
            opcode = "".join(text for text, _, _ in instruction_parts.opcode_parts(parsed.tree))
            assert opcode == statement.record.opcode, statement.text
            assert _forms(written) == _forms(statement.record.operands), statement.text
            assert len(identifiers) == len(statement.record.identifiers), statement.text


def _statements(document: Document) -> Iterator[Statement]:
    """Every statement whose text has not been met in another file."""
    previous = None
    for line, record in enumerate(document.records):
        is_inside = record is previous and isinstance(record, MultiLine)
        previous = record
        if is_inside or record.kind in _NO_STATEMENT:
            continue
        for statement in statements_on(document, line):
            if statement.record.kind not in _NO_TREE and statement.text not in _met:
                _met.add(statement.text)
                yield statement


def _forms(written: tuple[operands.OperandSyntax, ...]) -> list[object]:
    return [
        (operand.form, operand.negation, operand.selector, _forms(operand.elements))
        for operand in written
    ]
