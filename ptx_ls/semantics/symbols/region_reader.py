"""Reads the declarations in the lines of a function."""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.semantics.instructions.plain_block import at_line, declared_in, declared_on
from ptx_ls.semantics.symbols import declaration_reader, function_heads
from ptx_ls.semantics.symbols.declaring_rows import declaring_rows
from ptx_ls.semantics.symbols.plain_labels import LabelPlaces, LabelRun, ScopeLabels, label_on
from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
from ptx_ls.semantics.symbols.region_text import Found, RegionText, label_name, single
from ptx_ls.semantics.symbols.register_banks import plain_banks
from ptx_ls.semantics.symbols.scope_names import declare, declare_label, declare_register
from ptx_ls.semantics.symbols.symbols import (
    FUNCTION_KINDS,
    KINDS_BY_DIRECTIVE,
    Scope,
    Symbol,
)
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.offsets import along, shifted, slice_lines
from ptx_ls.syntax.parser import MAX_BLOCKS
from ptx_ls.syntax.record import (
    CLOSE,
    DECLARATION,
    LABEL,
    OPEN,
    InlineAsmLine,
    Kind,
    MultiLine,
    Record,
    Shape,
)
from ptx_ls.syntax.statements import BLANKS
from ptx_ls.syntax.tokens import NAME, dotted_type, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_OF_MODULES: Final = (".global", ".const")
_MAX_LINES_AFTER_LABEL: Final = 100
"""Maximum number of lines between a label and its directive."""


def read_region(text: RegionText, skip: range = range(0)) -> RegionFacts:
    """Returns the declarations of a function; `skip`: lines to ignore, which are whole blocks."""
    return _RegionBuilder(text).build(skip)


def directives_in(text: RegionText) -> Iterator[DirectiveStatement]:
    """Yields the directive statements of a function in order."""
    yield from filter(None, map(_directive_of, text.of_kind(Kind.DIRECTIVE)))


def _directive_of(found: Found) -> DirectiveStatement | None:
    name = next(tokenize(found.text)).string
    if not name.startswith("."):
        return None
    return DirectiveStatement(name, found.text, found.start, found.end)


def has_instruction(read: Record) -> bool:
    """Whether a record is an instruction, even one with a syntax error, or a run with a shape."""
    if isinstance(read, MultiLine):
        return any(isinstance(each, Shape) for each in read.records)
    return read.kind in (Kind.INSTRUCTION, Kind.BROKEN)


def _first_instruction(text: RegionText) -> FunctionPosition:
    """Returns the start of the first line with an instruction, or the end of the function."""
    row = text.first_row(has_instruction)
    return FunctionPosition((len(text.records) if row is None else row, 0))


