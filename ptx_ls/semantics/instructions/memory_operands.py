"""The memory that an instruction accesses: for each address its state space, size and alignment.

Source: PTX ISA, "Addresses as Operands", "Matrix Storage for WMMA", and the pages of the
instructions. An address that is only a hint, such as that of `prefetch`, accesses no bytes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.operand import MEMORY_SPACES
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape

_CLUSTER: Final = ".shared::cluster"
_VECTORS: Final = {".v2": 2, ".v4": 4, ".v8": 8, ".v16": 16}
_BARRIER_BYTES: Final = 8
_BULK_ALIGNMENT: Final = 16
_TILE_ALIGNMENT: Final = 128
_MAP_BYTES: Final = 128
_MAP_ALIGNMENT: Final = 64
_LINE_BYTES: Final = 128
_ROW_BYTES: Final = 16
_REGISTER_BYTES: Final = {".f64": 8}
_DEFAULT_REGISTER_BYTES: Final = 4


class MemoryOperand(NamedTuple):
    """An address at which an instruction accesses memory.

    Attributes:
        number: the number of the operand; `[a]` is number 1 in `ld.u32 d, [a]`.
        space: the state space of the address, such as `.shared::cta`; "" if it is generic.
        size: the number of bytes that are accessed; 0 if that is not certain.
        alignment: what the address has to be a multiple of; 0 if it is `size`.
        size_number: the number of the operand that has the size, or -1.
        is_per_lane: whether each lane of the warp accesses `size` bytes at its own address, but
            the address may be unused in some lanes.
    """

    number: int
    space: str
    size: int = 0
    alignment: int = 0
    size_number: int = -1
    is_per_lane: bool = False


class _Parts(NamedTuple):
    """An instruction: its modifiers, its operands, and the numbers of those that are addresses."""

    modifiers: Sequence[str]
    operands: Sequence[OperandSyntax]
    addresses: Sequence[int]

    @property
    def spaces(self) -> list[str]:
        """The state spaces that the modifiers name, in order."""
        return [each for each in self.modifiers if each.partition("::")[0] in MEMORY_SPACES]

    @property
    def space(self) -> str:
        """The only state space, or "" for generic addresses."""
        return next(iter(self.spaces), "")


@lru_cache(maxsize=1 << 14)
def memory_operands(shape: Shape) -> tuple[MemoryOperand, ...]:
    """Returns the accesses to memory of all instructions of a shape, in order."""
    read = _READERS.get(shape.name)
    if read is None:
        return ()
    operands = shape.operands
    addresses = [number for number, each in enumerate(operands) if _is_address(each)]
    if not addresses:
        return ()
    return tuple(read(_Parts(modifiers_of(shape.opcode), operands, addresses)))


def _is_address(operand: OperandSyntax) -> bool:
    """Whether an operand is an address in brackets, or an element of an array: `table[2]`."""
    is_name = operand.form is OperandForm.IDENTIFIER
    return operand.form is OperandForm.ADDRESS or (is_name and operand.text.endswith("]"))


def _typed(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields what `ld`, `st`, `atom` and their relatives access."""
    first, *others = parts.addresses
    if ".bulk" in parts.modifiers:  # st.bulk
        yield MemoryOperand(first, parts.space, alignment=8, size_number=first + 1)
        return
    size = _bytes_of_type(parts.modifiers)
    yield MemoryOperand(first, parts.space, size - _unused_bytes(parts, size), size)
    for number in others:  # the barrier of an asynchronous store
        yield _barrier(number, parts.space)


def _bytes_of_type(modifiers: Sequence[str]) -> int:
    """Returns the size of the last type among some modifiers, as often as a vector has it."""
    types = isa.database().type_facts
    bits = next((types[each][0] for each in reversed(modifiers) if each in types), 0)
    count = next((_VECTORS[each] for each in modifiers if each in _VECTORS), 1)
    return bits * count // 8


def _unused_bytes(parts: _Parts, size: int) -> int:
    """Returns the size of the last elements of a vector that a load throws away.

    Compilers load three elements as four.
    """
    elements = parts.operands[0].elements
    used = [number for number, each in enumerate(elements, 1) if each.form is not OperandForm.SINK]
    return size * (len(elements) - max(used)) // len(elements) if used else 0


def _barrier(number: int, space: str) -> MemoryOperand:
    return MemoryOperand(number, space, _BARRIER_BYTES, _BARRIER_BYTES)


def _barriers(parts: _Parts) -> Iterator[MemoryOperand]:
    yield _barrier(parts.addresses[0], parts.space)


