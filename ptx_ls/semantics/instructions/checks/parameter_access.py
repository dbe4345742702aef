"""Finds illegal accesses to parameters, such as stores to inputs, or loads under a guard.

Source: PTX ISA, "Function Parameters", as ptxas applies it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import identifiers_of, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_PARAM: Final = ".param"
_REGISTER: Final = ".reg"
_OF_FUNCTION: Final = ("ld.param::func", "st.param::func")


class AccessFault(Enum):
    """Why a parameter cannot be accessed. Arguments of a call are local .param variables."""

    STORE = auto()
    """A store to an input."""
    LOAD = auto()
    """A load of a return value."""
    ADDRESS = auto()
    """The address of an argument, which may end up in a register."""
    GUARDED = auto()
    """A guarded access to an argument, which must be passed or fetched unconditionally."""
    NOT_OF_KERNEL = auto()
    """A load of an argument with `.param::entry`."""
    NOT_OF_FUNCTION = auto()
    """A load of a kernel's parameter with `.param::func`."""
    REGISTER = auto()
    """An address in a register, in a kernel, where `.param::func` requires a name."""


class BadAccess(NamedTuple):
    """An illegal access to a parameter, a return value or an argument."""

    symbol: Symbol
    fault: AccessFault
    start: FunctionPosition
    end: FunctionPosition


class _Access(NamedTuple):
    """Accesses that are illegal because of `fault`.

    They are made by instructions that begin with `opcode` and access a symbol listed in `names`.
    ptxas compares names, so a local variable that hides a parameter counts as that parameter.
    `is_source`: whether the symbol is the last operand rather than the base of an address.
    `space`: the state space of the symbol; for `.reg`, `names` is empty and any register matches.
    """

    fault: AccessFault
    opcode: str
    names: AbstractSet[str]
    is_source: bool = False
    space: str = _PARAM


def check_parameter_access(text: RegionText, facts: RegionFacts) -> Iterator[BadAccess]:
    """Yields illegal accesses to parameters, return values and arguments."""
    for access in _accesses(facts):
        named = text.shapes_of((access.opcode.partition(".")[0],))
        guilty = {shape: number for shape in named if (number := _matched(shape, access)) >= 0}
        for found in text.statements_of(text.with_shapes(guilty.keys())):
            shape = found.record
            if isinstance(shape, Shape) and shape in guilty:
                name = names_of(shape, found.text)[guilty[shape]].partition(".")[0]
                if access.space == _PARAM and name not in access.names:
                    continue  # without the search for its symbol
                symbol = facts.lookup(name, found.start)
                if symbol is not None and _is_bad(symbol, access):
                    written = identifiers_of(shape, found.text)[guilty[shape]]
                    place = shifted(written.start, found.start)
                    yield BadAccess(symbol, access.fault, place, along(place, len(name)))


def _accesses(facts: RegionFacts) -> Iterator[_Access]:
    function = facts.function
    if function is None:
        return
    is_kernel = function.kind is SymbolKind.KERNEL
    inputs = {parameter.name for parameter in function.parameters}
    results = {result.name for result in function.returns}
    if inputs:
        yield _Access(AccessFault.STORE, "st.param", inputs)
    if results:
        yield _Access(AccessFault.LOAD, "ld.param", results)
    for opcode in _OF_FUNCTION if is_kernel else ():
        yield _Access(AccessFault.REGISTER, opcode, frozenset(), space=_REGISTER)
    if inputs and is_kernel:
        yield _Access(AccessFault.NOT_OF_FUNCTION, _OF_FUNCTION[0], inputs)
    variables = {symbol.name for symbol in facts.declared if _is_argument(symbol)}
    if variables:
        yield _Access(AccessFault.ADDRESS, "mov.", variables, is_source=True)
        yield _Access(AccessFault.ADDRESS, "cvta.param", variables, is_source=True)
        others = variables - inputs - results
        yield _Access(AccessFault.NOT_OF_KERNEL, "ld.param::entry", others)
        yield _Access(AccessFault.GUARDED, "st.param", others)
        yield _Access(AccessFault.GUARDED, "ld.param", others)


def _is_argument(symbol: Symbol) -> bool:
    return symbol.space == _PARAM and symbol.kind is SymbolKind.VARIABLE


def _matched(shape: Shape, access: _Access) -> int:
    """Returns the index of the accessed identifier; -1 if a shape does not match `access`."""
    if not shape.opcode.startswith(access.opcode):
        return -1
    if access.fault is AccessFault.GUARDED and not shape.guard:
        return -1
    if access.is_source:
        if not shape.operands:
            return -1
        last = shape.operands[-1]
        is_name = last.identifier >= 0 and last.text == shape.identifiers[last.identifier].name
        return last.identifier if is_name and not last.text.startswith("%") else -1
    addresses = (each for each in shape.operands if each.form is OperandForm.ADDRESS)
    return next((each.elements[0].identifier for each in addresses if each.elements), -1)


def _is_bad(symbol: Symbol, access: _Access) -> bool:
    """Whether an access to a symbol is illegal."""
    if symbol.space != access.space:
        return False
    return access.fault is not AccessFault.ADDRESS or _is_argument(symbol)
