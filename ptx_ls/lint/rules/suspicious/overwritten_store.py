"""The rule overwritten-store.

Source: PTX ISA, "Memory Consistency Model": without a fence, a barrier or a strong operation
between two stores of a thread, nothing makes another thread see the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.access import accesses_in
from ptx_ls.lint.performance.neighbours import ORDERING
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.values.affine import plain_space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record
    from ptx_ls.values.affine import Terms
    from ptx_ls.values.function_values import FunctionValues

_STRONG: Final = frozenset((".volatile", ".relaxed", ".release", ".mmio", ".async", ".bulk"))
"""Modifiers of stores that do more than to write memory."""
_SPACES: Final = ("", ".global", ".shared", ".local")
_SILENT: Final = frozenset((Kind.BLANK, Kind.COMMENT, Kind.LOCATION, Kind.EMPTY))
_MAX_PENDING: Final = 64
"""Maximum number of stores that are compared with later ones."""


class OverwrittenStore(NamedTuple):
    """A store whose memory a later store writes before anything can read it.

    `address`: as written. `later`: the place of the later store.
    """

    address: str
    start: FunctionPosition
    end: FunctionPosition
    later: FunctionSpan


class _Store(NamedTuple):
    """A store that nothing has read yet: its instruction, and where it writes."""

    access: Access
    space: str
    terms: Terms
    first: int
    stop: int


def find(seen: CheckInput) -> Iterator[OverwrittenStore]:
    """Yields the stores of a function that are overwritten before anything reads them."""
    if not is_understood(seen.function, seen.text):
        return
    runs = [run for run in _runs(seen) if len(run) > 1]
    if not runs:
        return
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    for run in runs:
        yield from _overwritten(run, values)


def _runs(seen: CheckInput) -> Iterator[list[Found]]:
    """Yields neighbouring plain stores, with only instructions between them that read no memory."""
    run: list[Found] = []
    for found in seen.text.statements():
        record = found.record
        if isinstance(record, Shape) and _is_plain_store(record):
            run.append(found)
        elif _may_read(record):
            yield run
            run = []
    yield run


def _is_plain_store(shape: Shape) -> bool:
    if shape.name != "st" or not _STRONG.isdisjoint(modifiers_of(shape.opcode)):
        return False
    accessed = memory_operands(shape)
    return len(accessed) == 1 and plain_space(accessed[0].space) in _SPACES


def _may_read(record: Record) -> bool:
    """Whether a statement may read what is stored, or make it visible to other threads."""
    if not isinstance(record, Shape):
        return record.kind not in _SILENT
    has_address = any(each.form is OperandForm.ADDRESS for each in record.operands)
    return has_address or record.name in ORDERING or bool(memory_operands(record))


def _overwritten(run: list[Found], values: FunctionValues) -> Iterator[OverwrittenStore]:
    """Yields the stores of a run that later ones overwrite."""
    pending: list[_Store] = []
    for found in run:
        access = next(accesses_in(found), None)
        form = None if access is None else values.address_form(found, access.operand.number)
        if access is None or form is None or access.operand.size <= 0:
            continue
        space = plain_space(access.operand.space)
        stop = form.offset + access.operand.size
        store = _Store(access, space, form.terms, form.offset, stop)
        if not access.shape.guard:
            for earlier in [each for each in pending if _covers(store, each)]:
                pending.remove(earlier)
                first = earlier.access
                span = first.found.start, first.found.end
                yield OverwrittenStore(first.address.text, *span, (found.start, found.end))
        pending = [*pending[-_MAX_PENDING:], store]


def _covers(later: _Store, earlier: _Store) -> bool:
    """Whether a store writes all bytes of an earlier one."""
    is_same = later.space == earlier.space and later.terms == earlier.terms
    return is_same and later.first <= earlier.first and earlier.stop <= later.stop


@rule(
    "overwritten-store",
    on=OverwrittenStore,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("st"),
    in_compiler_output=None,
)
def overwritten_store(mismatch: OverwrittenStore, _: RuleContext) -> Finding:
    """Reports a store whose memory is written again before anything can read it.

    ## Why is this bad?
    The first store has no effect. Often, one of the two stores has the wrong address or offset, so
    the intended memory is never written. ptxas keeps both stores and does not report this.

    Two stores are reported only if no load, atomic operation, barrier, branch or call is between
    them. A store that is `.volatile` or has a memory order is not reported.

    ## Example
    ```ptx
    .visible .entry pair(.param .u64 out, .param .u32 first, .param .u32 second)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [out];
        ld.param.u32 %r1, [first];
        ld.param.u32 %r2, [second];
        st.global.u32 [%rd1], %r1;
        st.global.u32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry pair(.param .u64 out, .param .u32 first, .param .u32 second)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [out];
        ld.param.u32 %r1, [first];
        ld.param.u32 %r2, [second];
        st.global.u32 [%rd1], %r1;
        st.global.u32 [%rd1+4], %r2;
        ret;
    }
    ```
    """
    return Finding(
        f"store without effect: `{mismatch.address}` is written again before anything reads it",
        related=(Related(*mismatch.later, f"`{mismatch.address}` is written again here"),),
        tags=frozenset({Tag.UNNECESSARY}),
    )
