"""Estimates which names the operand at the cursor reads, from the instructions above.

The features and their weights are those of a logistic regression over half of the files of
`./dev bench completion-replay`, rounded; the other half confirms them.
"""

from __future__ import annotations

from collections import Counter
from math import log2, sqrt
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.ranking.recent import operands_of, writes
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_AWAY: Final = 200
"""Maximum number of lines before the place to read."""
_MAX_LINE_LENGTH: Final = 1000
GUARD: Final = "@"
"""The reader of a guard predicate."""
_DIGITS: Final = "0123456789"
_MAX_PAIRS: Final = 8
"""Maximum number of equal pairs of a writer and a reader that count."""

_NEAR: Final = -0.9
"""For each time that the number of other names mentioned since doubles."""
_UNREAD: Final = 0.6
_READ_ONCE: Final = -1.9
"""Most values are read once."""
_OLDEST: Final = 1.4
"""For the value that waits longest for its first read."""
_PAIR: Final = 1.0
"""For the square root of how often the opcode read results of the opcode that wrote the name."""
_NEXT: Final = 1.3
"""For the name that was written right after the one that was read last."""
_AFTER_TYPED: Final = 1.8
"""For the name that was written right after the last one in the statement."""
_TYPED: Final = -1.2
"""For a name in the statement: few instructions read a register twice."""
_NOT_WRITTEN: Final = -0.9


class NextReads:
    """The names in the instructions of a function before a line, and how they were used."""

    def __init__(self, analysis: Analysis, line: int) -> None:
        self._mentioned: dict[str, None] = {}
        """All names, those mentioned last at the end."""
        self._written: dict[str, str] = {}
        """The opcode that wrote each name, those written last at the end."""
        self._n_reads = Counter[str]()
        """How often each name was read since it was written."""
        self._last_read: dict[str, str] = {}
        """The name of each bank of registers that was read last."""
        self._pairs = Counter[tuple[str, str]]()
        document = analysis.document
        first = max(document.located_on(line).first_line, line - _MAX_LINES_AWAY)
        above = zip(document.records[first:line], document.lines[first:line], strict=True)
        for record, text in above:
            if isinstance(record, Shape) and len(text) < _MAX_LINE_LENGTH:
                self._add(record, text)
        recent = reversed(self._mentioned)
        numbers = Counter[str]()
        self._nearness: dict[str, int] = {}
        for name in recent:
            bank = _bank(name)
            self._nearness[name] = numbers[bank]
            numbers[bank] += 1
        self._oldest: dict[str, str] = {}
        """The name of each bank that was written first and is not read yet."""
        self._following: dict[str, str] = {}
        """The name of the same bank that was written right after a name."""
        last: dict[str, str] = {}
        for name in self._written:
            bank = _bank(name)
            if not self._n_reads[name]:
                self._oldest.setdefault(bank, name)
            if bank in last:
                self._following[last[bank]] = name
            last[bank] = name

    def _add(self, shape: Shape, text: str) -> None:
        opcode = shape.name
        guard, _, operands = text.partition(opcode)
        results, read = operands_of(operands) if writes(opcode) else ("", operands)
        before, bracket, inside = read.partition("[")
        inside, _, after = inside.partition("]")
        parts = ((GUARD, guard), (opcode, before), (opcode + bracket, inside), (opcode, after))
        for reader, part in parts:
            for name in names_in(part):
                self._mention(name)
                self._n_reads[name] += 1
                self._last_read[_bank(name)] = name
                self._pairs[self._written.get(name, ""), reader] += 1
        for name in names_in(results):
            self._mention(name)
            self._written.pop(name, None)
            self._written[name] = opcode
            self._n_reads[name] = 0

    def _mention(self, name: str) -> None:
        self._mentioned.pop(name, None)
        self._mentioned[name] = None

    def likelihood(self, name: str, reader: str, typed: Sequence[str]) -> float | None:
        """Returns how likely a name is read next, as a logarithm; None if it was not used.

        `reader`: the opcode, with `[` in an address, or `GUARD`. `typed`: the names in the
        statement before the cursor.
        """
        nearness = self._nearness.get(name)
        if nearness is None:
            return None
        bank = _bank(name)
        found = _NEAR * log2(1 + nearness) + _TYPED * (name in typed)
        if name not in self._written:
            found += _NOT_WRITTEN
        elif not self._n_reads[name]:
            found += _UNREAD + _OLDEST * (self._oldest[bank] == name)
        elif self._n_reads[name] == 1:
            found += _READ_ONCE
        n_pairs = self._pairs[self._written.get(name, ""), reader]
        found += _PAIR * sqrt(min(n_pairs, _MAX_PAIRS))
        found += _NEXT * (self._following.get(self._last_read.get(bank, "")) == name)
        last = next((each for each in reversed(typed) if _bank(each) == bank), "")
        return found + _AFTER_TYPED * (self._following.get(last) == name)


def _bank(name: str) -> str:
    """Returns what the names of the registers of one bank begin with."""
    stem = name.rstrip(_DIGITS)
    return stem if stem != name else ""
