"""The rule truncated-value.

Source: PTX ISA, "Operand Size Exceeding Instruction-Type Size": the high bits are left out.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.formats.candidates import banks_with
from ptx_ls.flow.formats.format_trace import FormatTrace
from ptx_ls.flow.formats.rounded_sums import RoundedSums
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.sources import before_copies, record_of, with_copies
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.values.register_operands import RegisterOperand

_STORE: Final = "st"
_OPERANDS: Final = {_STORE: 1, "cvt": 1}
"""The operand that may be truncated, by opcode."""
_INTEGERS: Final = {f".{letter}{bits}": bits for letter in "bus" for bits in (8, 16, 32, 64)}
_LONG_FLOATS: Final = (".f32", ".f64")
_WORD: Final = 32
_MAX_BITS: Final = 128
_SATURATING: Final = (".sat", ".pack")


_SELECTING: Final = frozenset(("shr", "shf", "bfe", "prmt"))
"""Opcodes that select bits of a value, perhaps to store them in parts."""
_TAKING_APART: Final = _SELECTING | {"mov", "cvt", "and", "rem"}
"""Opcodes that read other bits of a value of which an instruction stores the low ones."""


class TruncatedValue(NamedTuple):
    """A value in a register that is stored or converted with fewer bits than it has.

    `low` and `high`: the smallest and largest number that it can be. `kept`: what remains of a
    constant. `format`: that of a floating-point number, whose range is not known, or "".
    """

    register: str
    low: int
    high: int
    bits: int
    kept: int
    start: FunctionPosition
    end: FunctionPosition
    format: str = ""


def find(seen: CheckInput) -> Iterator[TruncatedValue]:
    """Yields the values of which a store or a conversion leaves out bits that matter."""
    banks = seen.facts.banks
    shapes = {each for each in seen.text.shapes_of(_OPERANDS) if _truncates(each, banks)}
    if not shapes:
        return
    storing = {each for each in shapes if _may_cut_float(each, banks)}
    if storing:
        floats = banks_with(seen.text.shapes, _LONG_FLOATS)
        storing = {each for each in storing if _stored_bank(each) in floats}
    yield from _truncated_floats(seen, storing)
    from ptx_ls.values.register_operands import register_operands  # noqa: PLC0415  rarely needed

    for operand in register_operands(
        seen.function,
        seen.module,
        _OPERANDS,
        where=lambda each: _truncates(each, banks),
        is_generated=seen.is_generated,
    ):
        mismatch = _truncated(operand)
        if mismatch is None:
            continue
        if mismatch.low == mismatch.high or not (
            seen.is_generated or _is_taken_apart(seen, operand.found, operand.name)
        ):
            yield mismatch


def _truncated_floats(seen: CheckInput, shapes: AbstractSet[Shape]) -> Iterator[TruncatedValue]:
    """Yields the floating-point numbers of which stores leave out the sign and the exponent."""
    if not shapes:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    formats, types = FormatTrace(flow), isa.database().type_facts
    rounded_sums = RoundedSums(flow, formats)
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        if not isinstance(found.record, Shape) or found.record not in shapes:
            continue
        stored = written_operands(found.record, found.text)[_OPERANDS[_STORE]]
        read = uses_in(flow, found, READS).get(stored.text)
        kept = _kept_bits(found.record)
        made = formats.read(read).format if read is not None else ""
        is_cut = made in _LONG_FLOATS and types[made][0] > kept
        if not is_cut or read is None or rounded_sums.may_reach(read, kept):
            continue
        if not _is_taken_apart(seen, found, stored.text):
            start, end = (shifted(each, found.start) for each in (stored.start, stored.end))
            yield TruncatedValue(stored.text, 0, 0, kept, 0, start, end, made)


def _truncates(shape: Shape, banks: Mapping[str, Facts]) -> bool:
    """Whether the register that an instruction reads may have more bits than it keeps."""
    kept = _kept_bits(shape)
    if shape.name != _STORE:
        return kept > 0
    return kept > 0 and _stored_bits(shape, banks) > kept


def _may_cut_float(shape: Shape, banks: Mapping[str, Facts]) -> bool:
    """Whether an instruction that truncates a register stores one that may hold a long float."""
    is_store_of_name = shape.name == _STORE and shape.operands[-1].identifier >= 0
    return is_store_of_name and _stored_bits(shape, banks) >= _WORD


def _stored_bank(shape: Shape) -> str:
    """Returns the bank of the register that a store reads."""
    return shape.identifiers[shape.operands[-1].identifier].name


def _stored_bits(shape: Shape, banks: Mapping[str, Facts]) -> int:
    """Returns the number of bits of the register that a store reads; the most if it is unknown."""
    if not shape.operands:
        return 0
    is_name = shape.operands[-1].identifier >= 0
    bank = banks.get(_stored_bank(shape)) if is_name else None
    types = isa.database().type_facts
    return _MAX_BITS if bank is None else types.get(bank.type, (0, ""))[0]


def _kept_bits(shape: Shape) -> int:
    """Returns the number of bits that an instruction stores or converts; 0 if it keeps all.

    Conversions of 64 bits to 32 are left out: they take numbers apart.
    """
    modifiers = modifiers_of(shape.opcode)
    types = [each for each in modifiers if each in isa.database().type_facts]
    if not types or any(each not in _INTEGERS for each in types):
        return 0
    if any(each in _SATURATING for each in modifiers):
        return 0
    if shape.name == _STORE:
        return _INTEGERS[types[-1]] if ".bulk" not in modifiers else 0
    is_narrowing = len(types) > 1 and _INTEGERS[types[0]] < _INTEGERS[types[1]]
    kept = _INTEGERS[types[0]] if is_narrowing else 0
    return kept if kept < _WORD else 0


def _truncated(operand: RegisterOperand) -> TruncatedValue | None:
    value, bits = operand.value, _kept_bits(operand.shape)
    low, high = value.signed_low, value.signed_high
    if bits >= value.width or (low < 1 << bits and high >= -(1 << (bits - 1))):
        return None
    place = operand.start, operand.end
    if low == high:
        unsigned = value.low
        kept = unsigned % (1 << bits)
        return TruncatedValue(operand.name, unsigned, unsigned, bits, kept, *place)
    is_number = value.affine is not None and bool(value.affine.terms)
    return TruncatedValue(operand.name, low, high, bits, 0, *place) if is_number else None


def _is_taken_apart(seen: CheckInput, found: Found, register: str) -> bool:
    """Whether a value is a part of another, or its other bits are read, so that none gets lost.

    `found`: the instruction that keeps only some bits of a register.
    """
    flow = function_flow(seen.function, seen.module.never_returning)
    read = uses_in(flow, found, READS).get(register)
    if read is None:
        return True
    for definition in before_copies(flow, read):
        made = record_of(flow, definition)
        if not isinstance(made, Shape) or made.name in _SELECTING:
            return True
        copies = with_copies(flow, definition)
        for reader in chain.from_iterable(map(flow.readers, copies)):
            if copies.intersection(flow.written_by(reader).values()):
                continue
            record = record_of(flow, reader)
            is_own = flow.statement(reader).start == found.start
            if not is_own and (not isinstance(record, Shape) or record.name in _TAKING_APART):
                return True
    return False


@rule(
    "truncated-value",
    on=TruncatedValue,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_OPERANDS),
)
def truncated_value(mismatch: TruncatedValue, _: RuleContext) -> Finding:
    """Reports a value that does not fit in the register or the memory that it is written to.

    ## Why is this bad?
    `st.u8` stores the low 8 bits of a register, and `cvt.u16.u32` keeps the low 16 bits, so later
    instructions read another number. ptxas does not report this. If you want only the low bits,
    mask the value first.

    The low bits of a floating-point number are the end of its mantissa. A store that keeps only
    these bits is reported if no other instruction reads the dropped bits.

    If a register can hold several values, the rule reports it (as information) only when none of
    them fits and no other instruction reads the dropped bits.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, 300;
        st.global.u8 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, 300;
        st.global.u16 [%rd1], %r1;
        ret;
    }
    ```
    """
    name, low, high, bits = mismatch.register, mismatch.low, mismatch.high, mismatch.bits
    if mismatch.format:
        return Finding(
            f"`{name}` contains an `{mismatch.format}` value, but this instruction keeps only its "
            f"low {bits} bits"
        )
    if low == high:
        return Finding(
            f"`{name}` is {low:,}, but this instruction keeps only its low {bits} bits, which are "
            f"{mismatch.kept:,}"
        )
    return Finding(
        f"`{name}` is between {low:,} and {high:,}, but this instruction keeps only its low {bits} "
        "bits",
        severity=Severity.INFORMATION,
    )
