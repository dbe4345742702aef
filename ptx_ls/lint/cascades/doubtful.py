"""Names that are not missed: a statement that cannot be read may declare them."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.lint.cascades.displaced import is_header
from ptx_ls.lint.causes.unreadable import is_cut_data, is_odd_name
from ptx_ls.lint.suggestions import declares, mistakes
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.declarations import HeaderFault, Inconsistency, Inconsistent
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    Duplicate,
    InstructionMismatch,
    Undeclared,
    UnknownOpcode,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.problems.module import BadLocation, LocationFault
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.syntax.names import IN_NAME, LETTER, NAME_BEGINS, NAME_PATTERN, names_in
from ptx_ls.syntax.offsets import after

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import RegionText

_RANGES: Final = re.compile(rf"{NAME_BEGINS}({NAME_PATTERN})\s*+<", re.ASCII).findall
_UNOPENED: Final = re.compile(rf"{NAME_BEGINS}({LETTER}{IN_NAME}*\d)[\]>]", re.ASCII).findall
"""A name with the size of an array or a range, whose `[` or `<` is missing."""
_UNDOTTED: Final = re.compile(r"\s*+([a-z]++)(?:\s++\.\w|\s*+$)", re.ASCII).match
_DIGITS: Final = "0123456789"
_LOCATION: Final = re.compile(r"\s*+\.loc\b").match
_NAMELESS: Final = re.compile(r"\.\w++(?:\s++\d++)?\s*+$", re.ASCII).search
"""A declaration up to its type, or what is said of a pointer."""
_MARKS: Final = ",;()[]{}"
_LISTS: Final = frozenset({"branchtargets", "calltargets", "prototype"})
_MARK: Final = re.compile(r"[,;)]").search
_SLIPS: Final = 1
_SHORT: Final = 2
"""A name of so few letters is too much like any other to be one with a slip."""
_MANY: Final = 20
"""Broken statements whose words are compared with names."""


def without_doubtful(
    mismatches: list[Mismatch], text: RegionText, doubtful: AbstractSet[str]
) -> list[Mismatch]:
    """Leaves out names that a broken statement may declare, and a header that may be there."""
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
            names.update(names_in(after(text.lines[each.start[0]], each.end[1])))
    names |= doubtful
    if not names and not errors:
        return mismatches
    words = _broken_words(text, errors)
    has_broken_location = any(map(_is_of_caller, mismatches)) and any(map(_is_location, errors))
    prefixes = {name.rstrip(_DIGITS) for name in names if name.startswith("%")}
    prefixes |= {name[:-1] for name in names if name.endswith("<")}
    first = min(map(_start, errors), default=(len(text.lines), 0))
    return [
        m
        for m in mismatches
        if not (isinstance(m, Undeclared) and _is_among(m.name, names, prefixes, words))
        and not (isinstance(m, Duplicate | Inconsistent | BadCall) and m.symbol.name in doubtful)
        and not (has_broken_location and _is_of_caller(m))
        and not (_is_displaced_header(m) and min(first, (first[0], 0)) <= m.start)
    ]


def _is_location(error: BadSyntax) -> bool:
    """Whether a `.loc` cannot be read."""
    is_misspelled = mistakes(error.problem.found, ".loc", _SLIPS) <= _SLIPS
    return is_misspelled or _LOCATION(error.before) is not None


def _is_of_caller(mismatch: Mismatch) -> bool:
    return isinstance(mismatch, BadLocation) and mismatch.fault is LocationFault.CALLER


def _with_directives(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Tells a declaration without its dot as such, where it is what cannot be read."""
    told = {m.start for m in mismatches if isinstance(m, UnknownOpcode)}
    kept: list[Mismatch] = []
    for mismatch in mismatches:
        if not isinstance(mismatch, BadSyntax):
            kept.append(mismatch)
            continue
        match = _UNDOTTED(mismatch.before)
        if match is None or not declares(match[1]):
            kept.append(mismatch)
            continue
        line = mismatch.start[0]
        first = mismatch.first_column
        start, end = on_row(line, first + match.start(1), first + match.end(1))
        if start not in told:
            told.add(start)
            kept.append(UnknownOpcode(match[1], start, end))
    return kept


def _as_label(mismatch: Mismatch, wanted: AbstractSet[str]) -> Mismatch:
    """What lacks a `:` if it is a label, where one of that name is wanted."""
    if isinstance(mismatch, UnknownOpcode) and mismatch.opcode in wanted:
        return mismatch._replace(is_label=True)
    if isinstance(mismatch, BadSyntax) and mismatch.lacks_semicolon:
        name = mismatch.before.strip()
        if name in wanted:
            line, end = mismatch.start[0], mismatch.last_column
            return UnknownOpcode(name, *on_row(line, end - len(name), end), is_label=True)
    return mismatch


