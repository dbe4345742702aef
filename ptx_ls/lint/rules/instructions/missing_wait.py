"""The rule missing-wait."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.instructions.matrix_waits import MissingWait
from ptx_ls.source import Severity


@rule("missing-wait", on=MissingWait, severity=Severity.INFORMATION)
def missing_wait(mismatch: MissingWait, surroundings: Surroundings) -> Finding:
    """Reports a result of `wgmma.mma_async` that is read before `wgmma.wait_group`.

    ## Why is this bad?
    The instruction runs by itself, and its registers are not to be touched before it is done. The
    assembler notices, inserts the wait and informs; it may also make the instructions run one after
    the other, which costs time.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        st.global.f32 [%rd3], %f1;
        wgmma.wait_group.sync.aligned 0;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        st.global.f32 [%rd3], %f1;
        ret;
    }
    ```
    """
    del surroundings
    if not mismatch.register:
        return Finding("no `wgmma.wait_group` of this function waits for `wgmma.mma_async`")
    return Finding(
        f"`{mismatch.register}` is read before a `wgmma.wait_group` that waits for it: "
        "`wgmma.mma_async` may still have to write it"
    )
