"""The names, details and groups of symbols in outlines."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.demangle import demangled, split_parameter
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.symbols import Symbol


class SymbolGroup(Enum):
    """The kind of a symbol of the outline."""

    KERNEL = auto()
    FUNCTION = auto()
    PARAMETER = auto()
    VARIABLE = auto()
    """A variable of the module."""
    CONSTANT = auto()
    LOCAL = auto()
    """A variable of a function."""
    LABEL = auto()
    REGISTERS = auto()
    """All registers that a scope declares."""
    REGISTER = auto()
    SCOPE = auto()
    SECTION = auto()
    PROTOTYPE = auto()


def signature(function: Symbol) -> str:
    """Returns the parameters and results of a function: `(.u64, .u32)`, `(.u64) -> .b32`."""
    text = f"({', '.join(map(type_text, function.parameters))})"
    if function.returns:
        text += f" -> {', '.join(map(type_text, function.returns))}"
    return text


def type_text(symbol: Symbol) -> str:
    """Returns the type of a variable: `.f32`, `.v4.f32`, `.b8[16][]`."""
    vector = f".v{symbol.vector_size}" if symbol.vector_size > 1 else ""
    sizes = "".join(f"[{'' if size is None else size}]" for size in symbol.dimensions)
    return f"{vector}{symbol.written_type}{sizes}"


def shown_name(symbol: Symbol) -> str:
    """Returns the name in the source if it is mangled, else the name."""
    return source_name(symbol) or symbol.name


def source_name(symbol: Symbol) -> str | None:
    """Returns the name of a function or variable in its source, if it is mangled.

    A parameter of such a function has a number: the name of the function is above it.
    """
    if symbol.kind is SymbolKind.PARAMETER:
        function, number = split_parameter(symbol.name)
        return None if number is None or not demangled(function) else f"parameter {number}"
    has_one = symbol.is_function or symbol.kind is SymbolKind.VARIABLE
    return demangled(symbol.name) if has_one else None


def detail_of(symbol: Symbol) -> str:
    """Returns the text beside a name: its type, its parameters, or the mangled name."""
    if symbol.is_function:
        found = symbol.name if source_name(symbol) else signature(symbol)
        if symbol.kind is SymbolKind.KERNEL:  # editors have one icon for all functions
            found = f".entry {found}"
        return found if symbol.is_definition else f"{found}, declared"
    if symbol.kind in (SymbolKind.REGISTER, SymbolKind.PARAMETER):
        return type_text(symbol)
    if symbol.kind is SymbolKind.VARIABLE:
        found = f"{symbol.space} {type_text(symbol)}".strip()
        return f"{found} {symbol.name}" if source_name(symbol) else found
    return "" if symbol.kind is SymbolKind.LABEL else symbol.kind.value


def group_of_symbol(symbol: Symbol, *, is_outer: bool = False) -> SymbolGroup:
    """Returns the kind of a symbol; `is_outer`: it belongs to the module."""
    if symbol.kind is SymbolKind.VARIABLE:
        if symbol.space == ".const":
            return SymbolGroup.CONSTANT
        return SymbolGroup.VARIABLE if is_outer else SymbolGroup.LOCAL
    return _GROUPS[symbol.kind]


_GROUPS: Final = {
    SymbolKind.KERNEL: SymbolGroup.KERNEL,
    SymbolKind.FUNCTION: SymbolGroup.FUNCTION,
    SymbolKind.PARAMETER: SymbolGroup.PARAMETER,
    SymbolKind.REGISTER: SymbolGroup.REGISTER,
    SymbolKind.LABEL: SymbolGroup.LABEL,
    SymbolKind.PROTOTYPE: SymbolGroup.PROTOTYPE,
    SymbolKind.BRANCH_TARGETS: SymbolGroup.LABEL,
    SymbolKind.CALL_TARGETS: SymbolGroup.LABEL,
}
