"""Looks back at what a value may come from, without finding out what it is.

This is cheap enough to decide for every instruction whether a closer look is worth it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.syntax.written.names import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.syntax.record import Record

_MAX_STEPS: Final = 32
"""Number of definitions to look at."""
_MAX_VISITS: Final = 256
"""Number of registers to visit for one address."""
_COMPUTING: Final = frozenset(
    (
        *("mov", "add", "sub", "mul", "mad", "div", "rem", "neg", "abs", "min", "max", "cvt"),
        *("shl", "shr", "and", "or", "xor", "not", "bfe", "bfi", "selp", "clz", "popc"),
    )
)
"""Opcodes with a constant result for constant operands."""
_LAUNCH: Final = ("%ntid", "%nctaid")
"""Special registers that directives of a kernel may fix."""
_LOAD: Final = "ld"
_ADDRESSES: Final = frozenset(("mov", "cvta", "cvt", "add", "sub", "mad", "selp", _LOAD))
"""Opcodes whose result may be an address that their operands contain."""
_WIDE: Final = (".b64", ".u64", ".s64")
_PARAMETERS: Final = ".param"
_LINEAR: Final = frozenset(("mov", "cvta", "cvt", "add", "sub", "mul", "mad", "shl"))
"""Opcodes of instructions that add operands, or multiply them by constants."""
_FLOATS: Final = (".f16", ".bf16", ".f32", ".f64")
_MAX_SUMS: Final = 8
"""Number of such instructions to follow."""
_NO_NAMES: Final[frozenset[str]] = frozenset()


def record_of(flow: FunctionFlow, use: int) -> Record:
    """Returns the record of the instruction of a use."""
    record = flow.text.records[flow.uses.rows[use]]
    return record if isinstance(record, Shape) else flow.statement(use).record


def before_copies(flow: FunctionFlow, use: int) -> set[int]:
    """Returns the writes that a value may come from: those that are not copies by `mov`.

    In addition, all copies on the way.
    """
    return _through_copies(
        flow,
        flow.definitions(use).writes,
        lambda write: (
            definition
            for read in reads_with(flow, write)
            for definition in flow.definitions(read).writes
        ),
    )


def with_copies(flow: FunctionFlow, write: int) -> set[int]:
    """Returns a write and the copies by `mov` of what it writes, and copies of these."""
    return _through_copies(
        flow,
        (write,),
        lambda each: (
            copy
            for read in flow.readers(each)
            if _is_copy(flow, read)
            for copy in flow.written_by(read).values()
        ),
        is_forward=True,
    )


def _through_copies(
    flow: FunctionFlow,
    first: Iterable[int],
    following: Callable[[int], Iterable[int]],
    *,
    is_forward: bool = False,
) -> set[int]:
    waiting, seen = [*first], set[int]()
    while waiting and len(seen) < _MAX_STEPS:
        write = waiting.pop()
        if write not in seen:
            seen.add(write)
            if is_forward or _is_copy(flow, write):
                waiting += following(write)
    return seen


def _is_copy(flow: FunctionFlow, use: int) -> bool:
    """Whether the instruction of a use copies a whole register."""
    record = record_of(flow, use)
    return (
        isinstance(record, Shape)
        and record.name == "mov"
        and all(each.form is OperandForm.IDENTIFIER for each in record.operands)
    )


class ConstantRegisters:
    """The registers of a function that may hold constants, each found on demand."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._constant: set[int] = set()
        self._others: set[int] = set()

    def are_read(self, use: int) -> bool:
        """Whether the register at a use is only written by instructions that compute constants."""
        code = self._flow.uses.codes[use]
        if code not in self._constant and code not in self._others:
            found = self._constant if self._may_be_constant(code) else self._others
            found.add(code)
        return code in self._constant

    def _may_be_constant(self, first: int) -> bool:
        flow = self._flow
        waiting, seen = [first], set[int]()
        while waiting:
            code = waiting.pop()
            if code in self._others:
                return False
            if code in seen:
                continue
            seen.add(code)
            writes = [*writes_of(flow, code)]
            if not writes or len(seen) + len(writes) > _MAX_STEPS:
                return False
            for write in writes:
                record = record_of(flow, write)
                if not isinstance(record, Shape) or not _computes(record):
                    self._others.add(code)
                    return False
                waiting += _read_with(flow, write)
        return True


