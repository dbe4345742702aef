"""Problems outside of functions that follow from an earlier wrong brace or head."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.causes.out_of_place import is_late, is_mark
from ptx_ls.lint.causes.relation import MismatchClass, Relation
from ptx_ls.lint.causes.within_statement import end_of_piece
from ptx_ls.lint.syntax_messages import is_unknown_directive
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    BadHeader,
    DeclarationFault,
    DirectiveFault,
)
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    Duplicate,
    InstructionMismatch,
    LooseBrace,
    MisplacedInstruction,
    Undeclared,
)
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_HEADS: Final = frozenset({".entry", ".func", ".param", ".visible", ".weak", ".extern"})
"""Words that begin a head or a parameter."""
_PARAMETERS: Final = frozenset({"SPACE", ".reg"})
"""Kinds of tokens that are expected where a parameter begins."""
_HEADLESS: Final = (DirectiveFault.NO_BODY, DirectiveFault.BODILESS)
_BODY: Final = ("body",)


def _after_sign(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects problems outside of functions after the first sign of a wrong brace or head."""
    text, facts = function.text, function.facts
    signs = [
        m
        for m in causes
        if (_is_sign(m) and not function.is_inside)
        or isinstance(m, BadSyntax)
        or (isinstance(m, BadHeader) and is_late(m))
    ]
    outside = [m for m in signs if _is_outside(m, facts) or _closes(m, text)]
    if not any(map(_is_certain, outside)):
        return None
    first = min(outside, key=_rank)
    later = (event for event in facts.events if event > first.start)
    stop = next(later, FunctionPosition((sys.maxsize, 0)))
    does_close, loses_parameters = _closes(first, text), _loses_parameters(first)

    def follows(effect: Mismatch) -> bool:
        if effect is first or effect.start < first.start:
            return False
        is_outside = _is_outside(effect, facts)
        if isinstance(effect, BadSyntax):
            is_parameter = loses_parameters and is_outside and effect.start < stop
            is_on_line = does_close and effect.start[0] == first.start[0]
            return effect.start > first.start and (is_parameter or is_on_line)
        if not _may_be_outside(effect):
            return False
        is_unreached = isinstance(effect, Undeclared) and effect.elsewhere is not None
        return is_outside or (does_close and is_unreached)

    return follows


def _in_function_before(_: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects problems of statements that belong to the previous function if it is not closed."""
    facts = function.facts
    if not function.is_inside:
        return None
    return lambda effect: _may_be_outside(effect) and _is_outside(effect, facts)


def _closes(mismatch: Mismatch, text: RegionText) -> bool:
    """Whether an unreadable statement ends at a `}` of its line, or may be a mistyped brace."""
    line, column = mismatch.start
    if not isinstance(mismatch, BadSyntax) or line >= len(text.lines):
        return False
    if is_mark(mismatch):
        return True
    is_end = mismatch.problem.found == ";" and bool(mismatch.problem.expected)
    return text.lines[line].startswith("}", end_of_piece(text.lines[line], column + is_end))


def _loses_parameters(first: Mismatch) -> bool:
    """Whether a problem is in a head, whose parameters then seem to be outside of functions."""
    if isinstance(first, BadDeclaration):
        return first.symbol.space == ".param"
    if isinstance(first, BadDirective):
        return first.fault is DirectiveFault.NO_BODY
    if not isinstance(first, BadSyntax):
        return False
    found, expected = first.problem.found, first.problem.expected
    words = (found, *(token.string for token in tokenize(first.before)))
    is_head = not _HEADS.isdisjoint(words) or is_unknown_directive(first)
    return is_head or set(expected) >= _PARAMETERS


def _is_outside(mismatch: Mismatch, facts: RegionFacts) -> bool:
    if isinstance(mismatch, LooseBrace | MisplacedInstruction) or facts.function is None:
        return True
    if isinstance(mismatch, BadSyntax) and mismatch.problem.found == "}":
        return True  # a brace that closes the wrong block
    return facts.scope_at(mismatch.start) is facts.module_scope


def _is_certain(sign: Mismatch) -> bool:
    """Whether a statement certainly belongs in a function; a declaration may be correct outside."""
    if isinstance(sign, BadDirective):
        return sign.fault is DirectiveFault.NO_BODY
    return not isinstance(sign, BadDeclaration | BadHeader)


def _is_sign(mismatch: Mismatch) -> bool:
    """Whether a mismatch shows that a statement is outside of the function it belongs to."""
    match mismatch:
        case LooseBrace(is_opening=False) | MisplacedInstruction():
            return True
        case BadDeclaration(fault=DeclarationFault.MODULE_SCOPE):
            return True
        case BadDirective(fault=fault):
            return fault in _HEADLESS
    return False


def _may_be_outside(mismatch: Mismatch) -> bool:
    """Whether a mismatch may be caused only by being outside of functions."""
    if isinstance(mismatch, BadDirective):
        return _is_sign(mismatch) or mismatch.others == _BODY
    if isinstance(mismatch, LooseBrace):
        return not mismatch.is_opening
    return not isinstance(mismatch, BadSyntax)


def _rank(sign: Mismatch) -> tuple[FunctionPosition, int]:
    return sign.start, _SIGNS.index(type(sign))


_SIGNS: Final[tuple[MismatchClass, ...]] = (
    *(BadSyntax, LooseBrace, MisplacedInstruction, BadDirective, BadHeader, BadDeclaration),
)
"""The classes of signs; of several signs at one place, the one whose class is first counts."""
_OUTSIDE: Final = (
    *(LooseBrace, MisplacedInstruction, BadDeclaration, BadDirective),
    *(Undeclared, InstructionMismatch, Duplicate),
)
RELATIONS: Final = (
    Relation((*_OUTSIDE, BadSyntax), _SIGNS, _after_sign),
    Relation(_OUTSIDE, (), _in_function_before, is_wide=True),
)
