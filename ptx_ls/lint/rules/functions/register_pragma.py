"""The rule register-pragma.

Source: what ptxas 13.5 refuses when it generates code.
"""

from __future__ import annotations

import math
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.lint.candidates.statements import has_register_pragmas
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import call_sites, position
from ptx_ls.semantics.directives.register_pragma_values import (
    LOCAL,
    PARAMETERS,
    RETURN,
    PragmaRegisters,
    pragma_registers,
)
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.written.directive_arguments import number_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition

_MIN_REGISTERS: Final = 24
"""Minimum number of registers per thread; a smaller `.maxnreg` is raised to it."""
_RESERVED_REGISTERS: Final = 4
_DEFAULT_FIRST_PARAMETER: Final = 4
"""The register of the first parameter if a pragma gives none."""
_LAST_PARAMETER: Final = 252
"""The last register for a parameter, and the last where a return address may begin."""
_MAX_REGISTERS: Final = 255
_REGISTER_BYTES: Final = 4


class RegisterFault(Enum):
    """Why ptxas does not compile a function with a register pragma."""

    KERNEL = auto()
    """The pragma is in a kernel, which does not return to a caller."""
    TWICE = auto()
    ARGUMENTS = auto()
    """The pragma takes a count, and optionally the first register."""
    RESERVED = auto()
    RANGE = auto()
    ODD = auto()
    OVERLAP = auto()
    """The return address overlaps the parameters."""
    FEW = auto()
    """The pragma provides fewer registers than the parameters need."""
    LIMIT = auto()
    """The pragma sets more registers than the kernel's `.maxnreg` allows."""
    CALL = auto()
    """A function with a register pragma cannot be called by name."""


class RegisterPragma(NamedTuple):
    """A pragma that sets invalid registers; `limit` is the lowest or highest valid one."""

    name: str
    fault: RegisterFault
    start: FunctionPosition
    end: FunctionPosition
    limit: int = 0


_MESSAGES: Final = {
    RegisterFault.KERNEL: "`{name}` is allowed only in device functions, because a kernel does not "
    "return to a caller",
    RegisterFault.TWICE: "`{name}` is given twice in this function",
    RegisterFault.ARGUMENTS: "`{name}` takes a register count, optionally followed by the first "
    "register, as in `4, 16`",
    RegisterFault.RESERVED: "`{name}` sets a reserved register, expected {limit} or higher",
    RegisterFault.RANGE: "`{name}` exceeds the maximum, {limit}",
    RegisterFault.ODD: "`{name}` sets an odd register, expected an even one",
    RegisterFault.OVERLAP: "the return address overlaps the registers of the parameters, "
    "which end at {limit}",
    RegisterFault.FEW: "`{name}` provides too few registers, expected at least {limit}",
    RegisterFault.LIMIT: "`{name}` has no effect, because `.maxnreg` allows only {limit} registers",
    RegisterFault.CALL: "a pragma sets the registers of `{name}`, so this function can only be "
    "called indirectly",
}


def find(seen: CheckInput) -> Iterator[RegisterPragma]:
    """Yields wrong register pragmas of a function, and its calls of functions that have one."""
    by_hand = seen.module.graph.by_hand
    if by_hand:
        for found, call in call_sites(seen.text):
            name, start, end = call.name
            if name in by_hand and call.targets is None:
                place = position(found, start), position(found, end)
                yield RegisterPragma(name, RegisterFault.CALL, *place)
    function = seen.facts.function
    given = () if function is None else tuple(pragma_registers(seen.facts))
    if function is None or not given:
        return
    met: dict[str, PragmaRegisters] = {}
    for each in given:
        fault = _fault(each, function, met)
        if fault is not None:
            yield RegisterPragma(each.name, fault[0], each.start, each.end, fault[1])
        if each.values != (0,):  # 0 means no pragma
            met.setdefault(each.name, each)


