"""What is wrong with a declaration by itself.

Source: PTX ISA, "State Spaces, Types, and Variables"; where it leaves things open, ptxas decides.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.mismatch_declarations import BadDeclaration, DeclarationFault
from ptx_ls.semantics.operands import number
from ptx_ls.semantics.symbols import Symbol, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.isa import Context
    from ptx_ls.semantics.region import RegionFacts

_MOST_ELEMENTS: Final = 4
_WARP: Final = "WARP_SZ"
_WARP_SIZE: Final = 32
_ALIGNMENTS: Final = 1 << 32
_COUNTS: Final = 1 << 32
_LARGEST: Final = 128
"""Bits of the widest vector."""
_ABI: Final = (3, 0)
"""From this version on, functions have frames, and registers belong to one."""
_OPAQUE: Final = frozenset({".texref", ".samplerref", ".surfref"})
_SAMPLER: Final = ".samplerref"
_INDEPENDENT: Final = "texmode_independent"
_RESERVED: Final = frozenset({".sreg", ".surf", ".generic"})
"""State spaces without declarations."""
_POINTER: Final = re.compile(r"\.ptr\b", re.ASCII).search
_POINTED: Final = re.compile(
    r"\.ptr\b\s*+(?:\.(?!align)(?P<space>[a-z]++))?\s*+(?:\.align\s++(?P<alignment>\w++))?",
    re.ASCII,
).search
_SPACES: Final = frozenset({"", "const", "global", "local", "shared"})
"""What a parameter of a kernel may point into; nothing for generic addresses."""
_CUT: Final = "…"
_UNINITIALIZED: Final = frozenset({".reg", ".local", ".shared", ".param"})
_VARIABLES: Final = frozenset({SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.PARAMETER})
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.KERNEL})


def check_declarations(facts: RegionFacts, context: Context) -> Iterator[BadDeclaration]:
    """Declarations of a region that no context would make legal."""
    for symbol in facts.exports:
        if symbol.name.startswith("%") and _is_predefined(symbol.name):
            fault = DeclarationFault.PREDEFINED
            yield BadDeclaration(symbol, fault, symbol.start, symbol.end)
    ranges = [symbol for symbol in facts.exports if symbol.count]
    for symbol in facts.symbols:
        if symbol.kind in _VARIABLES:
            found = _variable_fault(symbol, facts, ranges, context)
            if found is not None:
                yield BadDeclaration(symbol, found, symbol.start, symbol.end)
        elif symbol.kind in _FUNCTIONS:
            yield from _check_function(symbol)


def _is_predefined(name: str) -> bool:
    return find_special_register(isa.database().special_registers, name) is not None


def _variable_fault(
    symbol: Symbol, facts: RegionFacts, ranges: list[Symbol], context: Context
) -> DeclarationFault | None:
    """What is wrong with a variable or register by itself, where it stands."""
    fault = _by_itself(symbol)
    if fault is not None:
        return fault
    if facts.scope_at(symbol.start) is not facts.module_scope:
        found = _local(symbol)
    else:
        is_known = facts.module_scope.names.get(symbol.name) is symbol
        is_module = is_known or any(symbol is each for each in ranges)
        found = _misplacement(symbol, context) if is_module else None
    is_sampler = symbol.type == _SAMPLER and _is_opaque(symbol) and context.target
    if found is None and is_sampler and _INDEPENDENT not in context.target:
        return DeclarationFault.SAMPLER
    return found


def _by_itself(symbol: Symbol) -> DeclarationFault | None:
    """What is wrong with a declaration wherever it stands."""
    dimensions = symbol.dimensions
    is_plain = not dimensions or (len(dimensions) == 1 and dimensions[0])
    if not is_plain or symbol.count >= _COUNTS or "=" in symbol.text or "." in symbol.name:
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
    """The fault of a symbol by what matters of it, for there are few kinds of them.

    `type_`: type, state space and elements of a vector. `definition`: whether it is one, and
    whether of an array.
    """
    symbol = Symbol(
        "",
        kind,
        (0, 0),
        (0, 0),
        *type_,
        dimensions=(1,) if definition[1] else (),
        alignment=alignment,
        linkage=linkage,
        is_definition=definition[0],
    )
    return _first_fault(symbol)


def _first_fault(symbol: Symbol) -> DeclarationFault | None:
    bits = isa.database().type_facts.get(symbol.type, (0, ""))[0]
    return next((fault for fault, applies in _FAULTS.items() if applies(symbol, bits)), None)


def _is_misaligned(symbol: Symbol, bits: int) -> bool:
    del bits
    alignment = symbol.alignment
    return alignment is not None and not _is_alignment(alignment)


def _is_predicate_in_memory(symbol: Symbol, bits: int) -> bool:
    del bits
    return symbol.type == ".pred" and symbol.space != ".reg"


def _is_predicate_vector(symbol: Symbol, bits: int) -> bool:
    del bits
    return symbol.type == ".pred" and symbol.vector_size > 1


def _is_large_vector(symbol: Symbol, bits: int) -> bool:
    return symbol.vector_size > 1 and symbol.vector_size * bits > _LARGEST


def _is_opaque_vector(symbol: Symbol, bits: int) -> bool:
    del bits
    return symbol.type in _OPAQUE and symbol.vector_size > 1


def _is_instruction_type(symbol: Symbol, bits: int) -> bool:
    del bits
    known = isa.database().types.get(symbol.type)
    if known is None or (known.is_element and symbol.dimensions):
        return False
    return not (known.is_fundamental or known.is_lenient)


def _is_no_parameter(symbol: Symbol, bits: int) -> bool:
    del bits
    if symbol.space != ".param":
        return False
    known = isa.database().types.get(symbol.type)
    if known is None or (known.is_element and symbol.dimensions):
        return False
    return "parameter" not in known.places


def _is_odd_vector(symbol: Symbol, bits: int) -> bool:
    del bits
    if symbol.vector_size == 1:
        return False
    if symbol.vector_size > _MOST_ELEMENTS:
        return True
    known = isa.database().types.get(symbol.type)
    return known is not None and known.is_lenient


def _is_dotted(symbol: Symbol, bits: int) -> bool:
    del bits
    return "." in symbol.name


def _is_reserved(symbol: Symbol, bits: int) -> bool:
    del bits
    return symbol.space in _RESERVED


def _is_register_array(symbol: Symbol, bits: int) -> bool:
    del bits
    return symbol.kind is SymbolKind.REGISTER and bool(symbol.dimensions)


def _is_incomplete(symbol: Symbol, bits: int) -> bool:
    del bits
    if symbol.kind is not SymbolKind.VARIABLE or not symbol.dimensions or not symbol.is_definition:
        return False
    if symbol.dimensions[0] == 0:
        is_known = not symbol.text.endswith(_CUT)
        return is_known and not _written(symbol, r"[^,;=]*+=")  # ptxas counts the values then
    return symbol.dimensions[0] is None and _written(symbol, r"\[\s*+\](?!.*?=)")


def _is_uncountable(symbol: Symbol, bits: int) -> bool:
    del bits
    return symbol.count >= _COUNTS


def _is_negative(symbol: Symbol, bits: int) -> bool:
    del bits
    return None in symbol.dimensions and _written(symbol, r"(?:\[[^\]]*\])*?\[\s*+-\s*+\d++\s*+\]")


def _is_initialized(symbol: Symbol, bits: int) -> bool:
    del bits
    if symbol.space not in _UNINITIALIZED and symbol.is_definition:
        return False
    return "=" in symbol.text and _written(symbol, r"(?:\[[^\]]*\]\s*+)*=")


def _written(symbol: Symbol, pattern: str) -> bool:
    """Whether the name is followed by `pattern` in its declaration, as far as that is known."""
    if symbol.text.endswith(_CUT):
        return False
    after = rf"(?<![\w$%]){re.escape(symbol.name)}\s*+{pattern}"
    return re.search(after, symbol.text, re.ASCII) is not None


_FAULTS: Final[dict[DeclarationFault, Callable[[Symbol, int], bool]]] = {
    DeclarationFault.RESERVED_SPACE: _is_reserved,
    DeclarationFault.NAME: _is_dotted,
    DeclarationFault.TYPE: _is_instruction_type,
    DeclarationFault.ALIGNMENT: _is_misaligned,
    DeclarationFault.PREDICATE_IN_MEMORY: _is_predicate_in_memory,
    DeclarationFault.PREDICATE_VECTOR: _is_predicate_vector,
    DeclarationFault.VECTOR_TOO_LARGE: _is_large_vector,
    DeclarationFault.OPAQUE_VECTOR: _is_opaque_vector,
    DeclarationFault.TYPE_PARAMETER: _is_no_parameter,
    DeclarationFault.TYPE_VECTOR: _is_odd_vector,
    DeclarationFault.REGISTER_ARRAY: _is_register_array,
    DeclarationFault.NEGATIVE_SIZE: _is_negative,
    DeclarationFault.NO_SIZE: _is_incomplete,
    DeclarationFault.COUNT: _is_uncountable,
    DeclarationFault.INITIALIZED: _is_initialized,
}


_WITHOUT_NAME: Final = (
    DeclarationFault.RESERVED_SPACE,
    DeclarationFault.TYPE,
    DeclarationFault.ALIGNMENT,
    DeclarationFault.PREDICATE_VECTOR,
    DeclarationFault.VECTOR_TOO_LARGE,
    DeclarationFault.OPAQUE_VECTOR,
    DeclarationFault.TYPE_VECTOR,
)


def fault_without_name(symbol: Symbol, *, is_local: bool) -> DeclarationFault | None:
    """What is wrong with a declaration that declares nothing."""
    bits = isa.database().type_facts.get(symbol.type, (0, ""))[0]
    found = next((fault for fault in _WITHOUT_NAME if _FAULTS[fault](symbol, bits)), None)
    if found is None and is_local and symbol.linkage:
        return DeclarationFault.LOCAL_LINKAGE
    if found is None and is_local and symbol.type in _OPAQUE:
        return DeclarationFault.OPAQUE_SCOPE
    return found


def _is_opaque(symbol: Symbol) -> bool:
    """Whether it is a texture, sampler or surface, and no array, which ptxas takes anywhere."""
    return symbol.type in _OPAQUE and not symbol.dimensions


def _misplacement(symbol: Symbol, context: Context) -> DeclarationFault | None:
    """What keeps a variable from being the module's."""
    is_new = context.version is not None and context.version >= _ABI
    if symbol.space == ".param" or (is_new and symbol.space in (".reg", ".local")):
        return DeclarationFault.MODULE_SCOPE
    if _is_opaque(symbol) and symbol.space not in (".global", ".reg"):
        return DeclarationFault.OPAQUE_SPACE
    is_plain = symbol.space == ".global" and not _is_opaque(symbol)
    return DeclarationFault.COMMON if symbol.linkage == ".common" and not is_plain else None