def _rows(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields the row that each lane names in `ldmatrix` and `stmatrix`."""
    size = _ROW_BYTES if ".m8n8" in parts.modifiers else 0
    yield MemoryOperand(parts.addresses[0], parts.space, size, _ROW_BYTES, is_per_lane=True)


def _fragments(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields the matrix of `wmma.load` and `wmma.store`.

    The manual wants its rows to be aligned to a fragment, but no target needs more than 16 bytes.
    """
    sizes = [_REGISTER_BYTES[each] for each in parts.modifiers if each in _REGISTER_BYTES]
    vectors = [each for each in parts.operands if each.form is OperandForm.VECTOR]
    if vectors:
        each_register = next(iter(sizes), _DEFAULT_REGISTER_BYTES)
        alignment = min(len(vectors[0].elements) * each_register, _ROW_BYTES)
        yield MemoryOperand(parts.addresses[0], parts.space, alignment=alignment)


def _copies(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields what `cp.async` and its bulk variants access."""
    modifiers = parts.modifiers
    if ".tensor" in modifiers:
        yield from _tiles(parts)
    elif ".bulk" in modifiers:
        yield from _bulk(parts)
    elif ".mbarrier" in modifiers:
        if parts.spaces:  # without one, an offset in .shared works like a generic address
            yield from _barriers(parts)
    elif len(parts.addresses) == len(parts.spaces) == len(("dst", "src")):
        (target, source), (to, since) = parts.addresses, parts.spaces
        size_number = source + 1
        yield MemoryOperand(target, to, size_number=size_number)
        if len(parts.operands) == size_number + 1:  # no smaller number of bytes to read
            yield MemoryOperand(source, since, size_number=size_number)


def _bulk(parts: _Parts) -> Iterator[MemoryOperand]:
    spaces, addresses = parts.spaces, parts.addresses
    if len(addresses) < len(spaces) or not spaces:
        return
    size_number = addresses[len(spaces) - 1] + 1
    is_access = ".prefetch" not in parts.modifiers and ".ignore_oob" not in parts.modifiers
    for number, space in zip(addresses, spaces, strict=False):
        given = size_number if is_access else -1
        yield MemoryOperand(number, space, alignment=_BULK_ALIGNMENT, size_number=given)
    for number in addresses[len(spaces) :]:
        yield _barrier(number, next(each for each in spaces if each.startswith(".shared")))


def _tiles(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields the tensor map, the tile in shared memory and the barrier of a tensor copy."""
    shared = next((each for each in parts.spaces if each.startswith(".shared")), "")
    has_tile = False
    for number in parts.addresses:
        if len(parts.operands[number].elements) > 1:
            yield MemoryOperand(number, "", _MAP_BYTES, _MAP_ALIGNMENT)
        elif has_tile:
            yield _barrier(number, shared)
        else:
            has_tile = True
            yield MemoryOperand(number, shared, alignment=_TILE_ALIGNMENT)


def _tensor_maps(parts: _Parts) -> Iterator[MemoryOperand]:
    spaces = parts.spaces or [""]
    for number, space in zip(parts.addresses, spaces, strict=False):
        yield MemoryOperand(number, space, _MAP_BYTES, _MAP_ALIGNMENT)


def _hints(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields the tensor map whose fetch a `prefetch` starts; other hints take any address."""
    if ".tensormap" in parts.modifiers:
        yield MemoryOperand(parts.addresses[0], parts.space, alignment=_MAP_ALIGNMENT)


def _lines(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields the cache line of `discard` and `applypriority`."""
    if ".async" not in parts.modifiers:
        yield MemoryOperand(parts.addresses[0], parts.space, alignment=_LINE_BYTES)


def _requests(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields the answer and the barrier of `clusterlaunchcontrol.try_cancel`."""
    first, *others = parts.addresses
    yield MemoryOperand(first, parts.space, 16, 16)
    for number in others:
        yield _barrier(number, parts.space)


def _tensor_memory(parts: _Parts) -> Iterator[MemoryOperand]:
    """Yields what `tcgen05` accesses outside of tensor memory."""
    if ".alloc" in parts.modifiers:
        yield MemoryOperand(parts.addresses[0], parts.space, 4, 4)
    elif ".commit" in parts.modifiers:
        yield _barrier(parts.addresses[0], parts.space)


def _multicasts(parts: _Parts) -> Iterator[MemoryOperand]:
    return _bulk(parts) if ".bulk" in parts.modifiers else _typed(parts)


_READERS: Final[dict[str, Callable[[_Parts], Iterator[MemoryOperand]]]] = {
    **dict.fromkeys(("ld", "ldu", "st", "atom", "red"), _typed),
    **dict.fromkeys(("ldmatrix", "stmatrix"), _rows),
    **dict.fromkeys(("discard", "applypriority"), _lines),
    "clusterlaunchcontrol": _requests,
    "cp": _copies,
    "mbarrier": _barriers,
    "multimem": _multicasts,
    "prefetch": _hints,
    "tcgen05": _tensor_memory,
    "tensormap": _tensor_maps,
    "wmma": _fragments,
}
ACCESSING: Final = tuple(_READERS)
"""The opcodes of the instructions that access memory at an address."""
