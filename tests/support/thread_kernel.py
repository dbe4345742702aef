"""A kernel with a shared array and a thread index, for tests of rules about threads."""

from typing import Final

from tests.support.lint import check_rule

_KERNEL: Final = """
.visible .entry k(.param .u64 p, .param .u32 n)
.reqntid 64
{
    .reg .pred %p<3>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<9>;
    .shared .align 16 .b8 own[8192];
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r3, [n];
    mov.u32 %r1, own;
    mov.u32 %r2, %tid.x;
BODY
    ret;
}
"""


def check_body(rule: str, body: str) -> None:
    """Checks what a rule reports in the body of the kernel."""
    check_rule(rule, _KERNEL.replace("BODY", body.strip("\n")))
