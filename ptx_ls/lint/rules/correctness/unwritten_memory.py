"""The rule unwritten-memory.

Source: PTX ISA, "Shared State Space" and "Local State Space": variables in them have no initial
value, and only the threads of a kernel can write them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.object_accesses import AccessMode, object_accesses
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.addresses.words import declaration
from ptx_ls.lint.candidates.statements import has_own_variables_or_calls
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.names import identifier_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.slices.object_accesses import ObjectAccess
    from ptx_ls.lint.addresses.unwritten_bytes import UnwrittenBytes
    from ptx_ls.lint.calls.call_summary import ReadBytes
    from ptx_ls.semantics.symbols.symbols import Symbol

_LOCAL: Final = ".local"
_STORE: Final = "st"
_BYTES: Final = (".u8", ".s8", ".b8")
_SPACES: Final = (".shared", _LOCAL)
_LOADS: Final = ("ld", "ldu", "ldmatrix", "atom", "red")
_WRITING: Final = (AccessMode.WRITE, AccessMode.OTHER)
_CALL: Final = ("call",)
_SEEN_OUTSIDE: Final = (".visible", ".weak", ".common")


class UnwrittenMemory(NamedTuple):
    """The first access to a variable that nothing writes.

    `is_update`: whether it is atomic. `callee`: the function that reads it as an argument, or "".
    `is_early`: whether the variable is written, but only later. `unwritten`: the bytes that nothing
    writes, if something writes others of the variable. `member`: such bytes of an argument.
    """

    variable: Symbol
    start: FunctionPosition
    end: FunctionPosition
    is_update: bool
    callee: str = ""
    is_early: bool = False
    unwritten: UnwrittenBytes | None = None
    member: ReadBytes | None = None


def find(seen: CheckInput) -> Iterator[UnwrittenMemory]:
    """Yields the variables in shared and local memory that are read and never written."""
    symbols = [*_variables(seen)]
    calls = bool(seen.calls) and seen.text.has_opcodes(_CALL)
    is_dynamic = bool(seen.module.unsized) and seen.text.has_opcodes(_LOADS)
    if not (symbols or calls or is_dynamic) or any(read.problems for read in seen.text.distinct):
        return
    reading = frozenset[FunctionPosition]()
    if calls:
        from ptx_ls.lint.calls.arguments import (  # noqa: PLC0415
            passed_to_readers,
            unset_arguments,
            unset_members,
        )

        reading = passed_to_readers(seen)
        for symbol, callee, span in unset_arguments(seen):
            yield UnwrittenMemory(symbol, *span, False, callee)
        for symbol, callee, span, member in unset_members(seen):
            yield UnwrittenMemory(symbol, *span, False, callee, member=member)
    flow = function_flow(seen.function, seen.module.never_returning)
    for symbol, accesses in object_accesses(flow, symbols, _WRITING, reading):
        first = _first_access(flow, accesses)
        is_padding = seen.is_generated and symbol.space == _LOCAL and _is_copied(flow, accesses)
        if first is not None and not is_padding:
            is_update = first.mode is AccessMode.UPDATE
            yield UnwrittenMemory(symbol, *_address(first), is_update)
    if is_dynamic:
        yield from _dynamic(seen, flow)
    private = [each for each in symbols if each.space == _LOCAL]
    if symbols and not seen.is_generated:  # compilers copy the padding of structures
        yield from _partly_written(seen, flow, symbols)
    if private and _may_read_early(seen):
        yield from _read_early(flow, private)


def _is_copied(flow: FunctionFlow, accesses: Sequence[ObjectAccess]) -> bool:
    """Whether single bytes are only read to be stored, like the padding of a structure."""
    for each in accesses:
        record = each.found.record
        if not isinstance(record, Shape) or not record.opcode.endswith(_BYTES):
            return False
        for write in uses_in(flow, each.found, WRITES).values():
            for read in flow.readers(write):
                reader = record_of(flow, read)
                if not isinstance(reader, Shape) or reader.name != _STORE:
                    return False
    return True


def _dynamic(seen: CheckInput, flow: FunctionFlow) -> Iterator[UnwrittenMemory]:
    """Yields the dynamic shared memory if it is read and never written."""
    from ptx_ls.lint.addresses.dynamic_memory import unwritten_dynamic_memory  # noqa: PLC0415  few

    found = unwritten_dynamic_memory(seen, flow)
    if found is not None:
        symbol, access = found
        yield UnwrittenMemory(symbol, *_address(access), access.mode is AccessMode.UPDATE)


def _read_early(flow: FunctionFlow, private: Sequence[Symbol]) -> Iterator[UnwrittenMemory]:
    """Yields the variables of a thread that are read before they are written."""
    for symbol, accesses in object_accesses(flow, private):
        early = _early_access(flow, accesses)
        if early is not None:
            yield UnwrittenMemory(symbol, *_address(early), False, is_early=True)


def _partly_written(
    seen: CheckInput, flow: FunctionFlow, symbols: Sequence[Symbol]
) -> Iterator[UnwrittenMemory]:
    """Yields the variables of which a load reads bytes that nothing writes."""
    from ptx_ls.lint.addresses.unwritten_bytes import unwritten_bytes  # noqa: PLC0415  for few

    for symbol, accesses in object_accesses(flow, symbols, last=()):
        found = unwritten_bytes(seen, symbol, accesses)
        if found is not None:
            yield UnwrittenMemory(symbol, *_address(found.access), False, unwritten=found)


def _may_read_early(seen: CheckInput) -> bool:
    """Whether a load from .local may be before all stores, as in loops that compilers make."""
    if not seen.is_generated:
        return True
    text = seen.text
    loads, stores = (
        text.lines_of(text.with_shapes({each for each in text.shapes_of((it,)) if _is_local(each)}))
        for it in ("ld", "st")
    )
    return bool(loads) and bool(stores) and loads[0] < stores[0]


def _is_local(shape: Shape) -> bool:
    return _LOCAL in shape.opcode


def _early_access(flow: FunctionFlow, accesses: Sequence[ObjectAccess]) -> ObjectAccess | None:
    """Returns the first load from a variable of a thread that no store to it may precede."""
    writes = [each.found.start for each in accesses if each.mode in (*_WRITING, AccessMode.UPDATE)]
    if not writes or any(each.mode is AccessMode.OTHER for each in accesses):
        return None
    blocks = {flow.block_at(each) for each in writes}
    successors = flow.blocks.successors
    waiting = [following for block in blocks if block >= 0 for following in successors[block]]
    after = set[int]()
    while waiting:
        block = waiting.pop()
        if block not in after:
            after.add(block)
            waiting += successors[block]
    early = []
    for each in accesses:
        block, start = flow.block_at(each.found.start), each.found.start
        is_first = not any(it < start and flow.block_at(it) == block for it in writes)
        if each.mode is AccessMode.READ and is_first and block in flow.reachable - after:
            early.append(each)
    return min(early, key=lambda each: each.found.start, default=None)


def _first_access(flow: FunctionFlow, accesses: Sequence[ObjectAccess]) -> ObjectAccess | None:
    """Returns the first access to a variable that nothing writes; None if something may."""
    if any(each.mode in _WRITING for each in accesses):
        return None
    reachable = flow.reachable
    reads = [
        each
        for each in accesses
        if each.mode is not AccessMode.NONE and flow.block_at(each.found.start) in reachable
    ]
    return min(reads, key=lambda each: each.found.start, default=None)


def _variables(seen: CheckInput) -> Iterator[Symbol]:
    """Yields the variables that only this function can write."""
    exported = set(map(id, seen.facts.exports))
    for symbol in seen.facts.declared:
        if _has_no_value(symbol) and id(symbol) not in exported:
            yield symbol
    own = {each.name for each in seen.facts.declared if id(each) not in exported}
    yield from (each for each in _of_module(seen) if each.name not in own)


def _of_module(seen: CheckInput) -> Iterator[Symbol]:
    """Yields the shared variables of the module that only this function can write.

    Each block of a kernel has its own, so only the kernel and what it calls can write them.
    """
    function, names = seen.facts.function, seen.module.shared.by_name
    if not names:
        return
    is_alone = not seen.text.shapes_of(_CALL)
    is_kernel = function is not None and function.kind is SymbolKind.KERNEL
    if not (is_alone and is_kernel) and not _is_only_function(seen):
        return
    for name in names:
        symbol = seen.module.lookup(name)
        if symbol is None or not _has_no_value(symbol):
            continue
        if is_alone or symbol.linkage not in _SEEN_OUTSIDE:
            yield symbol


def _has_no_value(symbol: Symbol) -> bool:
    is_variable = symbol.kind is SymbolKind.VARIABLE and symbol.space in _SPACES
    return is_variable and symbol.is_definition


def _is_only_function(seen: CheckInput) -> bool:
    """Whether a function is the only one of its module that has a body."""
    is_found = False
    for places in seen.module.names.values():
        for region, symbol in places:
            if symbol.is_function and symbol.is_definition:
                if region != seen.number:
                    return False
                is_found = True
    return is_found


def _address(access: ObjectAccess) -> FunctionSpan:
    """Returns the place of the name in the address of an access."""
    found = access.found
    if isinstance(found.record, Shape):
        identifier = identifier_of(found.record, found.text, access.identifier)
        if identifier is not None:
            start = shifted(identifier.start, found.start)
            return start, FunctionPosition((start[0], start[1] + len(identifier.name)))
    return found.start, found.end


@rule(
    "unwritten-memory",
    on=UnwrittenMemory,
    severity=Severity.WARNING,
    find=find,
    given=has_own_variables_or_calls,
    looks_at=Instructions(*_LOADS, *_CALL),
)
def unwritten_memory(mismatch: UnwrittenMemory, context: RuleContext) -> Finding:
    """Reports a variable in shared or local memory that is read but never written.

    ## Why is this bad?
    Variables in `.shared` and `.local` have no initial value, and only the kernel itself can write
    them. A load therefore reads an arbitrary value, for example from an earlier kernel. Usually a
    store is missing, or uses the address of another variable. ptxas does not report this.

    Each block has its own shared memory, so stores by other kernels of the module do not count. All
    `.extern .shared` arrays begin at the same address, so they are reported only if nothing writes
    any of them, and if the kernel has a barrier, which shows that its threads exchange values.

    An atomic operation such as `red.add` also needs an initial value, so a variable that only
    atomic operations write is reported.

    A load from a variable in `.local` is also reported if the thread writes the variable only
    later.

    If the bytes of all stores are known, at least within limits, the rule also checks the bytes of
    each load. It reports a load if some of them are never written, as in a 64-bit load after a
    32-bit store, or as in a load from the second half of an array of which threads only fill the
    first half. If a load always reads the same bytes and none of them is ever written, the severity
    is information. In compiler output, single bytes are not checked, because they may be the
    padding of a structure.

    A variable whose address is stored or passed to a call is not reported, unless the called
    function is in the same module and reads the variable without writing it. An argument in
    `.param` also needs a store; without one, the argument is reported if the called function reads
    it. So is a structure, if the called function reads a member that no store writes.

    ## Example
    ```ptx
    .visible .entry share(.param .u64 values)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<3>;
        .shared .align 4 .b8 tile[128];
        ld.param.u64 %rd1, [values];
        mov.u32 %r1, %laneid;
        mov.u32 %r2, tile;
        mad.lo.u32 %r2, %r1, 4, %r2;
        ld.shared.u32 %r3, [%r2];
        mad.wide.u32 %rd2, %r1, 4, %rd1;
        st.global.u32 [%rd2], %r3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry share(.param .u64 values)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<3>;
        .shared .align 4 .b8 tile[128];
        ld.param.u64 %rd1, [values];
        mov.u32 %r1, %laneid;
        mov.u32 %r2, tile;
        mad.lo.u32 %r2, %r1, 4, %r2;
        mad.wide.u32 %rd2, %r1, 4, %rd1;
        ld.global.u32 %r3, [%rd2];
        st.shared.u32 [%r2], %r3;
        bar.sync 0;
        ld.shared.u32 %r3, [%r2];
        st.global.u32 [%rd2], %r3;
        ret;
    }
    ```
    """
    name = mismatch.variable.name
    related = declaration(mismatch.variable, context, has_size=False)
    if mismatch.callee and mismatch.member is not None:
        first = mismatch.member.first
        last = first + mismatch.member.size - 1
        return Finding(
            f"`{mismatch.callee}` reads bytes {first} to {last} of the argument `{name}`, but no "
            "instruction writes them",
            related=related,
        )
    if mismatch.callee:
        return Finding(
            f"`{mismatch.callee}` reads the argument `{name}`, but no instruction writes it",
            related=related,
        )
    problem = f"this instruction reads `{name}`, but no instruction writes it"
    unwritten = mismatch.unwritten
    if unwritten is not None:
        problem = f"this instruction reads {_described(unwritten, name)}"
    if mismatch.is_early:
        problem = f"this instruction reads `{name}` before any instruction writes it"
    if mismatch.is_update:
        problem = f"this instruction updates `{name}`, but no instruction initialises it"
    is_elsewhere = unwritten is not None and unwritten.first is not None and not unwritten.is_part
    return Finding(
        problem,
        severity=Severity.INFORMATION if is_elsewhere else None,
        related=related,
    )


def _described(unwritten: UnwrittenBytes, name: str) -> str:
    """Returns which bytes of a variable are read but never written."""
    first, last = unwritten.first, unwritten.last
    if first is None or last is None:
        return f"bytes of `{name}` that no instruction writes"
    if first == last:
        return f"byte {first:,} of `{name}`, but no instruction writes it"
    return f"bytes {first:,} to {last:,} of `{name}`, but no instruction writes them"
