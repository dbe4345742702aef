"""The rule misplaced-directive."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.words import choices
from ptx_ls.semantics.mismatch import BadDirective, DirectiveFault


@rule("misplaced-directive", on=BadDirective)
def misplaced_directive(mismatch: BadDirective, surroundings: Surroundings) -> Finding:
    """Reports a directive of a function that its kind of function, or another directive, rules out.

    ## Why is this bad?
    The assembler rejects the module. Most of these directives are about the launch of a kernel, so
    a device function has none of them.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel() .maxntid 128 .reqntid 128
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel() .reqntid 128
    {
        ret;
    }
    ```
    """
    del surroundings
    name, others = mismatch.name, choices(mismatch.others)
    messages = {
        DirectiveFault.OWNER: f"`{name}` belongs to {others} only",
        DirectiveFault.CONFLICT: f"`{name}` cannot stand beside {others}",
        DirectiveFault.REQUIRED: f"`{name}` needs {others}",
        DirectiveFault.REPEATED: f"`{name}` is given twice",
        DirectiveFault.ARGUMENTS: f"`{name}` takes at most {''.join(mismatch.others)} numbers",
    }
    return Finding(messages[mismatch.fault])
