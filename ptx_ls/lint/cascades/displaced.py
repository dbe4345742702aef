"""What only follows from a statement, brace or head out of place: told once, at the first sign."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final, TypeGuard

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.lint.syntax_messages import is_unknown_directive
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    BadHeader,
    DeclarationFault,
    DirectiveFault,
    HeaderFault,
)
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    Duplicate,
    InstructionMismatch,
    LooseBrace,
    MisplacedInstruction,
    Undeclared,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.syntax.names import IN_NAME
from ptx_ls.syntax.offsets import NEAR

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_END_OF_DATA: Final = re.compile(r"[;{}]").search
_STRAY: Final = re.compile(r"\s*+\}").match
_HEADS: Final = (".entry", ".func", ".param", ".visible", ".weak", ".extern")
_HEAD: Final = re.compile(rf"(?<!{IN_NAME})(?:\.(?:entry|func|param|visible|weak|extern))\b").search
"""What begins a head or a parameter, not the modifier of an instruction."""
_PARAMETERS: Final = frozenset({"SPACE", ".reg"})
"""What is expected where a parameter begins."""
_HEADLESS: Final = (DirectiveFault.NO_BODY, DirectiveFault.BODILESS)


_DISPLACED: Final = (Undeclared, InstructionMismatch, Duplicate, BadDeclaration)


def is_header(mismatch: Mismatch, fault: HeaderFault) -> TypeGuard[BadHeader]:
    """Whether a directive of the header has this fault."""
    return isinstance(mismatch, BadHeader) and mismatch.fault is fault


def without_displaced(
    mismatches: list[Mismatch], text: RegionText, facts: RegionFacts, *, is_inside: bool
) -> list[Mismatch]:
    """Where a brace or a head is wrong, the first sign of it alone.

    `is_inside`: the function before is never closed, so the rest of it may be in this one.
    """
    mismatches = _with_stray_braces(_without_unclosed(mismatches), text)
    if is_inside:
        mismatches = [m for m in mismatches if not (_may_follow(m) and _is_outside(m, facts))]
    causes = [m for m in mismatches if _is_sign(m) or isinstance(m, BadSyntax) or _is_late(m)]
    outside = [m for m in causes if _is_outside(m, facts) or _closes(m, text)]
    if not any(map(_is_certain_sign, outside)):
        return mismatches
    first = min(outside, key=_rank)
    if isinstance(first, BadSyntax | BadDirective | BadDeclaration):
        later = (event for event in facts.events if event > first.start)
        stop = next(later, FunctionPosition((sys.maxsize, 0)))
        mismatches = [
            m
            for m in mismatches
            if m is first
            or not isinstance(m, BadSyntax)
            or not (_follows(m, first, stop, facts) or _is_beside(m, first, text))
        ]
    return [
        m
        for m in mismatches
        if m is first
        or not _may_follow(m)
        or m.start < first.start
        or not (_is_outside(m, facts) or (_closes(first, text) and _is_unreached(m)))
    ]


def _without_unclosed(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Where a brace is never closed, leaves out what is missed or out of place therefore.

    What stands outside of functions only is the first sign of it, and so is a `{` that opens none.
    """
    unclosed = next((m for m in mismatches if isinstance(m, LooseBrace) and m.is_opening), None)
    late = sorted((m for m in mismatches if _is_of_module(m)), key=_place)
    opened = {m.start for m in mismatches if isinstance(m, MisplacedInstruction)}
    dropped = {id(m) for m in late[1:]} if unclosed is not None or len(late) > 1 else set()
    is_told = bool(late) or any(
        _is_mark(m) and unclosed is not None and unclosed.opened[0][0] < m.start for m in mismatches
    )
    if unclosed is not None and (is_told or any(it[0] in opened for it in unclosed.opened)):
        dropped.add(id(unclosed))
    return [m for m in mismatches if id(m) not in dropped]


def _is_of_module(mismatch: Mismatch) -> bool:
    """Whether it is a directive that stands outside of functions only."""
    if not isinstance(mismatch, BadDirective):
        return False
    return mismatch.fault is DirectiveFault.SCOPE and mismatch.others == ("module",)


