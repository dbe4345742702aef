"""Checks a single declaration, regardless of where it is.

Source: PTX ISA, "State Spaces, Types, and Variables", and ptxas where the manual is silent.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.isa.operand import OPAQUE_TYPES
from ptx_ls.semantics.problems.declarations import DeclarationFault
from ptx_ls.semantics.symbols.symbols import CUT, Symbol, SymbolKind, sizes_of
from ptx_ls.syntax.tokens import OLD_DATA

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_ELEMENTS: Final = 4
_MODULUS_OF_ALIGNMENTS: Final = 1 << 32
_MODULUS_OF_COUNTS: Final = 1 << 32
_MAX_VECTOR_BITS: Final = 128
"""Maximum size of a vector, in bits."""
_RESERVED: Final = frozenset({".sreg", ".surf", ".generic"})
"""State spaces in which nothing can be declared."""
_UNINITIALIZED: Final = frozenset({".reg", ".local", ".shared", ".param"})


def fault_by_itself(symbol: Symbol) -> DeclarationFault | None:
    """Returns the fault of a declaration, regardless of where it is; None if it has none."""
    dimensions = symbol.dimensions
    is_plain = not dimensions or (len(dimensions) == 1 and dimensions[0])
    if (
        not is_plain
        or symbol.count >= _MODULUS_OF_COUNTS
        or "=" in symbol.text
        or "." in symbol.name
    ):
        return _first_fault(symbol)
    return _of_plain(
        symbol.kind,
        (symbol.type, symbol.space, symbol.vector_size),
        symbol.alignment,
        symbol.linkage,
        (symbol.is_definition, bool(dimensions)),
    )


@lru_cache(maxsize=1 << 10)
def _of_plain(
    kind: SymbolKind,
    type_: tuple[str, str, int],
    alignment: int | None,
    linkage: str,
    definition: tuple[bool, bool],
) -> DeclarationFault | None:
    """Returns the fault of a symbol; cached by the few properties that it depends on.

    `type_`: the type, state space and vector size. `definition`: whether it is a definition, and
    whether it is an array.
    """
    symbol = Symbol(
        "",
        kind,
        FUNCTION_START,
        FUNCTION_START,
        *type_,
        dimensions=(1,) if definition[1] else (),
        alignment=alignment,
        linkage=linkage,
        is_definition=definition[0],
    )
    return _first_fault(symbol)


def _first_fault(symbol: Symbol) -> DeclarationFault | None:
    return next((fault for fault, applies in _FAULTS.items() if applies(symbol)), None)


def _is_misaligned(symbol: Symbol) -> bool:
    alignment = symbol.alignment
    return alignment is not None and not is_alignment(alignment)


def _is_large_vector(symbol: Symbol) -> bool:
    bits = isa.database().type_facts.get(symbol.type, (0, ""))[0]
    return symbol.vector_size > 1 and symbol.vector_size * bits > _MAX_VECTOR_BITS


def _is_instruction_type(symbol: Symbol) -> bool:
    known = isa.database().types.get(symbol.type)
    if known is None or (known.is_element and symbol.dimensions):
        return False
    return not (known.is_fundamental or known.is_lenient)


def _is_no_parameter(symbol: Symbol) -> bool:
    if symbol.space != ".param":
        return False
    known = isa.database().types.get(symbol.type)
    if known is None or (known.is_element and symbol.dimensions):
        return False
    return "parameter" not in known.places


def _is_odd_vector(symbol: Symbol) -> bool:
    if symbol.vector_size == 1:
        return False
    if symbol.vector_size > _MAX_ELEMENTS:
        return True
    known = isa.database().types.get(symbol.type)
    return known is not None and known.is_lenient


def _is_incomplete(symbol: Symbol) -> bool:
    if symbol.kind is not SymbolKind.VARIABLE or not symbol.dimensions or not symbol.is_definition:
        return False
    if symbol.dimensions[0] or symbol.text.endswith(CUT):
        return False
    written = [*sizes_of(symbol)]
    is_open = symbol.dimensions[0] == 0 or any(found.sizes[:1] == ("",) for found in written)
    return is_open and not any(_has_values(found.rest) for found in written)


def _has_values(rest: str) -> bool:
    """Whether an initial value other than `{ }` follows the sizes of an array.

    ptxas derives the size of an array declared with `[]` or `[0]` from the number of its values.
    """
    value = rest[1:].lstrip()
    is_empty = value.startswith("{") and value[1:].lstrip().startswith("}")
    return rest.startswith("=") and not is_empty


def _is_negative(symbol: Symbol) -> bool:
    return None in symbol.dimensions and any(
        size.startswith("-") and size[1:].lstrip().isdecimal()
        for found in sizes_of(symbol)
        for size in found.sizes
    )


def _is_initialized(symbol: Symbol) -> bool:
    if symbol.space not in _UNINITIALIZED and symbol.is_definition:
        return False
    return "=" in symbol.text and any(found.rest.startswith("=") for found in sizes_of(symbol))


_FAULTS: Final[dict[DeclarationFault, Callable[[Symbol], bool]]] = {
    DeclarationFault.RESERVED_SPACE: lambda it: it.space in _RESERVED,
    DeclarationFault.NAME: lambda it: "." in it.name,
    DeclarationFault.TYPE: _is_instruction_type,
    DeclarationFault.DATA_TYPE: lambda it: it.type in OLD_DATA,
    DeclarationFault.ALIGNMENT: _is_misaligned,
    DeclarationFault.PREDICATE_IN_MEMORY: lambda it: it.type == ".pred" and it.space != ".reg",
    DeclarationFault.PREDICATE_VECTOR: lambda it: it.type == ".pred" and it.vector_size > 1,
    DeclarationFault.VECTOR_TOO_LARGE: _is_large_vector,
    DeclarationFault.OPAQUE_VECTOR: lambda it: it.type in OPAQUE_TYPES and it.vector_size > 1,
    DeclarationFault.TYPE_PARAMETER: _is_no_parameter,
    DeclarationFault.TYPE_VECTOR: _is_odd_vector,
    DeclarationFault.REGISTER_ARRAY: lambda it: (
        it.kind is SymbolKind.REGISTER and bool(it.dimensions)
    ),
    DeclarationFault.NEGATIVE_SIZE: _is_negative,
    DeclarationFault.NO_SIZE: _is_incomplete,
    DeclarationFault.COUNT: lambda it: it.count >= _MODULUS_OF_COUNTS,
    DeclarationFault.INITIALIZED: _is_initialized,
}


_WITHOUT_NAME: Final = (
    DeclarationFault.RESERVED_SPACE,
    DeclarationFault.TYPE,
    DeclarationFault.DATA_TYPE,
    DeclarationFault.ALIGNMENT,
    DeclarationFault.PREDICATE_VECTOR,
    DeclarationFault.VECTOR_TOO_LARGE,
    DeclarationFault.OPAQUE_VECTOR,
    DeclarationFault.TYPE_VECTOR,
)


def fault_without_name(symbol: Symbol, *, is_local: bool) -> DeclarationFault | None:
    """Returns the fault of a declaration without a name; None if ptxas accepts it."""
    found = next((fault for fault in _WITHOUT_NAME if _FAULTS[fault](symbol)), None)
    if found is None and is_local and symbol.linkage:
        return DeclarationFault.LOCAL_LINKAGE
    if found is None and is_local and symbol.type in OPAQUE_TYPES:
        return DeclarationFault.OPAQUE_SCOPE
    return found


def is_opaque(symbol: Symbol) -> bool:
    """Whether a symbol is a texture, sampler or surface; not an array, which is legal anywhere."""
    return symbol.type in OPAQUE_TYPES and not symbol.dimensions


def is_alignment(value: int) -> bool:
    """Whether a number is a power of two that fits in 32 bits."""
    return 0 < value < _MODULUS_OF_ALIGNMENTS and value & (value - 1) == 0
