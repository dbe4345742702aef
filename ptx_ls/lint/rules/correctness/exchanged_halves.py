"""The rule exchanged-halves.

Source: PTX ISA, "Data Movement and Conversion Instructions: mov".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.format_trace import value_of
from ptx_ls.flow.formats.half_candidates import HalfCandidates
from ptx_ls.flow.formats.halves import (
    HIGH,
    LOW,
    MOVE,
    Half,
    HalfTrace,
    is_pack,
    is_store_of_words,
    is_unpack,
    packed,
    stored_pairs,
)
from ptx_ls.flow.formats.wide_uses import WideUses
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.addresses.wide_values import WideValues
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax

_NAMES: Final = {LOW: "low", HIGH: "high"}
_WORDS: Final = {LOW: "first", HIGH: "second"}
_LOAD: Final = "ld"
_STORE: Final = "st"
_EXPONENT: Final = 0x7FF00000
"""The bits of the exponent in the high half of an `.f64`."""
_REST: Final = _EXPONENT ^ 0xFFFFFFFF
_MASK: Final = "and.b32"
_MASKS: Final = (
    *(str(each - bias) for each in (_EXPONENT, _REST) for bias in (0, 1 << 32)),
    *(f"{each:x}" for each in (_EXPONENT, _REST)),
)
"""The numbers of `_EXPONENT` and `_REST` in decimal, signed and unsigned, and in hexadecimal."""


class ExchangedHalves(NamedTuple):
    """A half of a value that becomes the other half of a value.

    Attributes:
        register: the half, which is the half `part` of `wide`; `wide` is "" for a constant.
        made: the instruction that takes `wide` apart.
        mask: the mask for the high half that is applied to the low one; "" if there is none.
        memory: `ld` if both halves are loaded, `st` if both are stored; otherwise "".
        is_sure: whether no other order is meant, such as that of a file.
    """

    register: str
    part: int
    wide: str
    made: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition
    mask: str = ""
    memory: str = ""
    is_sure: bool = True


def find(seen: CheckInput) -> Iterator[ExchangedHalves]:
    """Yields the halves of values that are put together, or used, in the wrong order."""
    moves = seen.text.shapes_of((MOVE.partition(".")[0],))
    taking = {each for each in moves if is_unpack(each)}
    packing = {each for each in moves if is_pack(each)}
    if not taking and not packing:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    search = _Search(flow, WideValues(seen))
    candidates = HalfCandidates(flow)
    packed = map(search.wrong_half, candidates.packing(packing))
    wrong = [each for each in packed if each is not None]
    storing = {each for each in seen.text.shapes_of((_STORE,)) if is_store_of_words(each)}
    for found in candidates.storing(storing) if taking else ():
        wrong += search.wrong_stores(found)
    is_format = {_LOAD, _STORE} <= {each.memory for each in wrong}  # the high half comes first
    for each in wrong:
        if not (is_format and each.memory) and (each.is_sure or each.memory != _STORE):
            yield each
    masking = {each for each in seen.text.shapes_of(("and",)) if each.opcode == _MASK}
    text, records = seen.text, seen.text.with_shapes(masking)
    rows = text.rows(text.lines_of(records)) if taking else ()
    masked = [row for row, line, _ in rows if any(each in line.lower() for each in _MASKS)]
    for found in text.statements(masked):
        if found.record in masking:
            yield from search.wrong_mask(found)


class _Search:
    """The search for exchanged halves in a function."""

    def __init__(self, flow: FunctionFlow, in_memory: WideValues) -> None:
        self._flow, self._halves, self._wide = flow, HalfTrace(flow), WideUses(flow)
        self._in_memory = in_memory

    def wrong_half(self, found: Found) -> ExchangedHalves | None:
        """Returns the first half that an instruction puts in the place of the other one."""
        elements = packed(found)
        written = [*uses_in(self._flow, found, WRITES).values()]
        if elements is None or len(written) != 1:
            return None
        reads = uses_in(self._flow, found, READS)
        uses = [reads.get(each.text) for each in elements]
        low, high = uses
        # If the high half is none, it is converted as a number, with a constant above it.
        above = self._halves.halves(high) if high is not None else ()
        below = self._halves.halves(low) if low is not None and above else ()
        wrong = [
            (element, own)
            for place, (element, own) in enumerate(zip(elements, (below, above), strict=True))
            if own and all(half.part != place for half in own)
        ]
        if wrong and self._is_mistake(written[0], [half for _, own in wrong for half in own]):
            element, (half, *_) = wrong[0]
            if not half.is_loaded:
                return self._exchanged(element, half, found, "")
            made = self._flow.statement(half.wide)
            is_sure = self._wide.is_address(written[0]) or self._in_memory.include(made)
            return self._exchanged(element, half, found, _LOAD)._replace(is_sure=is_sure)
        if self._is_tiny(elements, uses) and self._wide.is_computed_with(written[0]):
            last = elements[HIGH]
            return ExchangedHalves(last.text, LOW, "", None, *_place(last, found))
        return None

    def wrong_stores(self, found: Found) -> Iterator[ExchangedHalves]:
        """Yields the high halves of floating-point numbers that are stored before the low ones."""
        reads = uses_in(self._flow, found, READS)
        for elements in stored_pairs(found):
            uses = [reads.get(each.text) for each in elements]
            first, second = (self._halves.halves(it) if it is not None else () for it in uses)
            halves = (*first, *second)
            is_exchanged = {each.part for each in first} == {HIGH} and {
                each.part for each in second
            } == {LOW}
            if not is_exchanged or any(each.is_loaded for each in halves):
                continue
            values = {each.values for each in halves}
            is_float = len(values) == 1 and all(map(self._wide.is_float, first[0].values))
            if is_float:
                is_sure = self._in_memory.include(found)
                wrong = self._exchanged(elements[0], first[0], found, _STORE)
                yield wrong._replace(is_sure=is_sure)

    def _exchanged(
        self, element: OperandSyntax, half: Half, found: Found, memory: str
    ) -> ExchangedHalves:
        """Returns a half that an instruction reads as the other one."""
        made, place = self._flow.statement(half.wide), _place(element, found)
        name, span = self._flow.name_of(half.wide), (made.start, made.end)
        return ExchangedHalves(element.text, half.part, name, span, *place, memory=memory)

    def _is_mistake(self, written: int, wrong: list[Half]) -> bool:
        """Whether the halves are wrong in a value, unlike those of a number that is rotated.

        Nothing is gained by taking a value apart only to put it together again, so if both halves
        change places at once, that is the purpose. It never is after a shuffle or a load if the
        value is a floating-point number or an address.
        """
        wide, first = self._wide, wrong[0]
        is_both = {each.part for each in wrong} == {LOW, HIGH}
        if is_both and not any(each.is_shuffled or each.is_loaded for each in wrong):
            return False
        if wide.is_float(written) and all(map(wide.is_float, first.values)):
            return True
        if not is_both or any(each.values != first.values for each in wrong):
            return False
        if wide.is_float(written) or wide.is_address(written):
            return True
        is_shuffled = all(each.is_shuffled for each in wrong)
        return is_shuffled and wide.is_combined_with(written, first.values)

    def _is_tiny(self, elements: tuple[OperandSyntax, ...], uses: list[int | None]) -> bool:
        """Whether the high half is a constant without an exponent, unlike that of a usual `.f64`.

        If the low half is a constant, too, the number may be meant, such as 0.
        """
        low, high = (
            self._halves.constant(use) if use is not None else value_of(element)
            for element, use in zip(elements, uses, strict=True)
        )
        if high is None or high & _EXPONENT:
            return False
        return low is None or bool(low & _EXPONENT)

    def wrong_mask(self, found: Found) -> Iterator[ExchangedHalves]:
        """Yields a mask for the exponent that is applied to a low half of an `.f64`."""
        flow = self._flow
        if not isinstance(found.record, Shape):
            return
        *_, mask = written_operands(found.record, found.text)
        if (value_of(mask) or 0) & 0xFFFFFFFF not in (_EXPONENT, _REST):
            return
        for name, read in uses_in(flow, found, READS).items():
            halves = self._halves.halves(read)
            if not halves or any(each.part == HIGH for each in halves):
                continue
            if all(self._wide.is_float(value) for each in halves for value in each.values):
                made = flow.statement(halves[0].wide)
                wide, span = flow.name_of(halves[0].wide), (made.start, made.end)
                yield ExchangedHalves(name, LOW, wide, span, *_place(mask, found), mask.text)


def _place(operand: OperandSyntax, found: Found) -> FunctionSpan:
    return shifted(operand.start, found.start), shifted(operand.end, found.start)


@rule(
    "exchanged-halves",
    on=ExchangedHalves,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(MOVE),
)
def exchanged_halves(mismatch: ExchangedHalves, _: RuleContext) -> Finding:
    """Reports a 64-bit value that is assembled with its halves in the wrong order.

    ## Why is this bad?
    The first element of a vector is the low half of a value, both where `mov.b64` splits a value
    and where it assembles one. If the order changes in between, as around a shuffle of both halves,
    the result is another number or an invalid address. ptxas does not report this.

    An exchange of both halves is reported only if they come from memory or from another thread,
    because a program may exchange the halves of its own values on purpose, which rotates a value by
    32 bits. If the value is an integer, the exchange is reported only if the result is used as a
    floating-point number or as an address, or is combined with this thread's own value. A single
    half in the wrong place is reported if the value is a floating-point number, wherever the half
    comes from.

    A program may store the high half first on purpose, for example to print a value or to write a
    file. A store of the high half before the low one is therefore only reported if the kernel also
    accesses the same memory as values of 64 bits. Without such an access, the severity for loaded
    floating-point numbers is information. If a kernel both loads and stores the high half first,
    nothing is reported, because the values in memory have that order.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 values)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        .reg .f64 %fd<4>;
        ld.param.b64 %rd1, [values];
        ld.global.f64 %fd1, [%rd1];
        mov.b64 {%r1, %r2}, %fd1;
        shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;
        shfl.sync.bfly.b32 %r4, %r2, 16, 31, -1;
        mov.b64 %fd2, {%r4, %r3};
        add.f64 %fd3, %fd1, %fd2;
        st.global.f64 [%rd1], %fd3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 values)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        .reg .f64 %fd<4>;
        ld.param.b64 %rd1, [values];
        ld.global.f64 %fd1, [%rd1];
        mov.b64 {%r1, %r2}, %fd1;
        shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;
        shfl.sync.bfly.b32 %r4, %r2, 16, 31, -1;
        mov.b64 %fd2, {%r3, %r4};
        add.f64 %fd3, %fd1, %fd2;
        st.global.f64 [%rd1], %fd3;
        ret;
    }
    ```
    """
    register, wide, own = mismatch.register, mismatch.wide, _NAMES[mismatch.part]
    if mismatch.made is None:
        return Finding(
            f"the high half of this `.f64` value is `{register}`, a constant that makes the value "
            "almost 0; the first element of the vector is the low half"
        )
    other = _NAMES[HIGH - mismatch.part]
    if mismatch.memory == _LOAD:
        word = _WORDS[mismatch.part]
        return Finding(
            f"`{register}` is the {word} of two loaded words, but becomes the {other} half here",
            severity=None if mismatch.is_sure else Severity.INFORMATION,
            related=(Related(*mismatch.made, "both halves are loaded here"),),
        )
    related = (Related(*mismatch.made, f"`{wide}` is split here"),)
    if mismatch.mask:
        return Finding(
            f"`{register}` is the low half of `{wide}`, but this mask is for the exponent, which "
            "is in the high half",
            related=related,
        )
    return Finding(
        f"`{register}` is the {own} half of `{wide}`, but becomes the {other} half here",
        related=related,
    )
