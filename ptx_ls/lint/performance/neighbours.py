"""Finds accesses to neighbouring elements of global memory that one access could make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.lint.performance.computation import Computation
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.values.affine import Terms
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("ld", "st")
_SPACE: Final = ".global"
_SPECIAL: Final = frozenset(
    f".{name}"
    for name in "v2 v4 v8 volatile relaxed acquire release mmio unified async bulk b128".split()
)
"""Modifiers of accesses that are left alone."""
_WIDEST: Final = 16
"""Size in bytes of the largest vector of all targets."""
_COUNTS: Final = (4, 2)
_ADDRESSES: Final = {"ld": 1, "st": 0}
_N_OPERANDS: Final = 2
_APART: Final = (".param", ".const", ".shared", ".local")
"""State spaces that do not overlap with global memory."""
ORDERING: Final = frozenset(
    "bar barrier membar fence call cp griddepcontrol wgmma tcgen05 mbarrier bra brx ret exit trap "
    "brkpt discard applypriority prefetch vote match elect redux shfl activemask pmevent".split()
)
"""Opcodes after which accesses are not merged with those before."""
_SILENT: Final = frozenset({Kind.BLANK, Kind.COMMENT, Kind.LOCATION, Kind.EMPTY})


class ElementAccess(NamedTuple):
    """An access to one element of global memory.

    Attributes:
        instruction: the access.
        shape: its shape.
        terms: the address without its constant offset.
        offset: this offset.
        alignment: the alignment of the address in bytes, as far as it is known.
        ordinal: its place among the statements of the function.
    """

    instruction: DecodedInstruction
    shape: Shape
    terms: Terms
    offset: int
    alignment: int
    ordinal: int

    @property
    def size(self) -> int:
        """The size of the element in bytes."""
        return element_size(self.shape)

    @property
    def address(self) -> str:
        """The address as it is written."""
        return self.instruction.operands[_ADDRESSES[self.shape.name]].text

    @property
    def register(self) -> str:
        """The register, or the value that is stored, as it is written."""
        return self.instruction.operands[1 - _ADDRESSES[self.shape.name]].text


def element_size(shape: Shape) -> int:
    """Returns the size in bytes of the element that a shape accesses; 0 for other instructions."""
    modifiers = modifiers_of(shape.opcode)
    is_plain = shape.name in _OPCODES and _SPACE in modifiers and not shape.guard
    if not is_plain or not _SPECIAL.isdisjoint(modifiers):
        return 0
    bits = isa.database().type_facts.get(modifiers[-1], (0,))[0]
    return int(bits) // 8


def neighbours(text: RegionText, computation: Computation) -> Iterator[Sequence[ElementAccess]]:
    """Yields the accesses of a function to neighbouring elements, in the order of their offsets.

    The address of the first is aligned for a vector of all of them.
    """
    for group in _groups(text, computation):
        rest = sorted(group, key=lambda each: each.offset)
        while rest:
            count = next((n for n in _COUNTS if _is_vector(rest[:n], n)), 1)
            if count > 1:
                yield rest[:count]
            del rest[:count]


def _is_vector(found: Sequence[ElementAccess], count: int) -> bool:
    size = count * found[0].size
    return (
        len(found) == count
        and size <= _WIDEST
        and found[0].alignment >= size
        and all(
            each.offset == found[0].offset + number * each.size for number, each in enumerate(found)
        )
    )


def _groups(text: RegionText, computation: Computation) -> Iterator[list[ElementAccess]]:
    """Yields accesses with the same opcode and terms that nothing keeps apart."""
    shapes = {each for each in text.shapes if element_size(each)}
    groups: dict[tuple[str, Terms], list[ElementAccess]] = {}
    for ordinal, found in enumerate(text.statements()):
        record = found.record
        if not isinstance(record, Shape):
            if record.kind not in _SILENT:
                yield from groups.values()
                groups = {}
            continue
        ended = _ended(groups.keys(), record)
        yield from [groups.pop(key) for key in ended]
        if record in shapes:
            access = _access(computation, found, record, ordinal)
            if access is not None:
                groups.setdefault((record.opcode, access.terms), []).append(access)
    yield from groups.values()


def _ended(groups: AbstractSet[tuple[str, Terms]], shape: Shape) -> list[tuple[str, Terms]]:
    """Returns the groups that an instruction keeps apart from later accesses."""
    if shape.name in ORDERING:
        return [*groups]
    modifiers = modifiers_of(shape.opcode)
    has_address = any(each.form is OperandForm.ADDRESS for each in shape.operands)
    if not has_address or any(each.startswith(_APART) for each in modifiers):
        return []
    if shape.name == "ld" and _SPECIAL.isdisjoint(modifiers):
        return [key for key in groups if key[0].startswith("st")]
    if shape.name == "st":
        return [key for key in groups if key[0] != shape.opcode]
    return [*groups]


def _access(
    computation: Computation, found: Found, shape: Shape, ordinal: int
) -> ElementAccess | None:
    instruction = computation.instruction(found)
    if len(instruction.operands) != _N_OPERANDS:
        return None
    value = computation.values.address(found, _ADDRESSES[shape.name])
    form = value.affine
    if form is None or value.is_impossible:
        return None
    return ElementAccess(instruction, shape, form.terms, form.offset, value.alignment, ordinal)
