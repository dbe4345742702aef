"""The rule unknown-target."""

from __future__ import annotations

from ptx_ls import isa
from ptx_ls.lint.near import nearest
from ptx_ls.lint.rule import Edit, Finding, Repair, Surroundings, rule
from ptx_ls.semantics.mismatch import UnknownTarget


@rule("unknown-target", on=UnknownTarget)
def unknown_target(mismatch: UnknownTarget, surroundings: Surroundings) -> Finding:
    """Reports a name in `.target` that is neither an architecture nor an option.

    ## Why is this bad?
    The assembler rejects the module.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90b
    .address_size 64
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    ```
    """
    del surroundings
    message = f"unknown target `{mismatch.name}`"
    near = nearest(mismatch.name, isa.database().targets)
    if near is None:
        return Finding(message)
    repair = Repair(f"Replace by `{near}`", (Edit(mismatch.start, mismatch.end, near),))
    return Finding(f"{message}; did you mean `{near}`?", repairs=(repair,))