class _RegionBuilder:
    def __init__(self, text: RegionText) -> None:
        self.text = text
        self.facts = RegionFacts()
        self.scope = self.facts.module_scope
        self._label: Symbol | None = None
        self._depth = 0

    def build(self, skip: range) -> RegionFacts:
        if skip or not self.text.parts:
            self._read(self._declaring(skip))
        else:
            self._read_parts()
        self._doubt_open_scopes()
        module = self.facts.module_scope
        exported = set(map(id, chain(module.names.values(), module.ranges.values())))
        self.facts.exports = tuple(
            [symbol for symbol in self.facts.listed if id(symbol) in exported]
        )
        if not skip:
            first = _first_instruction(self.text)
            self.facts.banks, self.facts.ranges = plain_banks(self.facts, first)
        return self.facts

    def _read_parts(self) -> None:
        """Reads a long function: neighbouring chunks without anything but labels together."""
        labels = self.facts.labels = LabelPlaces(self.text.parts)
        for is_plain, run in groupby(range(len(self.text.parts)), labels.is_plain):
            parts = [*run]
            if is_plain and self._declare_labels(labels, range(parts[0], parts[-1] + 1)):
                continue
            for part in parts:
                if not (is_plain and self._declare_labels(labels, range(part, part + 1))):
                    first, chunk = self.text.parts[part]
                    self._read([first + row for row in declaring_rows(chunk).all])

    def _declare_labels(self, labels: LabelPlaces, parts: range) -> bool:
        """Declares the labels of plain chunks; returns False if one of them needs a closer look."""
        text, scope = labels.text(parts), self.scope
        if not text:
            return True
        if scope is self.facts.module_scope or any(f" {name}" in text for name in scope.ranges):
            return False
        known = scope.labels if isinstance(scope.labels, ScopeLabels) else ScopeLabels(labels)
        names, number = tuple(text[1:].split(" ")), labels.number_of_first(parts.start)
        if not known.add(names, number, scope.names):
            return False
        scope.labels, self._label = known, None
        self.facts.label_runs.append(LabelRun(names, number, len(self.facts.listed)))
        return True

    def _read(self, rows: Sequence[int]) -> None:
        """Reads the lines with these numbers."""
        previous: Record | None = None
        for index, line, read in self.text.rows(rows):
            if read.problems and read is not previous:
                self._doubt(read, index)
            if read is LABEL and "/" not in line:
                name, column = label_on(line)
                self._label = declare_label(
                    name, FunctionPosition((index, column)), self.scope, self.facts
                )
            elif read is OPEN or read is CLOSE:
                column = len(line) - len(line.lstrip(BLANKS))
                self._brace(read, FunctionPosition((index, column)))
            elif read is DECLARATION and (symbol := declared_on(line)) is not None:
                self._label = None
                declare_register(at_line(symbol, index), self.scope, self.facts)
            elif not isinstance(read, MultiLine):
                self._statement(single(line, read, index))
            elif read is not previous and not self._is_plain_block(read, line, index):
                for found in self.text.statements((index,), declaring_only=True):
                    self._statement(found)
            previous = read

    def _doubt(self, read: Record, index: int) -> None:
        """Records the names in broken declarations at module scope as doubtful."""
        if self.scope is not self.facts.module_scope:
            return
        row = FunctionPosition((index, 0))
        places = sorted(shifted(problem.start, row) for problem in read.problems)
        for found in self.text.statements((index,), declaring_only=True):
            first = bisect_left(places, found.start)
            if first < len(places) and places[first] <= found.end:
                self.facts.doubtful.update(names_in(found.text))

    def _doubt_open_scopes(self) -> None:
        """Records as doubtful the symbols in unclosed bodies that only a module can declare."""
        scope = self.scope
        while scope.parent is not None:
            self.facts.doubtful.update(
                symbol.name
                for symbol in scope.names.values()
                if symbol.kind in FUNCTION_KINDS or symbol.space in _OF_MODULES
            )
            scope = scope.parent

    def _declaring(self, skip: range) -> list[int]:
        """Returns the numbers of the lines to read: those that may declare something."""
        records = self.text.records
        if not skip:
            return self.text.declaring
        kept = chain(range(skip.start), range(skip.stop, len(records)))
        return [n for n in kept if records[n].is_declaring]

    def _is_plain_block(self, read: MultiLine, line: str, index: int) -> bool:
        """Whether a run is a block of inline assembly of a known pattern; declares its symbols."""
        block = declared_in(read.form) if isinstance(read, InlineAsmLine) else None
        if block is None or not line.startswith(block.head) or "/" in line:
            return False
        start, end = on_row(index, block.column, line.rindex("}") + 1)
        self._open(start)
        for symbol in block.symbols:
            own = at_line(symbol, index)
            self.facts.listed.append(own)
            self.scope.names[own.name] = own
        self._close(end)
        self._label = None
        return True

    def _statement(self, found: Found) -> None:
        kind = found.record.kind
        if kind is Kind.DECLARATION:
            n_before = len(self.facts.listed)
            for symbol in declaration_reader.of_declaration(found.text, found.start):
                declare(symbol, self.scope, self.facts)
            is_empty = len(self.facts.listed) == n_before
            if is_empty and declaration_reader.ends_with_type(found.text):
                self.facts.unnamed[found.start] = found.text
        elif kind is Kind.LABEL:
            name = label_name(found.text)
            self._label = declare_label(name, found.start, self.scope, self.facts)
            return
        elif kind is Kind.OPEN:
            self._open(found.start)
        elif kind is Kind.CLOSE:
            self._close(found.end)
        elif kind in (Kind.FUNCTION, Kind.FUNCTION_DECLARATION):
            self._function(found)
        elif kind is Kind.SECTION:
            self.facts.has_section = True
            self._open(found.start)
        elif kind is Kind.DIRECTIVE:
            self._directive(found)
        self._label = None

    def _directive(self, found: Found) -> None:
        directive = _directive_of(found)
        if directive is None:
            return
        self.facts.directives.append(directive)
        is_known = dotted_type(directive.name) is not NAME
        if not is_known and self.scope is self.facts.module_scope:
            self.facts.doubtful.update(names_in(found.text))
        kind = KINDS_BY_DIRECTIVE.get(directive.name)
        if kind is not None and self._label is not None and self._is_beside(self._label, found):
            label = self._label
            symbol = Symbol(
                label.name, kind, label.start, label.end, text=declaration_reader.folded(found.text)
            )
            self.facts.listed[-1] = symbol  # replaces the label, the last symbol so far
            if self.scope.names.get(label.name) is label:
                self.scope.names[label.name] = symbol

    def _is_beside(self, label: Symbol, found: Found) -> bool:
        """Whether nothing separates a label from its directive."""
        if found.start[0] - label.end[0] > _MAX_LINES_AFTER_LABEL:
            return False
        between = slice_lines(self.text.lines, label.end, found.start)
        return without_comments(between).strip() == ":"

    def _function(self, found: Found) -> None:
        symbol = function_heads.of_function(found.text, found.start)
        if symbol is not None:
            declare(symbol, self.scope, self.facts)
        if found.record.kind is not Kind.FUNCTION:
            return
        if self.facts.function is None:
            self.facts.function = symbol
        self._open(found.start)
        self.facts.scope = self.scope
        if symbol is not None:
            for parameter in (*symbol.returns, *symbol.parameters):
                declare(parameter, self.scope, self.facts)

    def _brace(self, read: Record, start: FunctionPosition) -> None:
        """Handles a brace alone on its line."""
        self._label = None
        if read is OPEN:
            self._open(start)
        else:
            self._close(along(start, 1))

    def _open(self, start: FunctionPosition) -> None:
        self._depth += 1
        if self._depth > MAX_BLOCKS:
            self.facts.too_deep = self.facts.too_deep or start
            return
        self.scope = Scope(start, parent=self.scope)
        self._mark(start)

    def _close(self, end: FunctionPosition) -> None:
        if self._depth > MAX_BLOCKS:
            self._depth -= 1
            return
        if self.scope.parent is None:
            return
        self._depth -= 1
        self.scope.end = end
        self.scope = self.scope.parent
        self._mark(end)

    def _mark(self, position: FunctionPosition) -> None:
        self.facts.events.append(position)
        self.facts.scopes.append(self.scope)
