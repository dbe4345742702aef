"""The rule overflow-before-widening.

Source: PTX ISA, "mul": `.lo` keeps the low half of the product, `.wide` all of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.sources import may_read, record_of, writes_of
from ptx_ls.flow.slices.statement_reads import statements_reading, uses_at
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.addresses.wrapped_indices import OPCODES, WrappedIndex, wrapped_indices
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
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record
    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_WIDENINGS: Final = {"cvt.s64.s32": ".s32", "cvt.u64.u32": ".u32", "cvt.s64.u32": ".u32"}
"""The type that each conversion reads."""
_SHIFT: Final = "shl.b32"
_PRODUCTS: Final = ("mul.lo.s32", "mul.lo.u32", "mad.lo.s32", "mad.lo.u32")
_OPERANDS: Final = ("product", "factor", "scale")
_SCALING: Final = (_SHIFT, *_PRODUCTS)
_WIDE_SCALING: Final = frozenset(
    {"shl.b64", "mul.lo.s64", "mul.lo.u64", "mad.lo.s64", "mad.lo.u64"}
)
_WIDE_SUMS: Final = frozenset({"add.s64", "add.u64", "sub.s64", "or.b64"})
_MAX_SCALE: Final = 1 << 6
"""Maximum size of an element; larger factors are those of tiles and rows, counted in elements."""
_LIMITS: Final = {".s32": (1 << 31) - 1, ".u32": (1 << 32) - 1}
_MAX_DEPTH: Final = 3
"""Maximum number of products that are followed, one to the next."""
_NARROW: Final = 32
_COMPARISON: Final = "setp"
_ORDERS: Final = frozenset({".lt", ".le", ".gt", ".ge", ".lo", ".ls", ".hi", ".hs"})
"""Comparisons of a number with a limit."""
_BLOCK: Final = "%ctaid"
"""The special register whose range only the launch limits."""


class OverflowBeforeWidening(NamedTuple):
    """A product of 32 bits that is made a number of 64 bits after it may have overflowed.

    `factor`: the index. `scale`: the size of an element. `widened`: the conversion. `repair`: a
    multiplication that gives 64 bits, in its place, or "".
    """

    factor: str
    scale: int
    type: str
    start: FunctionPosition
    end: FunctionPosition
    widened: FunctionSpan
    repair: str


def find(seen: CheckInput) -> Iterator[OverflowBeforeWidening | WrappedIndex]:
    """Yields the numbers of a function that overflow before they are widened."""
    yield from wrapped_indices(seen)
    yield from _products(seen)


def _products(seen: CheckInput) -> Iterator[OverflowBeforeWidening]:
    """Yields the products of a function that may overflow before they are widened."""
    shapes = {each for each in seen.text.shapes_of(("cvt",)) if each.opcode in _WIDENINGS}
    scaling = {each for each in seen.text.shapes_of(("shl", "mul", "mad")) if _is_scaling(each)}
    if not shapes or not scaling:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    reported: set[FunctionPosition] = set()

    @cache  # in a body that repeats, each register has many writes and reads
    def is_scaled(code: int) -> bool:
        is_product = any(_is_scaling(record_of(flow, each)) for each in writes_of(flow, code))
        return is_product and may_read(flow, code, _BLOCK)

    reading = statements_reading(
        flow,
        seen.text.with_shapes(shapes),
        lambda use: is_scaled(flow.uses.codes[use]),
        seen.text.with_shapes(scaling),
    )
    for found in reading:
        if found.record in shapes:
            made = _definition(flow, found)
            mismatch = None if made is None else _mismatch(seen, made, found)
            if made is None or mismatch is None:
                continue
            is_open = not (_is_limited(flow, made) or _is_count(flow, found))
            if is_open and mismatch.start not in reported:
                reported.add(mismatch.start)
                yield mismatch


def _values_of(seen: CheckInput) -> FunctionValues:
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    return function_values(seen.function, seen.module)


def _definition(flow: FunctionFlow, found: Found) -> Found | None:
    """Returns the multiplication whose product a conversion reads, if it is one."""
    uses = uses_at(flow, found)
    if not uses or flow.index.guard(uses.start) is not None:
        return None
    use = next((each for each in uses if flow.uses.ways[each] & READS), None)
    if use is None:
        return None
    writes = [*writes_of(flow, flow.uses.codes[use])]
    write = writes[0] if len(writes) == 1 else flow.definition(use)
    if write is None:
        return None
    made = flow.statement(write)
    return made if _is_scaling(made.record) else None


def _is_scaling(record: Record) -> bool:
    """Whether an instruction multiplies by a constant."""
    is_shape = isinstance(record, Shape) and record.opcode in _SCALING
    operands = record.operands if is_shape and isinstance(record, Shape) else ()
    return len(operands) >= len(_OPERANDS) and operands[2].form is OperandForm.INTEGER


def _is_limited(flow: FunctionFlow, made: Found) -> bool:
    """Whether the product itself is compared with a limit, by which the launch is computed, too."""
    return any(
        isinstance(record := record_of(flow, read), Shape)
        and record.name == _COMPARISON
        and not _ORDERS.isdisjoint(modifiers_of(record.opcode))
        for write in uses_in(flow, made, WRITES).values()
        for read in flow.readers(write)
    )


def _is_count(flow: FunctionFlow, widened: Found, depth: int = _MAX_DEPTH) -> bool:
    """Whether a number is scaled after it is widened: it counts elements, such as those of rows."""
    readers = [
        read for write in uses_in(flow, widened, WRITES).values() for read in flow.readers(write)
    ]
    for found in map(flow.statement, readers):
        if isinstance(found.record, Shape):
            if found.record.opcode in _WIDE_SCALING:
                return True
            is_sum = found.record.opcode in _WIDE_SUMS
            if is_sum and depth and _is_count(flow, found, depth - 1):
                return True
    return False


def _mismatch(seen: CheckInput, made: Found, widened: Found) -> OverflowBeforeWidening | None:
    """Returns the product if its factor may be so large that it overflows."""
    if not isinstance(made.record, Shape) or not isinstance(widened.record, Shape):
        return None
    operands = written_operands(made.record, made.text)
    if len(operands) < len(_OPERANDS) or operands[1].form is not OperandForm.IDENTIFIER:
        return None
    scale = _scale(made.record.opcode, operands[2].text)
    if scale is None:
        return None
    values = _values_of(seen)
    index = values.operand(made, 1)
    type_ = _WIDENINGS[widened.record.opcode]
    limit = _LIMITS[type_]
    form = index.affine
    if index.is_impossible or form is None:
        return None
    if not any(_is_of_block(it, values, _MAX_DEPTH) for it, _ in form.terms):
        return None
    if index.high * scale <= limit:
        return None
    target = written_operands(widened.record, widened.text)[0].text
    repair = ""
    if len(operands) == len(_OPERANDS):
        repair = f"mul.wide{type_} {target}, {operands[1].text}, {scale};"
    start, end = (shifted(it, made.start) for it in (operands[1].start, operands[2].end))
    return OverflowBeforeWidening(
        operands[1].text, scale, type_, start, end, (widened.start, widened.end), repair
    )


def _scale(opcode: str, text: str) -> int | None:
    """Returns the constant by which an instruction multiplies, if it is the size of an element."""
    value = integer(text)
    if value is None:
        return None
    scale = 1 << min(value, 32) if opcode == _SHIFT else value
    return scale if 1 < scale <= _MAX_SCALE else None


def _is_of_block(term: AffineTerm, values: FunctionValues, depth: int) -> bool:
    """Whether a term grows with the number of blocks, perhaps as a factor of another product."""
    if term.kind is TermKind.PRODUCT:
        return any(_is_of_block(it, values, depth) for it in term.factors)
    if term.kind is TermKind.SPECIAL:
        return term.name.startswith(_BLOCK)
    if term.kind is not TermKind.DEFINITION or term.width != _NARROW or not depth:
        return False
    made = values.flow.statement(term.definitions[0])
    if not isinstance(made.record, Shape) or made.record.opcode not in _PRODUCTS:
        return False
    forms = [values.operand(made, number).affine for number in range(1, len(made.record.operands))]
    terms = [it for form in forms if form is not None for it, _ in form.terms]
    return any(_is_of_block(it, values, depth - 1) for it in terms)


@rule(
    "overflow-before-widening",
    on=(OverflowBeforeWidening, WrappedIndex),
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*OPCODES),
)
def overflow_before_widening(
    mismatch: OverflowBeforeWidening | WrappedIndex, _: RuleContext
) -> Finding:
    """Reports a 32-bit product of an index that is extended to a 64-bit offset afterwards.

    ## Why is this bad?
    The product of the index and the element size overflows before the index does: for 4-byte
    elements, from index 1,073,741,824 on. `cvt` then widens a wrong offset, so the access goes to
    another element. `mul.wide` keeps all bits of the product and saves an instruction.

    An index is reported only if it depends on the block index, because other indices rarely become
    that large, and only if it is scaled to bytes: a product that is scaled again after `cvt` is a
    number of elements, such as the start of a row. An index that certainly becomes too large for 32
    bits in a loop is reported as a warning.

    ## Example
    ```ptx
    .visible .entry clear(.param .u64 values)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mad.lo.u32 %r4, %r1, %r2, %r3;
        shl.b32 %r4, %r4, 2;
        cvt.u64.u32 %rd2, %r4;
        add.u64 %rd2, %rd1, %rd2;
        st.global.u32 [%rd2], 0;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry clear(.param .u64 values)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mad.lo.u32 %r4, %r1, %r2, %r3;
        mul.wide.u32 %rd2, %r4, 4;
        add.u64 %rd2, %rd1, %rd2;
        st.global.u32 [%rd2], 0;
        ret;
    }
    ```
    """
    if isinstance(mismatch, WrappedIndex):
        return Finding(
            f"`{mismatch.register}` overflows before it is widened: in a loop, it reaches "
            f"{mismatch.reached:,}, which does not fit in `{mismatch.type}`",
            severity=Severity.WARNING,
        )
    index, scale = mismatch.factor, mismatch.scale
    largest = (_LIMITS[mismatch.type] + 1) // scale
    repairs: tuple[Repair, ...] = ()
    if mismatch.repair:
        edit = SpanEdit(*mismatch.widened, mismatch.repair)
        repairs = (Repair(f"Use `mul.wide{mismatch.type}`", (edit,)),)
    return Finding(
        f"`{index}` times {scale} overflows 32 bits if `{index}` is {largest:,} or more: the "
        "product is extended to 64 bits only afterwards",
        repairs=repairs,
        related=(Related(*mismatch.widened, "the product is extended to 64 bits here"),),
    )
