"""The rule duplicate-declaration."""

from __future__ import annotations

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.declarations.declaration_notes import duplicate
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import Duplicate


@rule("duplicate-declaration", on=Duplicate)
def duplicate_declaration(mismatch: Duplicate, context: RuleContext) -> Finding:
    """Reports a name that is declared twice in one scope.

    ## Why is this bad?
    ptxas rejects the module. `%r<10>` declares `%r0` to `%r9`, so a separate declaration of `%r3`
    is a duplicate. An inner `{ }` block may redeclare a name from an outer block.

    ## Example
    ```ptx
    .reg .b32 %count;
    .reg .b32 %count;
    ```

    Use instead:
    ```ptx
    .reg .b32 %count;
    ```

    ## Fix safety
    The fix is certain: it removes only a declaration that repeats another word for word, and keeps
    its comments.
    """
    finding = duplicate(mismatch, mismatch.symbol.kind.value)
    line = mismatch.symbol.start[0]
    is_same = mismatch.symbol.text == mismatch.first.text != ""
    if not is_same or not context.is_declaration(line):
        return finding
    text = context.lines[line]
    code, comment, _ = text.partition("//")
    if "," in code or "/*" in code or not text.endswith("\n"):
        return finding
    start, end = FunctionPosition((line, 0)), FunctionPosition((line + 1, 0))
    if comment:  # it may be worth keeping
        start = FunctionPosition((line, len(code) - len(code.lstrip())))
        end = FunctionPosition((line, len(code)))
    edit = SpanEdit(start, end, "")
    return finding._replace(
        repairs=(Repair("Remove the declaration", (edit,), Applicability.CERTAIN),)
    )
