"""The rule register-limit.

Source: the machine code of ptxas 13.5 and its number of spills; PTX ISA, "Performance-Tuning
Directives".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.flow.liveness import words_of
from ptx_ls.isa.version import parse_target
from ptx_ls.lint.candidates.statements import has_head_directives
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.directives.ignored_directives import (
    numbers_of_directives,
    register_count,
)
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found

_REGISTERS: Final = ".maxnreg"
_BLOCKS: Final = ".minnctapersm"
_THREADS: Final = (".reqntid", ".maxntid")
_DIRECTIVES: Final = (_REGISTERS, _BLOCKS, *_THREADS)
_WARP: Final = 32
_STEP: Final = 8
"""Registers are given to threads in multiples of this."""
_UNIFORM: Final = 64
"""Number of registers for values that are the same in a whole warp."""
_FLOATS_IN_UNIFORM: Final = 100
"""The first target that computes floats in such registers."""


class RegisterLimit(NamedTuple):
    """A launch bound that leaves too few registers.

    `limit`: the number of registers of a thread. `words`: the number that a place needs, on the
    line `place`. `is_loop`: as in `Need`.
    """

    directive: str
    limit: int
    start: FunctionPosition
    end: FunctionPosition
    words: int
    place: FunctionSpan
    is_loop: bool


class _Limit(NamedTuple):
    """The number of registers that a directive leaves for each thread, and its place."""

    directive: str
    registers: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[RegisterLimit]:
    """Yields the launch bounds of a kernel that leave fewer registers than it surely needs."""
    kernel = seen.facts.function
    if kernel is None or kernel.kind is not SymbolKind.KERNEL:
        return
    heads = [found for found in seen.text.of_kind(Kind.FUNCTION) if ".entry" in found.text]
    limit = _limit(heads[0], seen) if len(heads) == 1 else None
    if limit is None or _declared_words(seen) < limit.registers:
        return
    if not is_understood(seen.function, seen.text):
        return
    from ptx_ls.flow.function_flow import function_flow  # noqa: PLC0415  for few kernels
    from ptx_ls.lint.performance.needed_registers import NeededRegisters  # noqa: PLC0415

    flow = function_flow(seen.function, seen.module.never_returning)
    target = next(filter(None, map(parse_target, seen.module.context.target)), None)
    spare = _UNIFORM if target is None or target[0] >= _FLOATS_IN_UNIFORM else 0
    places = NeededRegisters(flow).places(limit.registers)
    needs = [(each.words - min(each.uniform, spare), each) for each in places]
    words, need = max(needs, key=lambda each: each[0], default=(0, None))
    if need is not None and words >= limit.registers:
        place = on_row(need.row, 0, len(seen.text.lines[need.row]))
        yield RegisterLimit(*limit, need.words, place, need.is_loop)


def _limit(head: Found, seen: CheckInput) -> _Limit | None:
    """Returns the smallest number of registers that a directive of a head leaves for a thread."""
    if not any(name in head.text for name in _DIRECTIVES):
        return None
    context = seen.module.context
    info = isa.database().targets.get(context.target[0]) if context.target else None
    limits = info.limits if info is not None else None
    directives = numbers_of_directives(head.text, _DIRECTIVES)
    given = {token.string: (token, numbers) for token, numbers in directives}
    if _REGISTERS in given:
        token, stated = given[_REGISTERS][0], register_count(head.text, context)
        return _Limit(token.string, stated, *token.placed(head.start)) if stated else None
    threads = next((given[name] for name in _THREADS if name in given), None)
    if threads is None or limits is None:
        return None
    token, blocks = given.get(_BLOCKS, (threads[0], [1]))
    n_threads = -(-math.prod(threads[1]) // _WARP) * _WARP * math.prod(blocks)
    if not 0 < n_threads <= limits.threads_sm:
        return None
    registers = limits.register_file // n_threads // _STEP * _STEP
    if registers >= limits.registers:
        return None
    return _Limit(token.string, registers, *token.placed(head.start))


def _declared_words(seen: CheckInput) -> int:
    """Returns the number of 32-bit registers that all registers of a function would take."""
    banks = [each for each in seen.facts.declared if each.kind is SymbolKind.REGISTER]
    return sum(words_of(each) * max(each.count or 1, 1) for each in banks)


@rule(
    "register-limit",
    on=RegisterLimit,
    severity=Severity.INFORMATION,
    find=find,
    given=has_head_directives,
)
def register_limit(mismatch: RegisterLimit, _: RuleContext) -> Finding:
    """Reports a launch bound that leaves fewer registers than the kernel needs at once.

    ## Why is this bad?
    `.maxnreg` limits the registers per thread. `.maxntid` and `.minnctapersm` also limit them,
    because all threads on a multiprocessor share one register file. ptxas spills values that do not
    fit to local memory, which is as slow as global memory, and loads a spilled value again for each
    use.

    The rule counts only values that must be in registers at the same time: floats or matrices that
    a loop accumulates, and data that is loaded before a barrier and stored after it. ptxas needs
    additional registers for addresses and counters.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry turn(.param .u64 values) .maxnreg 24
    {
        .reg .b32 %r<29>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [values];
        ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
        ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+16];
        ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%rd1+32];
        ld.global.v4.u32 {%r13, %r14, %r15, %r16}, [%rd1+48];
        ld.global.v4.u32 {%r17, %r18, %r19, %r20}, [%rd1+64];
        ld.global.v4.u32 {%r21, %r22, %r23, %r24}, [%rd1+80];
        ld.global.v4.u32 {%r25, %r26, %r27, %r28}, [%rd1+96];
        bar.sync 0;
        st.global.v4.u32 [%rd1], {%r28, %r27, %r26, %r25};
        st.global.v4.u32 [%rd1+16], {%r24, %r23, %r22, %r21};
        st.global.v4.u32 [%rd1+32], {%r20, %r19, %r18, %r17};
        st.global.v4.u32 [%rd1+48], {%r16, %r15, %r14, %r13};
        st.global.v4.u32 [%rd1+64], {%r12, %r11, %r10, %r9};
        st.global.v4.u32 [%rd1+80], {%r8, %r7, %r6, %r5};
        st.global.v4.u32 [%rd1+96], {%r4, %r3, %r2, %r1};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry turn(.param .u64 values) .maxnreg 40
    {
        .reg .b32 %r<29>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [values];
        ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
        ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+16];
        ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%rd1+32];
        ld.global.v4.u32 {%r13, %r14, %r15, %r16}, [%rd1+48];
        ld.global.v4.u32 {%r17, %r18, %r19, %r20}, [%rd1+64];
        ld.global.v4.u32 {%r21, %r22, %r23, %r24}, [%rd1+80];
        ld.global.v4.u32 {%r25, %r26, %r27, %r28}, [%rd1+96];
        bar.sync 0;
        st.global.v4.u32 [%rd1], {%r28, %r27, %r26, %r25};
        st.global.v4.u32 [%rd1+16], {%r24, %r23, %r22, %r21};
        st.global.v4.u32 [%rd1+32], {%r20, %r19, %r18, %r17};
        st.global.v4.u32 [%rd1+48], {%r16, %r15, %r14, %r13};
        st.global.v4.u32 [%rd1+64], {%r12, %r11, %r10, %r9};
        st.global.v4.u32 [%rd1+80], {%r8, %r7, %r6, %r5};
        st.global.v4.u32 [%rd1+96], {%r4, %r3, %r2, %r1};
        ret;
    }
    ```
    """
    where = "throughout this loop" if mismatch.is_loop else "at this barrier"
    return Finding(
        f"`{mismatch.directive}` allows only {mismatch.limit} registers per thread, but at least "
        f"{mismatch.words} are live at the same time, not counting addresses: ptxas must spill "
        "some values to local memory",
        related=(Related(*mismatch.place, f"{mismatch.words} registers are live {where}"),),
    )
