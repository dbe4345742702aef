"""The rule misplaced-directive."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.declarations.missing_state_space import missing_state_space
from ptx_ls.lint.fixes.text import without_directive
from ptx_ls.lint.messages import choices, quoted
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault

_IDLE: Final = (
    DirectiveFault.OWNER,
    DirectiveFault.CONFLICT,
    DirectiveFault.REPEATED,
    DirectiveFault.BODILESS,
    DirectiveFault.RESULT,
)
"""Faults that removing the directive fixes."""
_PLACES: Final = {
    "module": "outside of functions",
    "body": "in the body of a function",
    "section": "in a `.section`",
}
_SECTIONS: Final = ("section",)


@rule("misplaced-directive", on=BadDirective)
def misplaced_directive(mismatch: BadDirective, context: RuleContext) -> Finding:
    """Reports a directive that is not allowed in its place or together with another directive.

    ## Why is this bad?
    ptxas rejects the module. Most of the reported directives configure a kernel launch and are
    therefore not allowed on a device function.

    ## Example
    ```ptx
    .visible .entry kernel() .maxntid 128 .reqntid 128
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel() .reqntid 128
    {
        ret;
    }
    ```
    """
    name, others = mismatch.name, choices(mismatch.others)
    (line, start), (_, end) = mismatch.start, mismatch.end
    text = context.lines[line][start:end] if line < len(context.lines) else ""
    found = f", found `{text}`" if text != name else ""
    messages = {
        DirectiveFault.OWNER: f"`{name}` is allowed only on {others}",
        DirectiveFault.CONFLICT: f"`{name}` cannot be combined with {others}",
        DirectiveFault.REQUIRED: f"`{name}` needs {' and '.join(map(quoted, mismatch.others))}",
        DirectiveFault.REPEATED: f"`{name}` is given twice",
        DirectiveFault.ARGUMENTS: f"`{name}` takes at most {_most(*mismatch.others)}",
        DirectiveFault.NO_NUMBER: f"`{name}` takes {_numbers(*mismatch.others)}",
        DirectiveFault.ZERO: f"`{name}` takes positive numbers{found}",
        DirectiveFault.OVERFLOW: f"`{name}` takes 32-bit numbers{found}",
        DirectiveFault.LARGE: f"`{name}` takes numbers up to {''.join(mismatch.others)}{found}",
        DirectiveFault.WORD: f"`{name}` takes {others}{found}",
        DirectiveFault.ORDER: f"`{name}` must come before {others} on a device function",
        DirectiveFault.BODILESS: f"`{name}` is allowed only on functions with a body",
        DirectiveFault.RESULT: f"`{name}` is allowed only on functions without a result",
        DirectiveFault.PAIR: f"`{name}` takes two numbers, as in `{name}(19, 95)`",
        DirectiveFault.ATTRIBUTE: f"`{name}` is not an attribute, expected {others}",
        DirectiveFault.SCOPE: (
            f"`{name}` is allowed only {_PLACES.get(''.join(mismatch.others), '')}"
        ),
        DirectiveFault.NO_BODY: "missing `{` or `;` after the header of a kernel",
    }
    if mismatch.others == _SECTIONS:
        missing = missing_state_space(context, mismatch.start)
        if missing is not None:
            return missing
    repairs = without_directive(mismatch.start, context) if mismatch.fault in _IDLE else ()
    return Finding(messages[mismatch.fault], repairs=repairs)


def _numbers(*arguments: str) -> str:
    count = len("".join(arguments).split(",")) if any(arguments) else 0
    return ("no number", "a number")[count] if count <= 1 else f"1 to {count} numbers"


def _most(*others: str) -> str:
    return "one number" if others == ("1",) else f"{''.join(others)} numbers"
