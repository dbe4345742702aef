"""Direct calls: whether arguments and results are as many and as large as the function wants.

Source: PTX ISA, "call" and "Function Declarations and Definitions".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.mismatch import BadCall, CallFault
from ptx_ls.semantics.symbols import Symbol, SymbolKind
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Record, Run, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.semantics.module import ModuleFacts
    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import Found, RegionText

_CALL: Final = re.compile(
    r"(?:@\s*+!?+\s*+[%\w$]++\s++)?call(?:\.uni)*\s*+"
    r"(?:\((?P<results>[^()]*+)\)\s*+,\s*+)?(?P<name>[A-Za-z_$][\w$]*+)\s*+"
    r"(?:,\s*+\((?P<arguments>[^()]*+)\)\s*+)?(?P<end>[,;])",
    re.ASCII,
).match
_NAME: Final = re.compile(r"[%A-Za-z_$][\w$]*+", re.ASCII).fullmatch


class CallCheck:
    """Checks the calls of one region."""

    def __init__(
        self, text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
    ) -> None:
        self.text, self.facts, self.module, self.region = text, facts, module, region
        self._types = isa.database().type_facts

    def check(self) -> Iterator[BadCall]:
        """Calls whose arguments or results do not fit."""
        if not any(map(_calls, self.text.shapes)):
            return
        calling = {read for read in self.text.distinct if _calls(read)}
        for found in self.text.statements(self.text.lines_of(calling)):
            if _calls(found.record):
                yield from self._check_call(found)

    def _check_call(self, found: Found) -> Iterator[BadCall]:
        match = _CALL(found.text)
        if match is None or match["end"] == ",":
            return
        function = self.module.lookup(match["name"], self.region, found.start)
        if function is None or function.kind is not SymbolKind.FUNCTION:
            return
        for group, fault, wanted in (
            ("results", CallFault.RESULTS, function.returns),
            ("arguments", CallFault.ARGUMENTS, function.parameters),
        ):
            given = list(_arguments(match, group))
            if len(given) != len(wanted):
                place = _position(found, match.start("name")), _position(found, match.end("name"))
                yield BadCall(function, fault, *place, len(given), len(wanted))
            else:
                yield from self._check_sizes(found, match, group, wanted)

    def _check_sizes(
        self, found: Found, match: re.Match[str], group: str, wanted: Sequence[Symbol]
    ) -> Iterator[BadCall]:
        scope = self.facts.scope_at(found.start)
        for (text, begin, end), formal in zip(_arguments(match, group), wanted, strict=True):
            symbol = scope.lookup(text, found.start) if _NAME(text) else None
            size, wanted_size = self._size(symbol), self._size(formal)
            if size and wanted_size and size != wanted_size:
                place = _position(found, begin), _position(found, end)
                yield BadCall(formal, CallFault.SIZE, *place, size, wanted_size, text)

    def _size(self, symbol: Symbol | None) -> int:
        """In bytes; 0 where it is open."""
        if symbol is None or None in symbol.dimensions:
            return 0
        size = self._types.get(symbol.type, (0, ""))[0] // 8 * symbol.vector_size
        for dimension in symbol.dimensions:
            size *= dimension or 0
        return size


def _calls(read: Record) -> bool:
    if isinstance(read, Run):
        return any(map(_calls, read.records))
    return isinstance(read, Shape) and read.opcode.partition(".")[0] == "call"


def _arguments(match: re.Match[str], group: str) -> Iterator[tuple[str, int, int]]:
    """Text, start and end of what a list holds."""
    text = match[group]
    if not text or text.isspace():
        return
    begin = match.start(group)
    for part in text.split(","):
        stripped = part.strip()
        start = begin + len(part) - len(part.lstrip())
        yield stripped, start, start + len(stripped)
        begin += len(part) + 1


def _position(found: Found, offset: int) -> tuple[int, int]:
    before = found.text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return shifted((len(before) - 1, len(before[-1])), found.start)
