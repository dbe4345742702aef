"""One mistake, one diagnostic: leaves out what only follows from another mismatch.

A name that nobody declared is told once in a function, with its other uses; what a statement that
cannot be read seems to declare is not missed elsewhere; a brace or head that is wrong is told
once, not once for every statement that it puts out of place.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final, TypeGuard

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.repetition import grouped, of_wrong_declarations
from ptx_ls.lint.syntax_words import is_unknown_directive
from ptx_ls.semantics.mismatch import (
    BadDeclaration,
    BadDirective,
    BadHeader,
    BadSyntax,
    DeclarationFault,
    DirectiveFault,
    HeaderFault,
    InstructionMismatch,
    LooseBrace,
    Mismatch,
    MisplacedInstruction,
    Unavailable,
    Undeclared,
    UnknownOpcode,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.module import ModuleFacts
    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import RegionText
    from ptx_ls.syntax.places import Place

_WORDS: Final = re.compile(r"(?<![\w$.%])%?[A-Za-z_$][\w$]*+", re.ASCII).findall
_RANGES: Final = re.compile(r"(?<![\w$.%])(%?[A-Za-z_$][\w$]*+)\s*+<", re.ASCII).findall
_DIGITS: Final = "0123456789"
_END_OF_DATA: Final = re.compile(r"[;{}]").search
_HEADS: Final = (".entry", ".func", ".param", ".visible", ".weak", ".extern")
_HEADLESS: Final = (DirectiveFault.NO_BODY, DirectiveFault.BODILESS)


def independent(
    mismatches: list[Mismatch],
    text: RegionText,
    facts: RegionFacts,
    module: ModuleFacts,
) -> list[Mismatch]:
    """The mismatches of a region without those that follow from others, in any order.

    Names that a statement elsewhere in the module may declare, could it be read, are not missed.
    """
    kept = _without_old_version(mismatches, module)
    if len(kept) < 2 and not module.doubtful:  # noqa: PLR2004  nothing follows from nothing
        return kept
    kept = _first_of_each_statement(_without_misplaced(kept, text), text)
    kept = _without_doubtful(kept, text, module.doubtful)
    kept = _without_displaced(kept, facts)
    return of_wrong_declarations(grouped(kept), text)


def _without_old_version(mismatches: list[Mismatch], module: ModuleFacts) -> list[Mismatch]:
    """Where the version is too old for the target, leaves out what that target's version has."""
    context = module.context
    target = isa.database().targets.get(context.target[0]) if context.target else None
    if target is None or context.version is None or context.version >= target.since:
        return mismatches
    return [m for m in mismatches if not _is_had_since(m, target.since, context.target)]


def _is_had_since(mismatch: Mismatch, since: tuple[int, int], targets: tuple[str, ...]) -> bool:
    if isinstance(mismatch, Unavailable) and mismatch.name in targets:
        return False
    if not isinstance(mismatch, InstructionMismatch | Unavailable):
        return False
    violation = mismatch.violation
    versions = [version for version, _ in violation.needs]
    return violation.kind is ViolationKind.VERSION and bool(versions) and min(versions) <= since


