"""The rule opaque-value."""

from __future__ import annotations

from ptx_ls.lint.fixes.text import did_you_mean
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.lint.suggestions import nearest
from ptx_ls.semantics.problems.values import BadOpaqueValue, OpaqueFault
from ptx_ls.source.english import listed


@rule("opaque-value", on=BadOpaqueValue)
def opaque_value(mismatch: BadOpaqueValue, _: RuleContext) -> Finding:
    """Reports an invalid field in the initial value of a texture, sampler or surface.

    ## Why is this bad?
    ptxas rejects the module. The initial value of such a variable sets fields by name. The value of
    each field must be a number or the name of a mode.

    ## Example
    ```ptx
    .global .texref image = {with = 64};
    ```

    Use instead:
    ```ptx
    .global .texref image = {width = 64};
    ```
    """
    text, kind = mismatch.text, mismatch.symbol.type
    if mismatch.fault is OpaqueFault.BRACES:
        return Finding(f"`{text}` cannot be a `{kind}` value, expected fields in braces")
    if mismatch.fault is OpaqueFault.UNNAMED:
        value = "1" if text.startswith("{") else text
        example = f"{mismatch.legal[0]} = {value}"
        return Finding(f"`{text}` has no name, expected a field such as `{example}`")
    legal = listed(f"`{name}`" for name in mismatch.legal)
    fault = f"`{kind}` has no field" if mismatch.fault is OpaqueFault.FIELD else "unknown mode"
    guess = nearest(text, mismatch.legal)
    if guess is None:
        return Finding(f"{fault} `{text}`, expected {legal}")
    return did_you_mean(f"{fault} `{text}`", guess, mismatch)
