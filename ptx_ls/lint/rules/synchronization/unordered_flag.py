"""The rule unordered-flag.

Source: PTX ISA, "Release and Acquire Patterns".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa.version import parse_target
from ptx_ls.lint.candidates.statements import has_branches
from ptx_ls.lint.collectives.barrier_places import barrier_place
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Related,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.threads.flags.early_flags import early_flags, may_announce
from ptx_ls.threads.flags.flags import may_wait_for_flags, unordered_flags
from ptx_ls.threads.flags.last_blocks import early_counts, may_count_blocks
from ptx_ls.threads.flags.late_data import late_data
from ptx_ls.threads.flags.one_thread_flags import unshared_flags
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.symbols import Symbol


class UnorderedFlagData(NamedTuple):
    """An access to a flag or to its data that may run before the access to the other one.

    `memory`: the variable with the data, or that a parameter points to it. `other`: the load of the
    flag if this is a load of data, the store of the data if this is a store of the flag. `is_store`
    is which of the two. `is_of_one`: whether only one thread of the block accesses the flag, and no
    barrier orders it with the others, which access the data. `place`: where such a barrier belongs,
    if all threads surely get there together. `is_of_block`: whether the flag is in shared memory.
    `is_of_strong`: whether the store of the data is strong, as devices mostly keep these in order.
    `is_late`: whether the store of the data comes after that of the flag in the code. `is_narrow`:
    whether the fences between them only order accesses for the own block.
    """

    memory: str
    other: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition
    is_store: bool
    is_of_one: bool = False
    place: FunctionPosition | None = None
    is_of_block: bool = False
    is_of_strong: bool = False
    is_late: bool = False
    is_narrow: bool = False


def find(seen: CheckInput) -> Iterator[UnorderedFlagData]:
    """Yields the first access to a flag or its data at each place that may come too early."""
    known = set[FunctionPosition]()
    for each in (*_unordered(seen), *_of_one_thread(seen)):
        if each.start not in known:
            known.add(each.start)
            yield each


def _unordered(seen: CheckInput) -> Iterator[UnorderedFlagData]:
    """Yields the first load of data after each flag that acquires nothing, and early flags."""
    may_wait = may_wait_for_flags(seen.text)
    may_count, may_set = may_count_blocks(seen.text), may_announce(seen.text)
    if not (may_wait or may_count or may_set) or not is_understood(seen.function, seen.text):
        return
    values = function_values(seen.function, seen.module)
    if may_wait:
        for data, flag, symbol, of_block in unordered_flags(values):
            if not of_block or _has_model(seen):
                other = flag.start, flag.end
                yield UnorderedFlagData(
                    _memory(symbol),
                    other,
                    data.start,
                    data.end,
                    is_store=False,
                    is_of_block=of_block,
                )
    early = [
        *((each, False) for each in (early_flags(values) if may_set else ())),
        *((each, True) for each in (late_data(values) if may_set else ())),
        *((each, False) for each in (early_counts(values) if may_count else ())),
    ]
    for (data, store, symbol, _, of_block, is_narrow), is_late in early:
        if not of_block or _has_model(seen):
            other = data.start, data.end
            yield UnorderedFlagData(
                _memory(symbol),
                other,
                store.start,
                store.end,
                is_store=True,
                is_of_block=of_block,
                is_of_strong=any(each in data.text for each in _STRONG),
                is_late=is_late,
                is_narrow=is_narrow,
            )


def _has_model(seen: CheckInput) -> bool:
    """Whether the memory model applies to the targets of a module, all of them sm_70 or newer."""
    found = [parse_target(each) for each in seen.module.context.target]
    return all(each is not None and each[0] >= _FIRST_WITH_FENCES for each in found)


def _of_one_thread(seen: CheckInput) -> Iterator[UnorderedFlagData]:
    """Yields data of all threads that no barrier orders with the one that accesses the flag."""
    if not may_announce(seen.text) or not is_understood(seen.function, seen.text):
        return
    uniformity = function_uniformity(seen.function, seen.module)
    for data, flag, symbol, is_store in unshared_flags(uniformity):
        found, other = (flag, data) if is_store else (data, flag)
        yield UnorderedFlagData(
            _memory(symbol),
            (other.start, other.end),
            found.start,
            found.end,
            is_store=is_store,
            is_of_one=True,
            place=barrier_place(seen, other.start, found.start),
        )


def _memory(symbol: Symbol) -> str:
    is_pointer = ".param" in symbol.space
    return f"the memory that `{symbol.name}` points to" if is_pointer else f"`{symbol.name}`"


_FIRST_WITH_FENCES: Final = 70
"""The first architecture with `fence`: sm_70."""
_STRONG: Final = (".volatile", ".relaxed")
"""Modifiers of strong accesses that order nothing."""
_ACQUIRING = {".relaxed": ".acquire", ".volatile": ".acquire.sys"}
"""The modifier that makes a load acquire, in place of another."""
_OF_BLOCK = ".cta"


@rule(
    "unordered-flag",
    on=UnorderedFlagData,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("ld"),
    given=has_branches,
)
def unordered_flag(mismatch: UnorderedFlagData, context: RuleContext) -> Finding:
    """Reports data that may be read before the flag that guards it is set.

    ## Why is this bad?
    `.relaxed` and `.volatile` only make the loop read the flag again. The data load may still be
    performed before the flag is set, and return old data. `.acquire` keeps later accesses after the
    flag load, and so does a fence between the flag load and the data load. The thread that writes
    the data needs `.release` on the flag store, or a fence between the data store and the flag
    store. A block barrier is not a fence for other blocks.

    The rule reports a kernel only if it waits for the flag in a loop, and then uses a plain `ld` to
    load data that another block may have stored with a plain `st` of the same kernel. It reports
    nothing if each thread loads only its own elements, or if loads and stores are certain to access
    different parts of a buffer. The flag may be in the same buffer as the data. The loop may also
    repeat an atomic operation, such as the `atom.cas` that takes a lock. If the same kernel waits
    for the flag or takes the lock, an unordered flag store and an unordered lock release are also
    reported.

    A flag may also be in shared memory, for the threads of one block. A block barrier then orders
    the accesses, too, and the scope `.cta` is enough. Such flags are reported on `sm_70` and newer.

    In some kernels, each block increments a counter when it is done, and the last block reads the
    data of all blocks without waiting. The atomic operation that increments the counter must then
    be a release.

    Often, only one thread of a block sets the flag, or waits for it. A fence or `.acquire` of this
    thread does not order the accesses of the other threads of the block: a barrier of the block is
    also needed between the data and the flag.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry pass_on(.param .b64 values, .param .b64 flags)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<7>;
        ld.param.b64 %rd1, [values];
        ld.param.b64 %rd2, [flags];
        mov.u32 %r1, %ctaid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
    again:
        ld.relaxed.gpu.global.b32 %r2, [%rd5];
        setp.eq.s32 %p1, %r2, 0;
        @%p1 bra again;
        ld.global.b32 %r3, [%rd4];
        add.s32 %r3, %r3, 1;
        st.global.b32 [%rd4+4], %r3;
        st.release.gpu.global.b32 [%rd5+4], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry pass_on(.param .b64 values, .param .b64 flags)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<7>;
        ld.param.b64 %rd1, [values];
        ld.param.b64 %rd2, [flags];
        mov.u32 %r1, %ctaid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
    again:
        ld.acquire.gpu.global.b32 %r2, [%rd5];
        setp.eq.s32 %p1, %r2, 0;
        @%p1 bra again;
        ld.global.b32 %r3, [%rd4];
        add.s32 %r3, %r3, 1;
        st.global.b32 [%rd4+4], %r3;
        st.release.gpu.global.b32 [%rd5+4], %r2;
        ret;
    }
    ```
    """
    if mismatch.is_of_one:
        return _of_one(mismatch, context)
    if mismatch.is_late:
        return Finding(
            f"this operation sets the flag before {mismatch.memory} is written: the store of the "
            "data comes after it",
            related=(Related(*mismatch.other, "move this store before the flag is set"),),
        )
    if mismatch.is_store:
        reason = "neither a fence nor `.release` orders it after the store of the data"
        if mismatch.is_narrow:
            reason = "the fence after the store of the data is only for threads of the same block"
        return Finding(
            f"this operation may set the flag before {mismatch.memory} is written: {reason}",
            related=(
                Related(
                    *mismatch.other,
                    "insert a fence after this store, or use `.release` for the flag",
                ),
            ),
            repairs=with_statements_ahead(mismatch.start, [_fence(mismatch, context)], context),
            severity=Severity.INFORMATION if mismatch.is_of_strong else None,
        )
    return Finding(
        f"this load may read {mismatch.memory} before the flag is set: neither `.acquire` nor a "
        "fence orders it after the load of the flag",
        related=(
            Related(*mismatch.other, "use `.acquire` here, or insert a fence after the loop"),
        ),
        repairs=_repairs(mismatch, context),
    )


def _of_one(mismatch: UnorderedFlagData, context: RuleContext) -> Finding:
    """Returns the finding about a flag that only one thread of the block accesses."""
    repairs: tuple[Repair, ...] = ()
    if mismatch.place is not None:
        repairs = with_statements_ahead(mismatch.place, ["bar.sync 0;"], context)
    if mismatch.is_store:
        return Finding(
            f"this operation may set the flag before other threads have written {mismatch.memory}: "
            "no barrier of the block comes between their stores and this operation",
            related=(
                Related(
                    *mismatch.other,
                    "all threads of the block execute this store: insert `bar.sync` after it",
                ),
            ),
            repairs=repairs,
        )
    return Finding(
        f"other threads may read {mismatch.memory} before the flag is set: only one thread of the "
        "block waits for the flag, and no barrier of the block follows",
        related=(
            Related(
                *mismatch.other, "only one thread waits here: insert `bar.sync` after the loop"
            ),
        ),
        repairs=repairs,
    )


def _fence(mismatch: UnorderedFlagData, context: RuleContext) -> str:
    """Returns a fence for the threads that a flag is for."""
    (row, column), (last, end) = mismatch.start, mismatch.end
    is_of_system = row == last and ".sys" in context.lines[row][column:end]
    if mismatch.is_of_block:
        return "fence.acq_rel.cta;"
    targets = map(parse_target, context.isa_context.target)
    if any(each is not None and each[0] < _FIRST_WITH_FENCES for each in targets):
        return "membar.sys;" if is_of_system else "membar.gl;"
    return "fence.acq_rel.sys;" if is_of_system else "fence.acq_rel.gpu;"


def _repairs(mismatch: UnorderedFlagData, context: RuleContext) -> tuple[Repair, ...]:
    """Returns the fix that makes the load of the flag an acquiring one."""
    (row, column), (last, end) = mismatch.other
    if row != last:
        return ()
    text = context.lines[row][column:end]
    for old, new in _ACQUIRING.items():
        if old in text:
            start = FunctionPosition((row, column + text.index(old)))
            acquiring = new.replace(".sys", _OF_BLOCK) if mismatch.is_of_block else new
            edit = SpanEdit(start, along(start, len(old)), acquiring)
            return (Repair(f"Replace `{old}` with `{acquiring}`", (edit,), Applicability.UNSAFE),)
    return ()
