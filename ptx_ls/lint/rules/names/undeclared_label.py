"""The rule undeclared-label."""

from __future__ import annotations

from ptx_ls.lint.declarations.undeclared import is_label, undeclared
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import Undeclared


@rule("undeclared-label", on=Undeclared, where=is_label)
def undeclared_label(mismatch: Undeclared, context: RuleContext) -> Finding:
    """Reports a branch to a label that is not visible at the branch.

    ## Why is this bad?
    ptxas rejects the module. A label is visible in its own `{ }` block and in the blocks inside it,
    both before and after its declaration.

    ## Example
    ```ptx
    LOOP:
    bra LOP;
    ```

    Use instead:
    ```ptx
    LOOP:
    bra LOOP;
    ```
    """
    return undeclared(mismatch, "label", (context.labels,), context)
