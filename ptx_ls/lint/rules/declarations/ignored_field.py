"""The rule ignored-field."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.declarations.samplers import IgnoredField
from ptx_ls.source import Severity


@rule("ignored-field", on=IgnoredField, severity=Severity.INFORMATION)
def ignored_field(mismatch: IgnoredField, _: RuleContext) -> Finding:
    """Reports a texture field that ptxas ignores because the sampler sets it.

    ## Why is this bad?
    With `texmode_independent` in `.target`, the filter and border modes are fields of a sampler.
    ptxas also accepts these fields on a texture, but ignores them.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90, texmode_independent
    .address_size 64
    .global .texref picture = { filter_mode = linear };
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90, texmode_independent
    .address_size 64
    .global .texref picture;
    .global .samplerref smooth = { filter_mode = linear };
    ```
    """
    return Finding(
        f"`{mismatch.name}` of a texture is ignored: "
        "with `texmode_independent`, the sampler sets it"
    )