def _without_misplaced(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Leaves out what else is wrong with a statement that stands where none of its kind may."""
    wrong = [
        (m.start, m.stop if isinstance(m, MisplacedInstruction) else _end_of_data(m, text))
        for m in mismatches
        if isinstance(m, MisplacedInstruction) or _is_loose_data(m)
    ]
    if not wrong:
        return mismatches
    return [
        m
        for m in mismatches
        if isinstance(m, MisplacedInstruction | BadDirective)
        or not any(start <= m.start <= stop for start, stop in wrong)
    ]


def _is_loose_data(mismatch: Mismatch) -> bool:
    return isinstance(mismatch, BadDirective) and mismatch.others == ("section",)


def _end_of_data(mismatch: Mismatch, text: RegionText) -> Place:
    line, column = mismatch.start
    match = _END_OF_DATA(text.lines[line], column)
    return line, match.start() if match else len(text.lines[line])


def _first_of_each_statement(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Of errors between which no statement ends, the first, if it is one of syntax."""
    errors = sorted((m for m in mismatches if isinstance(m, BadSyntax)), key=_start)
    dropped: set[int] = set()
    last: BadSyntax | None = None
    for error in errors:
        if last is not None and _goes_on(last, error, text):
            if last.problem.found:
                dropped.add(id(error))
                continue
            dropped.add(id(last))  # what stands behind an incomplete statement says more
        last = error
    kept = [m for m in mismatches if id(m) not in dropped]
    firsts = {error.start[0]: error for error in errors if id(error) not in dropped}
    return [
        m
        for m in kept
        if m.start[0] not in firsts
        or isinstance(m, BadSyntax)
        or not firsts[m.start[0]].start < m.start
        or not _goes_on(firsts[m.start[0]], m, text)
    ]


def _goes_on(last: BadSyntax, error: Mismatch, text: RegionText) -> bool:
    """Whether no statement ends between two errors of one line."""
    line = error.start[0]
    if line != last.start[0] or line >= len(text.lines) or _lacks_semicolon(last):
        return False
    between = text.lines[line][last.start[1] : error.start[1]]
    return not any(mark in between for mark in ";{}")


def _lacks_semicolon(error: BadSyntax) -> bool:
    return not error.problem.found and ";" in error.problem.expected


def _without_doubtful(
    mismatches: list[Mismatch], text: RegionText, doubtful: AbstractSet[str]
) -> list[Mismatch]:
    """Leaves out names that a broken statement may declare, and a header that may be there."""
    errors = [m for m in mismatches if isinstance(m, BadSyntax)]
    late = {m.directive for m in mismatches if _is_header(m, HeaderFault.MISPLACED)}
    mismatches = [
        m for m in mismatches if not (_is_header(m, HeaderFault.MISSING) and m.directive in late)
    ]
    names = {m.opcode for m in mismatches if isinstance(m, UnknownOpcode)}
    if errors:
        names |= _names_in_broken(text, errors)
    names |= doubtful
    if not names and not errors:
        return mismatches
    wanted = {m.name for m in mismatches if isinstance(m, Undeclared) and m.wants == "label"}
    mismatches = [
        m._replace(is_label=True) if isinstance(m, UnknownOpcode) and m.opcode in wanted else m
        for m in mismatches
    ]
    prefixes = {name.rstrip(_DIGITS) for name in names if name.startswith("%")}
    prefixes |= {name[:-1] for name in names if name.endswith("<")}
    first = min(map(_start, errors), default=(len(text.lines), 0))
    return [
        m
        for m in mismatches
        if not (isinstance(m, Undeclared) and _is_among(m.name, names, prefixes))
        and not (_is_displaced_header(m) and min(first, (first[0], 0)) <= m.start)
    ]


def _is_header(mismatch: Mismatch, fault: HeaderFault) -> TypeGuard[BadHeader]:
    return isinstance(mismatch, BadHeader) and mismatch.fault is fault


def _is_displaced_header(mismatch: Mismatch) -> bool:
    return _is_header(mismatch, HeaderFault.MISSING) or _is_header(mismatch, HeaderFault.MISPLACED)


def _names_in_broken(text: RegionText, errors: list[BadSyntax]) -> set[str]:
    """Names in statements that begin as declarations do and cannot be read."""
    found: set[str] = set()
    faulty = {read for read in text.distinct if read.problems}
    places = [error.start for error in errors if not _lacks_semicolon(error)]
    for statement in text.statements(text.lines_of(faulty)):
        is_broken = any(statement.start <= place <= statement.end for place in places)
        if is_broken and statement.text.startswith("."):
            found.update(_WORDS(statement.text))
            found.update(name + "<" for name in _RANGES(statement.text))
    return found


def _is_among(name: str, names: set[str], prefixes: set[str]) -> bool:
    return name in names or name.rstrip(_DIGITS) in prefixes


def _without_displaced(mismatches: list[Mismatch], facts: RegionFacts) -> list[Mismatch]:
    """Where a brace or a head is wrong, the first sign of it alone."""
    if any(isinstance(m, LooseBrace) and m.is_opening for m in mismatches):
        mismatches = [
            m for m in mismatches if not (isinstance(m, Undeclared) and m.elsewhere is not None)
        ]
    causes = [m for m in mismatches if _is_sign(m) or isinstance(m, BadSyntax)]
    outside = [m for m in causes if _is_outside(m, facts)]
    if not any(map(_is_certain_sign, outside)):
        return mismatches
    first = min(outside, key=_rank)
    if isinstance(first, BadSyntax):
        later = (event for event in facts.events if event > first.start)
        stop = next(later, (sys.maxsize, 0))
        mismatches = [
            m
            for m in mismatches
            if m is first or not isinstance(m, BadSyntax) or not _follows(m, first, stop, facts)
        ]
    return [
        m
        for m in mismatches
        if m is first
        or not (_is_sign(m) or isinstance(m, Undeclared | InstructionMismatch))
        or m.start < first.start
        or not _is_outside(m, facts)
    ]


def _follows(error: BadSyntax, first: BadSyntax, stop: Place, facts: RegionFacts) -> bool:
    """Whether a syntax error is in what a broken head leaves behind of its parameters."""
    is_head = any(mark in first.before for mark in _HEADS) or is_unknown_directive(first)
    return is_head and first.start < error.start < stop and _is_outside(error, facts)


def _is_outside(mismatch: Mismatch, facts: RegionFacts) -> bool:
    is_brace = isinstance(mismatch, LooseBrace | MisplacedInstruction)
    return is_brace or facts.scope_at(mismatch.start) is facts.module_scope


def _is_certain_sign(mismatch: Mismatch) -> bool:
    """Whether what belongs into a function stands outside; a declaration may do so by itself."""
    if isinstance(mismatch, BadDirective):
        return mismatch.fault is DirectiveFault.NO_BODY
    return not isinstance(mismatch, BadDeclaration)


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


def _rank(mismatch: Mismatch) -> tuple[Place, bool]:
    return mismatch.start, not isinstance(mismatch, BadSyntax)


def _start(mismatch: Mismatch) -> Place:
    return mismatch.start
