"""The functions of a large file as they were when it was checked last.

If the file has changed since, only the functions that are new are read and checked.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.cache.digest import digest
from ptx_ls.cli.cache.results import DAMAGE, as_json
from ptx_ls.cli.cache.values import OF_DIAGNOSTICS, PlainValues
from ptx_ls.document.coordinates import Extent
from ptx_ls.document.document import Document
from ptx_ls.document.unread import UnreadFunction, read_around
from ptx_ls.lint.calls.call_summary import CallSummary, PassedPointer, PointerAccess, ReadBytes
from ptx_ls.lint.calls.function_body import (
    BodyStatement,
    BodyVariable,
    CallStatement,
    FunctionBody,
)
from ptx_ls.lint.results.saved_results import SavedFunction, SavedModule, restore, saved
from ptx_ls.semantics.declarations.shared_calls import Held
from ptx_ls.semantics.symbols.interface import Calls, Interface
from ptx_ls.semantics.symbols.region import DirectiveStatement
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.long_tokens import MAX_STRING_LINES
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.cli.cache.results import LintCache
    from ptx_ls.document.function import Function
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic
    from ptx_ls.syntax.reader import Reader

_CLASSES: Final = (
    *OF_DIAGNOSTICS,
    BodyStatement,
    BodyVariable,
    CallStatement,
    CallSummary,
    Calls,
    DirectiveStatement,
    FunctionBody,
    Held,
    Interface,
    Kind,
    PassedPointer,
    PointerAccess,
    ReadBytes,
    SavedFunction,
    Symbol,
    SymbolKind,
)
_MAX_OF_FIRST_LINE: Final = 200
"""Number of characters of the first line of a function by which it is looked up."""


class _Row(NamedTuple):
    """A function of the earlier text.

    Attributes:
        n_characters: the length of its text.
        digest: the digest of its text.
        begin: the digest of its first line.
        lines: the number of its lines.
        head: the kind of its head; None for the lines before the first head.
        is_certain: whether the same text is read in the same way before any other head.
        line: the line of the cache with all this, and with its `SavedFunction`.
    """

    n_characters: int
    digest: str
    begin: str
    lines: int
    head: str | None
    is_certain: bool
    line: str = ""


class KnownFunctions:
    """The functions of the file with a path that the cache has.

    `settings`: the settings of rules, with which they were checked.
    """

    def __init__(self, cache: LintCache, path: str, settings: RuleSettings) -> None:
        self._cache, self._settings = cache, settings
        self._key = cache.key("functions", os.path.abspath(path), settings.identity)
        self._values = PlainValues(_CLASSES)
        self._rows: list[_Row] = []
        self._module = SavedModule((), is_generated=False)
        self._numbers: dict[Function, int] = {}

    def read(self, text: str, reader: Reader) -> Document:
        """Returns the document of a text; functions that have not changed are not read."""
        self._load()
        if not self._rows:
            return Document.read(text, reader)
        search = _FunctionSearch(text, reader, self._rows)
        document = read_around(text, reader, search.at)
        self._numbers = search.numbers
        return document

    def restore(self, document: Document) -> None:
        """Gives a document that `read` returned the diagnostics of functions that are the same."""
        numbers = [self._numbers.get(function) for function in document.leaves()]
        if any(number is not None for number in numbers):
            restore(document, self._module, numbers, self._settings)

    def keep(self, document: Document) -> None:
        """Stores the functions of a document that `read` returned and that was checked."""
        is_at_line, n_functions = True, document.n_leaves
        module = saved(document, self._settings)
        lines = [as_json([module.is_generated, *sorted(module.unused)])]
        for number, function in enumerate(document.leaves()):
            each, is_last = module.functions[number], number + 1 == n_functions
            lines.append(self._line(function, each, is_at_line=is_at_line, is_last=is_last))
            is_at_line = not function.extent.columns
        self._cache.put(self._key, lines)

    def _load(self) -> None:
        first, *lines = self._cache.get(self._key) or [""]
        with suppress(*DAMAGE):
            is_generated, *unused = json.loads(first)
            rows, functions = [], []
            for line in lines:
                *fields, plain = json.loads(line)
                rows.append(_Row._make([*fields, line]))
                functions.append(_one_object(self._values.value(plain)))
            self._rows = rows
            self._module = SavedModule(tuple(functions), is_generated, frozenset(unused))

    def _line(
        self, function: Function, each: SavedFunction, *, is_at_line: bool, is_last: bool
    ) -> str:
        """Returns the line of a function: the same as before if nothing of it has changed."""
        if not all(map(_is_complete, each.diagnostics or ())):
            each = each._replace(diagnostics=None)
        number = self._numbers.get(function)
        if number is not None:
            row, former = self._rows[number], self._module.functions[number]
            if former == each:
                return row.line
        else:
            text = function.text
            is_whole = is_at_line and text.endswith("\n")
            row = _Row(
                len(text),
                _digest(text),
                _digest(_first_line(text, 0)),
                function.extent.lines,
                function.head.name if function.head is not None else None,
                is_whole and (is_last or not _reach(function)),
            )
        return as_json([*row[:-1], self._values.plain(each)])


class _FunctionSearch:
    """Finds unchanged functions in a text, in the order that they had.

    Attributes:
        numbers: the number of each function that was found.
    """

    def __init__(self, text: str, reader: Reader, rows: list[_Row]) -> None:
        self._text, self._reader, self._rows = text, reader, rows
        self._by_begin: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            if row.is_certain and row.n_characters:
                self._by_begin.setdefault(row.begin, []).append(number)
        self._next = 0
        self._last: tuple[int, UnreadFunction] | None = None
        self.numbers: dict[Function, int] = {}

    def at(self, offset: int) -> UnreadFunction | None:
        """Returns the next unchanged function if its text is at an offset."""
        if self._last is not None and self._last[0] == offset:
            return self._last[1]
        candidates = self._by_begin.get(_digest(_first_line(self._text, offset)), [])
        index = bisect_left(candidates, self._next)
        if index == len(candidates):
            return None
        number = candidates[index]
        row = self._rows[number]
        stop = offset + row.n_characters
        is_last = number + 1 == len(self._rows)
        text = self._text[offset:stop]
        if (
            _digest(text) != row.digest
            or (is_last and stop != len(self._text))
            or (row.head is None) != (not offset)
        ):
            return None
        head = None if row.head is None else Kind[row.head]
        found = UnreadFunction(text, Extent(row.lines, 0), head, self._reader)
        self._next, self._last = number + 1, (offset, found)
        self.numbers[found] = number
        return found


def _one_object(each: SavedFunction) -> SavedFunction:
    """Returns a function whose symbol is the same object among its exports, as it is made."""
    own = each.interface
    symbol = next((one for one in own.exports if one == own.function), own.function)
    return each._replace(interface=own._replace(function=symbol))


def _is_complete(diagnostic: Diagnostic) -> bool:
    """Whether no fixes would have to be found on demand."""
    return diagnostic.offers is None or diagnostic.offers.found is not None


def _reach(function: Function) -> int:
    """Returns the number of lines after a function that affected how its end was read."""
    reach = n_lines = 0
    for chunk in reversed([*function.leaves()]):
        reach = max(reach, chunk.reach - n_lines)
        n_lines += chunk.n_lines
        if n_lines >= MAX_STRING_LINES:
            break
    return reach


def _first_line(text: str, start: int) -> str:
    stop = text.find("\n", start, start + _MAX_OF_FIRST_LINE) + 1
    return text[start : stop or start + _MAX_OF_FIRST_LINE]


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass")).hex()
