"""The rule deprecated-feature."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.deprecated import successors
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable
from ptx_ls.source import Severity, Tag


@rule("deprecated-feature", on=ViolationKind.DEPRECATED, severity=Severity.WARNING)
def deprecated_feature(
    mismatch: InstructionMismatch | Unavailable, context: RuleContext
) -> Finding:
    """Reports features that the manual deprecates.

    ## Why is this bad?
    A later PTX ISA version may remove the feature, and its result may already be undefined on newer
    targets.

    ## Example
    ```ptx
    .version 6.0
    .target sm_60
    .address_size 64
    .visible .entry kernel()
    {
        .reg .pred %p<3>;
        vote.all.pred %p1, %p2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 6.0
    .target sm_60
    .address_size 64
    .visible .entry kernel()
    {
        .reg .pred %p<3>;
        vote.sync.all.pred %p1, %p2, -1;
        ret;
    }
    ```
    """
    violation = mismatch.violation
    name = mismatch.opcode if isinstance(mismatch, InstructionMismatch) else mismatch.name
    guesses = partial(successors, mismatch, context)
    if not violation.found:  # ptxas only advises against it
        message = f"`{name}`: {violation.note}"
        return Finding(message, severity=Severity.INFORMATION, guesses=guesses)
    return Finding(
        f"`{name}` {f'has been {violation.note}' if violation.note else 'is deprecated'}",
        guesses=guesses,
        tags=frozenset({Tag.DEPRECATED}),
    )
