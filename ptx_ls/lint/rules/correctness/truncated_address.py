"""The rule truncated-address.

Source: PTX ISA, "Addresses as Operands".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.addresses.check import mistaken_accesses
from ptx_ls.lint.addresses.problems import TruncatedAddress
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


def find(seen: CheckInput) -> Iterator[TruncatedAddress]:
    """Yields the global and generic addresses of which only 32 bits are left."""
    return (each for each in mistaken_accesses(seen) if isinstance(each, TruncatedAddress))


@rule(
    "truncated-address",
    on=TruncatedAddress,
    severity=Severity.WARNING,
    find=find,
    given=mistaken_accesses,
)
def truncated_address(mismatch: TruncatedAddress, _: RuleContext) -> Finding:
    """Reports a global or generic address that depends on only the low 32 bits of a pointer.

    ## Why is this bad?
    Global and generic addresses have 64 bits. A 32-bit register drops the upper half of a pointer,
    so the access goes to unrelated memory. ptxas accepts the address if the value is extended to 64
    bits again. It also accepts a 32-bit load of a 64-bit parameter. Addresses in other state
    spaces, such as `.shared`, fit in 32 bits.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry store(.param .b64 values)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        mov.b32 %r1, %tid.x;
        cvt.u32.u64 %r2, %rd2;
        mad.lo.u32 %r3, %r1, 4, %r2;
        cvt.u64.u32 %rd3, %r3;
        st.global.b32 [%rd3], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry store(.param .b64 values)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        mov.b32 %r1, %tid.x;
        mad.wide.u32 %rd3, %r1, 4, %rd2;
        st.global.b32 [%rd3], %r1;
        ret;
    }
    ```
    """
    made = mismatch.made
    return Finding(
        f"{quoted(mismatch.text)} holds only the low 32 bits of the pointer `{mismatch.pointer}`",
        related=(Related(*made, "the address is computed in 32 bits here"),) if made else (),
    )
