"""Names that may be declared by a statement that cannot be read, or that lacks a name."""

from __future__ import annotations

import string
from bisect import bisect_left
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.causes.relation import Relation
from ptx_ls.lint.causes.unreadable import is_cut_data, is_odd_name
from ptx_ls.lint.causes.within_statement import lacks_body
from ptx_ls.lint.grouping import bank_of
from ptx_ls.lint.suggestions import mistakes
from ptx_ls.semantics.directives.misread_statements import declares
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    Inconsistency,
    Inconsistent,
)
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    Duplicate,
    InstructionMismatch,
    LooseBrace,
    Undeclared,
    UnknownOpcode,
)
from ptx_ls.semantics.problems.module import BadLocation, LocationFault
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.offsets import after
from ptx_ls.syntax.tokens import NUMBER, REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText

_MARKS: Final = ",;()[]{}"
_LISTS: Final = frozenset({"branchtargets", "calltargets", "prototype"})
_AFTER_NAME: Final = frozenset(",;)")
_MAX_SLIPS: Final = 1
_MAX_SHORT_LENGTH: Final = 2
"""Maximum length of a name that resembles too many others to be recognized as misspelled."""
_MAX_COMPARED_STATEMENTS: Final = 20
"""Maximum number of statements whose words are compared with names."""


