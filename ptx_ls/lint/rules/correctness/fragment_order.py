"""The rule fragment-order.

Source: PTX ISA, "Warp Level Matrix Instructions". The manual does not say which elements of a
matrix a register of a `wmma` fragment holds, so only the same fragment can be used as such. The
fragments of `mma` for the accumulator have the same order as operand and as result.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.instructions.fragment_order import (
    USES,
    FragmentFault,
    FragmentSuspicion,
    suspicious_fragments,
)
from ptx_ls.semantics.instructions.fragments import OPCODES, Fragment, fragments
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow

_LOAD: Final = "ld"
_LOADING: Final = "ldmatrix"
_MULTIPLYING: Final = "mma"


class FragmentOrder(NamedTuple):
    """A fragment that is not used as it was made or used before.

    `before`: the other place, with the fragment there. `detail`: the register that is wrong, or the
    property of the fragment that differs; `other`: that of the other fragment.
    """

    fault: FragmentFault
    detail: str
    other: str
    before: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[FragmentOrder]:
    """Yields the fragments of a function that are used in another way than they were made."""
    found = [*fragments(seen.text)]
    if not any(each.form.family in USES for each in found):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for suspicion in suspicious_fragments(found):
        if _is_confirmed(flow, suspicion) and not _is_of_constant(seen, suspicion):
            start, end = _span(suspicion.fragment)
            before = _span(suspicion.before)
            detail, other = suspicion.detail, suspicion.other
            yield FragmentOrder(suspicion.fault, detail, other, before, start, end)
    for fragment in found:
        if len({*fragment.registers}) < len(fragment.registers) and not fragment.form.is_written:
            yield from _with_unread_part(flow, fragment)

    yield from _out_of_place(seen, found)


def _out_of_place(seen: CheckInput, found: Sequence[Fragment]) -> Iterator[FragmentOrder]:
    """Yields the fragments with parts that `ldmatrix` loads from another place of a matrix."""
    if not {_LOADING, _MULTIPLYING} <= {each.form.family for each in found}:
        return
    from ptx_ls.lint.addresses.loaded_matrices import LoadedMatrices  # noqa: PLC0415  as below
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    matrices = LoadedMatrices(values, is_generated=seen.is_generated)
    reported = set[tuple[str, int]]()
    for _, group in groupby(found, key=lambda each: each.found.start):
        wrong = matrices.misplaced([*group])
        if wrong is None:
            continue
        form = wrong.fragment.form
        kind = form.matrix, wrong.fragment.registers.index(wrong.register)
        if kind not in reported:  # unrolled loops repeat a mistake
            reported.add(kind)
            before = wrong.load.start, wrong.load.end
            fault, span = FragmentFault.LOADED, _span(wrong.fragment)
            yield FragmentOrder(fault, wrong.register, "", before, *span)


def _with_unread_part(flow: FunctionFlow, fragment: Fragment) -> Iterator[FragmentOrder]:
    """Yields a fragment with a register twice, loaded with one that nothing reads."""
    registers = fragment.registers
    repeated = next(each for each in registers if registers.count(each) > 1)
    read = uses_in(flow, fragment.found, READS).get(repeated)
    definition = None if read is None else flow.definition(read)
    if definition is None:
        return
    made = flow.statement(definition)
    if not isinstance(made.record, Shape) or made.record.name != _LOAD:
        return
    for name, write in uses_in(flow, made, WRITES).items():
        if name not in registers and not [*flow.readers(write)]:
            before = made.start, made.end
            yield FragmentOrder(FragmentFault.UNREAD, repeated, name, before, *_span(fragment))
            return


def _span(fragment: Fragment) -> FunctionSpan:
    found = fragment.found
    written = written_operands(found.record, found.text)[fragment.form.operand]
    return shifted(written.start, found.start), shifted(written.end, found.start)


def _is_of_constant(seen: CheckInput, suspicion: FragmentSuspicion) -> bool:
    """Whether a register that is used twice has a constant, such as the 0 of an empty sum."""
    if suspicion.fault not in (FragmentFault.SHARED, FragmentFault.REPEATED):
        return False
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    use = uses_in(values.flow, suspicion.fragment.found, READS).get(suspicion.detail)
    return use is not None and values.read(use).constant is not None


def _is_confirmed(flow: FunctionFlow, suspicion: FragmentSuspicion) -> bool:
    """Whether the registers of a fragment hold the values that another one had."""
    fragment, before = suspicion.fragment, suspicion.before
    if before.found.start == fragment.found.start:
        return True
    reads = uses_in(flow, fragment.found, READS)
    if any(name not in reads for name in fragment.registers):
        return False
    if suspicion.makers:
        made = {
            use for maker in suspicion.makers for use in uses_in(flow, maker.found, WRITES).values()
        }
        return all(flow.definition(reads[name]) in made for name in fragment.registers)
    others = uses_in(flow, before.found, READS)
    return all(
        name in others and flow.definitions(reads[name]) == flow.definitions(others[name])
        for name in fragment.registers
    )


@rule(
    "fragment-order",
    on=FragmentOrder,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*sorted(OPCODES)),
)
def fragment_order(mismatch: FragmentOrder, _: RuleContext) -> Finding:
    """Reports registers of a matrix fragment that are out of order or belong to another matrix.

    ## Why is this bad?
    The position of a register in a fragment determines which elements of the matrix it holds. If
    two registers are swapped, or come from another fragment, the product is wrong. A fragment that
    `wmma.load` loads can be used only as the same matrix, with the same shape and layout. A
    register that occurs twice in a fragment is reported if no instruction reads another register of
    the same load. If the addresses of `ldmatrix` show where the loaded matrices are, `mma` must
    take them in the order of its fragments.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f64 %fd<8>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%rd1];
        wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {%fd2}, [%rd2];
        wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%fd3, %fd4}, [%rd3];
        wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64
            {%fd5, %fd6}, {%fd1}, {%fd2}, {%fd4, %fd3};
        wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd3], {%fd5, %fd6};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f64 %fd<8>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%rd1];
        wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {%fd2}, [%rd2];
        wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%fd3, %fd4}, [%rd3];
        wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64
            {%fd5, %fd6}, {%fd1}, {%fd2}, {%fd3, %fd4};
        wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd3], {%fd5, %fd6};
        ret;
    }
    ```
    """
    detail, other = mismatch.detail, mismatch.other
    messages = {
        FragmentFault.ORDER: f"the registers of the fragment are out of order: `{detail}` is in "
        "the wrong position",
        FragmentFault.MATRIX: f"a fragment of matrix {other} is used as matrix {detail}",
        FragmentFault.SHAPE: f"the fragment was loaded for the shape `{other}`, but is used for "
        f"`{detail}`",
        FragmentFault.LAYOUT: f"the fragment was loaded as `{other}`, but is used as `{detail}`",
        FragmentFault.SEVERAL: "the registers of this operand belong to several fragments",
        FragmentFault.REPEATED: f"the fragment contains `{detail}` twice",
        FragmentFault.PART: f"`{detail}` is not in the result, unlike the other registers of the "
        "accumulator",
        FragmentFault.SHARED: f"two fragments of this instruction contain `{detail}`",
        FragmentFault.UNREAD: f"the fragment contains `{detail}` twice, but `{other}` from the "
        "same load is never read",
        FragmentFault.LOADED: f"`{detail}` is loaded from a different part of the matrix than this "
        "position in the fragment needs",
    }
    places = {
        FragmentFault.ORDER: "the registers are in another order here",
        FragmentFault.MATRIX: "the fragment is written here",
        FragmentFault.SHAPE: "the fragment is written here",
        FragmentFault.LAYOUT: "the fragment is written here",
        FragmentFault.SEVERAL: "another fragment is written here",
        FragmentFault.REPEATED: f"`{detail}` is written here",
        FragmentFault.UNREAD: "both registers are loaded here",
        FragmentFault.LOADED: f"`{detail}` is loaded here",
    }
    where = places.get(mismatch.fault, "the other fragment is here")
    related = (Related(*mismatch.before, where),)
    return Finding(messages[mismatch.fault], related=related)
