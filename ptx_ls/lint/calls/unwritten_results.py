"""Finds device functions that return without having written a result in .param."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.semantics.symbols.references.mentions import statements_naming
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol

_PARAMETER: Final = ".param"
_RETURN: Final = "ret"
_MAX_STATES: Final = 500
"""Number of blocks to visit, each with what is known of a predicate."""


class UnwrittenResult(NamedTuple):
    """A result of a function that nothing writes before the function returns.

    `span`: the place of the result's name. `returned`: a `ret` before which only some paths write
    the result; None if no path does.
    """

    symbol: Symbol
    span: FunctionSpan
    returned: FunctionSpan | None


def unwritten_results(seen: CheckInput) -> Iterator[UnwrittenResult]:
    """Yields the results in .param that are not written on all paths to a `ret`."""
    function = seen.facts.function
    if function is None:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    if flow.graph.opened or not flow.graph.starts:
        return
    for symbol in function.returns:
        # Compilers do not write the members of a class that are without a value or padding.
        if symbol.space == _PARAMETER and not (seen.is_generated and symbol.dimensions):
            written = _blocks_writing(seen, flow, symbol)
            found = None if written is None else _unwritten(flow, symbol, written)
            if found is not None:
                yield found


def _blocks_writing(seen: CheckInput, flow: FunctionFlow, symbol: Symbol) -> set[int] | None:
    """Returns the blocks that may write a result; None if it is used in other ways."""
    blocks = set[int]()
    for found in statements_naming(seen.text, symbol):
        if not isinstance(found.record, Shape):
            if found.start <= symbol.start < found.end:
                continue
            return None
        if found.record.name != "st":
            return None
        blocks.add(flow.block_at(found.start))
    return blocks


def _unwritten(flow: FunctionFlow, symbol: Symbol, written: set[int]) -> UnwrittenResult | None:
    span = symbol.start, symbol.end
    returning = {block for block, opcode in flow.graph.leaves.items() if opcode == _RETURN}
    returning &= flow.reachable
    if not returning:
        return None
    if not written & flow.reachable:
        return UnwrittenResult(symbol, span, None)
    block = _reached_unwritten(flow, written, returning)
    return None if block is None else UnwrittenResult(symbol, span, _end_of(flow, block))


def _reached_unwritten(flow: FunctionFlow, written: set[int], returning: set[int]) -> int | None:
    """Returns a block that returns after a path without a write.

    Branches on different predicates may depend on each other, so the path may only depend on one.
    """
    waiting: list[tuple[int, tuple[int, bool] | None]] = [(0, None)]
    seen = set(waiting)
    while waiting and len(seen) < _MAX_STATES:
        block, known = waiting.pop()
        if block in written:
            continue
        successors = flow.blocks.successors[block]
        if block in returning:
            if known is None or not successors:
                return block if flow.may_avoid(written, block) else None
            continue  # the guard of `ret` may depend on the predicate
        for following in successors:
            fact = flow.edge_fact(block, following)
            if fact is None and len(successors) > 1:
                continue
            if known is not None and fact not in (None, known):
                continue
            state = following, known or fact
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return None


def _end_of(flow: FunctionFlow, block: int) -> FunctionSpan | None:
    """Returns the place of the last statement of a block."""
    stop = flow.graph.stops[block]
    rows = range(flow.graph.starts[block][0], stop[0] + 1)
    for found in flow.text.statements(rows):
        record = found.record
        is_return = isinstance(record, Shape) and record.name == _RETURN
        if is_return and flow.block_at(found.start) == block:
            return found.start, found.end
    return None
