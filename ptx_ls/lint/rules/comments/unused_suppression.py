"""The rule unused-suppression."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import Applicability, Finding, Repair, SpanEdit, rule
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.mistakes import UnusedSuppression
from ptx_ls.source import Severity, Tag

_PLACES: Final = {
    SuppressionForm.LINE: "here",
    SuppressionForm.FUNCTION: "in this function",
    SuppressionForm.FILE: "in this file",
    SuppressionForm.START: "in this range",
}


@rule("unused-suppression", on=UnusedSuppression, severity=Severity.INFORMATION)
def unused_suppression(mismatch: UnusedSuppression, _: None) -> Finding:
    """Reports a suppression comment for rules that report nothing in its range.

    ## Why is this bad?
    The comment claims a problem that the code does not have, and may hide a problem that a later
    change introduces.

    The name of a disabled rule is not reported, because the rule may find something once it is
    enabled. For the same reason, a comment without a list is not reported if any rule is disabled.

    ## Example
    ```ptx
    add.u32 %r1, %r2, %r3; // ptx-ls: ignore[operand-width] widened by a later pass
    ```

    Use instead:
    ```ptx
    add.u32 %r1, %r2, %r3;
    ```
    """
    names = ", ".join(map(quoted, mismatch.names))
    if mismatch.form is SuppressionForm.END:
        message = f"`ignore-end` without `ignore-start`{f' for {names}' if names else ''}"
    elif mismatch.names:
        verb = "reports" if len(mismatch.names) == 1 else "report"
        message = f"{names} {verb} nothing {_PLACES[mismatch.form]}"
    else:
        message = f"nothing is reported {_PLACES[mismatch.form]}"
    title = "Remove the comment" if mismatch.is_whole else f"Remove {names} from the comment"
    (start, end), text = mismatch.edit
    repair = Repair(title, (SpanEdit(start, end, text),), Applicability.CERTAIN)
    return Finding(message, repairs=(repair,), tags=frozenset({Tag.UNNECESSARY}))
