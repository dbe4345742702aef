"""The rule zero-extended-index.

Source: PTX ISA, "cvt" and "mul": the type of the source decides how it is extended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.addresses.check import mistaken_accesses
from ptx_ls.lint.addresses.problems import ZeroExtendedIndex
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


def find(seen: CheckInput) -> Iterator[ZeroExtendedIndex]:
    """Yields the addresses with a negative index that was extended with zeros."""
    return (each for each in mistaken_accesses(seen) if isinstance(each, ZeroExtendedIndex))


@rule(
    "zero-extended-index",
    on=ZeroExtendedIndex,
    severity=Severity.WARNING,
    find=find,
    given=mistaken_accesses,
    looks_at=Instructions("cvt", "mul", "mad"),
)
def zero_extended_index(mismatch: ZeroExtendedIndex, _: RuleContext) -> Finding:
    """Reports an address whose negative index is extended to 64 bits as an unsigned number.

    ## Why is this bad?
    `cvt.u64.u32`, `mul.wide.u32` and `mad.wide.u32` fill the upper half with zeros, so the index -1
    becomes 4,294,967,295. The access then goes gigabytes beyond the array instead of to one element
    before the pointer. `cvt.s64.s32`, `mul.wide.s32` and `mad.wide.s32` keep the sign.

    An access is reported if the index is always negative. It is also reported if the index is
    negative in a thread or an iteration that certainly reaches the access, such as `%tid.x - 1` in
    thread 0.

    ## Example
    ```ptx
    .visible .entry previous(.param .u64 values, .param .u64 result)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<6>;
        ld.param.u64 %rd1, [values];
        ld.param.u64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        sub.u32 %r2, %r1, 1;
        mul.wide.u32 %rd3, %r2, 4;
        add.u64 %rd4, %rd1, %rd3;
        ld.global.u32 %r3, [%rd4];
        mad.wide.u32 %rd5, %r1, 4, %rd2;
        st.global.u32 [%rd5], %r3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry previous(.param .u64 values, .param .u64 result)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<6>;
        ld.param.u64 %rd1, [values];
        ld.param.u64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        sub.u32 %r2, %r1, 1;
        mul.wide.s32 %rd3, %r2, 4;
        add.u64 %rd4, %rd1, %rd3;
        ld.global.u32 %r3, [%rd4];
        mad.wide.u32 %rd5, %r1, 4, %rd2;
        st.global.u32 [%rd5], %r3;
        ret;
    }
    ```
    """
    value = mismatch.value
    return Finding(
        f"the index `{mismatch.register}` can be {value}, but zero extension to 64 bits makes it "
        f"{value % (1 << 32):,}: use sign extension (`.s32`)",
        related=(Related(*mismatch.made, "the index is computed here"),),
    )