def _is_unknown(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects undeclared names that a faulty statement may declare."""
    text = function.text
    opcodes = [m for m in causes if isinstance(m, UnknownOpcode)]
    names = {m.opcode for m in opcodes} | _names_of_module(causes, function)
    for each in opcodes:
        if declares(each.opcode):
            names.update(names_in(after(text.lines[each.start[0]], each.end[1])))
    words = _words_at(causes, text)
    prefixes = {name.rstrip(string.digits) for name in names if name.startswith("%")}
    prefixes |= {name[:-1] for name in names if name.endswith("<")}
    duplicates = sorted((m for m in causes if isinstance(m, Duplicate)), key=attrgetter("start"))
    twice = [m.symbol.name for m in duplicates[:_MAX_COMPARED_STATEMENTS]]
    is_open = any(isinstance(m, LooseBrace) and m.is_opening for m in causes)

    def is_known(effect: Undeclared) -> bool:
        name = effect.name
        if name in names or name.rstrip(string.digits) in prefixes:
            return True
        if is_open and (effect.elsewhere is not None or effect.wants == "label"):
            return True  # its declaration may come after the missing brace
        if len(name) > _MAX_SHORT_LENGTH and _is_like_any(name, words):
            return True
        if effect.elsewhere or effect.near:
            return False
        return any(_is_like_any(each, twice) for each in (name, name.rstrip(string.digits)))

    lost = _lost(causes, text, is_known)
    if not (names or words or twice or is_open or lost):
        return None
    return lambda effect: is_known(effect) or bank_of(effect) in lost


def _is_like_any(name: str, words: Iterable[str]) -> bool:
    return any(mistakes(name, word, _MAX_SLIPS) <= _MAX_SLIPS for word in words)


def _names_of_module(causes: Sequence[Mismatch], function: CheckInput) -> AbstractSet[str]:
    """Returns the names that unreadable statements of the module may declare."""
    names = function.module.doubtful | _names_in_unreadable(causes, function.text)
    if any(map(lacks_body, causes)):
        names |= {it.name for symbol in function.facts.symbols for it in symbol.parameters}
    return names


def _names_in_unreadable(causes: Sequence[Mismatch], text: RegionText) -> set[str]:
    """Returns the names in declarations that cannot be read, or only in part."""
    found: set[str] = set()
    errors = [m for m in causes if isinstance(m, BadSyntax) and not m.lacks_semicolon]
    odd = {m.start[0] for m in causes if is_odd_name(m) or is_cut_data(m)}
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
            found.update(_ranges(statement.text))
    return found


def _ranges(text: str) -> Iterator[str]:
    """Yields the names of ranges, each with a `<`.

    If the `<` or `[` of a range or an array is missing, the size at the end of the name is removed.
    """
    for name, mark in pairwise(tokenize(text)):
        if name.type in (REG, WORD) and mark.string == "<":
            yield f"{name.string}<"
        elif name.type is WORD and name.string[-1] in string.digits and mark.string in ("]", ">"):
            yield f"{name.string.rstrip(string.digits)}<"


def _words_at(causes: Sequence[Mismatch], text: RegionText) -> list[str]:
    """Returns the word around each syntax error, which may be a misspelled name."""
    found: dict[str, None] = {}
    errors = sorted(
        (m for m in causes if isinstance(m, BadSyntax) and not m.is_rest), key=attrgetter("start")
    )
    for error in errors[:_MAX_COMPARED_STATEMENTS]:
        line, column = error.start
        if line < len(text.lines) and error.problem.found:
            ahead = error.before.split()
            head = ahead[-1] if ahead and not error.before[-1].isspace() else ""
            rest = after(text.lines[line], column).split(maxsplit=1)
            found[(head + (rest[0] if rest else "")).strip(_MARKS)] = None
    return [word for word in found if len(word) > _MAX_SLIPS]


def _lost(causes: Sequence[Mismatch], text: RegionText, is_known: Follows) -> set[object]:
    """Returns the banks of the first undeclared names, one for each declaration without a name."""
    n_lost = sum(_loses_name(m, text) for m in causes)
    if not n_lost:
        return set()
    missed = (m for m in causes if isinstance(m, Undeclared) and not is_known(m))
    first: dict[object, Undeclared] = {}
    for each in sorted(missed, key=attrgetter("start")):
        first.setdefault(bank_of(each), each)
    return set([bank for bank, each in first.items() if _has_no_declaration(each)][:n_lost])


def _has_no_declaration(mismatch: Undeclared) -> bool:
    """Whether no symbol has the name, except a range, whose registers have numbers."""
    found = [symbol for symbol in (mismatch.near, mismatch.elsewhere) if symbol is not None]
    return all(symbol.count and symbol.name == mismatch.name for symbol in found)


def _loses_name(mismatch: Mismatch, text: RegionText) -> bool:
    """Whether a declaration lacks a name, or a list of targets its label."""
    match mismatch:
        case BadValue(fault=ValueFault.NO_LABEL):
            return True
        case Inconsistent(what=Inconsistency.COUNT, symbol=symbol, first=first):
            return symbol.is_definition and len(symbol.parameters) < len(first.parameters)
        case BadSyntax(problem=problem, start=(line, _), is_rest=False):
            is_name = "WORD" in problem.expected and "NUMBER" not in problem.expected
            if problem.found == ")" and line and not mismatch.before.strip():
                return is_name and _ends_with_type(text.lines[line - 1])
            # If no punctuation follows the error, the user may still be typing the declaration.
            rest = after(text.lines[line], mismatch.start[1]) if line < len(text.lines) else ""
            is_over = not _AFTER_NAME.isdisjoint(rest)
            return is_name and is_over and _ends_with_type(mismatch.before)
    return False


def _ends_with_type(text: str) -> bool:
    """Whether a text ends with a type, or with the alignment of a pointer."""
    words = [*tokenize(text)][:-1]
    if len(words) > 1 and words[-1].type is NUMBER:
        words.pop()
    return bool(words) and "." in words[-1].string and words[-1].string[-1].isalnum()


def _is_list(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects instructions that may refer to a list or prototype whose label is missing."""
    if not any(_loses_name(cause, function.text) for cause in causes):
        return None
    return lambda effect: not _LISTS.isdisjoint(effect.violation.expected)


def _has_unknown_name(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects problems of names that an unreadable statement may also declare."""
    names = _names_of_module(causes, function)
    return (lambda effect: effect.symbol.name in names) if names else None


def _at_location(causes: Sequence[BadSyntax], _: CheckInput) -> Follows | None:
    """Selects the missing `.loc` of a caller, which may be a statement that cannot be read."""
    if not any(map(_is_location, causes)):
        return None
    return lambda effect: effect.fault is LocationFault.CALLER


def _is_location(error: BadSyntax) -> bool:
    is_misspelled = mistakes(error.problem.found, ".loc", _MAX_SLIPS) <= _MAX_SLIPS
    return not error.is_rest and (is_misspelled or opcode_of(error.before) == ".loc")


_UNREADABLE: Final = (BadSyntax, BadDeclaration, BadDirective)
RELATIONS: Final = (
    Relation(
        (Undeclared,),
        (*_UNREADABLE, UnknownOpcode, LooseBrace, Duplicate, BadValue, Inconsistent, Undeclared),
        _is_unknown,
    ),
    Relation((InstructionMismatch,), (BadValue, Inconsistent, BadSyntax), _is_list),
    Relation((Duplicate, Inconsistent, BadCall), _UNREADABLE, _has_unknown_name, is_wide=True),
    Relation((BadLocation,), (BadSyntax,), _at_location),
)
