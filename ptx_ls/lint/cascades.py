"""One mistake, one diagnostic: leaves out what only follows from another mismatch.

A name that nobody declared is told once in a function, with its other uses; what a statement that
cannot be read seems to declare is not missed elsewhere; a brace or head that is wrong is told
once, not once for every statement that it puts out of place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.displaced import (
    is_header,
    without_displaced,
    without_further_headers,
    without_misplaced,
)
from ptx_ls.lint.near import declares
from ptx_ls.lint.repetition import grouped, of_low_headers, of_wrong_declarations
from ptx_ls.semantics.mismatch import (
    BadSyntax,
    HeaderFault,
    InstructionMismatch,
    Mismatch,
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
_UNOPENED: Final = re.compile(r"(?<![\w$.%])([A-Za-z_$][\w$]*\d)\]", re.ASCII).findall
"""A name with the size of an array, whose `[` is missing."""
_UNDOTTED: Final = re.compile(r"\s*+([a-z]++)(?:\s++\.\w|\s*+$)", re.ASCII).match
_DIGITS: Final = "0123456789"


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
    kept = _first_of_each_statement(without_misplaced(kept, text), text)
    kept = without_further_headers(_without_doubtful(kept, text, module.doubtful))
    kept = without_displaced(kept, facts)
    return of_low_headers(of_wrong_declarations(grouped(kept), text))


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


def _first_of_each_statement(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Of errors between which no statement ends, the first, if it is one of syntax."""
    mismatches = _with_stray_braces(mismatches, text)
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
    if _is_empty(error) and between.count("}") == 1 and between.rstrip().endswith("}"):
        return True  # of values whose `{` is missing
    return not any(mark in between for mark in ";{}")


def _is_empty(error: Mismatch) -> bool:
    return (
        isinstance(error, BadSyntax) and error.problem.found == ";" and not error.problem.expected
    )


def _with_stray_braces(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Tells a `}` among operands as such, not as the end of a statement and what cannot follow."""
    ends = {m.start: m for m in mismatches if isinstance(m, BadSyntax) and _lacks_semicolon(m)}
    changed: dict[int, Mismatch | None] = {}
    for error in mismatches if ends else ():
        line, column = error.start
        if (
            not isinstance(error, BadSyntax)
            or error.problem.found != ","
            or line >= len(text.lines)
        ):
            continue
        head = text.lines[line][:column].rstrip()
        before = head[:-1].rstrip()
        end = ends.get((line, len(before)))
        if end is not None and head.endswith("}"):
            problem = end.problem._replace(found="}", expected=(",", ";"))
            place = (line, len(head) - 1), (line, len(head))
            changed[id(end)] = BadSyntax(problem, *place, head[:-1])
            changed[id(error)] = None
    replaced = (changed.get(id(m), m) for m in mismatches)
    return [m for m in replaced if m is not None]


def _lacks_semicolon(error: BadSyntax) -> bool:
    return not error.problem.found and ";" in error.problem.expected


def _without_doubtful(
    mismatches: list[Mismatch], text: RegionText, doubtful: AbstractSet[str]
) -> list[Mismatch]:
    """Leaves out names that a broken statement may declare, and a header that may be there."""
    errors = [m for m in mismatches if isinstance(m, BadSyntax)]
    late = {m.directive for m in mismatches if is_header(m, HeaderFault.MISPLACED)}
    mismatches = [
        m for m in mismatches if not (is_header(m, HeaderFault.MISSING) and m.directive in late)
    ]
    wanted = {m.name for m in mismatches if isinstance(m, Undeclared) and m.wants == "label"}
    mismatches = _with_directives([_as_label(m, wanted) for m in mismatches])
    errors = [m for m in mismatches if isinstance(m, BadSyntax)]
    opcodes = [m for m in mismatches if isinstance(m, UnknownOpcode)]
    names = {m.opcode for m in opcodes}
    for each in opcodes:
        if declares(each.opcode):
            names.update(_WORDS(text.lines[each.start[0]], each.end[1]))
    if errors:
        names |= _names_in_broken(text, errors)
    names |= doubtful
    if not names and not errors:
        return mismatches
    prefixes = {name.rstrip(_DIGITS) for name in names if name.startswith("%")}
    prefixes |= {name[:-1] for name in names if name.endswith("<")}
    first = min(map(_start, errors), default=(len(text.lines), 0))
    return [
        m
        for m in mismatches
        if not (isinstance(m, Undeclared) and _is_among(m.name, names, prefixes))
        and not (_is_displaced_header(m) and min(first, (first[0], 0)) <= m.start)
    ]


def _with_directives(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Tells a declaration without its dot as such, where it is what cannot be read."""
    told = {m.start for m in mismatches if isinstance(m, UnknownOpcode)}
    kept: list[Mismatch] = []
    for mismatch in mismatches:
        match = _UNDOTTED(mismatch.before) if isinstance(mismatch, BadSyntax) else None
        if match is None or not declares(match[1]):
            kept.append(mismatch)
            continue
        line = mismatch.start[0]
        start, end = (line, match.start(1)), (line, match.end(1))
        if start not in told:
            told.add(start)
            kept.append(UnknownOpcode(match[1], start, end))
    return kept


def _as_label(mismatch: Mismatch, wanted: AbstractSet[str]) -> Mismatch:
    """What lacks a `:` if it is a label, where one of that name is wanted."""
    if isinstance(mismatch, UnknownOpcode) and mismatch.opcode in wanted:
        return mismatch._replace(is_label=True)
    if isinstance(mismatch, BadSyntax) and _lacks_semicolon(mismatch):
        name = mismatch.before.strip()
        if name in wanted:
            line, end = mismatch.start[0], len(mismatch.before.rstrip())
            return UnknownOpcode(name, (line, end - len(name)), (line, end), is_label=True)
    return mismatch


def _is_displaced_header(mismatch: Mismatch) -> bool:
    return is_header(mismatch, HeaderFault.MISSING) or is_header(mismatch, HeaderFault.MISPLACED)


def _names_in_broken(text: RegionText, errors: list[BadSyntax]) -> set[str]:
    """Names in statements that begin as declarations do and cannot be read."""
    found: set[str] = set()
    faulty = {read for read in text.distinct if read.problems}
    places = [error.start for error in errors if not _lacks_semicolon(error)]
    for statement in text.statements(text.lines_of(faulty)):
        is_broken = any(statement.start <= place <= statement.end for place in places)
        if is_broken and statement.text.startswith((".", "(")):
            found.update(_WORDS(statement.text))
            found.update(name + "<" for name in _RANGES(statement.text))
            found.update(name.rstrip(_DIGITS) + "<" for name in _UNOPENED(statement.text))
    return found


def _is_among(name: str, names: set[str], prefixes: set[str]) -> bool:
    return name in names or name.rstrip(_DIGITS) in prefixes


def _start(mismatch: Mismatch) -> Place:
    return mismatch.start
