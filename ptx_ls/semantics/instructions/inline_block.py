"""Checks patterns of inline assembly on one line, without regard to the numbers of registers.

A compiler may repeat the same few blocks thousands of times, and each is checked only once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.symbols import declaration_reader
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Kind, Shape
from ptx_ls.syntax.written.names import plain_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.symbols.symbols import Facts


def is_in_order(
    form: InlineAsmPattern, banks: Mapping[str, Facts], checker: InstructionChecker
) -> bool:
    """Whether all names are registers of `banks` or of the block, and all instructions legal."""
    kinds = [read.kind for read in form.records]
    if kinds[0] is not Kind.OPEN or kinds[-1] is not Kind.CLOSE or kinds.count(Kind.OPEN) > 1:
        return False
    own: dict[str, Facts] = {}
    lines = form.text
    for piece in InlineAsmLine(lines, form).pieces[1:-1]:
        text = lines[piece.start[1] : piece.end[1]]
        if isinstance(piece.record, Shape):
            if not _is_clean(piece.record, text, {**banks, **own}, checker):
                return False
        elif piece.record.kind is not Kind.DECLARATION:
            return False
        else:
            for symbol in declaration_reader.of_declaration(text, FunctionPosition(piece.start)):
                if symbol.name.startswith("%") or symbol.count:
                    return False
                own[symbol.name] = symbol.facts
    return True


def _is_clean(
    shape: Shape, text: str, known: Mapping[str, Facts], checker: InstructionChecker
) -> bool:
    names = plain_names(shape, text)
    if names is None or not checker.is_known(shape.opcode.partition(".")[0]):
        return False
    facts: list[Facts] = []
    for identifier, name in zip(shape.identifiers, names, strict=True):
        found = known.get(identifier.name if name.startswith("%") else name)
        if found is None:
            return False
        facts.append(found)
    if shape.guard and facts[0].type != ".pred":
        return False
    verdict = checker.shape(shape, tuple(facts))
    return not verdict.violations and not verdict.needs_numbers