def _local(symbol: Symbol) -> DeclarationFault | None:
    """What keeps a variable from being a function's."""
    if symbol.vector_size > 1 and symbol.space == ".param":
        return DeclarationFault.PARAMETER_VECTOR
    if symbol.kind is SymbolKind.PARAMETER:
        return None
    if symbol.linkage:
        return DeclarationFault.LOCAL_LINKAGE
    is_opaque = symbol.type in _OPAQUE or symbol.space == ".tex"
    return DeclarationFault.OPAQUE_SCOPE if is_opaque else None


def _check_function(symbol: Symbol) -> Iterator[BadDeclaration]:
    if "." in symbol.name:
        yield BadDeclaration(symbol, DeclarationFault.NAME, symbol.start, symbol.end)
    if symbol.linkage == ".common":
        yield BadDeclaration(symbol, DeclarationFault.COMMON, symbol.start, symbol.end)
    if symbol.linkage == ".extern" and symbol.is_definition:
        yield BadDeclaration(symbol, DeclarationFault.EXTERN_BODY, symbol.start, symbol.end)
    if symbol.kind is SymbolKind.KERNEL:
        yield from _check_kernel(symbol)
        return
    for parameter in (*symbol.returns, *symbol.parameters):
        is_dotted = not symbol.is_definition and "." in parameter.name
        fault = DeclarationFault.NAME if is_dotted else _parameter_fault(parameter, symbol)
        if fault is not None:
            yield BadDeclaration(parameter, fault, parameter.start, parameter.end)
    yield from _check_results(symbol)