class OperandOrigins:
    """Finds out whether numbers come from data: from memory, or from floats."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._known: dict[int, bool] = {}

    def are_data(self, use: int, depth: int = _MAX_SUMS) -> bool:
        """Whether some value of the register at a use is data, or a sum or product with data."""
        return depth > 0 and any(
            self._is_written(each, depth - 1) for each in self._flow.definitions(use).writes
        )

    def _is_written(self, write: int, depth: int) -> bool:
        if write not in self._known:
            self._known[write] = False  # in case it depends on itself
            self._known[write] = self._is_data(write, depth)
        return self._known[write]

    def _is_data(self, write: int, depth: int) -> bool:
        flow, record = self._flow, record_of(self._flow, write)
        if not isinstance(record, Shape):
            return False
        if record.name == _LOAD:
            return _PARAMETERS not in record.opcode
        if record.name == "cvt" and record.opcode.endswith(_FLOATS):
            return True
        return record.name in _LINEAR and any(
            self.are_data(each, depth)
            for each in flow.index.statement(write)
            if flow.uses.ways[each] & (READS | GUARDS) == READS
        )


def _computes(shape: Shape) -> bool:
    """Whether an instruction may have a constant result."""
    if shape.name not in _COMPUTING:
        return False
    sources = shape.operands[1:]
    if shape.name == "mov" and sources and sources[0].form is OperandForm.IDENTIFIER:
        name = sources[0].text
        return "." not in name or name.startswith(_LAUNCH)
    return True


def may_read(flow: FunctionFlow, code: int, special: str) -> bool:
    """Whether arithmetic may bring the value of a special register into a register."""
    waiting, seen = [code], set[int]()
    while waiting and len(seen) < _MAX_STEPS:
        read = waiting.pop()
        if read in seen:
            continue
        seen.add(read)
        for write in writes_of(flow, read):
            record = record_of(flow, write)
            if isinstance(record, Shape) and record.name in _COMPUTING:
                if any(each.name == special for each in record.identifiers):
                    return True
                waiting += _read_with(flow, write)
    return False


def depends_on(flow: FunctionFlow, use: int, specials: tuple[str, ...]) -> bool:
    """Whether arithmetic brings the value of a special register to a use that reads a register.

    `specials`: the prefixes of their names. Only paths that the control flow allows count, a
    limited number of steps.
    """
    waiting, seen = [use], set[int]()
    while waiting and len(seen) < _MAX_VISITS:
        for write in flow.definitions(waiting.pop()).writes:
            record = record_of(flow, write)
            if write in seen or not isinstance(record, Shape) or record.name not in _COMPUTING:
                continue
            if any(each.name.startswith(specials) for each in record.identifiers):
                return True
            seen.add(write)
            waiting += reads_with(flow, write)
    return False


class PointerRoots:
    """The names of the parameters and variables that addresses may be computed from.

    Only registers of 64 bits are followed, a limited number of steps.
    """

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._known: dict[int, frozenset[str]] = {}
        self._n_left = 0

    def of(self, use: int) -> frozenset[str]:
        """Returns the names for the register at a use."""
        self._n_left = _MAX_VISITS
        return self._found(self._flow.uses.codes[use], ())[0]

    def _found(self, code: int, path: tuple[int, ...]) -> tuple[frozenset[str], bool]:
        """Returns the names for a register, and whether they are all, apart from cycles.

        `path`: the registers that are being followed.
        """
        flow = self._flow
        known = self._known.get(code)
        if known is not None:
            return known, True
        self._n_left -= 1
        if code in path or len(path) > _MAX_STEPS or self._n_left < 0:
            return _NO_NAMES, False
        if flow.registers.bank(code).type not in _WIDE:
            return _NO_NAMES, True
        found, is_whole = set[str](), True
        for write in writes_of(flow, code):
            record = record_of(flow, write)
            if not isinstance(record, Shape) or not _may_give_address(record):
                continue
            sources = [*_read_with(flow, write)]
            if not sources:
                found.update(names_of(record, flow.statement(write).text)[1:])
            for source in sources:
                names, is_known = self._found(source, (*path, code))
                found |= names
                is_whole &= is_known
        names = frozenset(found)
        if is_whole or not path:
            self._known[code] = names
        return names, is_whole


def _may_give_address(shape: Shape) -> bool:
    is_load = shape.name == _LOAD
    return shape.name in _ADDRESSES and (not is_load or _PARAMETERS in shape.opcode)


def writes_of(flow: FunctionFlow, code: int) -> Iterator[int]:
    """Yields the uses that write a register."""
    return (use for use in flow.index.of(code) if flow.uses.ways[use] & WRITES)


def _read_with(flow: FunctionFlow, use: int) -> Iterator[int]:
    """Yields the registers that the instruction of a use reads, without its guard."""
    return (flow.uses.codes[each] for each in reads_with(flow, use))


def reads_with(flow: FunctionFlow, use: int) -> Iterator[int]:
    """Yields the uses by which the instruction of a use reads registers, without its guard."""
    for each in flow.index.statement(use):
        if flow.uses.ways[each] & (READS | GUARDS) == READS:
            yield each
