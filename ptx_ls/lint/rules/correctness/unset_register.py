"""The rule unset-register.

Source: PTX ISA, "Register State Space": a register has no initial value.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.flow.discarded_values import is_discarded
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.lint.candidates.computation import has_results_in_memory, has_unset_registers
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.syntax.written.names import names_of
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found

_CLEARING: Final = ("xor", "sub")
"""Opcodes whose result does not depend on their operands if both are the same."""
_ACCUMULATING: Final = ("wgmma",)
"""Opcodes with an operand that says whether they read their accumulators."""
_SPARSE: Final = ".sp."
_SCALE: Final = 3
"""The number of that operand, `scale-d`."""
_SCALE_AFTER_METADATA: Final = 5
_SHUFFLE: Final = "shfl"
_MAX_UNCERTAIN: Final = 50
"""Number of reads of a function whose paths are followed; people write fewer that are unclear."""
_PROBLEMS: Final = attrgetter("problems")
_MARK: Final = "// implicit-def: "
"""The comment by which a compiler says that a register has no value on purpose."""


class UnsetRegister(NamedTuple):
    """The first read of a register that may have no value then.

    `is_always`: whether it never has one when the instruction first runs. `is_guard`: whether it is
    a guard. `written`: the first instruction that writes the register.
    """

    register: str
    start: FunctionPosition
    end: FunctionPosition
    is_always: bool
    is_guard: bool
    written: FunctionSpan | None


class UnsetResult(NamedTuple):
    """A register, or a variable in .param, that a function returns and nothing in it writes.

    `is_always`: whether no path writes it.
    """

    register: str
    start: FunctionPosition
    end: FunctionPosition
    is_always: bool = True


def find(seen: CheckInput) -> Iterator[UnsetRegister | UnsetResult]:
    """Yields the first read of each register that is read before anything writes it."""
    if not seen.text.shapes or any(map(_PROBLEMS, seen.text.distinct)):
        return  # what cannot be read may write registers
    flow = function_flow(seen.function, seen.module.never_returning)
    is_generated, reported = seen.is_generated, {*flow.registers.parameters}
    discarded, never = set[int](), _never_set(flow)
    for use in sorted(never):
        code = flow.uses.codes[use]
        if code in reported or code in discarded:
            continue
        if _is_exempt(seen, flow, use):
            continue
        if is_discarded(flow, use, is_generated=is_generated, is_always=True):
            discarded.add(code)
            if not _is_forgotten(flow, use, is_generated=is_generated):
                continue
            yield _unset(flow, use, is_always=False)
        else:
            yield _unset(flow, use, is_always=True)
        reported.add(code)
    if not is_generated:  # compilers let registers be unset on paths where nothing needs them
        yield from _on_some_path(seen, flow, reported, never)
    yield from _results(flow)
    if has_results_in_memory(seen):
        yield from _results_in_memory(seen)


def _results_in_memory(seen: CheckInput) -> Iterator[UnsetResult]:
    from ptx_ls.lint.calls.unwritten_results import unwritten_results  # noqa: PLC0415  for few

    for symbol, span, returned in unwritten_results(seen):
        place = returned or span
        yield UnsetResult(symbol.name, *place, returned is None)


def _never_set(flow: FunctionFlow) -> set[int]:
    """Returns the reads that find no value when the code of their block first runs.

    A guard may keep an instruction from running until a later iteration, so a guarded read does not
    count if the loop writes the register after it.
    """
    return {use for use in flow.trace.never if not _may_run_later(flow, use)}


def _may_run_later(flow: FunctionFlow, use: int) -> bool:
    if flow.index.guard(use) is None or flow.uses.ways[use] & GUARDS:
        return False
    return bool(flow.definitions(use).writes)


def _on_some_path(
    seen: CheckInput, flow: FunctionFlow, reported: set[int], never: set[int]
) -> Iterator[UnsetRegister]:
    """Yields the first read of each register that some paths reach before they write it."""
    uses = sorted({*flow.trace.unset}.difference(never))
    for use in uses[:_MAX_UNCERTAIN]:
        code = flow.uses.codes[use]
        if code in reported or _is_exempt(seen, flow, use) or _is_sent(flow, use):
            continue
        if flow.registers.bank(code).vector_size > 1:
            continue  # other instructions write its elements one by one
        if flow.may_be_unset(use) and not is_discarded(flow, use, is_generated=False):
            reported.add(code)
            yield _unset(flow, use, is_always=False)


def _is_sent(flow: FunctionFlow, use: int) -> bool:
    """Whether `shfl` sends a register to other lanes, which may use that of another lane."""
    found = flow.statement(use)
    record = found.record
    if not isinstance(record, Shape) or record.name != _SHUFFLE:
        return False
    _, sent, *_ = (*written_operands(record, found.text), None, None)
    return sent is not None and sent.text == flow.name_of(use)


def _is_forgotten(flow: FunctionFlow, use: int, *, is_generated: bool) -> bool:
    """Whether nothing ever writes a register that is only read where `selp` may leave it out.

    Compilers do not write padding, but they do not choose between a value and a register without.
    """
    if flow.chain(flow.uses.codes[use]).all_writes:
        return False
    return not is_generated or is_discarded(
        flow, use, is_generated=False, is_always=True, only_selected=True
    )


def _results(flow: FunctionFlow) -> Iterator[UnsetResult]:
    for code in sorted(flow.registers.results):
        is_written = any(flow.uses.ways[use] & ~READS for use in flow.index.of(code))
        returns = "ret" in flow.graph.leaves.values()
        if returns and not is_written:
            symbol = flow.registers.bank(code)
            yield UnsetResult(symbol.name, symbol.start, symbol.end)


def _unset(flow: FunctionFlow, use: int, *, is_always: bool) -> UnsetRegister:
    (start, end), access = name_span(flow, use)
    writes = flow.chain(flow.uses.codes[use]).all_writes
    written = None
    if writes:
        found = flow.statement(writes[0])
        written = found.start, found.end
    return UnsetRegister(access.name, start, end, is_always, access.access.is_guard, written)


def _is_exempt(seen: CheckInput, flow: FunctionFlow, use: int) -> bool:
    """Whether an instruction may read a register without a value."""
    return _is_indifferent(seen, flow, use) or (seen.is_generated and _is_marked(flow, use))


def _is_indifferent(seen: CheckInput, flow: FunctionFlow, use: int) -> bool:
    """Whether the result of an instruction may not depend on a value that it reads."""
    found, code = flow.statement(use), flow.uses.codes[use]
    record = found.record
    if not isinstance(record, Shape):
        return False
    if record.name in _ACCUMULATING:
        uses = flow.index.statement(use)
        written = (each for each in uses if flow.uses.ways[each] & WRITES)
        is_accumulator = any(flow.uses.codes[each] == code for each in written)
        return is_accumulator and not _is_added_to(seen, found, record)
    *_, first, second = ["", "", *names_of(record, found.text)]
    return record.name in _CLEARING and first == second


def _is_added_to(seen: CheckInput, found: Found, record: Shape) -> bool:
    """Whether a product of matrices is surely added to its accumulators: `scale-d` is true."""
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  rarely needed

    number = _SCALE_AFTER_METADATA if _SPARSE in record.opcode else _SCALE
    if number >= len(record.operands) or record.operands[number].negation:
        return False
    scale = function_values(seen.function, seen.module).operand(found, number)
    return scale.constant not in (None, 0)


def _is_marked(flow: FunctionFlow, use: int) -> bool:
    """Whether a comment says that a register has no value on purpose."""
    return flow.has_text(f"{_MARK}{flow.name_of(use)}\n")


@rule(
    "unset-register",
    on=(UnsetRegister, UnsetResult),
    severity=Severity.WARNING,
    find=find,
    given=has_unset_registers,
)
def unset_register(mismatch: UnsetRegister | UnsetResult, _: RuleContext) -> Finding:
    """Reports a register that is read before anything writes it.

    ## Why is this bad?
    A register has no initial value, so the instruction reads an arbitrary value that the hardware
    register contains. ptxas does not report this.

    A register that is written only after the read, for example at the end of a loop, is also
    reported if the first read always comes before the first write. If only some paths to the read
    write the register, the read is reported as information. Paths on which the same predicate would
    have to be both true and false are ignored, and so are reads whose results are used only by
    instructions that do not run on these paths. The source of `shfl` needs a value only in the
    lanes that other lanes read.

    A result of a function in `.param` is treated in the same way: it has no value if no path to a
    `ret` writes it. If only some paths do, the `ret` is reported as information.

    Compilers leave a register without a value where no result depends on it: a `selp` operand that
    is not selected, the padding of a structure or vector, or the unused half of a pair. These reads
    are not reported.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry sum(.param .b64 values, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .f32 %f<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [values];
        ld.param.b32 %r1, [count];
        mov.b32 %r2, 0;
    next:
        ld.global.f32 %f1, [%rd1];
        add.f32 %f2, %f2, %f1;
        add.s64 %rd1, %rd1, 4;
        add.s32 %r2, %r2, 1;
        setp.lt.s32 %p1, %r2, %r1;
        @%p1 bra next;
        st.global.f32 [%rd1], %f2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry sum(.param .b64 values, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .f32 %f<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [values];
        ld.param.b32 %r1, [count];
        mov.b32 %r2, 0;
        mov.f32 %f2, 0f00000000;
    next:
        ld.global.f32 %f1, [%rd1];
        add.f32 %f2, %f2, %f1;
        add.s64 %rd1, %rd1, 4;
        add.s32 %r2, %r2, 1;
        setp.lt.s32 %p1, %r2, %r1;
        @%p1 bra next;
        st.global.f32 [%rd1], %f2;
        ret;
    }
    ```
    """
    name = mismatch.register
    if isinstance(mismatch, UnsetResult):
        if mismatch.is_always:
            return Finding(f"result `{name}` has no value: nothing in this function writes it")
        return Finding(
            f"on some paths, nothing writes the result `{name}` before this `ret`",
            severity=Severity.INFORMATION,
        )
    what = "guard" if mismatch.is_guard else "register"
    if mismatch.written is None:
        return Finding(
            f"{what} `{name}` has no value: nothing in this function writes it",
            severity=None if mismatch.is_always else Severity.INFORMATION,
        )
    written = (Related(*mismatch.written, f"`{name}` is written only here"),)
    if mismatch.is_always:
        return Finding(f"{what} `{name}` is read here before anything writes it", related=written)
    return Finding(
        f"{what} `{name}` may have no value here: at least one path from the start of the function "
        "to this instruction does not write it",
        severity=Severity.INFORMATION,
        related=written,
    )
