"""The rule removed-feature."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import Violation, ViolationKind
from ptx_ls.isa.releases import version_after
from ptx_ls.isa.version import describe_target, describe_version
from ptx_ls.lint.fixes.deprecated import successors
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable


@rule("removed-feature", on=ViolationKind.REMOVED)
def removed_feature(mismatch: InstructionMismatch | Unavailable, context: RuleContext) -> Finding:
    """Reports features that the module's `.version` or `.target` no longer supports.

    ## Why is this bad?
    ptxas rejects the module.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
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
    .version 8.0
    .target sm_90
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
    removed = f"`{name}` was removed {_when(violation)}"
    message = "; ".join(filter(None, (removed, violation.note)))
    return Finding(message, guesses=partial(successors, mismatch, context))


def _when(violation: Violation) -> str:
    """Returns since which version or target a feature is gone, such as "in PTX ISA 6.4"."""
    if violation.last is None:
        return violation.found
    last, targets = violation.last
    since = f"in PTX ISA {describe_version(version_after(last))}"
    return f"{since} for {', '.join(map(describe_target, targets))} and newer" if targets else since
