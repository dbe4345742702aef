"""Finds instructions with the same register in two operands that should differ.

These are several results, and operands that are compared with each other or chosen between.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.rows import rows_where
from ptx_ls.semantics.constants.places import specs_of
from ptx_ls.semantics.instructions.accesses import accesses_of_shape, named_accesses
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Shape
from ptx_ls.syntax.searches.repeated_names import repeating_rows
from ptx_ls.syntax.written.names import opcode_and_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import Identifier
    from ptx_ls.syntax.record import Pattern
    from ptx_ls.syntax.searches.repeated_names import Groups

_MAX_KEPT: Final = 1 << 12
"""Number of patterns whose groups are kept."""
_RESULTS: Final = 1
_COMPARED: Final = 2
_N_GROUPS: Final = 2
_MAX_GROUPS: Final = 255
_PAIRED: Final = ("setp", "set", "div", "rem", "selp")
"""Opcodes of instructions whose result is known if the operands of this pair are the same."""
_PAIR: Final = ("a", "b")


class Repeat(NamedTuple):
    """An instruction with a register twice: the two places. `is_result`: whether it writes both."""

    found: Found
    shape: Shape
    first: Identifier
    second: Identifier
    is_result: bool


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def repeats_in(function: Function) -> tuple[Repeat, ...]:
    """Returns the instructions of a function that have a register twice where two should differ."""
    rows = rows_where(function.leaves(), _repeating_rows)
    return tuple(_repeats(function, rows)) if rows else ()


def _repeating_rows(chunk: Chunk) -> Sequence[int]:
    groups = tuple(map(_groups_of, chunk.patterns))
    if groups.count(None) == len(groups):
        return ()
    return repeating_rows(chunk.text, chunk.numbers, groups)


def _repeats(function: Function, rows: list[int]) -> Iterator[Repeat]:
    for found in region_text(function).statements(rows):
        shape = found.record
        if not isinstance(shape, Shape):
            continue
        groups = _groups_of_names(shape)
        known: dict[tuple[int, str], Identifier] = {}
        names = named_accesses(shape, found.text) if groups is not None else []
        for (name, _), group in zip(names, groups or (), strict=False):
            before = known.setdefault((group, name.full), name) if group else name
            if before is not name:
                yield Repeat(found, shape, before, name, group == _RESULTS)


@lru_cache(maxsize=_MAX_KEPT)
def _groups_of(pattern: Pattern) -> Groups:
    """Returns the groups of the names in the lines with a pattern."""
    if isinstance(pattern, Shape):
        own = _groups_of_names(pattern)
        if own is None or pattern.has_gap:
            return None if own is None else True
        guard = 1 if pattern.guard else 0
        return bytes([*own[:guard], 0, *own[guard:]])
    if isinstance(pattern, InlineAsmPattern):
        return _groups_of_block(pattern)
    is_marked = isinstance(pattern, tuple) and any(map(_groups_of, pattern))
    return True if is_marked else None


def _groups_of_block(pattern: InlineAsmPattern) -> Groups:
    """Returns the groups of the names of a plain block on one line."""
    groups = bytearray()
    pieces = InlineAsmLine(pattern.text, pattern).pieces
    for number, piece in enumerate(pieces):
        text = pattern.text[piece.start[1] : piece.end[1]]
        names = opcode_and_names(text)
        own = _groups_of(piece.record) or bytes(len(names))
        offset = _N_GROUPS * number
        if isinstance(own, bool) or len(own) != len(names) or offset > _MAX_GROUPS - _N_GROUPS:
            return True
        groups += bytes(group + offset if group else 0 for group in own)
    return bytes(groups) if any(groups) else None


@lru_cache(maxsize=_MAX_KEPT)
def _groups_of_names(shape: Shape) -> tuple[int, ...] | None:
    """Returns the group of each name of a shape, without the opcode; None if none has two names."""
    found = [_RESULTS * each.is_write for each in accesses_of_shape(shape)]
    for number in _paired(shape):
        if not found[number]:
            found[number] = _COMPARED
    if max(map(found.count, (_RESULTS, _COMPARED))) < _N_GROUPS:
        return None
    return tuple(found)


def _paired(shape: Shape) -> list[int]:
    """Returns the numbers of the names that are compared with each other."""
    specs = specs_of(shape) if shape.name in _PAIRED else None
    if specs is None or not _is_comparable(shape):
        return []
    return [
        operand.identifier
        for operand, spec in zip(shape.operands, specs, strict=True)
        if spec is not None
        and spec.name in _PAIR
        and operand.form is OperandForm.IDENTIFIER
        and not operand.negation
        and not operand.elements
    ]


def _is_comparable(shape: Shape) -> bool:
    """Whether the result is known if two operands are the same; floating-point numbers have NaN."""
    _, modifiers = isa.split_modifiers(shape.opcode)
    types = isa.database().type_facts
    is_real = types.get(isa.written_type(modifiers), (0, "real"))[1]
    return is_real in ("bits", "unsigned", "signed") or shape.name in ("setp", "set", "selp")
