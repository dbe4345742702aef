"""The rule unused-register."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.written.names import spans_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Record

_SPACE: Final = ".reg"
_NAMELESS: Final = (Kind.BLANK, Kind.COMMENT, Kind.OPEN, Kind.CLOSE)
"""Kinds of records without names."""


class UnusedRegister(NamedTuple):
    """A register, or all registers of a bank of `count`, that no instruction names.

    `statement`: the declaration, if it declares nothing else.
    """

    name: str
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not used
    statement: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedRegister]:
    """Yields the registers that a function declares and no instruction names."""
    text = seen.text
    if seen.facts.function is None or not is_understood(seen.function, text):
        return
    declared = [each for each in seen.facts.declared if each.space == _SPACE]
    flow = function_flow(seen.function, seen.module.never_returning)
    used = sorted(set(flow.uses.codes))
    outer = {*flow.registers.parameters, *flow.registers.results}
    unused = [
        each
        for each in declared
        if not _is_used(each, used, flow) and outer.isdisjoint(_codes(each, flow))
    ]
    naming = {each for each in text.distinct if each.kind not in _NAMELESS} if unused else set()
    places = sorted(each.start for each in declared) if unused else []
    for each in unused:
        if not _is_written_about(seen, each, naming):
            alone = _statement(text, each, places)
            yield UnusedRegister(each.name, each.count, alone, each.start, each.end)


def _codes(symbol: Symbol, flow: FunctionFlow) -> range:
    """Returns the codes of the registers of a symbol."""
    if not symbol.count:
        first = flow.registers.code(symbol.name)
        return range(first, first + 1)
    first = flow.registers.code(f"{symbol.name}0")
    return range(first, first + symbol.count)


def _is_used(symbol: Symbol, used: Sequence[int], flow: FunctionFlow) -> bool:
    """Whether an instruction names a register of a symbol."""
    codes = _codes(symbol, flow)
    number = bisect_left(used, codes.start)
    return codes.start < 0 or (number < len(used) and used[number] in codes)


def _is_written_about(seen: CheckInput, symbol: Symbol, naming: AbstractSet[Record]) -> bool:
    """Whether anything but a declaration, such as a pragma, names a register of a symbol.

    `naming`: the records of the lines that may have names.
    """
    rows = seen.facts.rows_of_block(symbol)
    for found in seen.text.statements(seen.text.lines_with(symbol.name, naming, rows)):
        if found.record.kind not in (Kind.DECLARATION, Kind.FUNCTION):
            for start, end in spans_of_name(found.text, symbol.name):
                rest = found.text[start + len(symbol.name) : end]
                if rest.isdecimal() if symbol.count else not rest:
                    return True
    return False


def _statement(
    text: RegionText, symbol: Symbol, places: Sequence[FunctionPosition]
) -> FunctionSpan | None:
    """Returns the place of the declaration of a symbol if it declares nothing else.

    `places`: the places of all declared names, in order.
    """
    for found in text.statements((symbol.start[0],)):
        if found.record.kind is Kind.DECLARATION and found.start <= symbol.start < found.end:
            n_declared = bisect_left(places, found.end) - bisect_left(places, found.start)
            return (found.start, found.end) if n_declared == 1 else None
    return None


@rule(
    "unused-register",
    on=UnusedRegister,
    severity=Severity.HINT,
    find=find,
    in_compiler_output=None,
)
def unused_register(mismatch: UnusedRegister, context: RuleContext) -> Finding:
    """Reports a register, or a whole register bank, that no instruction uses.

    ## Why is this bad?
    The declaration has no effect. Perhaps an instruction uses another register by mistake. A partly
    used register bank is not reported.

    ## Example
    ```ptx
    .visible .entry kernel()
    {
        .reg .b32 %r<4>;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel()
    {
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    name, span = mismatch.name, mismatch.statement
    what = f"register `{name}` is"
    if mismatch.count:
        what = f"registers `{name}0` to `{name}{mismatch.count - 1}` are"
    return Finding(
        f"{what} never used",
        repairs=() if span is None else without_statement(*span, context, "the declaration"),
        tags=frozenset({Tag.UNNECESSARY}),
    )
