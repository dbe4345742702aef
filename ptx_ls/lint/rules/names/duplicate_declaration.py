"""The rule duplicate-declaration."""

from __future__ import annotations

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.declared import duplicate
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import Duplicate


@rule("duplicate-declaration", on=Duplicate)
def duplicate_declaration(mismatch: Duplicate, context: RuleContext) -> Finding:
    """Reports a name that is declared twice in one scope.

    ## Why is this bad?
    The assembler rejects the module. `%r<10>` declares `%r0` to `%r9`, so a single `%r3` next to
    it is a second declaration. Inner `{ }` blocks may declare a name of an outer one again.

    ## Example
    ```ptx
    .reg .b32 %count;
    .reg .b32 %count;
    ```

    Use instead:
    ```ptx
    .reg .b32 %count;
    ```
    """
    finding = duplicate(mismatch, mismatch.symbol.kind.value)
    line = mismatch.symbol.start[0]
    is_same = mismatch.symbol.text == mismatch.first.text != ""
    if not is_same or not context.is_declaration(line):
        return finding
    code, _, _ = context.lines[line].partition("//")
    if "," in code or not context.lines[line].endswith("\n"):
        return finding
    edit = SpanEdit(FunctionPosition((line, 0)), FunctionPosition((line + 1, 0)), "")
    return finding._replace(repairs=(Repair("Remove it", (edit,), Applicability.CERTAIN),))
