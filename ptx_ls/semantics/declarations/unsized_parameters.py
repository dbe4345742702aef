"""Checks unsized array parameters, which take any number of arguments.

Source: PTX ISA, "Kernel and Function Directives: .func" and "Control Flow Directives:
.callprototype".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.isa import Violation, ViolationKind
from ptx_ls.isa.version import (
    describe_needs,
    describe_target,
    describe_version,
    module_target,
)
from ptx_ls.isa.version import meets_target as meets
from ptx_ls.semantics.calls.signatures import prototypes
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context
    from ptx_ls.isa.notation.table import Requirement
    from ptx_ls.semantics.symbols.region import RegionFacts

_SINCE: Final[Requirement] = ((6, 0), ((30, ""),))
_NOTE: Final = "earlier versions have no parameters without a size"


def check_unsized_parameters(facts: RegionFacts, context: Context) -> Iterator[Unavailable]:
    """Yields unsized array parameters, if the module's version does not support them."""
    violation = _violation(context)
    if violation is None:
        return
    functions = [symbol for symbol in facts.symbols if symbol.kind is SymbolKind.FUNCTION]
    for symbol in (*functions, *(prototype for _, prototype in prototypes(facts))):
        for parameter in symbol.parameters:
            if None in parameter.dimensions:
                yield Unavailable(parameter.name, violation, parameter.start, parameter.end)


@lru_cache(maxsize=16)
def _violation(context: Context) -> Violation | None:
    """Returns the violation in a context, if any; cached, as a module has few contexts."""
    version, target = context.version, module_target(context.target)
    if target is not None and not meets(target, _SINCE):
        kind, found = ViolationKind.TARGET, describe_target(target)
    elif version is not None and version < _SINCE[0]:
        kind, found = ViolationKind.VERSION, describe_version(version)
    else:
        return None
    return Violation(
        kind, ("opcode",), found, required=describe_needs((_SINCE,)), note=_NOTE, needs=(_SINCE,)
    )
