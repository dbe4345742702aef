"""The rule scalar-accesses.

Source: the machine code of ptxas 13.5, which merges neighbouring accesses to shared and constant
memory, but none to global memory; PTX ISA, "Vectors" and "ld".
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.neighbours import element_size, neighbours
from ptx_ls.lint.performance.replacing import replacement
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
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.performance.neighbours import ElementAccess

_OPCODES: Final = ("ld", "st")


class ScalarAccesses(NamedTuple):
    """Accesses to neighbouring elements.

    Attributes:
        start: where the opcode of the first one in the text begins.
        end: where it ends.
        opcode: this opcode.
        vector: the opcode of an access to all of them.
        others: the places of the others.
        alignment: the alignment of the address in bytes.
        edits: the edits that write the access to all, if nothing is between them.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    vector: str
    others: tuple[FunctionSpan, ...]
    alignment: int
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[ScalarAccesses]:
    """Yields the accesses to neighbouring elements of global memory in a function."""
    if not any(map(element_size, seen.text.shapes_of(_OPCODES))):
        return
    computation = Computation(seen)
    for elements in neighbours(seen.text, computation):
        shape = elements[0].shape
        spans = sorted(opcode_span(each.instruction.found) for each in elements)
        head, dot, type_ = shape.opcode.rpartition(".")
        vector = f"{head}.v{len(elements)}{dot}{type_}"
        alignment = len(elements) * elements[0].size
        edits = _edits(elements, vector)
        yield ScalarAccesses(*spans[0], shape.opcode, vector, tuple(spans[1:]), alignment, edits)


def _edits(elements: Sequence[ElementAccess], vector: str) -> tuple[SpanEdit, ...]:
    """Returns the edits that write one access in place of several; () if that is not certain."""
    in_order = sorted(elements, key=lambda each: each.ordinal)
    follow = all(after.ordinal == before.ordinal + 1 for before, after in pairwise(in_order))
    registers = [each.register for each in elements]
    if not follow or len(set(registers)) < len(registers):
        return ()
    is_load = elements[0].shape.name == "ld"
    if is_load and not set(names_in(elements[0].address)).isdisjoint(registers):
        return ()
    group, address = f"{{{', '.join(registers)}}}", elements[0].address
    operands = f"{group}, {address}" if is_load else f"{address}, {group}"
    first, *others = [each.instruction.found for each in in_order]
    edits = replacement(first, [f"{vector} {operands}"])
    if not edits or any(found.start[0] != first.start[0] + n for n, found in enumerate(others, 1)):
        return ()
    ends = [first.end, *[found.end for found in others]]
    return (*edits, *[SpanEdit(before, after, "") for before, after in pairwise(ends)])


@rule(
    "scalar-accesses",
    on=ScalarAccesses,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def scalar_accesses(mismatch: ScalarAccesses, _: RuleContext) -> Finding:
    """Reports accesses to neighbouring elements of global memory that could be one vector access.

    ## Why is this bad?
    ptxas merges such accesses to shared memory, but not to global memory, even if the address is
    aligned. Four scalar loads need four times as many instructions and cache requests as one vector
    load.

    The address counts as aligned if it comes from a variable with `.align`, or from a parameter
    declared `.ptr .global .align`, and if each offset that is added to it is a multiple of the
    vector size.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry sum(.param .u64 .ptr .global .align 16 pairs, .param .u64 result)
    {
        .reg .f32 %f<4>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [pairs];
        ld.param.u64 %rd2, [result];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        ld.global.f32 %f1, [%rd3];
        ld.global.f32 %f2, [%rd3+4];
        add.f32 %f3, %f1, %f2;
        st.global.f32 [%rd4], %f3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry sum(.param .u64 .ptr .global .align 16 pairs, .param .u64 result)
    {
        .reg .f32 %f<4>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [pairs];
        ld.param.u64 %rd2, [result];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        ld.global.v2.f32 {%f1, %f2}, [%rd3];
        add.f32 %f3, %f1, %f2;
        st.global.f32 [%rd4], %f3;
        ret;
    }
    ```
    """
    count, opcode, vector = len(mismatch.others) + 1, mismatch.opcode, mismatch.vector
    message = (
        f"{count} `{opcode}` instructions access neighbouring elements, at an address aligned to "
        f"{mismatch.alignment} bytes: one `{vector}` does the same work"
    )
    related = tuple(
        Related(*each, "this instruction accesses a neighbouring element")
        for each in mismatch.others
    )
    repairs = (Repair(f"Replace with one `{vector}`", mismatch.edits, Applicability.CERTAIN),)
    return Finding(message, repairs=repairs if mismatch.edits else (), related=related)
