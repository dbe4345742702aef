"""The rule carry-chain.

Source: PTX ISA, "Extended-Precision Integer Arithmetic Instructions"; the machine code of ptxas
13.5, which uses one flag for carries and borrows: after a subtraction it is 1 if nothing was
borrowed. The 128-bit division of CUDA's headers reads it with `addc`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.flow.carry_flag import Carry, carry_flow
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.carry_flag import CarryRead, CarryUse
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax


_OF_TWO: Final = ("addc", "subc")
_SUMS: Final = ("add", "sub", "mad")
_WORDS: Final = ("u32", "s32", "u64", "s64")
"""Types of instructions that may write the carry flag."""
_MAX_ROWS: Final = 8
"""Number of lines before an instruction on which the statement before it may begin."""
_MIXED: Final = (Carry.CARRY, Carry.BORROW)


class CarryChain(NamedTuple):
    """An instruction that reads the carry flag, which does not hold what it needs.

    `opcode`: that instruction. `held`: what the flag holds instead. `writer`: the instruction that
    wrote it, and its place. `is_always`: whether that is so on all paths. `is_by_compiler`: whether
    a compiler wrote the module.
    """

    opcode: str
    held: Carry
    writer: str
    written: FunctionSpan | None
    is_always: bool
    start: FunctionPosition
    end: FunctionPosition
    is_by_compiler: bool


class UsedCarry(NamedTuple):
    """An instruction that reads a carry which another one has added, without setting a new one.

    `opcode`: that instruction. `before`: the other one, and its place. `plain`: the instruction
    that should set a new carry if the other one only takes a copy of the old one, or "".
    """

    opcode: str
    before: str
    plain: str
    used: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[CarryChain | UsedCarry]:
    """Yields the instructions of a function that read a carry flag of something else."""
    reads = carry_flow(seen.function, seen.module.never_returning).reads
    for before, read in pairwise(reads):
        is_used = before.use.leaves is None and before.writers == read.writers
        if is_used and {*read.held} <= {*_MIXED}:
            yield from _used(seen, before.use, read.use)
    for read in reads:
        allowed = {*_MIXED} if _only_shifts(read.use) else {read.use.wants}
        wrong = sorted(read.held - allowed, key=lambda held: held.value)
        if wrong:
            yield _wrong(read, wrong[0], is_by_compiler=seen.is_generated)


def _used(seen: CheckInput, before: CarryUse, use: CarryUse) -> Iterator[UsedCarry]:
    """Yields a read of a carry that another one before it, on all paths, adds to a number.

    An instruction that only makes a number of the carry is not enough: then, a sum without `.cc`
    must be directly before the read.
    """
    if before.guard or use.guard:
        return
    plain = ""
    if _only_shifts(before):
        plain = "" if _only_shifts(use) else _sum_before(seen, before, use)
        if not plain:
            return
    flow = function_flow(seen.function, seen.module.never_returning)
    first, second = (flow.block_at(each.found.start) for each in (before, use))
    is_after = first == second or (not plain and flow.blocks.dominators.dominates(first, second))
    if is_after:
        span = opcode_span(before)
        yield UsedCarry(use.opcode, before.opcode, plain, span, *opcode_span(use))


def _sum_before(seen: CheckInput, before: CarryUse, use: CarryUse) -> str:
    """Returns the opcode of a sum directly before an instruction, which may lack `.cc`.

    "" if there is none, or if it is another sum: of other words, of the carry that `before` has
    made a number, or of a constant as in an address or a counter.
    """
    found, read = _statement_before(seen, use.found), use.found.record
    record = None if found is None else found.record
    if found is None or not isinstance(record, Shape) or not isinstance(read, Shape):
        return ""
    is_whole = ".cc" not in record.opcode and record.opcode.endswith(_WORDS)
    if not is_whole or ".hi" in record.opcode or record.opcode[-2:] != read.opcode[-2:]:
        return ""
    if record.name not in _SUMS or record.guard:
        return ""
    own, others = _sources(found), _sources(use.found)
    is_counter = own[-1].form is OperandForm.INTEGER is not others[-1].form
    return "" if is_counter or _result(before.found) in {each.text for each in own} else record.name


def _statement_before(seen: CheckInput, found: Found) -> Found | None:
    row = found.start[0]
    near = seen.text.statements(range(max(0, row - _MAX_ROWS), row + 1))
    return max((each for each in near if each.start < found.start), default=None, key=_start)


def _start(found: Found) -> FunctionPosition:
    return found.start


def _sources(found: Found) -> tuple[OperandSyntax, ...]:
    """Returns the operands of a statement after its result."""
    record = found.record
    return written_operands(record, found.text)[1:] if isinstance(record, Shape) else ()


def _result(found: Found) -> str:
    record = found.record
    return written_operands(record, found.text)[0].text if isinstance(record, Shape) else ""


def _only_shifts(use: CarryUse) -> bool:
    """Whether both operands are the same, which makes a number of the flag or shifts it in."""
    found = use.found
    if not isinstance(found.record, Shape) or use.opcode not in _OF_TWO:
        return False
    first, second = [each.text for each in written_operands(found.record, found.text)][-2:]
    return first == second


def _wrong(read: CarryRead, held: Carry, *, is_by_compiler: bool) -> CarryChain:
    writer = next((each for each in read.writers if each.leaves is held), None)
    record = None if writer is None else writer.found.record
    name = record.opcode if isinstance(record, Shape) else ""
    start, end = opcode_span(read.use)
    written = None if writer is None else opcode_span(writer)
    is_always = len(read.held) == 1
    return CarryChain(read.use.opcode, held, name, written, is_always, start, end, is_by_compiler)


def opcode_span(use: CarryUse) -> FunctionSpan:
    """Returns the place of the opcode, without modifiers, of an instruction."""
    offset = use.found.text.index(use.opcode)
    return position(use.found, offset), position(use.found, offset + len(use.opcode))


@rule(
    "carry-chain",
    on=(CarryChain, UsedCarry),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("addc", "subc", "madc"),
)
def carry_chain(mismatch: CarryChain | UsedCarry, _: RuleContext) -> Finding:
    """Reports a carry flag that is read but never set, or was set by the opposite operation.

    ## Why is this bad?
    `addc`, `madc` and `subc` read the carry flag, which only instructions with `.cc` write. Before
    the first such instruction, the flag has no value. A call may change the flag.

    An addition that reads the flag of a subtraction usually adds the wrong bit, because `sub.cc`
    sets the flag to 1 if nothing was borrowed. Likewise, a subtraction that reads the flag of an
    addition usually subtracts the wrong bit. Such a read is reported as information, and so is a
    flag that is not set on some paths; both are hints in compiler output, where a condition often
    rules these paths out. Two instructions that add the same carry are also reported as
    information, because the first one probably lacks `.cc`. An addition of two equal operands, such
    as `addc.u32 %r1, %r2, %r2`, shifts the flag into the result and is not reported.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 a, .param .b32 b)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [a];
        ld.param.b32 %r2, [b];
        add.u32 %r3, %r1, %r2;
        addc.u32 %r4, %r1, 0;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 a, .param .b32 b)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [a];
        ld.param.b32 %r2, [b];
        add.cc.u32 %r3, %r1, %r2;
        addc.u32 %r4, %r1, 0;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```
    """
    if isinstance(mismatch, UsedCarry):
        flag = "borrow" if mismatch.opcode.startswith("sub") else "carry"
        if mismatch.plain:
            return Finding(
                f"this `{mismatch.opcode}` uses an earlier {flag} again, and not that of the "
                f"`{mismatch.plain}` before it, which lacks `.cc`",
                severity=Severity.INFORMATION,
                related=(Related(*mismatch.used, f"the {flag} is used here"),),
            )
        return Finding(
            f"this `{mismatch.opcode}` uses the {flag} that an earlier `{mismatch.before}` has "
            f"already used: the earlier instruction lacks `.cc`, so it writes no new {flag}",
            severity=Severity.INFORMATION,
            related=(Related(*mismatch.used, f"the {flag} is used here"),),
        )
    opcode, writer = mismatch.opcode, mismatch.writer
    messages = {
        Carry.UNSET: f"`{opcode}` reads the carry flag, but no instruction with `.cc` sets it",
        Carry.LOST: f"`{opcode}` reads the carry flag after a call, but calls do not "
        "preserve the flag",
        Carry.BORROW: f"`{opcode}` adds a carry, but the carry flag holds the borrow of `{writer}`",
        Carry.CARRY: f"`{opcode}` subtracts a borrow, but the carry flag holds the carry of "
        f"`{writer}`",
    }
    related: tuple[Related, ...] = ()
    if mismatch.written is not None and mismatch.held is not Carry.UNSET:
        related = (Related(*mismatch.written, "the carry flag is written here"),)
    message = messages[mismatch.held]
    severity = Severity.WARNING
    if not mismatch.is_always:
        message, severity = f"on some paths, {message}", Severity.INFORMATION
    if mismatch.held in _MIXED:
        severity = Severity.INFORMATION
    if mismatch.is_by_compiler and severity is Severity.INFORMATION:
        severity = Severity.HINT
    return Finding(message, severity=severity, related=related)
