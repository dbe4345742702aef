"""Accesses to parameters that no call can keep: against their direction, or under a guard.

Source: PTX ISA, "Function Parameters", as ptxas applies it.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import NAME_PATTERN
from ptx_ls.syntax.offsets import along, place_of, shifted
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_PARAM: Final = ".param"
_REGISTER: Final = ".reg"
_OF_FUNCTION: Final = ("ld.param::func", "st.param::func")
_BASE: Final = LazyPattern(rf"\[\s*+({NAME_PATTERN})", re.ASCII).search
_SOURCE: Final = LazyPattern(rf",\s*+({NAME_PATTERN})\s*+;", re.ASCII).search


class AccessFault(Enum):
    """What cannot be done with a parameter."""

    STORE = auto()
    LOAD = auto()
    """It is a result."""
    ADDRESS = auto()
    """It is a variable of the caller, which may be a register in the end."""
    GUARDED = auto()
    """It is a variable of the caller, and passed or fetched always or never."""
    NOT_OF_KERNEL = auto()
    """A variable of the caller that is loaded with `.param::entry`."""
    NOT_OF_FUNCTION = auto()
    """A parameter of a kernel that is loaded with `.param::func`."""
    REGISTER = auto()
    """An address in a register, in a kernel, where `.param::func` wants a name."""


class BadAccess(NamedTuple):
    """A parameter stored to, a result loaded, an argument addressed or accessed under a guard.

    Or one of another kind than the state space says.
    """

    symbol: Symbol
    fault: AccessFault
    start: FunctionPosition
    end: FunctionPosition


class _Access(NamedTuple):
    """Instructions that begin with `opcode` and do what `fault` says to a symbol of `names`.

    The symbol is in `space`; where that is `.reg`, any of them, and `names` is empty.
    `operand` finds the name in the text. ptxas goes by the name, so a variable of the body that
    hides a parameter counts as that parameter.
    """

    fault: AccessFault
    opcode: str
    names: AbstractSet[str]
    operand: Callable[[str], re.Match[str] | None]
    space: str = _PARAM


def check_parameter_access(text: RegionText, facts: RegionFacts) -> Iterator[BadAccess]:
    """Accesses to parameters, results and local .param variables of a region's function."""
    for access in _accesses(facts):
        named = text.shapes_of((access.opcode.partition(".")[0],))
        guilty = {shape for shape in named if _matches(shape, access)}
        for found in text.statements_of(text.with_shapes(guilty)):
            if found.record in guilty:
                yield from _check(found, facts, access)


def _accesses(facts: RegionFacts) -> Iterator[_Access]:
    function = facts.function
    if function is None:
        return
    is_kernel = function.kind is SymbolKind.KERNEL
    inputs = {parameter.name for parameter in function.parameters}
    results = {result.name for result in function.returns}
    if inputs:
        yield _Access(AccessFault.STORE, "st.param", inputs, _BASE)
    if results:
        yield _Access(AccessFault.LOAD, "ld.param", results, _BASE)
    for opcode in _OF_FUNCTION if is_kernel else ():
        yield _Access(AccessFault.REGISTER, opcode, frozenset(), _BASE, _REGISTER)
    if inputs and is_kernel:
        yield _Access(AccessFault.NOT_OF_FUNCTION, _OF_FUNCTION[0], inputs, _BASE)
    variables = {symbol.name for symbol in facts.symbols if _is_argument(symbol)}
    if variables:
        yield _Access(AccessFault.ADDRESS, "mov.", variables, _SOURCE)
        yield _Access(AccessFault.ADDRESS, "cvta.param", variables, _SOURCE)
        others = variables - inputs - results
        yield _Access(AccessFault.NOT_OF_KERNEL, "ld.param::entry", others, _BASE)
        yield _Access(AccessFault.GUARDED, "st.param", others, _BASE)
        yield _Access(AccessFault.GUARDED, "ld.param", others, _BASE)


def _is_argument(symbol: Symbol) -> bool:
    return symbol.space == _PARAM and symbol.kind is SymbolKind.VARIABLE


def _matches(shape: Shape, access: _Access) -> bool:
    if not shape.opcode.startswith(access.opcode):
        return False
    if access.fault is AccessFault.GUARDED and not shape.guard:
        return False
    match = access.operand(shape.text)
    return match is not None and (access.operand is _BASE or not match[1].startswith("%"))


def _check(found: Found, facts: RegionFacts, access: _Access) -> Iterator[BadAccess]:
    match = access.operand(found.text)
    if match is None:
        return
    symbol = facts.scope_at(found.start).lookup(match[1], found.start)
    if symbol is None or symbol.space != access.space:
        return
    if access.space == _PARAM and symbol.name not in access.names:
        return
    if access.fault is AccessFault.ADDRESS and not _is_argument(symbol):
        return
    start = shifted(place_of(found.text, match.start(1)), found.start)
    yield BadAccess(symbol, access.fault, start, along(start, len(match[1])))
