"""The rule legacy-membar.

Source: PTX ISA, "membar, fence": on sm_70 and newer, `membar` is another name of `fence.sc`, and
its levels `.cta`, `.gl` and `.sys` are the scopes `.cta`, `.gpu` and `.sys`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import parse_target
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
from ptx_ls.semantics.calls.call_sites import statements_with
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context

_OPCODE: Final = "membar"
_SCOPES: Final = {"membar.cta": "cta", "membar.gl": "gpu", "membar.sys": "sys"}
_FIRST_TARGET: Final = 70
_FIRST_VERSION: Final = (6, 0)
"""Where `fence` begins."""


class LegacyMembar(NamedTuple):
    """A `membar` for which there is a `fence`. `scope`: that of the fence."""

    opcode: str
    scope: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[LegacyMembar]:
    """Yields the instructions of a function that have another name now."""
    if not _has_fences(seen.module.context):
        return
    for found in statements_with(seen.text, frozenset({_OPCODE})):
        opcode, start, end = opcode_of_statement(found)
        if opcode in _SCOPES:
            yield LegacyMembar(opcode, _SCOPES[opcode], start, end)


def _has_fences(context: Context) -> bool:
    """Whether `fence` is available for all targets of a module."""
    targets = [found for each in context.target if (found := parse_target(each)) is not None]
    is_new = bool(targets) and min(number for number, _ in targets) >= _FIRST_TARGET
    return is_new and context.version is not None and context.version >= _FIRST_VERSION


@rule(
    "legacy-membar",
    on=LegacyMembar,
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions(_OPCODE),
    in_compiler_output=None,
)
def legacy_membar(mismatch: LegacyMembar, _: RuleContext) -> Finding:
    """Reports `membar`, an older and less clear name for `fence.sc`.

    ## Why is this bad?
    On `sm_70` and newer, `membar` is another name for `fence.sc`, the strongest and slowest fence.
    Most programs need only `fence.acq_rel`, which is cheaper: data that a thread writes before it
    sets a flag becomes visible to a thread that reads the flag. `fence.sc` is needed if threads
    must agree on one order of their fences, for example if each of two threads writes one variable
    and then reads the variable that the other thread writes.

    The fix writes `fence.sc` with the same scope, which does not change the meaning.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry publish(.param .b64 data, .param .b64 flag)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [flag];
        mov.u32 %r1, 1;
        st.global.b32 [%rd1], %r1;
        membar.gl;
        st.relaxed.gpu.global.b32 [%rd2], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry publish(.param .b64 data, .param .b64 flag)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [flag];
        mov.u32 %r1, 1;
        st.global.b32 [%rd1], %r1;
        fence.acq_rel.gpu;
        st.relaxed.gpu.global.b32 [%rd2], %r1;
        ret;
    }
    ```
    """
    same = f"fence.sc.{mismatch.scope}"
    edit = SpanEdit(mismatch.start, mismatch.end, same)
    repair = Repair(f"Replace with `{same}`", (edit,), Applicability.CERTAIN)
    return Finding(
        f"`{mismatch.opcode}` is an old name for `{same}`; `fence.acq_rel.{mismatch.scope}` is "
        "cheaper, and suffices unless all threads must see all fences in the same order",
        repairs=(repair,),
    )
