"""The rule unknown-directive."""

from __future__ import annotations

from ptx_ls.lint.fixes.text import did_you_mean
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.lint.syntax_messages import is_unknown_directive, near_directive
from ptx_ls.semantics.problems.instructions import BadSyntax


@rule("unknown-directive", on=BadSyntax, where=is_unknown_directive)
def unknown_directive(mismatch: BadSyntax, _: RuleContext) -> Finding:
    """Reports a directive that PTX does not have.

    ## Why is this bad?
    ptxas stops at the directive and does not check the rest of the module.

    ## Example
    ```ptx
    .rag .b32 %x;
    ```

    Use instead:
    ```ptx
    .reg .b32 %x;
    ```
    """
    message = f"unknown directive `{mismatch.problem.found}`"
    return did_you_mean(message, near_directive(mismatch.problem), mismatch)
