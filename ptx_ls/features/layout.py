"""Where things lie in memory: sizes, alignments and offsets of variables and parameters.

Source: PTX ISA, "Variables" and "Kernel Function Parameters".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.semantics.symbols import UNKNOWN_TYPE, SymbolKind
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.analysis import Analysis, Declared
    from ptx_ls.semantics.symbols import Symbol

_DOTTED: Final = re.compile(r"\.\w++", re.ASCII).findall


def size_of(found: Symbol) -> int | None:
    """Bytes that a variable or parameter takes; None where its size is open."""
    size = _element(found)
    if size is None or None in found.dimensions:
        return None
    for count in found.dimensions:
        size *= count or 0
    return size


def written_type(found: Symbol) -> str:
    """The type of what is declared, even if the rest of the declaration cannot be read; or ""."""
    if found.type != UNKNOWN_TYPE:
        return found.type
    return next((word for word in _DOTTED(found.text) if word in TYPES), "")


def alignment_of(found: Symbol) -> int:
    """Alignment in bytes: as declared, else the size of an element or of the whole vector."""
    return found.alignment or _element(found) or 1


def _element(found: Symbol) -> int | None:
    info = isa.database().types.get(found.type)
    return max(1, info.bits // 8) * found.vector_size if info is not None else None


def offset_of(number: int, parameters: Sequence[Symbol]) -> int | None:
    """Offset in bytes of a parameter, by its number from 0, in the parameter space of a kernel."""
    offset = 0
    for parameter in parameters[: number + 1]:
        alignment = alignment_of(parameter)
        offset = -(-offset // alignment) * alignment
        if parameter is parameters[number]:
            return offset
        size = size_of(parameter)
        if size is None:
            return None
        offset += size
    return None


def total_of(parameters: Sequence[Symbol]) -> int | None:
    """Bytes that all parameters take together; None where a size is open."""
    if not parameters:
        return 0
    offset = offset_of(len(parameters) - 1, parameters)
    size = size_of(parameters[-1])
    return offset + size if offset is not None and size is not None else None


def of_parameter(analysis: Analysis, declared: Declared) -> str:
    """In words: which parameter of which function it is; "" if it is none."""
    function = analysis.function_of(declared)
    if function is None:
        return ""
    symbol = declared.symbol
    name = f"{function.kind.value} {markup.code(function.name)}"
    names = [parameter.name for parameter in function.parameters]
    if symbol.name in names:
        number = names.index(symbol.name)
        text = f"parameter {number + 1} of {len(names)} of {name}"
        offset = offset_of(number, function.parameters)
        is_kernel = function.kind is SymbolKind.KERNEL
        return f"{text}, at byte {offset}" if is_kernel and offset is not None else text
    if symbol.name in [result.name for result in function.returns]:
        return f"the result of {name}"
    return ""
