"""The rule invalid-address.

Source: PTX ISA, "Addresses as Operands".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.addresses.check import mistaken_accesses
from ptx_ls.lint.addresses.problems import InvalidAddress
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


def find(seen: CheckInput) -> Iterator[InvalidAddress]:
    """Yields the addresses without a pointer or variable, or with several."""
    return (each for each in mistaken_accesses(seen) if isinstance(each, InvalidAddress))


@rule(
    "invalid-address",
    on=InvalidAddress,
    severity=Severity.WARNING,
    find=find,
    given=mistaken_accesses,
)
def invalid_address(mismatch: InvalidAddress, _: RuleContext) -> Finding:
    """Reports an address that is not the sum of one pointer and an index.

    ## Why is this bad?
    An index without a pointer is an address near 0, which no program may access. Two pointers that
    are added, a pointer that is multiplied, and an index minus a pointer are not addresses either.
    The usual cause is a wrong register in `add.s64`. ptxas does not report this.

    An address is reported only if all its parts are known: variables, parameters, special
    registers, loop counters, and 32-bit numbers that are computed from them. A value that is loaded
    from memory is not known, because it may be a pointer. A 64-bit parameter counts as the second
    pointer only if `.ptr` or `cvta.to.global` shows that it is one. Constant addresses are not
    reported.

    An address in `.local` must contain a variable. An address in `.shared` must contain a variable
    if the function also accesses shared memory through a variable; otherwise, the function may use
    numbers as addresses in shared memory.

    ## Example
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
        mul.wide.u32 %rd3, %r1, 4;
        st.global.b32 [%rd2], %r1;
        st.global.b32 [%rd3+4], %r1;
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
        st.global.b32 [%rd2], %r1;
        st.global.b32 [%rd3+4], %r1;
        ret;
    }
    ```
    """
    is_same = mismatch.value == mismatch.text
    value = "it" if is_same else f"its value, {quoted(mismatch.value)},"
    found = f"{quoted(mismatch.text)} is not an address: {value}"
    names = " and ".join(map(quoted, mismatch.pointers))
    if mismatch.space:
        return Finding(f"{found} contains no variable in `{mismatch.space}`")
    if not mismatch.pointers:
        return Finding(f"{found} contains no pointer")
    if mismatch.is_subtracted:
        return Finding(f"{found} subtracts the pointer {names}")
    if len(mismatch.pointers) == 1:
        return Finding(f"{found} contains a multiple of the pointer {names}")
    return Finding(f"{found} adds the pointers {names}")
