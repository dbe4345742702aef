"""The rule texture-sampler."""

from __future__ import annotations

from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.declarations.samplers import BadSampler


@rule("texture-sampler", on=BadSampler)
def texture_sampler(mismatch: BadSampler, _: RuleContext) -> Finding:
    """Reports a texture that is read without a sampler in a module with `texmode_independent`.

    ## Why is this bad?
    ptxas rejects the module. With `texmode_independent` in `.target`, a sampler sets the filter and
    border modes, so every texture read must have a sampler operand.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90, texmode_independent
    .address_size 64
    .global .texref picture;
    .global .samplerref sampler;
    .visible .entry kernel()
    {
        .reg .f32 %f<6>;
        tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [picture, {%f4, %f5}];
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90, texmode_independent
    .address_size 64
    .global .texref picture;
    .global .samplerref sampler;
    .visible .entry kernel()
    {
        .reg .f32 %f<6>;
        tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [picture, sampler, {%f4, %f5}];
        ret;
    }
    ```
    """
    wants = "`texmode_independent` requires a `.samplerref` or a 64-bit register"
    if mismatch.found:
        return Finding(f"{quoted(mismatch.found)} is not a sampler; {wants}")
    return Finding(
        f"{quoted(mismatch.texture)} is read without a sampler; {wants} after the texture"
    )
