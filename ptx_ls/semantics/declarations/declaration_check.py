"""Checks the declarations of a function, including whether they may be where they are.

Source: PTX ISA, "State Spaces, Types, and Variables", and ptxas where the manual is silent.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.operand import OPAQUE_TYPES
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.calls.signatures import prototypes
from ptx_ls.semantics.declarations.declaration_faults import (
    fault_by_itself,
    fault_without_name,
    is_alignment,
    is_opaque,
)
from ptx_ls.semantics.problems.declarations import BadDeclaration, DeclarationFault
from ptx_ls.semantics.symbols.declaration_reader import properties_of
from ptx_ls.semantics.symbols.symbols import CUT, Symbol, SymbolKind, sizes_of
from ptx_ls.syntax.literals import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region import RegionFacts

_WARP: Final = "WARP_SZ"
_WARP_SIZE: Final = 32
_ABI: Final = (3, 0)
"""The first version with an ABI, in which registers and .local variables belong to functions."""
_SAMPLER: Final = ".samplerref"
_INDEPENDENT: Final = "texmode_independent"
_POINTED_TO: Final = frozenset(
    {".const", ".global", ".local", ".shared", ".texref", ".samplerref", ".surfref"}
)
"""State spaces after `.ptr`, and opaque types, as OpenCL passes pointers to images and samplers."""
_VARIABLES: Final = frozenset({SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.PARAMETER})
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.KERNEL})


def check_declarations(facts: RegionFacts, context: Context) -> Iterator[BadDeclaration]:
    """Yields the invalid declarations of a function."""
    for symbol in facts.exports:
        if symbol.name.startswith("%") and _is_predefined(symbol.name):
            fault = DeclarationFault.PREDEFINED
            yield BadDeclaration(symbol, fault, symbol.start, symbol.end)
    ranges = {id(symbol) for symbol in facts.exports if symbol.count}
    for symbol in facts.declared:
        if symbol.kind in _VARIABLES:
            found = _variable_fault(symbol, facts, ranges, context)
            if found is not None:
                yield BadDeclaration(symbol, found, symbol.start, symbol.end)
        elif symbol.kind in _FUNCTIONS:
            yield from _check_function(symbol)
    for _, prototype in prototypes(facts):
        for parameter in (*prototype.returns, *prototype.parameters):
            found = _prototype_fault(parameter)
            if found is not None:
                yield BadDeclaration(parameter, found, parameter.start, parameter.end)


def check_unnamed(facts: RegionFacts) -> Iterator[BadDeclaration]:
    """Yields declarations without a name that ptxas rejects.

    It accepts `.global .b32;`, whatever version and target the type requires.
    """
    for start, text in facts.unnamed.items():
        symbol = properties_of(text, start)
        is_local = facts.scope_at(start) is not facts.module_scope
        fault = fault_without_name(symbol, is_local=is_local)
        if fault is not None:
            yield BadDeclaration(symbol, fault, symbol.start, symbol.end)


def _is_predefined(name: str) -> bool:
    return find_special_register(isa.database().special_registers, name) is not None


def _variable_fault(
    symbol: Symbol, facts: RegionFacts, ranges: set[int], context: Context
) -> DeclarationFault | None:
    """Returns the fault of a variable, register or parameter."""
    fault = fault_by_itself(symbol)
    if fault is not None:
        return fault
    if facts.scope_at(symbol.start) is not facts.module_scope:
        found = _local(symbol)
    else:
        is_known = facts.module_scope.names.get(symbol.name) is symbol
        is_module = is_known or id(symbol) in ranges
        found = _misplacement(symbol, context) if is_module else None
    is_sampler = symbol.type == _SAMPLER and is_opaque(symbol) and context.target
    if found is None and is_sampler and _INDEPENDENT not in context.target:
        return DeclarationFault.SAMPLER
    return found


def _misplacement(symbol: Symbol, context: Context) -> DeclarationFault | None:
    """Returns the fault of a variable at module scope, if any."""
    is_new = context.version is not None and context.version >= _ABI
    if symbol.space == ".param" or (is_new and symbol.space in (".reg", ".local")):
        return DeclarationFault.MODULE_SCOPE
    if is_opaque(symbol) and symbol.space not in (".global", ".reg"):
        return DeclarationFault.OPAQUE_SPACE
    is_plain = symbol.space == ".global" and not is_opaque(symbol)
    return DeclarationFault.COMMON if symbol.linkage == ".common" and not is_plain else None


def _local(symbol: Symbol) -> DeclarationFault | None:
    """Returns the fault of a variable or parameter of a function, if any."""
    if symbol.vector_size > 1 and symbol.space == ".param":
        return DeclarationFault.PARAMETER_VECTOR
    if symbol.kind is SymbolKind.PARAMETER:
        return None
    if symbol.linkage:
        return DeclarationFault.LOCAL_LINKAGE
    is_opaque = symbol.type in OPAQUE_TYPES or symbol.space == ".tex"
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
    if ".entry()" in symbol.text.replace(" ", ""):
        yield BadDeclaration(symbol, DeclarationFault.KERNEL_RESULT, symbol.start, symbol.end)
    for parameter in symbol.parameters:
        place = parameter.start, parameter.end
        if parameter.space != ".param":
            yield BadDeclaration(parameter, DeclarationFault.KERNEL_SPACE, *place)
        elif parameter.dimensions[:1] in ((None,), (0,)) and any(
            found.sizes[:1] in (("",), ("0",)) for found in sizes_of(parameter)
        ):
            yield BadDeclaration(parameter, DeclarationFault.KERNEL_ARRAY, *place)
        elif pointed := _pointer_fault(parameter):
            yield BadDeclaration(parameter, pointed, *place)


def _pointer_fault(parameter: Symbol) -> DeclarationFault | None:
    """Returns the fault of what follows `.ptr`, if any."""
    _, pointer, attributes = parameter.text.partition(".ptr")
    if not pointer or parameter.text.endswith(CUT):
        return None
    words = _words(attributes)
    is_space = words[:1] != [".align"] and "".join(words[:1]).startswith(".")
    if is_space and words.pop(0).partition("[")[0] not in _POINTED_TO:
        return DeclarationFault.POINTED
    if words[:1] != [".align"]:
        return None
    alignment = _WARP_SIZE if words[1] == _WARP else number(words[1])
    is_valid = isinstance(alignment, int) and is_alignment(alignment)
    return None if is_valid else DeclarationFault.POINTED_ALIGNMENT


def _parameter_fault(parameter: Symbol, function: Symbol) -> DeclarationFault | None:
    """Returns the fault of a parameter or return value of a device function, if any."""
    if parameter.space not in (".param", ".reg"):
        return DeclarationFault.FUNCTION_SPACE
    if function.is_definition and is_opaque(parameter):
        return DeclarationFault.OPAQUE_SCOPE
    return _kernel_only_fault(parameter)


def _prototype_fault(parameter: Symbol) -> DeclarationFault | None:
    """Returns the fault of a prototype's parameter that `signature_check` does not find, if any."""
    if parameter.space in (".param", ".reg") and is_opaque(parameter):
        return DeclarationFault.OPAQUE_SCOPE
    return _kernel_only_fault(parameter)


def _kernel_only_fault(parameter: Symbol) -> DeclarationFault | None:
    """Returns the fault of attributes that only parameters of kernels may have, if any."""
    words = _words(parameter.text)
    if ".ptr" in words:
        return DeclarationFault.POINTER
    is_late = any(
        word == ".align" and before.startswith(".") and before not in (".param", ".reg")
        for before, word in pairwise(words)
    )
    return DeclarationFault.LATE_ALIGNMENT if is_late else None


def _words(text: str) -> list[str]:
    """Returns the words of a parameter's declaration; no space is needed before a dot."""
    return text.replace(".", " .").split()
