"""The rule strong-scope.

Source: PTX ISA, "Scope"; the machine code of ptxas, which waits for more with a wider scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.statements import may_have_wide_scopes
from ptx_ls.lint.protocols.broken_protocol import opcode_of_statement
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.threads.happens_before.strong_scopes import (
    ACCESSING,
    FENCES,
    ScopeReason,
    strong_scopes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition

_OLD: Final = "membar"
_OLD_SCOPES: Final = {"gpu": "gl"}
"""The scopes that have another name in `membar`."""
_WHY: Final = {
    ScopeReason.SHARED: "only the threads of the block can access its shared memory",
    ScopeReason.NOTHING_BEFORE: (
        "no access to memory that other blocks can reach precedes the fence"
    ),
    ScopeReason.NOTHING_AFTER: "no access to memory that other blocks can reach follows the fence",
}


class WideScope(NamedTuple):
    """The modifier of a scope that could be `.cta`."""

    scope: str
    reason: ScopeReason
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[WideScope]:
    """Yields the scopes of a kernel that are wider than needed."""
    for each in strong_scopes(seen.function, seen.module):
        opcode, start, _ = opcode_of_statement(each.found)
        words = opcode.split(".")
        names = _OLD_SCOPES if words[0] == _OLD else {}
        scope = names.get(each.scope, each.scope)
        if scope in words:
            begin = along(start, len(".".join(words[: words.index(scope)])))
            yield WideScope(f".{scope}", each.reason, begin, along(begin, len(scope) + 1))


@rule(
    "strong-scope",
    on=WideScope,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*ACCESSING, *FENCES),
    given=may_have_wide_scopes,
    in_compiler_output=None,
)
def strong_scope(mismatch: WideScope, _: RuleContext) -> Finding:
    """Reports a release or a fence whose scope could be `.cta`.

    ## Why is this bad?
    A release or a fence waits until earlier accesses are performed for all threads of its scope.
    Within the block, that takes a few cycles. With `.gpu`, the data must reach the cache that all
    blocks share. With `.sys`, the data must also reach the other devices.

    The scope can be `.cta` if no thread outside of the block can notice the difference, as in these
    cases:

    - The release writes to shared memory of the block, and the kernel does not use clusters.
    - All accesses of the kernel to other memory come after the fence, or all come before it.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry signal(.param .b64 result)
    .reqntid 64
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        .shared .align 4 .b8 flag[4];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, flag;
        mov.u32 %r2, 1;
        st.global.b32 [%rd1], %r2;
        st.release.gpu.shared.b32 [%r1], %r2;
        ld.acquire.cta.shared.b32 %r3, [%r1];
        st.global.b32 [%rd1+4], %r3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry signal(.param .b64 result)
    .reqntid 64
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        .shared .align 4 .b8 flag[4];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, flag;
        mov.u32 %r2, 1;
        st.global.b32 [%rd1], %r2;
        st.release.cta.shared.b32 [%r1], %r2;
        ld.acquire.cta.shared.b32 %r3, [%r1];
        st.global.b32 [%rd1+4], %r3;
        ret;
    }
    ```
    """
    edit = SpanEdit(mismatch.start, mismatch.end, ".cta")
    repair = Repair("Use the scope `.cta`", (edit,), Applicability.UNSAFE)
    return Finding(
        f"`{mismatch.scope}` is wider than needed: {_WHY[mismatch.reason]}, so `.cta` is enough",
        repairs=(repair,),
    )
