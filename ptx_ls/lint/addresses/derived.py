"""Finds the accesses to memory whose addresses are computed from variables of the function.

In the text of a compiler, hardly any of thousands of accesses can be wrong, and to find out what is
known of an address takes long. So only those are judged that look wrong at a glance.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.knowledge import NARROWING
from ptx_ls.semantics.declarations.storage import alignment_of, bytes_of, has_storage
from ptx_ls.semantics.instructions.memory_operands import ACCESSING, memory_operands
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.values.affine import GENERIC, plain_space, pointed_alignment, pointed_space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.instructions.memory_operands import MemoryOperand
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record

_NAMING: Final = ("mov", "cvta", "mapa")
"""Opcodes that write the address of a variable to a register."""
_PASSING: Final = frozenset(
    {*_NAMING, "add", "sub", "mad", "fma", "or", "xor", "and", "cvt", "selp", "lop3", "bfi"}
)
"""Opcodes whose result may be an address if one of their operands is."""
_ACCESSES: Final = frozenset(ACCESSING)
_CONVERSION: Final = "cvta"
_BACK: Final = ".to."
_GLOBAL: Final = ".global"
_SMALL: Final = (".shared", ".local", ".const")
_WIDE: Final = (".b64", ".u64", ".s64")
_NOTHING: Final = Shape("", "", "")
_MOVED_BY: Final = {"add": 1, "sub": -1}


class _Pointer(NamedTuple):
    """What a register points to, as far as one definition shows.

    Attributes:
        own: the state space of the variable.
        view: the same, or `generic`.
        offset: from the start of the variable; None if it is not a constant.
        n_bytes: the size of the variable, infinite if it is unknown.
        alignment: what its address is a multiple of.
        is_variable: whether it is a variable, not the memory of a pointer parameter, whose real
            alignment is often larger.
    """

    own: str
    view: str
    offset: int | None
    n_bytes: float
    alignment: int
    is_variable: bool = True


_HALF: Final = _Pointer("", "", None, inf, 1, is_variable=False)
"""The low 32 bits of a global address, which are not the address of anything."""


def doubtful_accesses(seen: CheckInput, flow: FunctionFlow) -> Iterator[Found]:
    """Yields the instructions whose accesses through a register look wrong."""
    pointers = {**_variables(seen, flow), **_parameters(seen, flow), **_halves(seen, flow)}
    if pointers:
        used = sorted(_used_pointers(flow, pointers), key=itemgetter(0))
        rows = [flow.uses.rows[use] for use, _ in used]
        yielded: set[int] = set()
        for (use, pointer), (_, line, record) in zip(used, flow.text.rows(rows), strict=True):
            shape, text = (record, line) if isinstance(record, Shape) else _instruction(flow, use)
            is_doubtful = _is_doubtful(shape, text, pointer)
            if is_doubtful and shape.name != _CONVERSION:
                is_doubtful = _is_address(flow.name_of(use), text)
            if is_doubtful and (first := flow.index.first(use)) not in yielded:
                yielded.add(first)
                yield flow.statement(use)
    yield from _unexplained(seen, flow, pointers)


def _used_pointers(
    flow: FunctionFlow, pointers: dict[int, _Pointer]
) -> Iterator[tuple[int, _Pointer]]:
    """Yields the uses of pointers in accesses and conversions; adds registers to `pointers`."""
    waiting = [*pointers]
    rows, ways, index = flow.uses.rows, flow.uses.ways, flow.index
    records = flow.text.records[:]
    while waiting:
        pointer = pointers[code := waiting.pop()]
        for use in index.of(code):
            if ways[use] & (READS | GUARDS) != READS:
                continue
            record = records[rows[use]]
            shape = record if isinstance(record, Shape) else _instruction(flow, use)[0]
            name = shape.name
            if name == _CONVERSION or (name in _ACCESSES and not _is_plain(record, pointer)):
                yield use, pointer
            if name in _PASSING:
                for other in flow.written_by(use):
                    if other not in pointers:
                        pointers[other] = _passed(flow, use, shape, pointer)
                        waiting.append(other)


def _instruction(flow: FunctionFlow, use: int) -> tuple[Shape, str]:
    """Returns the shape and the text of the instruction of a use."""
    row = flow.uses.rows[use]
    record = flow.text.records[row]
    if isinstance(record, Shape):
        return record, flow.text.lines[row]
    found = flow.statement(use)
    return (found.record, found.text) if isinstance(found.record, Shape) else (_NOTHING, "")


def _unexplained(
    seen: CheckInput, flow: FunctionFlow, pointers: Mapping[int, _Pointer]
) -> Iterator[Found]:
    """Yields accesses to small state spaces with wide addresses that are from elsewhere."""
    shapes = {shape for shape in seen.text.shapes_of(ACCESSING) if _is_wide(seen, shape)}
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        name = found.text.partition("[")[2].partition("]")[0].partition("+")[0].strip()
        if found.record in shapes and flow.registers.code(name) not in pointers:
            yield found


def _is_wide(seen: CheckInput, shape: Shape) -> bool:
    """Whether an access has an address of 64 bits in a state space with offsets of 32 bits."""
    if shape.text.count("[%") != 1 or not any(each in shape.opcode for each in _SMALL):
        return False
    name = shape.text.partition("[")[2].partition("]")[0].partition("+")[0]
    bank = seen.facts.banks.get(name)
    return bank is not None and bank.type in _WIDE


def _variables(seen: CheckInput, flow: FunctionFlow) -> dict[int, _Pointer]:
    """Returns the registers to which the addresses of variables are written."""
    shapes = {shape for shape in seen.text.shapes_of(_NAMING) if _ends_with_name(shape)}
    found: dict[int, _Pointer] = {}
    for statement in seen.text.statements_of(seen.text.with_shapes(shapes)):
        if statement.record not in shapes:
            continue
        words = statement.text.replace(",", " ").replace(";", " ").split()
        name, _, offset = words[-1].partition("+")
        symbol = seen.facts.lookup(name, statement.start) or seen.module.lookup(name)
        if symbol is None or not has_storage(symbol) or len(words) < len(("op", "d", "a")):
            continue
        code = flow.registers.code(words[-2])
        if code >= 0:
            own = plain_space(symbol.space)
            view = GENERIC if words[-3].startswith("cvta") else own
            moved = integer(offset) if offset else 0
            n_bytes = bytes_of(symbol)
            size = inf if n_bytes is None else n_bytes
            found[code] = _Pointer(own, view, moved, size, alignment_of(symbol))
    return found


def _ends_with_name(shape: Shape) -> bool:
    """Whether the last operand is a name, perhaps of a variable."""
    last = shape.operands[-1] if shape.operands else None
    return last is not None and last.identifier >= 0 and not last.text.startswith("%")


def _parameters(seen: CheckInput, flow: FunctionFlow) -> dict[int, _Pointer]:
    """Returns the registers with pointers of which a parameter states the alignment."""
    function = seen.facts.function
    stated = {
        each.name: (pointed_space(each) or _GLOBAL, pointed_alignment(each))
        for each in (function.parameters if function is not None else ())
        if ".ptr" in each.text and pointed_alignment(each) > 1
    }
    if not stated:
        return {}
    found: dict[int, _Pointer] = {}
    loading = {shape for shape in seen.text.shapes_of(("ld",)) if ".param" in shape.opcode}
    for statement in seen.text.statements_of(seen.text.with_shapes(loading)):
        target, _, rest = statement.text.partition("[")
        name = rest.partition("]")[0].strip()
        if name in stated:
            code = flow.registers.code(target.split()[-1].rstrip(","))
            space, alignment = stated[name]
            if code >= 0:
                found[code] = _Pointer(space, GENERIC, 0, inf, alignment, is_variable=False)
    return found


def _halves(seen: CheckInput, flow: FunctionFlow) -> dict[int, _Pointer]:
    """Returns the registers that get the low 32 bits of an address that `cvta` converted."""
    narrowing = {it for it in seen.text.shapes_of(("cvt",)) if it.opcode.endswith(NARROWING)}
    if not narrowing:
        return {}
    text = seen.text
    converted = {_first_two(it.text)[0] for it in text.statements_of(text.with_opcodes(("cvta",)))}
    found: dict[int, _Pointer] = {}
    for statement in text.statements_of(text.with_shapes(narrowing)):
        target, source = _first_two(statement.text)
        code = flow.registers.code(target)
        if source in converted and code >= 0:
            found[code] = _HALF
    return found


def _first_two(text: str) -> tuple[str, str]:
    """Returns the first two operands of a plain instruction; "" for missing ones."""
    parts = text.rstrip(" \t\r\n;").split(",")
    words = parts[0].split()
    return words[-1] if words else "", parts[1].strip() if len(parts) > 1 else ""


def _passed(flow: FunctionFlow, use: int, shape: Shape, pointer: _Pointer) -> _Pointer:
    """Returns what the result of an instruction points to, if one operand is a pointer."""
    if shape.name == _CONVERSION:
        is_back = _BACK in shape.opcode
        return pointer._replace(view=pointer.own if is_back else GENERIC)
    if shape.opcode.endswith(NARROWING) and pointer.own == _GLOBAL:
        return _HALF
    if shape.name in ("mov", "cvt"):
        return pointer
    if pointer.offset is None:
        return pointer
    if shape.name not in _MOVED_BY:
        return pointer._replace(offset=None)
    last = _instruction(flow, use)[1].rpartition(",")[2].strip(" \t\r\n;")
    number = _number(last)
    if number is None:
        return pointer._replace(offset=None)
    return pointer._replace(offset=pointer.offset + _MOVED_BY[shape.name] * number)


def _is_plain(record: Record, pointer: _Pointer) -> bool:
    """Whether an access has no constant in its address, so that nothing looks wrong in it."""
    return (
        pointer.offset is None
        and isinstance(record, Shape)
        and "+" not in record.text
        and _only_access(record, pointer.view, pointer.own) is not None
    )


def _is_doubtful(shape: Shape, line: str, pointer: _Pointer) -> bool:
    """Whether an access through a pointer, or its conversion, is not right at first sight."""
    if shape.name == _CONVERSION:
        is_back = _BACK in shape.opcode
        return pointer.own != _GLOBAL and is_back is (pointer.view != GENERIC)
    accessed = _only_access(shape, pointer.view, pointer.own)
    if accessed is None:
        return bool(memory_operands(shape))
    written = line.partition("[")[2].partition("]")[0].partition("+")[2]
    offset = _number(written) if written else 0
    if offset is None:
        return True
    total = offset + (pointer.offset or 0)
    if total % min(accessed.alignment, pointer.alignment):
        return True
    is_limited = pointer.is_variable and pointer.offset is not None
    return is_limited and not 0 <= total <= pointer.n_bytes - accessed.size


def _is_address(name: str, text: str) -> bool:
    """Whether a register is an address in an instruction, not a value that it stores."""
    groups = (each.partition("]")[0] for each in text.split("[")[1:])
    return any(name in names_in(each) for each in groups)


def _number(text: str) -> int | None:
    """Returns the value of an integer that may have a minus; None for other texts."""
    if text.isdecimal() and not text.startswith("0"):
        return int(text)
    value = integer(text.lstrip("-"))
    return -value if value is not None and text.startswith("-") else value


@lru_cache(maxsize=1 << 12)
def _only_access(shape: Shape, view: str, own: str) -> MemoryOperand | None:
    """Returns the access through a pointer that is right if its offset is; None for others."""
    accessed = memory_operands(shape)
    if len(accessed) != 1 or shape.text.count("[") != 1:
        return None
    only = accessed[0]
    is_plain = only.size_number < 0 and only.alignment > 0
    return only if is_plain and _is_right_view(only.space, view, own) else None


def _is_right_view(space: str, view: str, own: str) -> bool:
    if view == GENERIC:
        return not space or own == plain_space(space) == _GLOBAL
    return own == (plain_space(space) or _GLOBAL)
