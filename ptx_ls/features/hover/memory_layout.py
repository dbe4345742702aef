"""Sizes, alignments and offsets of variables and parameters.

Source: PTX ISA, "Variables" and "Kernel Function Parameters".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown
from ptx_ls.isa.operand import OPAQUE_TYPES
from ptx_ls.semantics.symbols.symbols import CUT, SymbolKind
from ptx_ls.source.english import counted
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import shortened_name
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol

_POINTER: Final = ".ptr"


def size_of(found: Symbol) -> int | None:
    """Returns the size in bytes of a variable or parameter; None if it is not known."""
    size = _element(found)
    if size is None or None in found.dimensions[1:]:
        return None
    for count in found.dimensions:
        many = _initialised(found) if count is None else count
        if many is None:
            return None
        size *= many
    return size


def alignment_of(found: Symbol) -> int:
    """Returns the alignment in bytes: as declared, else the size of an element or a whole vector.

    An `.align` after `.ptr` is the alignment of the memory pointed to.
    """
    declared = found.alignment
    if _POINTER in found.text:
        declared = _aligned(found.text.partition(_POINTER)[0])
    return declared or _element(found) or 1


def _aligned(text: str) -> int | None:
    """Returns the number after `.align` in a part of a declaration."""
    words = [token.string for token in tokenize(text)]
    return integer(words[words.index(".align") + 1]) if ".align" in words else None


def pointee(found: Symbol) -> Markdown:
    """Describes the memory that a parameter points to, by its `.ptr`; "" if it has none."""
    _, pointer, after = found.text.partition(_POINTER)
    if not pointer:
        return markup.NOTHING
    words = dotted_words(after)
    space = next((word for word in words if word in isa.database().state_spaces), "")
    alignment = _aligned(after)
    text = markup.own("a generic pointer")
    if space:
        text = markup.filled("points to {} memory", markup.code(space))
    elif alignment is not None:
        text = markup.own("a generic pointer to memory")
    reference = next((word for word in words if word in OPAQUE_TYPES), "")
    if reference:
        text = markup.filled("points to a {}", markup.code(reference))
    if alignment is None:
        return text
    return markup.filled("{} aligned to {}", text, counted(alignment, "byte"))


def _element(found: Symbol) -> int | None:
    info = isa.database().types.get(found.type)
    if info is None:
        return None
    size = info.bits // 8 if info.bits else info.alignment
    return max(1, size) * found.vector_size


def _initialised(found: Symbol) -> int | None:
    """Returns the size of the open dimension of `x[] = {...}`; None if it cannot be counted."""
    _, equals, values = found.text.rstrip("; ").partition("=")
    values = values.strip()
    if not equals or found.text.endswith(CUT) or not (values[:1] == "{" and values[-1:] == "}"):
        return None
    depth = count = 0
    is_nested = False
    for character in values:
        depth += (character in "({") - (character in ")}")
        is_nested = is_nested or (character == "{" and depth > 1)
        count += character == "," and depth == 1
    is_filled = bool(values[1:-1].strip())
    return count + 1 if is_filled and is_nested is (len(found.dimensions) > 1) else None


def offset_of(number: int, parameters: Sequence[Symbol]) -> int | None:
    """Returns the offset in bytes of the parameter with a number, from 0; None if unknown."""
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
    """Returns the size in bytes of all parameters together; None if a size is not known."""
    if not parameters:
        return 0
    offset = offset_of(len(parameters) - 1, parameters)
    size = size_of(parameters[-1])
    return offset + size if offset is not None and size is not None else None


def of_parameter(analysis: Analysis, declared: LocatedSymbol) -> Markdown:
    """Describes a parameter or result by its function and number; "" for any other symbol."""
    function = analysis.function_of(declared)
    if function is None:
        return markup.NOTHING
    symbol = declared.symbol
    name = markup.filled("{} {}", function.kind.value, markup.code(shortened_name(function.name)))
    names = [parameter.name for parameter in function.parameters]
    if symbol.name in names:
        number = names.index(symbol.name)
        text = markup.filled("parameter {} of {} in {}", str(number + 1), str(len(names)), name)
        if len(names) == 1:
            text = markup.filled("the only parameter of {}", name)
        offset = offset_of(number, function.parameters)
        is_kernel = function.kind is SymbolKind.KERNEL
        has_offset = is_kernel and offset is not None
        return markup.filled("{}, at byte {}", text, str(offset)) if has_offset else text
    results = [result.name for result in function.returns]
    if symbol.name not in results:
        return markup.NOTHING
    if len(results) == 1:
        return markup.filled("the result of {}", name)
    number = results.index(symbol.name) + 1
    return markup.filled("result {} of {} in {}", str(number), str(len(results)), name)