def _check_results(symbol: Symbol) -> Iterator[BadDeclaration]:
    in_memory = [result for result in symbol.returns if result.space != ".reg"]
    if len(symbol.returns) > 1 and in_memory:
        result = in_memory[0]
        yield BadDeclaration(result, DeclarationFault.RESULTS, result.start, result.end)


def _check_kernel(symbol: Symbol) -> Iterator[BadDeclaration]:
    for result in symbol.returns[:1]:
        yield BadDeclaration(result, DeclarationFault.KERNEL_RESULT, result.start, result.end)
    for parameter in symbol.parameters:
        place = parameter.start, parameter.end
        if parameter.space != ".param":
            yield BadDeclaration(parameter, DeclarationFault.KERNEL_SPACE, *place)
        elif parameter.dimensions[:1] in ((None,), (0,)) and _written(
            parameter, r"\[\s*+(?:0\s*+)?\]"
        ):
            yield BadDeclaration(parameter, DeclarationFault.KERNEL_ARRAY, *place)
        elif _points_nowhere(parameter):
            yield BadDeclaration(parameter, DeclarationFault.POINTED, *place)


def _points_nowhere(parameter: Symbol) -> bool:
    """Whether `.ptr` names no space to point into, or an alignment that is none."""
    match = _POINTED(parameter.text) if ".ptr" in parameter.text else None
    if match is None or parameter.text.endswith(_CUT):
        return False
    written = match["alignment"]
    space = match["space"] or ""
    if space not in _SPACES or written is None:
        return space not in _SPACES
    alignment = _WARP_SIZE if written == _WARP else number(written)
    return not isinstance(alignment, int) or not _is_alignment(alignment)


def _is_alignment(value: int) -> bool:
    return 0 < value < _ALIGNMENTS and value & (value - 1) == 0


def _parameter_fault(parameter: Symbol, function: Symbol) -> DeclarationFault | None:
    """What a parameter or result of a device function cannot be."""
    if parameter.space not in (".param", ".reg"):
        return DeclarationFault.FUNCTION_SPACE
    if function.is_definition and _is_opaque(parameter):
        return DeclarationFault.OPAQUE_SCOPE
    return DeclarationFault.POINTER if _POINTER(parameter.text) is not None else None
