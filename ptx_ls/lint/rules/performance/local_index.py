"""The rule local-index.

Source: PTX ISA, "Local State Space"; the machine code of ptxas 13.5, which keeps an array in
registers if all its indices are constants, also after it unrolls loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.declarations.module_memory import size_of
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("ld", "st")
_SPACE: Final = ".local"
_SMALL: Final = 32
"""Size in bytes of arrays whose elements are selected fast."""


class LocalIndex(NamedTuple):
    """An access to an array in local memory with an index that is not a constant.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        name: the array.
        written: the index as a sum.
        declared: where the function declares the array.
    """

    start: FunctionPosition
    end: FunctionPosition
    name: str
    written: str
    declared: FunctionSpan


def find(seen: CheckInput) -> Iterator[LocalIndex]:
    """Yields the first access to each local array of a function with an index in a register."""
    arrays = [each for each in seen.facts.declared if each.space == _SPACE]
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _SPACE in modifiers_of(each.opcode)}
    if not shapes or all(size_of(each) <= _SMALL for each in arrays):
        return
    computation = Computation(seen)
    indexed: dict[Symbol, tuple[DecodedInstruction, AffineForm]] = {}
    variable: set[Symbol] = set()
    for instruction in computation.instructions(shapes):
        form = _address(computation, instruction)
        symbol = None if form is None or form.base is None else form.base.symbol
        if form is None or symbol is None or size_of(symbol) <= _SMALL:
            continue
        if _is_variable(form.index):
            indexed.setdefault(symbol, (instruction, form.index))
        if instruction.name == "st" and not _stores_constant(computation, instruction):
            variable.add(symbol)
    for symbol, (instruction, index) in indexed.items():
        if symbol in variable:
            span, declared = opcode_span(instruction.found), (symbol.start, symbol.end)
            yield LocalIndex(*span, symbol.name, str(index), declared)


def _address(computation: Computation, instruction: DecodedInstruction) -> AffineForm | None:
    """Returns the address of an access, as far as it is known."""
    for number, operand in enumerate(instruction.operands):
        if operand.form is OperandForm.ADDRESS:
            return computation.values.address(instruction.found, number).affine
    return None


def _is_variable(form: AffineForm) -> bool:
    """Whether a form is not a constant even after loops are unrolled."""
    return any(term.kind is not TermKind.COUNTER for term, _ in form.terms)


def _stores_constant(computation: Computation, instruction: DecodedInstruction) -> bool:
    """Whether a store writes a constant."""
    stored = instruction.operands[-1]
    if stored.form is OperandForm.VECTOR:
        return False
    if computation.number(instruction, stored) is not None:
        return True
    value = computation.values.operand(instruction.found, 1)
    is_known = value.affine is not None and not _is_variable(value.affine)
    return is_known or value.constant is not None


@rule(
    "local-index",
    on=LocalIndex,
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def local_index(mismatch: LocalIndex, _: RuleContext) -> Finding:
    """Reports an array in local memory that is accessed with an index known only at run time.

    ## Why is this bad?
    Registers have no addresses. ptxas keeps an array in registers if each index is a constant,
    perhaps only after it unrolls a loop. Otherwise, ptxas compares the index with the position of
    each element, or keeps the array in local memory, which is as slow as global memory.

    Arrays of at most 32 bytes are not reported, nor are tables of constants, which ptxas moves to
    constant memory. Consider putting larger arrays in `.shared`.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry pick(.param .u64 values, .param .u64 result, .param .u32 which)
    {
        .local .align 4 .b32 copy[16];
        .reg .pred %p<2>;
        .reg .b32 %r<9>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [values];
        ld.param.u64 %rd2, [result];
        ld.param.u32 %r1, [which];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        mov.u32 %r2, copy;
        mov.u32 %r3, 0;
    fill:
        ld.global.nc.u32 %r4, [%rd3];
        shl.b32 %r5, %r3, 2;
        add.u32 %r6, %r2, %r5;
        st.local.u32 [%r6], %r4;
        add.s64 %rd3, %rd3, 4;
        add.u32 %r3, %r3, 1;
        setp.lt.u32 %p1, %r3, 16;
        @%p1 bra fill;
        and.b32 %r7, %r1, 15;
        shl.b32 %r7, %r7, 2;
        add.u32 %r7, %r2, %r7;
        ld.local.u32 %r8, [%r7];
        st.global.u32 [%rd4], %r8;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry pick(.param .u64 values, .param .u64 result, .param .u32 which)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<6>;
        ld.param.u64 %rd1, [values];
        ld.param.u64 %rd2, [result];
        ld.param.u32 %r1, [which];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        and.b32 %r2, %r1, 15;
        mul.wide.u32 %rd5, %r2, 4;
        add.s64 %rd5, %rd3, %rd5;
        ld.global.u32 %r3, [%rd5];
        st.global.u32 [%rd4], %r3;
        ret;
    }
    ```
    """
    name = mismatch.name
    message = (
        f"the index `{mismatch.written}` of `{name}` is known only at run time, so ptxas must keep "
        "the array in local memory, or compare the index with that of each element"
    )
    return Finding(message, related=(Related(*mismatch.declared, "the array is declared here"),))
