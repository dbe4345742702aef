"""The rule source-location."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import BadLocation, LocationFault
from ptx_ls.source import Severity

_MESSAGES: Final = {
    LocationFault.OVERFLOW: "`{value}` does not fit in 32 bits",
    LocationFault.CALLER: "no earlier `.loc` has the location `{value}`",
    LocationFault.FORM: "`.loc` takes `function_name` and `inlined_at` together, in that order",
    LocationFault.NO_FILE: "the module has no `.file`, so this location has no source file",
    LocationFault.LABEL: "`{value}` is not a label in a section, so the function has no name",
}
_TAKEN: Final = frozenset({LocationFault.NO_FILE, LocationFault.LABEL})
"""Faults that ptxas accepts, with a warning or until it generates code."""


@rule("source-location", on=BadLocation)
def source_location(mismatch: BadLocation, _: RuleContext) -> Finding:
    """Reports a `.loc` whose source location is invalid.

    ## Why is this bad?
    ptxas rejects the module. An inlined location must contain the function name and the location of
    the call, and an earlier `.loc` must have that location. If the module has no `.file`, ptxas
    only warns that the location has no source file. ptxas does not generate code if a function name
    is not a label in a section.

    ## Example
    ```ptx
    .file 1 "kernel.cu"
    .visible .entry kernel()
    {
        .loc 1 5 3
        .loc 1 20 7, function_name name, inlined_at 1 6 3
        ret;
    }
    .section .debug_str
    {
    name:
        .b8 102, 0
    }
    ```

    Use instead:
    ```ptx
    .file 1 "kernel.cu"
    .visible .entry kernel()
    {
        .loc 1 5 3
        .loc 1 20 7, function_name name, inlined_at 1 5 3
        ret;
    }
    .section .debug_str
    {
    name:
        .b8 102, 0
    }
    ```
    """
    severity = Severity.WARNING if mismatch.fault in _TAKEN else None
    return Finding(_MESSAGES[mismatch.fault].format(value=mismatch.value), severity=severity)
