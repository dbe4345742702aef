"""The rule suppression-without-reason."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, rule
from ptx_ls.lint.suppression.mistakes import SuppressionWithoutReason
from ptx_ls.source import Severity


@rule(
    "suppression-without-reason",
    on=SuppressionWithoutReason,
    severity=Severity.INFORMATION,
)
def suppression_without_reason(_mismatch: SuppressionWithoutReason, _: None) -> Finding:
    """Reports a comment that suppresses rules without a reason.

    ## Why is this bad?
    Without a reason, a reader cannot tell whether the comment is still needed. Write the reason
    after the list of rules, or after `ignore`.

    This rule is off unless it is selected by its name.

    ## Example
    ```ptx
    .visible .entry kernel() .minnctapersm 4 // ptx-ls: ignore[ignored-directive]
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel() .minnctapersm 4 // ptx-ls: ignore[ignored-directive] added by a tool
    {
        ret;
    }
    ```
    """
    return Finding("this comment gives no reason; write it after the list of rules")
