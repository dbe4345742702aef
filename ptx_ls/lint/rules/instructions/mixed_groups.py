"""The rule mixed-groups."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.problems.module import MixedGroups
from ptx_ls.source import Severity


@rule("mixed-groups", on=MixedGroups, severity=Severity.WARNING)
def mixed_groups(mismatch: MixedGroups, surroundings: Surroundings) -> Finding:
    """Reports tensor instructions of one block beside those of a pair of blocks.

    ## Why is this bad?
    The assembler generates no code for a function that has both. Tensor memory belongs to one
    block or to a pair for as long as the kernel runs.

    ## Example
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b64 %rd<2>;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b64 %rd<2>;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        ret;
    }
    ```
    """
    del surroundings
    return Finding(f"`{mismatch.group}` cannot stand beside `{mismatch.before}` in one function")