def _is_displaced_header(mismatch: Mismatch) -> bool:
    return is_header(mismatch, HeaderFault.MISSING) or is_header(mismatch, HeaderFault.MISPLACED)


def names_in_broken(text: RegionText, mismatches: list[Mismatch]) -> set[str]:
    """Names in statements that begin as declarations do and cannot be read, or in halves."""
    found: set[str] = set()
    errors = [m for m in mismatches if isinstance(m, BadSyntax) and not m.lacks_semicolon]
    odd = {m.start[0] for m in mismatches if is_odd_name(m) or is_cut_data(m)}
    if not errors and not odd:
        return found
    places = sorted(error.start for error in errors)
    faulty = {read for read in text.distinct if read.problems}
    for statement in text.statements(sorted({*text.lines_of(faulty), *odd})):
        if not statement.text.startswith((".", "(")):
            continue
        index = bisect_left(places, statement.start)
        has_error = index < len(places) and places[index] <= statement.end
        if has_error or statement.start[0] in odd:
            found.update(names_in(statement.text))
            found.update(name + "<" for name in _RANGES(statement.text))
            found.update(name.rstrip(_DIGITS) + "<" for name in _UNOPENED(statement.text))
    return found


def _broken_words(text: RegionText, errors: list[BadSyntax]) -> list[str]:
    """What stands without a blank around an error: a name with a slip that makes it none."""
    found: dict[str, None] = {}
    for error in errors[:_MANY]:
        line, column = error.start
        if line < len(text.lines) and error.problem.found:
            ahead = error.before.split()
            head = ahead[-1] if ahead and not error.before[-1].isspace() else ""
            rest = after(text.lines[line], column).split(maxsplit=1)
            found[(head + (rest[0] if rest else "")).strip(_MARKS)] = None
    return [word for word in found if len(word) > _SLIPS]


def without_lost(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Where declarations have no name, leaves out as many that are missed, the first ones."""
    n_lost = sum(_loses_name(m, text) for m in mismatches)
    twice = [m.symbol.name for m in mismatches if isinstance(m, Duplicate)][:_MANY]
    if twice:
        mismatches = [m for m in mismatches if not _is_misspelled(m, twice)]
    if not n_lost:
        return mismatches
    mismatches = [m for m in mismatches if not _wants_list(m)]
    missed = sorted((m for m in mismatches if isinstance(m, Undeclared)), key=_start)
    unknown = (m for m in missed if _is_unknown(m))
    lost = {id(m) for m in islice(unknown, n_lost)}
    return [m for m in mismatches if id(m) not in lost]


def _is_misspelled(mismatch: Mismatch, twice: list[str]) -> bool:
    """Whether a name that is missed may be what another declaration of a name was to declare."""
    if not isinstance(mismatch, Undeclared) or mismatch.elsewhere or mismatch.near:
        return False
    names = mismatch.name, mismatch.name.rstrip(_DIGITS)
    return any(mistakes(name, other, _SLIPS) <= _SLIPS for name in names for other in twice)


def _wants_list(mismatch: Mismatch) -> bool:
    """Whether a label stands where one of a list or prototype does."""
    if not isinstance(mismatch, InstructionMismatch):
        return False
    return not _LISTS.isdisjoint(mismatch.violation.expected)


def _is_unknown(mismatch: Undeclared) -> bool:
    """Whether nothing has the name but a range, which declares it with a number only."""
    found = [symbol for symbol in (mismatch.near, mismatch.elsewhere) if symbol is not None]
    return all(symbol.count and symbol.name == mismatch.name for symbol in found)


def _loses_name(mismatch: Mismatch, text: RegionText) -> bool:
    match mismatch:
        case BadValue(fault=ValueFault.NO_LABEL):
            return True
        case Inconsistent(what=Inconsistency.COUNT, symbol=symbol, first=first):
            return symbol.is_definition and len(symbol.parameters) < len(first.parameters)
        case BadSyntax(problem=problem, start=(line, _)):
            is_name = "WORD" in problem.expected and "NUMBER" not in problem.expected
            if problem.found == ")" and line and not mismatch.before.strip():
                return is_name and _NAMELESS(text.lines[line - 1]) is not None
            # Without a mark after it, it may just be being typed: then no name is lost.
            is_over = line < len(text.lines) and _MARK(after(text.lines[line], mismatch.start[1]))
            return is_name and bool(is_over) and _NAMELESS(mismatch.before) is not None
    return False


def _is_among(name: str, names: set[str], prefixes: set[str], words: list[str]) -> bool:
    if name in names or name.rstrip(_DIGITS) in prefixes:
        return True
    return len(name) > _SHORT and any(mistakes(name, word, _SLIPS) <= _SLIPS for word in words)


def _start(mismatch: Mismatch) -> FunctionPosition:
    return mismatch.start
