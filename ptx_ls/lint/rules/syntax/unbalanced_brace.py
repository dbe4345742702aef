"""The rule unbalanced-brace."""

from __future__ import annotations

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import Finding, Related, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import LooseBrace


@rule("unbalanced-brace", on=LooseBrace)
def unbalanced_brace(mismatch: LooseBrace, context: RuleContext) -> Finding:
    """Reports an unmatched brace.

    ## Why is this bad?
    ptxas rejects the module. Functions do not nest in PTX, so the search for the matching brace
    ends where the next function begins, and a missing `}` is reported there.

    ## Example
    ```ptx
    {
    bar.sync 0;
    ```

    Use instead:
    ```ptx
    {
    bar.sync 0;
    }
    ```
    """
    if not mismatch.is_opening:
        edit = SpanEdit(mismatch.start, mismatch.end, "")
        return Finding("`}` without a matching `{`", repairs=(Repair("Remove the `}`", (edit,)),))
    where = "end of the file" if mismatch.ends_file else "next function"
    message = f"missing `}}` before the {where}"
    if mismatch.in_statement:
        message = "unexpected end of file: missing `;` and `}`"
    return Finding(
        message,
        related=tuple(
            Related(start, end, "this `{` is never closed") for start, end in mismatch.opened
        ),
        repairs=_closing(context),
    )


def _closing(context: RuleContext) -> tuple[Repair, ...]:
    numbers = range(len(context.lines) - 1, -1, -1)
    codes = ((number, context.lines[number].partition("//")[0]) for number in numbers)
    last = next((number for number, code in codes if code.strip()), None)
    if last is None:
        return ()
    place = FunctionPosition((last, len(context.lines[last].rstrip("\r\n"))))
    return (Repair("Insert `}` after the last statement", (SpanEdit(place, place, "\n}"),)),)
