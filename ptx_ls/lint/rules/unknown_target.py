"""The rule unknown-target."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls import isa
from ptx_ls.lint.near import nearest
from ptx_ls.lint.rule import Edit, Finding, Repair, Surroundings, rule
from ptx_ls.semantics.mismatch_declarations import UnknownTarget
from ptx_ls.source import Severity
from ptx_ls.source.numerals import decimal

_NUMBERED: Final = re.compile(r"sm_(\d++)(?![af]$)", re.ASCII).match


@rule("unknown-target", on=UnknownTarget)
def unknown_target(mismatch: UnknownTarget, surroundings: Surroundings) -> Finding:
    """Reports a name in `.target` that is neither an architecture nor an option.

    ## Why is this bad?
    The assembler rejects the module.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90b
    .address_size 64
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    ```
    """
    del surroundings
    message = f"unknown target `{mismatch.name}`"
    is_taken = mismatch.is_further or _is_taken(mismatch.name)
    severity = Severity.WARNING if is_taken else None
    near = nearest(mismatch.name, isa.database().targets)
    if near is None:
        return Finding(message, severity=severity)
    repair = Repair(f"Replace by `{near}`", (Edit(mismatch.start, mismatch.end, near),))
    message = f"{message}; did you mean `{near}`?"
    return Finding(message, severity=severity, repairs=(repair,))


def _is_taken(name: str) -> bool:
    """Whether ptxas reads the name as an architecture, for it looks at the number only."""
    match = _NUMBERED(name)
    return match is not None and f"sm_{decimal(match[1])}" in isa.database().targets
