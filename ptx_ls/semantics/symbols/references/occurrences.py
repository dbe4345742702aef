"""Finds every occurrence of a symbol in a document.

First, lines are searched for the name (`name_search.py`); then the name is looked up at each place.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.cancellation import check_cancelled
from ptx_ls.document.statements import statement_at
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.references.name_search import Sought, candidates
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import INSTRUCTIONS, LABEL, InlineAsmLine, Kind, MultiLine, Shape
from ptx_ls.syntax.tokens import STRING, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import LineSpan
    from ptx_ls.syntax.statement import Statement

_MAX_RUN_LINES: Final = 20
"""Maximum number of lines of a run to search backwards for the start of a comment."""


def sought(analysis: Analysis, declared: LocatedSymbol, name: str) -> Sought:
    """Returns what to search for; `name` is the symbol's name, or names one of its registers."""
    document = analysis.document
    symbol, function = declared.symbol, document.leaf(declared.region)
    facts = region_facts(function)
    is_section = function.head is Kind.SECTION
    is_module = is_section or symbol in facts.exports
    is_bank = bool(symbol.count) and name == symbol.name
    if is_module:
        everywhere = (0, len(document.lines))
        return Sought(declared, name, is_bank, is_module, None, (everywhere,))
    elsewhere = []
    if symbol.kind is SymbolKind.LABEL:  # debug data may name it
        elsewhere = [
            (other.first_line, other.stop_line)
            for other in document.functions
            if other.head is Kind.SECTION
        ]
    seen = _seen_in(analysis, declared)
    return Sought(declared, name, is_bank, is_module, seen, tuple(elsewhere))


def _seen_in(analysis: Analysis, declared: LocatedSymbol) -> LineSpan:
    """Returns the lines (first, stop) in which a symbol of a function is visible."""
    located, symbol = analysis.document.functions[declared.region], declared.symbol
    facts = region_facts(located.function)
    scope = facts.scope_at(along(symbol.start, 1))
    is_inner = scope is not facts.scope and scope is not facts.module_scope
    if is_inner and scope.end is not None and scope.find(symbol.name) == symbol:
        return located.first_line + scope.start[0], located.first_line + scope.end[0] + 1
    return located.first_line, located.last_line + 1


def occurrences(analysis: Analysis, declared: LocatedSymbol, name: str) -> list[Range]:
    """Returns every occurrence of a symbol; `name` is as in `Sought`."""
    return places(analysis, sought(analysis, declared, name))


def places(analysis: Analysis, wanted: Sought) -> list[Range]:
    """Returns every occurrence of a symbol, including its declaration, in the order of the text.

    For a symbol at module scope, the whole file is searched.
    """
    return confirmed(analysis, wanted, candidates(analysis.document, wanted))


def confirmed(analysis: Analysis, wanted: Sought, found: Iterable[Range]) -> list[Range]:
    """Returns the candidates that mean a symbol, in order."""

    def region_of(place: Range) -> int:
        return analysis.region_at(place.start)

    means: list[Range] = []
    for region, group in groupby(found, region_of):
        check_cancelled()
        of_region = list(group)
        is_plain = _is_plain(analysis, wanted, region, of_region)
        means += [
            place
            for place in of_region
            if is_code(analysis, wanted.name, place)
            and (is_plain or _means(analysis, wanted, place))
        ]
    return means


def _is_plain(analysis: Analysis, wanted: Sought, region: int, places: Sequence[Range]) -> bool:
    """Whether the name has no other meaning in the function, so that no place needs a lookup."""
    document, declared = analysis.document, wanted.declared
    records = document.records
    if wanted.is_module:
        is_label = declared.symbol.kind is SymbolKind.LABEL  # of debug data, not seen everywhere
        is_certain = region != declared.region and declared.symbol.space != ".reg" and not is_label
        return is_certain and not any(records[place.start.line].is_declaring for place in places)
    if region != declared.region:
        return False
    facts = region_facts(document.leaf(region))
    end = facts.scope.end
    last = places[-1].end.line - document.functions[region].first_line
    if end is None or last >= end[0]:
        return False
    if facts.has_blocks and not _is_of_body(facts, declared.symbol):
        return False
    if wanted.is_bank and not all(_is_in_bank(analysis, wanted, place) for place in places):
        return False
    symbols = facts.symbols if wanted.is_bank else facts.named.of(wanted.name)
    if any(overlap(symbol, wanted) for symbol in symbols if symbol != declared.symbol):
        return False
    return wanted.is_bank or not any(symbol.count for symbol in facts.named.spelled(wanted.name))


