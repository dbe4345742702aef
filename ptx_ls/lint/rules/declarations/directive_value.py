"""The rule directive-value."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, related_at, rule
from ptx_ls.semantics.problems.values import BadValue, ValueFault


@rule("directive-value", on=BadValue)
def directive_value(mismatch: BadValue, _: RuleContext) -> Finding:
    """Reports invalid arguments of a directive, such as data too large for its type.

    ## Why is this bad?
    ptxas rejects the module. Section data must be `.b8`, `.b16`, `.b32` or `.b64`, and only `.b32`
    and `.b64` can hold a label address. A target list or a call prototype must follow a label that
    `call` or `brx.idx` refers to.

    ## Example
    ```ptx
    .section .debug_str
    {
        .b8 72, 300, 0
    }
    ```

    Use instead:
    ```ptx
    .section .debug_str
    {
        .b8 72, 101, 0
    }
    ```
    """
    name, value = mismatch.name, mismatch.value
    messages = {
        ValueFault.RANGE: f"`{value}` does not fit in `{name}`",
        ValueFault.ADDRESS: f"`{value}` does not fit in `{name}`, expected `.b32` or `.b64`",
        ValueFault.DATA_TYPE: f"`{name}` is not allowed for section data, expected `.b8`, `.b16`, "
        "`.b32` or `.b64`",
        ValueFault.OVERFLOW: f"`{value}` does not fit in 32 bits",
        ValueFault.FILE_TWICE: f"`.file {value}` is already defined",
        ValueFault.SECTION_TWICE: f"the module already has a `{name}`",
        ValueFault.NODE_TWICE: f"metadata node {value} is already defined",
        ValueFault.NO_LABEL: f"`{name}` needs a label, as in `name: {name}`",
        ValueFault.ALIAS: f"`{value}` cannot be an alias, expected a function without a body",
        ValueFault.ALIAS_TWICE: f"`{value}` is already an alias",
        ValueFault.ALIASED: f"`{value}` cannot be aliased, expected a function of this module "
        "that is not `.weak`",
        ValueFault.ALIAS_OF_ITSELF: f"`{value}` is its own alias",
        ValueFault.ALIAS_PARAMETERS: f"`{value}` and its alias have different numbers of "
        "parameters",
        ValueFault.ALIAS_SPACES: f"`{value}` and its alias have parameters in different state "
        "spaces",
        ValueFault.ALIAS_TYPES: f"`{value}` and its alias have parameters of different types",
        ValueFault.ALIAS_ALIGNMENTS: f"`{value}` and its alias align their parameters differently",
        ValueFault.ALIAS_RETURN: f"only one of `{value}` and its alias is `.noreturn`",
        ValueFault.COUNT: f"`{name}` takes a positive number",
        ValueFault.NUMBER: f"`{name}` takes a number, found `{value}`",
        ValueFault.PROTOTYPE: f"a prototype must be named `_`, found `{value}`",
    }
    return Finding(
        messages[mismatch.fault],
        related=related_at(mismatch.before, "the first definition is here"),
    )
