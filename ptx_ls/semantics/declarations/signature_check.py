"""Finds parameters and return values that a function, kernel or prototype cannot have.

Source: PTX ISA, "Kernel and Function Directives" and ".callprototype", and ptxas 13.5 where the
manual is silent.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import module_target
from ptx_ls.semantics.calls.signatures import prototypes
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind, sizes_of
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region import RegionFacts

_SINK: Final = "_"
_OPEN_SIZES: Final = ((("",), ""), (("0",), ""))
"""The sizes of `[]` and `[0]` if nothing follows."""
_MAX_BITS: Final = 128
_PARAMETERS: Final = (2, 0)
"""The first version in which device functions may use .param."""
_LISTS: Final = (1, 4)
"""The first version in which kernels have parameter lists; earlier, bodies declared them."""
_KERNEL_PROTOTYPES: Final = (3, 0)
"""The first version in which a kernel may be declared without a body."""
_MIN_ARCHITECTURE: Final = 20
"""The first architecture on which device functions may have parameters in .param."""


class SignatureFault(Enum):
    """Why a parameter, a return value or a local .param variable is invalid."""

    NAME = auto()
    """The name `_`, which only kernels and prototypes allow."""
    OPEN_RESULT = auto()
    OPEN_ARRAY = auto()
    """An array without a size that is not the last parameter."""
    OPEN_REGISTER = auto()
    DIMENSIONS = auto()
    RANGE = auto()
    ALIGNMENT = auto()
    POWER = auto()
    SPACE = auto()
    RESULTS = auto()
    VERSION = auto()
    TARGET = auto()
    LIST = auto()
    """A parameter in the list of a kernel, in a version without such lists."""
    PROTOTYPE = auto()
    """A kernel without a body, in a version without such declarations."""


class BadSignature(NamedTuple):
    """An invalid parameter, return value or local .param variable."""

    symbol: Symbol
    fault: SignatureFault
    start: FunctionPosition
    end: FunctionPosition


def check_signatures(facts: RegionFacts, context: Context) -> Iterator[BadSignature]:
    """Yields the invalid parameters, return values and local .param variables of a function."""
    for symbol in facts.declared:
        if symbol.kind is SymbolKind.FUNCTION:
            yield from _check_function(symbol, context)
        elif symbol.kind is SymbolKind.KERNEL:
            yield from _check_kernel(symbol, context)
        elif symbol.space == ".param" and symbol.kind is SymbolKind.VARIABLE:
            fault = _local_fault(symbol, facts, context)
            if fault is not None:
                yield BadSignature(symbol, fault, symbol.start, symbol.end)
    for _, prototype in prototypes(facts):
        yield from _check_prototype(prototype)


def _each(
    symbols: tuple[Symbol, ...], fault_of: Callable[[Symbol], SignatureFault | None]
) -> Iterator[BadSignature]:
    for symbol in symbols:
        fault = fault_of(symbol)
        if fault is not None:
            yield BadSignature(symbol, fault, symbol.start, symbol.end)


def _check_kernel(symbol: Symbol, context: Context) -> Iterator[BadSignature]:
    yield from _each(symbol.parameters, _shape_fault)
    version = context.version
    if version is None:
        return
    if version < _LISTS and symbol.parameters:
        yield from _each(symbol.parameters[:1], lambda _: SignatureFault.LIST)
    elif version < _KERNEL_PROTOTYPES and not symbol.is_definition:
        yield from _each((symbol,), lambda _: SignatureFault.PROTOTYPE)


def _check_function(symbol: Symbol, context: Context) -> Iterator[BadSignature]:
    def fault_of(parameter: Symbol) -> SignatureFault | None:
        if parameter.name == _SINK:
            return SignatureFault.NAME
        fault = _shape_fault(parameter) or _gate_fault(parameter, context)
        if fault is None and symbol.is_definition and _is_overaligned(parameter):
            return SignatureFault.ALIGNMENT
        return fault

    yield from _each((*symbol.returns, *symbol.parameters), fault_of)
    yield from _check_open(symbol)


def _check_prototype(prototype: Symbol) -> Iterator[BadSignature]:
    def fault_of(parameter: Symbol) -> SignatureFault | None:
        if parameter.space not in (".param", ".reg"):
            return SignatureFault.SPACE
        alignment = parameter.alignment
        if alignment is not None and (alignment <= 0 or alignment & (alignment - 1)):
            return SignatureFault.POWER
        return _shape_fault(parameter)

    yield from _each((*prototype.returns, *prototype.parameters), fault_of)
    yield from _check_open(prototype)
    if len(prototype.returns) > 1:
        wrong = [result for result in prototype.returns if result.space != ".reg"]
        yield from _each(tuple(wrong[:1]), lambda _: SignatureFault.RESULTS)


def _check_open(symbol: Symbol) -> Iterator[BadSignature]:
    """Yields arrays without a size that need one."""
    for result in symbol.returns:
        if _is_open(result):
            yield BadSignature(result, SignatureFault.OPEN_RESULT, result.start, result.end)
    for parameter in symbol.parameters[:-1]:
        if _is_open(parameter):
            yield BadSignature(parameter, SignatureFault.OPEN_ARRAY, parameter.start, parameter.end)
    for parameter in symbol.parameters[-1:]:
        if _is_open(parameter) and parameter.space == ".reg":
            fault = SignatureFault.OPEN_REGISTER
            yield BadSignature(parameter, fault, parameter.start, parameter.end)


def _is_open(parameter: Symbol) -> bool:
    return (
        bool(parameter.dimensions)
        and not parameter.dimensions[0]
        and any(found in _OPEN_SIZES for found in sizes_of(parameter))
    )


def _shape_fault(parameter: Symbol) -> SignatureFault | None:
    if len(parameter.dimensions) > 1:
        return SignatureFault.DIMENSIONS
    return SignatureFault.RANGE if parameter.count else None


def _gate_fault(parameter: Symbol, context: Context) -> SignatureFault | None:
    if parameter.space != ".param":
        return None
    if context.version is not None and context.version < _PARAMETERS:
        return SignatureFault.VERSION
    target = module_target(context.target)
    is_old = target is not None and target[0] < _MIN_ARCHITECTURE
    return SignatureFault.TARGET if is_old else None


def _local_fault(symbol: Symbol, facts: RegionFacts, context: Context) -> SignatureFault | None:
    if facts.scope_at(symbol.start) is facts.module_scope:
        return None
    version = context.version
    if version is not None and version < _PARAMETERS:
        is_kernel = facts.function is not None and facts.function.kind is SymbolKind.KERNEL
        return None if is_kernel and version < _LISTS else SignatureFault.VERSION
    return SignatureFault.ALIGNMENT if _is_overaligned(symbol) else None


def _is_overaligned(symbol: Symbol) -> bool:
    alignment = symbol.alignment
    return symbol.space == ".param" and alignment is not None and alignment > _MAX_BITS
