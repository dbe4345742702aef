"""The rule unread-carry.

Source: PTX ISA, "Extended-Precision Integer Arithmetic Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.carry_flag import carry_flow
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST: Final = ("add", "sub", "mad")
"""Instructions that begin a chain; the last one of a chain may have `.cc`, too."""
_FLAG: Final = ".cc"


class UnreadCarry(NamedTuple):
    """An instruction that begins a chain of carries, of which no other instruction follows."""

    opcode: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnreadCarry]:
    """Yields the instructions of a function whose carry nothing reads."""
    for use in carry_flow(seen.function, seen.module.never_returning).unread:
        if use.opcode in _FIRST:
            offset = use.found.text.index(_FLAG)
            start, end = position(use.found, offset), position(use.found, offset + len(_FLAG))
            yield UnreadCarry(use.opcode, start, end)


@rule(
    "unread-carry",
    on=UnreadCarry,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*(f"{each}{_FLAG}" for each in _FIRST)),
    in_compiler_output=Severity.HINT,
)
def unread_carry(mismatch: UnreadCarry, _: RuleContext) -> Finding:
    """Reports a carry that no instruction reads.

    ## Why is this bad?
    An instruction with `.cc` writes the carry flag for the next part of a long number. If no
    instruction reads the flag, or another `.cc` instruction overwrites the flag first, the carry is
    lost.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 a, .param .b32 b)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [a];
        ld.param.b32 %r2, [b];
        add.cc.u32 %r3, %r1, %r2;
        add.u32 %r4, %r1, %r2;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 a, .param .b32 b)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [a];
        ld.param.b32 %r2, [b];
        add.cc.u32 %r3, %r1, %r2;
        addc.u32 %r4, %r1, %r2;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```
    """
    return Finding(f"the carry of `{mismatch.opcode}{_FLAG}` is lost: no instruction reads it")
