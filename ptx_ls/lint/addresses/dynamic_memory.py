"""Finds loads from the dynamic shared memory of a kernel that never writes it.

All `.extern .shared` arrays of unknown size begin at the same address, so a store to any of them
counts, and so does one to an address in shared memory that may be in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.object_accesses import AccessMode, object_accesses
from ptx_ls.semantics.instructions.barrier_opcodes import BARRIERS
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.slices.object_accesses import ObjectAccess
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Shape

_SHARED: Final = "shared"
_GENERIC: Final = "generic"
_CALL: Final = ("call",)
_WRITING: Final = (AccessMode.WRITE, AccessMode.OTHER)


def unwritten_dynamic_memory(
    seen: CheckInput, flow: FunctionFlow
) -> tuple[Symbol, ObjectAccess] | None:
    """Returns the first load from dynamic shared memory if the kernel surely never writes it.

    Only kernels with a barrier are examined, whose threads exchange values: the others are samples
    of single instructions.
    """
    function = seen.facts.function
    is_kernel = function is not None and function.kind is SymbolKind.KERNEL
    if not is_kernel or not seen.text.has_opcodes(BARRIERS) or seen.text.has_opcodes(_CALL):
        return None
    reads: list[tuple[FunctionPosition, Symbol, ObjectAccess]] = []
    hidden = {each.name for each in seen.facts.declared if not each.is_unsized}
    arrays = [each for each in seen.module.unsized if each.name not in hidden]
    for symbol, accesses in object_accesses(flow, arrays, _WRITING):
        if any(each.mode in _WRITING for each in accesses):
            return None
        reads += [
            (each.found.start, symbol, each)
            for each in accesses
            if each.mode is not AccessMode.NONE
            and flow.block_at(each.found.start) in flow.reachable
        ]
    if not reads or _may_write_elsewhere(seen):
        return None
    _, symbol, access = min(reads, key=lambda each: each[0])
    return symbol, access


def _may_write_elsewhere(seen: CheckInput) -> bool:
    """Whether an instruction may write dynamic shared memory through an address without a name."""
    shapes = {each for each in seen.text.shapes if _writes_shared(each)}
    rows = seen.text.lines_of(seen.text.with_shapes(shapes))
    return any(not _writes_named(found, seen) for found in seen.text.statements(rows))


def _writes_shared(shape: Shape) -> bool:
    """Whether an instruction may write shared memory; also if its effects are unknown."""
    known = events_of(shape)
    if known is None:
        return "[" in shape.text
    return any(
        each.kind != "reads" and each.space.startswith((_SHARED, _GENERIC))
        for each in known.events.accesses
    )


def _writes_named(found: Found, seen: CheckInput) -> bool:
    """Whether an instruction only writes variables, or memory that a parameter points to.

    A parameter may also be the offset of an address in shared memory.
    """
    from ptx_ls.lint.addresses.access import accesses_in  # noqa: PLC0415  rarely needed
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  as above

    values, accesses = function_values(seen.function, seen.module), [*accesses_in(found)]
    for each in accesses:
        form = values.address(found, each.operand.number).affine
        base = form.base if form is not None else None
        is_pointer = base is not None and base.kind is TermKind.PARAMETER and not each.operand.space
        if not is_pointer and (base is None or base.kind is not TermKind.SYMBOL):
            return False
    return bool(accesses)
