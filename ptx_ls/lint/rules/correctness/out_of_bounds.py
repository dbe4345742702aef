"""The rule out-of-bounds.

Source: PTX ISA, "Addresses as Operands". Neighbouring variables are at unspecified distances.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.addresses.check import mistaken_accesses
from ptx_ls.lint.addresses.problems import OutOfBounds
from ptx_ls.lint.addresses.words import counted, declaration
from ptx_ls.lint.declarations.declaration_notes import declaration_of
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, Repair, RuleContext, rule
from ptx_ls.semantics.declarations.stack_memory import is_allocated
from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


def find(seen: CheckInput) -> Iterator[OutOfBounds]:
    """Yields the accesses outside of variables."""
    return (each for each in mistaken_accesses(seen) if isinstance(each, OutOfBounds))


@rule(
    "out-of-bounds",
    on=(ViolationKind.OUT_OF_BOUNDS, OutOfBounds),
    severity=Severity.WARNING,
    find=find,
    given=mistaken_accesses,
)
def out_of_bounds(mismatch: InstructionMismatch | OutOfBounds, context: RuleContext) -> Finding:
    """Reports an access to memory outside of the variable to which the address points.

    ## Why is this bad?
    The bytes before and after a variable belong to other variables or to none: a load reads an
    arbitrary value, and a store changes another variable. ptxas prints a message only if the type
    of a load or store is wider than a variable that is not an array.

    An access is reported if it is always out of bounds, or out of bounds in a thread or an
    iteration that is sure to exist, such as thread 127 of a kernel with `.reqntid 128`. If the
    access is guarded by `if (i < n)`, where `i` is the index of a thread in the grid and `n` is a
    parameter, the rule assumes that all threads of some block reach the access; after
    `if (i >= 1)`, it is a block other than the first one. It also assumes that each guard and mask
    has an effect: if the guard is `if (tid <= 8)`, a block has a thread 8, and if the mask is
    `tid & 31`, a block has a thread 31. A mask or remainder of a loop counter is
    assumed to have an effect only if the counter reaches the mask or the divisor. For the remainder
    of a loaded number, as in `data % 10`, and for the mask of a hash, the severity is information,
    because the loaded numbers may all be small. The severity is also information if the
    code runs only in blocks with more threads than the variable has elements, because the kernel
    may never be launched with blocks of this size.

    The launch of a kernel sets the size of its dynamic shared memory; the rule assumes the most
    that any target allows, 232,448 bytes per block.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry last(.param .b64 result)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        .shared .b32 values[16];
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, 1;
        st.shared.b32 [values+64], %r1;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry last(.param .b64 result)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        .shared .b32 values[16];
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, 1;
        st.shared.b32 [values+60], %r1;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    if isinstance(mismatch, OutOfBounds):
        where = f"in `{mismatch.callee}`, " if mismatch.callee else ""
        related = declaration(mismatch.symbol, context)
        severity = Severity.INFORMATION if mismatch.is_assumed else None
        return Finding(f"{where}{_described(mismatch)}", severity=severity, related=related)
    found, (accessed,) = mismatch.violation.found, mismatch.violation.expected
    return Finding(
        f"{quoted(mismatch.operand)} is `{found}`, but is accessed as `{accessed}`",
        guesses=partial(_narrowed, mismatch, context),
        related=declaration_of(mismatch.operand, found, mismatch.start, context),
    )


def _described(mismatch: OutOfBounds) -> str:
    """Returns which bytes are accessed, and how many there are."""
    n_bytes, size = mismatch.n_bytes, mismatch.size
    name = quoted(mismatch.symbol.name)
    if is_allocated(mismatch.symbol):
        name = f"the memory at {name}"
    low, high = mismatch.low, mismatch.high
    most = "" if bytes_of(mismatch.symbol) is not None else "at most "
    has = f"{name}, which has {most}{counted(n_bytes)}"
    if mismatch.is_sometimes:
        end = "smallest" if low < 0 else "largest"
        access = f"the {end} offset of this {size:,}-byte access, {low:,},"
        if low < 0:
            return f"{access} is before the start of {name}"
        return f"{access} is out of bounds for {has}"
    if high < 0:
        return (
            f"offset {high:,} is before the start of {name}"
            if low == high
            else f"the offset, at most {high:,}, is before the start of {name}"
        )
    if low >= n_bytes:
        which = f"offset {low:,}" if low == high else f"the offset, at least {low:,},"
        return f"{which} is out of bounds for {has}"
    which = f"offset {low:,}" if low == high else f"an offset of at least {low:,}"
    return f"an access of {counted(size)} at {which} reaches beyond the end of {has}"


def _narrowed(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that accesses the variable with its own type, if the registers allow it."""
    found, (accessed,) = mismatch.violation.found, mismatch.violation.expected
    modifiers = isa.split_modifiers(mismatch.opcode)[1]
    index = len(modifiers) - 1 - modifiers[::-1].index(accessed)
    from ptx_ls.lint.fixes.alternatives import exchanged  # noqa: PLC0415  rarely needed

    return exchanged(mismatch, index, found, context)
