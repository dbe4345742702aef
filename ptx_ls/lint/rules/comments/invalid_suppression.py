"""The rule invalid-suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.messages import choices, quoted
from ptx_ls.lint.rule import Finding, Repair, SpanEdit, rule
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.suppression.forms import CommentFault, SuppressionForm
from ptx_ls.lint.suppression.mistakes import InvalidSuppression
from ptx_ls.source import Severity
from ptx_ls.source.near_names import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable


@rule("invalid-suppression", on=InvalidSuppression, severity=Severity.WARNING)
def invalid_suppression(mismatch: InvalidSuppression, _: None) -> Finding:
    """Reports a malformed suppression comment, or one that names a rule that does not exist.

    ## Why is this bad?
    Such a comment suppresses nothing, or fewer rules than it lists.

    ## Example
    ```ptx
    // ptx-ls: ignore[operand-size] widened by a later pass
    add.u32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    add.u32 %r1, %r2, %r3;
    ```
    """
    text = quoted(mismatch.text)
    if mismatch.fault is CommentFault.BRACKET:
        return Finding("expected `]` after the rule names")
    if mismatch.fault is CommentFault.EMPTY:
        return Finding("expected rule names between `[` and `]`")
    if mismatch.fault is CommentFault.FORM:
        forms = choices([*SuppressionForm])
        found = f"found {text}" if mismatch.text else "found nothing"
        known = [each.value for each in SuppressionForm]  # plain texts, which can be stored
        return _with_nearest(f"expected {forms}, {found}", mismatch, known)
    if mismatch.text in groups_of_rules().values():
        return Finding(f"{text} is a group; name its rules instead")
    return _with_nearest(f"unknown rule {text}", mismatch, groups_of_rules())


def _with_nearest(message: str, mismatch: InvalidSuppression, known: Iterable[str]) -> Finding:
    """Returns a finding with a fix that writes the nearest known word, if one is near."""
    near = nearest(mismatch.text, known)
    if not near:
        return Finding(message)
    edit = SpanEdit(mismatch.start, mismatch.end, near)
    repair = Repair(f"Replace {quoted(mismatch.text)} with `{near}`", (edit,))
    return Finding(f"{message}; did you mean `{near}`?", repairs=(repair,))
