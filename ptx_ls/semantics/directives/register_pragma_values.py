"""Pragmas that assign the registers of a function, and the numbers in them.

The manual does not document them: ptxas 13.5 accepts `retaddr_reg R` (the register of the return
address), `abi_param_reg COUNT, R` (the number of registers for parameters, and the first of them)
and, in bodies, `local_maxnreg N`. It checks the numbers before it generates code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.tokens import STRING, tokenize
from ptx_ls.syntax.written.numbers import pragma_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts

RETURN: Final = "retaddr_reg"
PARAMETERS: Final = "abi_param_reg"
LOCAL: Final = "local_maxnreg"
_NAMES: Final = (RETURN, PARAMETERS, LOCAL)
_PRAGMA: Final = ".pragma"
_MAX_LONG: Final = (1 << 63) - 1
"""The result of C's `strtol` for numbers that are too large."""
_N_INTEGERS: Final = 1 << 32


class PragmaRegisters(NamedTuple):
    """A pragma in a body: its name, place and arguments (None if not a number)."""

    name: str
    values: tuple[int | None, ...]
    start: FunctionPosition
    end: FunctionPosition


def register_pragma(text: str, scope: str) -> str:
    """Returns the name of a pragma that assigns registers in a scope; "" for other pragmas."""
    name = next((each for each in _NAMES if text.startswith(each)), "")
    return "" if name == LOCAL and scope != "body" else name


def is_number(text: str, name: str) -> bool:
    """Whether a pragma has the number that ptxas requires before it generates code."""
    return name == PARAMETERS or _value(text[len(name) + 1 :]) is not None


def gives_registers(facts: RegionFacts) -> bool:
    """Whether pragmas set the return address or parameter registers of a function."""
    return any(given.name != LOCAL for given in pragma_registers(facts))


def may_give_registers(directive: DirectiveStatement) -> bool:
    """Whether a directive is a pragma that assigns registers, provided it is in a body."""
    return directive.name == _PRAGMA and any(name in directive.text for name in _NAMES)


def pragma_registers(facts: RegionFacts) -> Iterator[PragmaRegisters]:
    """Yields the register pragmas in the body of a function."""
    for directive in facts.directives:
        if not may_give_registers(directive):
            continue
        if facts.scope_at(directive.start) is facts.module_scope:
            continue
        for token in tokenize(directive.text):
            text = token.string[1:-1]
            name = register_pragma(text, "body") if token.type is STRING else ""
            if name:
                start, end = token.placed(directive.start)
                arguments = text[len(name) + 1 :]
                values = tuple(_value(each) for each in arguments.split(",") if each)
                yield PragmaRegisters(name, values, start, end)


def _value(text: str) -> int | None:
    """Returns a number in a pragma as C's `strtol` reads it, truncated to 32 bits; or None."""
    value = pragma_number(text)
    if value is None:
        return None
    value = max(-_MAX_LONG, min(value, _MAX_LONG)) % _N_INTEGERS
    return value - _N_INTEGERS if value > _N_INTEGERS // 2 else value