def _is_of_body(facts: RegionFacts, symbol: Symbol) -> bool:
    """Whether a symbol is declared in the outermost scope of the function."""
    scope = facts.scope
    return symbol in (scope.single(symbol.name), scope.ranges.get(symbol.name))


def _is_in_bank(analysis: Analysis, wanted: Sought, place: Range) -> bool:
    text = analysis.document.lines[place.start.line]
    digits = text[place.start.column + len(wanted.name) : place.end.column]
    return not digits or decimal(digits) < wanted.declared.symbol.count


def overlap(symbol: Symbol, wanted: Sought) -> bool:
    """Whether a symbol has a name that is searched for."""
    count = wanted.declared.symbol.count if wanted.is_bank else 0
    if symbol.count and count:
        one, other = (symbol.name, symbol.count), (wanted.name, count)
        (short, limit), (long, _) = sorted([one, other], key=lambda bank: len(bank[0]))
        return short == long or _is_numbered(short, limit, f"{long}0")
    if symbol.count or count:
        bank = (symbol.name, symbol.count) if symbol.count else (wanted.name, count)
        return _is_numbered(*bank, wanted.name if symbol.count else symbol.name)
    return symbol.name == wanted.name


def _is_numbered(bank: str, count: int, name: str) -> bool:
    if not name.startswith(bank):
        return False
    digits = name[len(bank) :]
    return digits.isdecimal() and decimal(digits) < count


def is_code(analysis: Analysis, name: str, place: Range) -> bool:
    """Whether a place is a name in a statement, not in a comment, string, opcode or modifier."""
    document = analysis.document
    is_opcode = name in isa.database().keywords
    if not is_opcode and _is_bare(document, place.start.line):
        return True
    statement = statement_at(document, place.start)
    if statement is None or not (statement.start <= place.start and place.end <= statement.end):
        return False
    return _is_token(statement, place) and not (is_opcode and _is_opcode(statement, place))


def _is_bare(document: Document, line: int) -> bool:
    """Whether a quick test shows that a line has statements, and no comment or string."""
    record, text = document.records[line], document.lines[line]
    if "/" in text or '"' in text:
        return False
    if isinstance(record, MultiLine) and not isinstance(record, InlineAsmLine):
        return _is_bare_run(document, record, line)
    return isinstance(record, Shape | InlineAsmLine) or record is LABEL


def _is_bare_run(document: Document, run: MultiLine, line: int) -> bool:
    """Like `_is_bare`, for a line of a run, where a comment or string may begin earlier."""
    first = line
    while first and document.records[first - 1] is run:
        first -= 1
        if line - first > _MAX_RUN_LINES or any(sign in document.lines[first] for sign in '/"'):
            return False
    return True


def _is_token(statement: Statement, place: Range) -> bool:
    """Whether a place is in a token of a statement that is not a string."""
    for token in tokenize(statement.text):
        start = statement.position(token.start)
        if start <= place.start < Position(start.line, start.column + len(token.string)):
            return token.type is not STRING
    return False


def _is_opcode(statement: Statement, place: Range) -> bool:
    if statement.record.kind not in INSTRUCTIONS:
        return False
    parts = opcode_parts(statement.parsed.tree)
    return bool(parts) and statement.position(parts[0][1]) == place.start


def _means(analysis: Analysis, wanted: Sought, place: Range) -> bool:
    declared = wanted.declared
    text = analysis.document.lines[place.start.line]
    name = text[place.start.column : place.end.column]
    found = analysis.lookup(name, place.start)
    if found is None:
        head = analysis.document.located_at(place.start).head
        return head is Kind.SECTION and declared.symbol.kind is SymbolKind.LABEL
    if found.region == declared.region and found.symbol == declared.symbol:
        return not _is_of_range(analysis, found, place)
    return (
        wanted.is_module
        and found.symbol.name == declared.symbol.name
        and _is_of_module(analysis, found)
    )


def _is_of_range(analysis: Analysis, found: LocatedSymbol, place: Range) -> bool:
    """Whether a place that looks like a single name is in the declaration of a range, `p<9>`."""
    if found.symbol.count:
        return False
    located = analysis.document.functions[found.region]
    named = region_facts(located.function).named
    return any(
        symbol.count and located.position(symbol.start) == place.start
        for symbol in named.spelled(found.symbol.name)
    )


def _is_of_module(analysis: Analysis, found: LocatedSymbol) -> bool:
    exports = region_facts(analysis.document.leaf(found.region)).exports
    return found.symbol in exports
