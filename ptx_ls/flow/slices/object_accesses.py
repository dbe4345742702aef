"""Finds everything that a function does with the memory of a variable.

Addresses are followed from the instructions that name the variable, through arithmetic, to those
that use them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.control_statements import BRANCHES
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.slices.statement_reads import uses_at
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.names import names_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Record

_MAX_STEPS: Final = 1 << 12
"""Number of uses of addresses to follow."""
_MAX_USES: Final = 1 << 20
"""Number of uses to examine for all variables of a function."""
_MAX_SEARCHED: Final = 16
"""Number of names that are searched for in a line before its words are compared with them."""
_ARITHMETIC: Final = frozenset(
    (
        *("mov", "cvta", "cvt", "add", "sub", "mad", "mul", "shl", "shr", "and", "or", "xor"),
        *("selp", "slct", "min", "max", "lop3", "bfe", "bfi", "prmt", "mapa", "shfl", "neg"),
    )
)
"""Opcodes whose result may be an address that their operands contain."""
_TESTS: Final = frozenset(("setp", "isspacep"))
_LOADS: Final = frozenset(("ld", "ldu", "ldmatrix"))
_UPDATES: Final = frozenset(("atom", "red"))
_REPLACING: Final = (".exch", ".cas")
"""Atomic operations that may write a value which does not depend on the one before."""
_STRONG: Final = frozenset((".volatile", ".relaxed", ".release", ".mmio", ".async"))
"""Modifiers of stores that do more than to write memory."""
_HINTS: Final = frozenset(("prefetch", "prefetchu"))


class AccessMode(Enum):
    """The kind of an access to memory."""

    READ = auto()
    UPDATE = auto()
    """Computes a new value from the old one."""
    WRITE = auto()
    """Writes it, and may be left out if nothing reads it."""
    OTHER = auto()
    """Writes it in another way, may write it, or lets its address escape."""
    NONE = auto()


class ObjectAccess(NamedTuple):
    """An instruction that uses an address of a variable.

    `identifier`: the number of the name that is or has the address. `operand`: the number of the
    operand with that name; -1 if it is unknown.
    """

    found: Found
    identifier: int
    mode: AccessMode
    operand: int = -1


def object_accesses(
    flow: FunctionFlow,
    symbols: Sequence[Symbol],
    last: Collection[AccessMode] = (AccessMode.OTHER,),
    reading: AbstractSet[FunctionPosition] = frozenset(),
) -> Iterator[tuple[Symbol, list[ObjectAccess]]]:
    """Yields what a function does with each variable; not always in the order of the text.

    A search ends with the first access of the modes `last`; no more is known after an `OTHER`.
    In a function with very many uses of addresses, only the first variables are examined.
    `reading`: the places of the stores that pass an address to a function which only reads it.
    """
    n_left = _MAX_USES
    naming = _rows_naming(flow, {each.name for each in symbols})
    for symbol in symbols:
        rows, block = naming.get(symbol.name, []), flow.facts.rows_of_block(symbol)
        if block is not None:
            rows = rows[bisect_left(rows, block.start) : bisect_left(rows, block.stop)]
        search = _AccessSearch(flow, last, reading)
        yield symbol, _accesses(search, symbol, rows)
        n_left -= search.n_uses
        if n_left < 0:
            return


def _accesses(search: _AccessSearch, symbol: Symbol, rows: Sequence[int]) -> list[ObjectAccess]:
    for row in rows:
        is_known = search.start(row, symbol)
        if not is_known or not search.follow():  # a store is usually near the first name
            return search.found
    search.add_reads()
    return search.found


def only_reads(flow: FunctionFlow, definitions: Iterable[int]) -> bool:
    """Whether a function surely only reads memory through the addresses in some registers."""
    search = _AccessSearch(flow, (AccessMode.OTHER, AccessMode.WRITE, AccessMode.UPDATE))
    search.waiting += definitions
    search.seen.update(definitions)
    return search.follow()


def _rows_naming(flow: FunctionFlow, names: AbstractSet[str]) -> dict[str, list[int]]:
    """Returns the lines with instructions that may name each of some variables."""
    text, is_few = flow.text, len(names) <= _MAX_SEARCHED
    shapes = {each for each in text.shapes if _may_name_variable(each)}
    found: dict[str, list[int]] = {}
    for row, line, _ in text.rows(text.lines_of(text.with_shapes(shapes))):
        if not is_few or any(name in line for name in names):
            for name in {*names_in(line)} & names:
                found.setdefault(name, []).append(row)
    return found


@lru_cache(maxsize=1 << 12)
def _may_name_variable(shape: Shape) -> bool:
    return shape.name not in BRANCHES and any(each.name == "n" for each in shape.identifiers)


class _AccessSearch:
    """The accesses that were found, and the definitions of addresses to follow."""

    def __init__(
        self,
        flow: FunctionFlow,
        last: Collection[AccessMode],
        reading: AbstractSet[FunctionPosition] = frozenset(),
    ) -> None:
        self._flow, self._last, self._reading = flow, last, reading
        self.found: list[ObjectAccess] = []
        self.seen: set[int] = set()
        self.waiting: list[int] = []
        self._reads: list[tuple[int, str]] = []
        self.n_uses = 0

    def start(self, row: int, symbol: Symbol) -> bool:
        """Adds what the instructions on a line do with a variable; returns whether to continue."""
        flow = self._flow
        record, rows = flow.text.records[row], flow.uses.rows
        if _mode_of_register(record) is None and not flow.facts.has_blocks:
            if isinstance(record, Shape) and symbol.name in names_of(record, flow.text.lines[row]):
                self._add(range(bisect_left(rows, row), bisect_right(rows, row)))
            return True
        for found in flow.text.statements((row,)):
            if symbol.name in found.text and isinstance(found.record, Shape):
                declared = flow.facts.lookup(symbol.name, found.start)
                is_same = declared is None or declared.start == symbol.start
                if is_same and not self.examine(found, symbol.name, uses_at(flow, found)):
                    return False
        return True

    def follow(self) -> bool:
        """Follows all addresses that wait; returns whether to continue."""
        flow = self._flow
        while self.waiting:
            definition = self.waiting.pop()
            is_result = flow.uses.codes[definition] in flow.registers.results
            if is_result or len(self.seen) > _MAX_STEPS:
                escape = ObjectAccess(flow.statement(definition), 0, AccessMode.OTHER)
                self.found.append(escape)
                return False
            name = flow.name_of(definition)
            readers = flow.readers(definition)
            self.n_uses += len(readers)
            for reader in readers:
                uses = flow.index.statement(reader)
                mode = _mode_of_register(record_of(flow, reader))
                if mode is None:
                    self._add(uses)
                elif mode is AccessMode.READ and mode not in self._last:
                    self._reads.append((reader, name))
                elif mode is not AccessMode.NONE and not self.examine(
                    flow.statement(reader), name, uses
                ):
                    return False
        return True

    def add_reads(self) -> None:
        """Adds the loads that were found."""
        flow = self._flow
        for reader, name in self._reads:
            self.examine(flow.statement(reader), name, flow.index.statement(reader))

    def _add(self, uses: range) -> None:
        """Adds what an instruction for addresses writes to what is to be followed."""
        written = [each for each in uses if self._flow.uses.ways[each] & WRITES]
        self.waiting += [each for each in written if each not in self.seen]
        self.seen.update(written)

    def examine(self, found: Found, name: str, uses: range) -> bool:
        """Adds what an instruction does with the address in a name; returns whether to continue.

        `uses`: the uses of registers in it.
        """
        for number, place, operand in _operands_with(found, name):
            mode = _mode(found, operand)
            if mode is None:
                self._add(uses)
                continue
            if found.start in self._reading:
                mode = AccessMode.READ
            self.found.append(ObjectAccess(found, number, mode, place))
            if mode in self._last:
                return False
        return True


def _operands_with(found: Found, name: str) -> Iterator[tuple[int, int, OperandSyntax | None]]:
    """Yields where a name occurs: its number, and the operand that contains it, if it is known."""
    if not isinstance(found.record, Shape):
        yield 0, -1, None
        return
    names = [each.partition(".")[0] for each in names_of(found.record, found.text)]
    for place, operand in enumerate(found.record.operands):
        for number in _names_in(operand):
            if names[number : number + 1] == [name]:
                yield number, place, operand


def _names_in(operand: OperandSyntax) -> Iterator[int]:
    if operand.identifier >= 0:
        yield operand.identifier
    for element in operand.elements:
        yield from _names_in(element)
    if operand.paired is not None:
        yield from _names_in(operand.paired)


def _mode_of_register(record: Record) -> AccessMode | None:
    """Does what `_mode` does for a register, as far as the record shows it; else `OTHER`.

    All registers that a load reads are parts of its address.
    """
    if isinstance(record, Shape):
        if record.name in _ARITHMETIC and not _has_vector(record.operands):
            return None
        if record.name in _TESTS or record.name in _HINTS:
            return AccessMode.NONE
        if record.name in _LOADS:
            return AccessMode.READ
    return AccessMode.OTHER


def _mode(found: Found, operand: OperandSyntax | None) -> AccessMode | None:
    """Returns how an instruction uses the address in an operand.

    Returns None for arithmetic, whose result may be another address.
    """
    if operand is None or not isinstance(found.record, Shape):
        return AccessMode.OTHER
    opcode, operands = found.record.name, found.record.operands
    if opcode in _ARITHMETIC and not _has_vector(operands):
        return None
    if opcode in _TESTS or opcode in _HINTS:
        return AccessMode.NONE
    if operand.form is not OperandForm.ADDRESS:
        return AccessMode.OTHER
    if opcode in _LOADS:
        return AccessMode.READ
    if opcode == "st" and _STRONG.isdisjoint(modifiers_of(found.record.opcode)):
        return AccessMode.WRITE
    if opcode in _UPDATES and not _replaces(found.record):
        return AccessMode.UPDATE
    return AccessMode.OTHER


def _has_vector(operands: Sequence[OperandSyntax]) -> bool:
    return any(each.form is OperandForm.VECTOR for each in operands)


def _replaces(shape: Shape) -> bool:
    return (
        any(each in _REPLACING for each in modifiers_of(shape.opcode)) or ".async" in shape.opcode
    )
