"""Recognises PTX, so that no other text is ever rewritten.

A text is PTX if it meets two requirements of ptxas: it begins with `.version`, and every
statement can be parsed. A script, a program in C, LLVM IR, a listing or a patch fails the first
test; a module within other text fails the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.semantics.symbols.region_text import region_text, single
from ptx_ls.source.dumps import dump_begin
from ptx_ls.syntax.offsets import slice_lines
from ptx_ls.syntax.record import WITHOUT_STATEMENT, MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.syntax.record import Record

NO_HEADER: Final = "it does not begin with `.version`"
"""The reason why a text without a module header is not PTX."""
DUMP: Final = "it is the output of `cuobjdump`"
"""The reason why a text with modules below heads is not PTX."""
_VERSION: Final = ".version"
_MARK: Final = "\ufeff"


def why_not_ptx(document: Document) -> str:
    """Returns why a text is not PTX, as a clause without a full stop; "" if it is PTX or blank.

    Examines each line once, and parses only statements that could not be read.
    """
    if dump_begin(document.lines) is not None:
        return DUMP
    if not begins_as_ptx(document.lines, document.records):
        return NO_HEADER
    line = _first_problem(document)
    return "" if line is None else cannot_read(line)


def cannot_read(line: int) -> str:
    """Returns the reason why a text is not PTX if its line `line` (from 0) cannot be read."""
    return f"line {line + 1} has a syntax error"


def begins_as_ptx(lines: Sequence[str], records: Sequence[Record]) -> bool:
    """Whether the first statement of a text is `.version`; also true for a blank text."""
    for text in _statements(lines, records):
        if not text.startswith("#") and text != _MARK:  # ptxas skips both
            return text.startswith(_VERSION) and text[len(_VERSION) :].lstrip()[:1].isdecimal()
    return not any(line.strip() for line in lines)


def _statements(lines: Sequence[str], records: Sequence[Record]) -> Iterator[str]:
    """Yields the texts of the statements in order."""
    previous = None
    for index, record in enumerate(records):
        if record is previous and isinstance(record, MultiLine):
            continue
        previous = record
        if isinstance(record, MultiLine):
            for piece in record.pieces:
                within = lines[index : index + piece.end[0] + 1]
                yield slice_lines(within, piece.start, piece.end)
            if record.problems and not record.pieces:
                yield lines[index]
        elif record.kind not in WITHOUT_STATEMENT:
            yield single(lines[index], record, index).text


def _first_problem(document: Document) -> int | None:
    """Returns the first line with a syntax error or an unmatched brace."""
    loose = [
        located.first_line + brace.row
        for located in document.functions
        for brace in braces(located.function).problems
    ]
    if not any(record.problems for record in frozenset(document.records)):
        return min(loose, default=None)
    # Few files have an error, and loading these would double the start-up time of a formatter.
    from ptx_ls.semantics.directives.syntax_problems import check_syntax  # noqa: PLC0415
    from ptx_ls.semantics.symbols.module import region_facts  # noqa: PLC0415
    from ptx_ls.semantics.symbols.module_facts import module_facts  # noqa: PLC0415

    module = module_facts(document)
    for located in document.functions:
        text, facts = region_text(located.function), region_facts(located.function)
        found = next(check_syntax(text, facts, module, located.number), None)
        if found is not None:
            return min([located.first_line + found.start[0], *loose])
    return min(loose, default=None)
