"""The rule unknown-target."""

from __future__ import annotations

from typing import Final

from ptx_ls import isa
from ptx_ls.lint.fixes.text import did_you_mean
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.lint.suggestions import nearest
from ptx_ls.semantics.problems.declarations import UnknownTarget
from ptx_ls.source import Severity

_VIRTUAL: Final = "compute_"


@rule("unknown-target", on=UnknownTarget)
def unknown_target(mismatch: UnknownTarget, _: RuleContext) -> Finding:
    """Reports a name in `.target` that is neither an architecture nor an option.

    ## Why is this bad?
    ptxas rejects the module, or treats the name as the architecture with the same number.

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
    finding = did_you_mean(f"unknown target `{mismatch.name}`", _nearest(mismatch.name), mismatch)
    return finding._replace(severity=Severity.WARNING if mismatch.is_taken else None)


def _nearest(name: str) -> str | None:
    """Returns the target, virtual or not, whose name is most similar; None if none is near."""
    known = list(isa.database().targets)
    if name.startswith(_VIRTUAL):
        known = [each.replace("sm_", _VIRTUAL) for each in known if each.startswith("sm_")]
    return nearest(name, known)