def _with_stray_braces(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Tells a `}` among operands as such, where a brace too many shows further down."""
    if not any(map(_is_sign, mismatches)):
        return mismatches
    return [
        _as_stray(m, text) if isinstance(m, BadSyntax) and m.lacks_semicolon else m
        for m in mismatches
    ]


def _as_stray(mismatch: Mismatch, text: RegionText) -> Mismatch:
    line, column = mismatch.start
    match = _STRAY(text.lines[line], column) if line < len(text.lines) else None
    if match is None or not isinstance(mismatch, BadSyntax):
        return mismatch
    problem = mismatch.problem._replace(found="}", expected=(",", ";"))
    place = on_row(line, match.end() - 1, match.end())
    return BadSyntax(problem, *place, text.lines[line])


def _closes(mismatch: Mismatch, text: RegionText) -> bool:
    """Whether a broken statement ends at a `}` of its line, or may stand for a brace."""
    line, column = mismatch.start
    if not isinstance(mismatch, BadSyntax) or line >= len(text.lines):
        return False
    if _is_mark(mismatch):
        return True
    is_end = mismatch.problem.found == ";" and bool(mismatch.problem.expected)
    match = _END_OF_DATA(text.lines[line], column + is_end, column + NEAR)
    return match is not None and match[0] == "}"


def _is_mark(mismatch: Mismatch) -> bool:
    """Whether what no statement begins with stands there; it may stand for a brace."""
    if not isinstance(mismatch, BadSyntax) or ".version" not in mismatch.problem.expected:
        return False
    return not mismatch.problem.found.startswith((".", ";", "}"))


def _follows(
    error: BadSyntax,
    first: BadSyntax | BadDirective | BadDeclaration,
    stop: FunctionPosition,
    facts: RegionFacts,
) -> bool:
    """Whether a syntax error is in what a broken head leaves behind of its parameters."""
    if isinstance(first, BadDeclaration):
        is_parameter = first.symbol.space == ".param"
        return is_parameter and first.start < error.start < stop and _is_outside(error, facts)
    if isinstance(first, BadDirective):
        is_behind = first.start < error.start < stop
        return is_behind and first.fault is DirectiveFault.NO_BODY and _is_outside(error, facts)
    is_head = _HEAD(first.before) is not None or is_unknown_directive(first)
    is_head = is_head or first.problem.found in _HEADS or set(first.problem.expected) >= _PARAMETERS
    return is_head and first.start < error.start < stop and _is_outside(error, facts)


def _is_beside(error: BadSyntax, first: Mismatch, text: RegionText) -> bool:
    """Whether a syntax error is behind the brace that broke a statement, on its line."""
    return first.start < error.start < (first.start[0] + 1, 0) and _closes(first, text)


def _is_outside(mismatch: Mismatch, facts: RegionFacts) -> bool:
    if isinstance(mismatch, LooseBrace | MisplacedInstruction) or facts.function is None:
        return True
    if isinstance(mismatch, BadSyntax) and mismatch.problem.found == "}":
        return True  # it closes what it should not
    return facts.scope_at(mismatch.start) is facts.module_scope


def _is_certain_sign(mismatch: Mismatch) -> bool:
    """Whether what belongs into a function stands outside; a declaration may do so by itself."""
    if isinstance(mismatch, BadDirective):
        return mismatch.fault is DirectiveFault.NO_BODY
    return not isinstance(mismatch, BadDeclaration | BadHeader)


def _is_late(mismatch: Mismatch) -> bool:
    """Whether it belongs to the header; between a head and its body it parts them."""
    return is_header(mismatch, HeaderFault.MISPLACED)


def _is_sign(mismatch: Mismatch) -> bool:
    """Whether it shows that a statement is not inside of the function where it belongs."""
    match mismatch:
        case LooseBrace(is_opening=False) | MisplacedInstruction():
            return True
        case BadDeclaration(fault=DeclarationFault.MODULE_SCOPE):
            return True
        case BadDirective(fault=fault):
            return fault in _HEADLESS
    return False


def _is_unreached(mismatch: Mismatch) -> bool:
    """Whether a name is missed that is declared in a block, which may be closed too early."""
    return isinstance(mismatch, Undeclared) and mismatch.elsewhere is not None


def _may_follow(mismatch: Mismatch) -> bool:
    """Whether it may be wrong for no other reason than that it is outside."""
    return _is_sign(mismatch) or isinstance(mismatch, _DISPLACED) or _is_of_body(mismatch)


def _is_of_body(mismatch: Mismatch) -> bool:
    """Whether it is a directive that stands in bodies only."""
    return isinstance(mismatch, BadDirective) and mismatch.others == ("body",)


def _rank(mismatch: Mismatch) -> tuple[FunctionPosition, bool]:
    return mismatch.start, not isinstance(mismatch, BadSyntax)


def _place(mismatch: Mismatch) -> FunctionPosition:
    return mismatch.start