def _fault(
    given: PragmaRegisters, function: Symbol, met: dict[str, PragmaRegisters]
) -> tuple[RegisterFault, int] | None:
    """Returns the fault of a pragma, and the limit that it violates."""
    if function.kind is SymbolKind.KERNEL and given.name != LOCAL:
        return RegisterFault.KERNEL, 0
    if given.name in met:
        return RegisterFault.TWICE, 0
    numbers = [value for value in given.values if value is not None]
    is_read = bool(numbers) and len(numbers) == len(given.values)
    if given.name == PARAMETERS and not (is_read and len(numbers) in (1, 2)):
        return RegisterFault.ARGUMENTS, 0
    if not is_read:
        return None
    if given.name == LOCAL:
        return _of_local(numbers[0], function)
    if given.name == RETURN:
        return _of_return(numbers[0]) or _overlap(numbers[0], met.get(PARAMETERS))
    fault = _of_parameters(numbers, function)
    address = met.get(RETURN)
    if fault is None and address is not None and address.values[0] is not None:
        return _overlap(address.values[0], given)
    return fault


def _of_local(count: int, function: Symbol) -> tuple[RegisterFault, int] | None:
    if not 0 <= count <= _MAX_REGISTERS:
        return RegisterFault.RANGE, _MAX_REGISTERS
    given = number_after(".maxnreg", function.text)
    limit = max(integer(given.string) or 0, _MIN_REGISTERS) if given else _MAX_REGISTERS
    return (RegisterFault.LIMIT, limit) if count > limit else None


def _of_return(register: int) -> tuple[RegisterFault, int] | None:
    if register < _RESERVED_REGISTERS:
        return RegisterFault.RESERVED, _RESERVED_REGISTERS
    if register > _LAST_PARAMETER:
        return RegisterFault.RANGE, _LAST_PARAMETER
    return (RegisterFault.ODD, 0) if register % 2 else None


def _of_parameters(numbers: Sequence[int], function: Symbol) -> tuple[RegisterFault, int] | None:
    count, first = numbers[0], numbers[1] if len(numbers) > 1 else _DEFAULT_FIRST_PARAMETER
    if first < _RESERVED_REGISTERS:
        return RegisterFault.RESERVED, _RESERVED_REGISTERS
    if count < 1 or first + count > _LAST_PARAMETER:
        return RegisterFault.RANGE, _LAST_PARAMETER
    needed = max(_registers(function.parameters), _registers(function.returns))
    return (RegisterFault.FEW, needed) if count < needed else None


def _registers(parameters: tuple[Symbol, ...]) -> int:
    """Returns the number of registers for consecutive parameters of known types."""
    types = isa.database().type_facts
    n_bytes = 0
    for parameter in parameters:
        size = types.get(parameter.type, (0, ""))[0] // 8 * parameter.vector_size
        n_bytes += size * math.prod(count or 0 for count in parameter.dimensions)
    return -(-n_bytes // _REGISTER_BYTES)


def _overlap(register: int, given: PragmaRegisters | None) -> tuple[RegisterFault, int] | None:
    """Returns a fault if a return address overlaps the registers of the parameters."""
    if given is None or None in given.values or not given.values:
        return None
    count, first = [*given.values, _DEFAULT_FIRST_PARAMETER][:2]
    assert count is not None and first is not None  # noqa: S101, PT018  for mypy
    is_inside = register < first + count and first < register + 2
    return (RegisterFault.OVERLAP, first + count - 1) if is_inside else None


@rule(
    "register-pragma",
    on=RegisterPragma,
    severity=Severity.WARNING,
    find=find,
    given=has_register_pragmas,
)
def register_pragma(mismatch: RegisterPragma, _: RuleContext) -> Finding:
    """Reports pragmas that assign invalid registers to a function.

    ## Why is this bad?
    ptxas does not compile the function. These pragmas are undocumented, and only code that is
    linked by hand needs them. `retaddr_reg R` sets the first of the two return-address registers.
    `abi_param_reg COUNT, R` sets the number of parameter registers and the first one, and
    `local_maxnreg N` limits the registers that the function may use. Registers 0 to 3 are reserved,
    a return address must begin at an even register, and callers ignore the pragmas of a function.

    ## Example
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .visible .func callee()
    {
        .pragma "retaddr_reg 3";
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .visible .func callee()
    {
        .pragma "retaddr_reg 20";
        ret;
    }
    ```
    """
    return Finding(_MESSAGES[mismatch.fault].format(name=mismatch.name, limit=mismatch.limit))
