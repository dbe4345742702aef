"""The rule cacheable-load.

Source: PTX ISA, "ld.global.nc"; the machine code of ptxas 13.5, which never uses the non-coherent
path by itself, as stores through another parameter may be to the same memory.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import parse_target
from ptx_ls.lint.candidates.statements import has_branches
from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span, opcode_start
from ptx_ls.lint.performance.written_memory import pointer_of, written_pointers
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
from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.decoding import DecodedInstruction

_LOAD: Final = "ld.global"
_NON_COHERENT: Final = ".nc"
_SPECIAL: Final = frozenset({".volatile", ".relaxed", ".acquire", ".mmio", ".weak"})
_FIRST_TARGET: Final = 35


class CacheableLoad(NamedTuple):
    """A load in a loop from memory that the kernel does not write through the same pointer.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        pointer: the parameter.
        other: the place of a load from it that is non-coherent, if there is one.
        edits: the edits that make the load non-coherent.
    """

    start: FunctionPosition
    end: FunctionPosition
    pointer: str
    other: FunctionSpan | None
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[CacheableLoad]:
    """Yields the first load in a loop from each pointer that a kernel only reads."""
    function = seen.facts.function
    target = next(filter(None, map(parse_target, seen.module.context.target)), None)
    loads = {each for each in seen.text.shapes_of(("ld",)) if each.opcode.startswith(_LOAD)}
    plain = {each for each in loads if _is_coherent(each)}
    is_kernel = function is not None and function.kind is SymbolKind.KERNEL
    if not plain or not is_kernel or target is None or target[0] < _FIRST_TARGET:
        return
    computation = Computation(seen)
    if not computation.flow.graph.loops:
        return
    written = written_pointers(seen.text, computation)
    if written is None:
        return
    yield from _found(_loads_by_pointer(computation, loads, plain, written))


class _Loads(NamedTuple):
    """The loads through one pointer: the first one with `.nc`, and others in loops.

    `movable`: the first one in a loop that stores, too.
    """

    cached: DecodedInstruction | None = None
    first: DecodedInstruction | None = None
    movable: DecodedInstruction | None = None


def _loads_by_pointer(
    computation: Computation,
    loads: AbstractSet[Shape],
    plain: AbstractSet[Shape],
    written: Mapping[AffineTerm, frozenset[int]],
) -> dict[AffineTerm, _Loads]:
    """Returns the loads through parameters that a kernel does not write through."""
    storing = frozenset(chain.from_iterable(written.values()))
    found: dict[AffineTerm, _Loads] = {}
    for shape, load in computation.by_shape(loads):
        pointer = pointer_of(computation, load)
        if pointer is None or pointer in written or pointer.kind is not TermKind.PARAMETER:
            continue
        known = found.get(pointer, _Loads())
        if shape not in plain:
            found[pointer] = known._replace(cached=known.cached or load)
        elif loops := [*computation.flow.graph.loops_around(load.block)]:
            known = known._replace(first=known.first or load)
            if any(not storing.isdisjoint(loop.blocks) for loop in loops):
                known = known._replace(movable=known.movable or load)
            found[pointer] = known
    return found


def _found(loads: Mapping[AffineTerm, _Loads]) -> Iterator[CacheableLoad]:
    for pointer, (cached, first, movable) in loads.items():
        load = first if cached is not None else movable
        if load is not None:
            other = None if cached is None else opcode_span(cached.found)
            place = position(load.found, opcode_start(load.found.text) + len(_LOAD))
            edits = (SpanEdit(place, place, _NON_COHERENT),)
            yield CacheableLoad(*opcode_span(load.found), pointer.name, other, edits)


def _is_coherent(shape: Shape) -> bool:
    modifiers = modifiers_of(shape.opcode)
    return _NON_COHERENT not in modifiers and _SPECIAL.isdisjoint(modifiers)


@rule(
    "cacheable-load",
    on=CacheableLoad,
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions("ld"),
    given=has_branches,
    in_compiler_output=None,
)
def cacheable_load(mismatch: CacheableLoad, _: RuleContext) -> Finding:
    """Reports a load without `.nc` in a loop, from memory that the kernel only reads.

    ## Why is this bad?
    A store in the loop through another pointer may write the same memory. ptxas therefore keeps the
    loads of the next iteration after that store. With `.nc`, ptxas may move the loads before the
    store, and the hardware may use the read-only cache.

    `.nc` is correct only if nothing writes the memory while the kernel runs. The severity is
    therefore hint, unless other loads through the same pointer have `.nc`.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry copy(.param .u64 from, .param .u64 to, .param .u32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [from];
        ld.param.u64 %rd2, [to];
        ld.param.u32 %r1, [count];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        mov.u32 %r2, 0;
    next:
        ld.global.f32 %f1, [%rd3];
        st.global.f32 [%rd4], %f1;
        add.s64 %rd3, %rd3, 4;
        add.s64 %rd4, %rd4, 4;
        add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, %r1;
        @%p1 bra next;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry copy(.param .u64 from, .param .u64 to, .param .u32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [from];
        ld.param.u64 %rd2, [to];
        ld.param.u32 %r1, [count];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        mov.u32 %r2, 0;
    next:
        ld.global.nc.f32 %f1, [%rd3];
        st.global.f32 [%rd4], %f1;
        add.s64 %rd3, %rd3, 4;
        add.s64 %rd4, %rd4, 4;
        add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, %r1;
        @%p1 bra next;
        ret;
    }
    ```
    """
    pointer, repairs = mismatch.pointer, (Repair("Insert `.nc`", mismatch.edits),)
    if mismatch.other is None:
        message = (
            f"this kernel does not write through `{pointer}`: if no other pointer writes the "
            "same memory, `ld.global.nc` lets ptxas move this load before stores"
        )
        return Finding(message, repairs=repairs)
    related = (Related(*mismatch.other, "this load has `.nc`"),)
    message = f"another load through `{pointer}` already has `.nc`, so this load can also have it"
    return Finding(message, severity=Severity.INFORMATION, repairs=repairs, related=related)
