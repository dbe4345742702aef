"""Finds invalid values in directives, and directives in the wrong scope.

Source: PTX ISA, "Debugging Directives" and "Control Flow Directives"; the limits are those of
ptxas, which checks only the low 32 bits of data in sections.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.directives.function_directives import check_prototype
from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.semantics.symbols.symbols import KINDS_BY_DIRECTIVE
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.plain.data import is_plain_data
from ptx_ls.syntax.record import DATA, LOCATION, Kind, Record
from ptx_ls.syntax.tokens import NAME, NUMBER, OLD_DATA, REG, STRING, WORD, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_BITS: Final = {".b8": 8, ".b16": 16, ".b32": 32, ".b64": 64}
_NAMED: Final = (".b32", ".b64")
"""Types wide enough for an address."""
_WORD_BITS: Final = 32
"""Number of bits of narrow data that ptxas checks, and of a file number."""
_BYTES: Final = frozenset(map(str, range(-99, 256)))


_SCOPES: Final = {
    ".file": "module",
    ".metadata_section": "module",
    ".nv_intermediate_source_section": "module",
    **dict.fromkeys(KINDS_BY_DIRECTIVE, "body"),
}
"""The scope in which ptxas requires each directive to be."""


def check_directive_values(
    text: RegionText, facts: RegionFacts
) -> Iterator[BadValue | BadDirective]:
    """Yields the faults of the directives of a function."""
    yield from _check_scopes(facts)
    yield from _check_locations(text, facts)
    yield from _check_files(facts)
    yield from _check_lists(facts)
    holders = text.holding(Kind.DATA)
    if holders:
        yield from _check_data(text, holders)


def _check_data(text: RegionText, holders: set[Record]) -> Iterator[BadValue]:
    for found in text.statements(_doubtful_rows(text, holders)):
        if found.record is DATA:
            yield from _check_datum(found)


def _doubtful_rows(text: RegionText, holders: set[Record]) -> Iterator[int]:
    """Yields the rows of data that may be wrong: few of the million lines of debug data."""
    if not text.parts:
        yield from _doubtful_among(text.lines_of(holders), text)
        return
    for first, chunk in text.parts:
        own = holders.intersection(chunk.distinct)
        if own and not (own == {DATA} and is_plain_data(chunk.text)):
            rows = chunk.rows_where(own.__contains__)
            yield from _doubtful_among([first + row for row in rows], text)


def _doubtful_among(rows: Sequence[int], text: RegionText) -> Iterator[int]:
    for row, line, read in text.rows(rows):
        if read is not DATA or not _is_sound(line):
            yield row


def _is_sound(line: str) -> bool:
    """Whether a line consists of plain data that certainly fits, as nearly all lines do."""
    kind, *rest = line.partition("//")[0].split(maxsplit=1)
    values = "".join(rest)
    if kind in _NAMED:
        return "-" not in values
    return kind == ".b8" and all(value.strip() in _BYTES for value in values.split(","))


def _check_datum(found: Found) -> Iterator[BadValue]:
    stream = list(tokenize(found.text))
    kind = stream[0].string
    bits = _BITS.get(kind)
    if bits is None:
        if kind not in OLD_DATA:
            yield _bad(ValueFault.DATA_TYPE, kind, kind, stream[0], found.start)
        return
    for before, token in pairwise(stream):
        if token.type in (WORD, REG, NAME) and kind not in _NAMED:
            yield _bad(ValueFault.ADDRESS, kind, token.string, token, found.start)
        elif token.type is NUMBER and not _fits(token.string, before.string, bits):
            value = before.string * (before.string == "-") + token.string
            yield _bad(ValueFault.RANGE, kind, value, token, found.start)


def _fits(digits: str, sign: str, bits: int) -> bool:
    value = number(digits)
    if not isinstance(value, int) or bits > _WORD_BITS:
        return True
    if sign == "-":
        return value <= 1 << (bits - 1)
    return value % (1 << _WORD_BITS) < 1 << bits


def _check_scopes(facts: RegionFacts) -> Iterator[BadDirective]:
    """Yields module directives in a body, and body directives outside of one."""
    for directive in facts.directives:
        wanted = _SCOPES.get(directive.name)
        is_outside = facts.scope_at(directive.start) is facts.module_scope
        if wanted is not None and is_outside != (wanted == "module"):
            end = along(directive.start, len(directive.name))
            fault = DirectiveFault.SCOPE
            yield BadDirective(directive.name, fault, (wanted,), directive.start, end)


def _check_locations(text: RegionText, facts: RegionFacts) -> Iterator[BadDirective]:
    """Yields the first `.loc` before the first body, and the first one after the last body."""
    holders = text.holding(Kind.LOCATION)
    if not holders:
        return
    n_rows = len(text.records)
    first = facts.events[0][0] if facts.events else n_rows
    last = facts.events[-1][0] if facts.events else n_rows
    for rows in (range(min(first + 1, n_rows)), range(max(first + 1, last), n_rows)):
        for found in text.statements([row for row in rows if text.records[row] in holders]):
            if found.record is LOCATION and facts.scope_at(found.start) is facts.module_scope:
                name = found.text.split(maxsplit=1)[0]
                place = found.start, along(found.start, len(name))
                yield BadDirective(name, DirectiveFault.SCOPE, ("body",), *place)
                break


def _check_files(facts: RegionFacts) -> Iterator[BadValue]:
    seen: dict[int | float, FunctionSpan] = {}
    for directive in facts.directives:
        if directive.name != ".file":
            continue
        token = next((it for it in tokenize(directive.text) if it.type is NUMBER), None)
        value = number(token.string) if token is not None else None
        if token is None or not isinstance(value, int):
            continue
        if value >= 1 << _WORD_BITS:
            yield _bad(ValueFault.OVERFLOW, ".file", token.string, token, directive.start)
        bad = _bad(ValueFault.FILE_TWICE, ".file", token.string, token, directive.start)
        if value in seen:
            yield bad._replace(before=seen[value])
        seen.setdefault(value, (bad.start, bad.end))


def _check_lists(facts: RegionFacts) -> Iterator[BadValue | BadDirective]:
    """Yields lists and prototypes without a label, and faults in prototypes."""
    lists = [directive for directive in facts.directives if directive.name in KINDS_BY_DIRECTIVE]
    if not lists:
        return
    labels = [
        symbol.start for symbol in facts.symbols if symbol.kind in KINDS_BY_DIRECTIVE.values()
    ]
    before = (-1, 0)
    for directive in lists:
        if bisect_right(labels, before) >= bisect_left(labels, directive.start):
            first = next(tokenize(directive.text))
            yield _bad(ValueFault.NO_LABEL, directive.name, "", first, directive.start)
        before = directive.start
        if directive.name == ".callprototype":
            yield from _check_prototype(directive)
            yield from check_prototype(directive)


def _check_prototype(directive: DirectiveStatement) -> Iterator[BadValue]:
    depth = 0
    for token in tokenize(directive.text):
        depth += (token.string == "(") - (token.string == ")")
        if not depth and token.type in (WORD, REG, STRING):
            if token.string != "_":
                name = directive.name
                yield _bad(ValueFault.PROTOTYPE, name, token.string, token, directive.start)
            return


def _bad(
    fault: ValueFault, name: str, value: str, token: Token, origin: FunctionPosition
) -> BadValue:
    return BadValue(name, value, fault, *token.placed(origin))
