"""Finds loops whose test may compare a counter in the wrong direction, without evaluating values.

Nearly all loops of compilers are right, and their text shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.statement_uses import operand_texts
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.values.transfer.comparison import MIRRORED, NEGATIONS, UNSIGNED

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow

_COMPARISON: Final = "setp"
_ADDING: Final = "add"
_STEPS: Final = {_ADDING: 1, "sub": -1}


def may_be_wrong(flow: FunctionFlow, head: int) -> bool:
    """Whether the text shows that a loop has one test, and does not show that it is right."""
    blocks, index = flow.blocks, flow.index
    loop = blocks.loop_forest.blocks(head)
    exits = [block for block in loop if not loop.issuperset(blocks.successors[block])]
    staying = loop.intersection(blocks.successors[exits[0]]) if len(exits) == 1 else ()
    fact = flow.edge_fact(exits[0], *staying) if len(staying) == 1 else None
    if fact is None:
        return False
    definition = flow.definition(index.first(index.firsts[exits[0] + 1] - 1))
    record = None if definition is None else record_of(flow, definition)
    if definition is None or not isinstance(record, Shape) or record.name != _COMPARISON:
        return False
    operator = modifiers_of(record.opcode)[0][1:]
    operator = UNSIGNED.get(operator, operator)
    if operator not in NEGATIONS:
        return False
    sides = operand_texts(flow, definition)[1:3]
    steps = [_step(flow, definition, each, loop) for each in sides]
    operator = operator if fact[1] else NEGATIONS[operator]
    if not steps[0]:
        operator, steps, sides = MIRRORED[operator], steps[::-1], sides[::-1]
    return bool(steps[0]) and _is_odd(operator, steps[0], sides[1])


def _is_odd(operator: str, step: int, limit: str) -> bool:
    """Whether a number that changes by a step leaves the limit that it is compared with, perhaps.

    Most counters that are compared with 0 count down to it, and others up from it. The start of
    the latter is a multiple of the step.
    """
    if operator == "ne":
        number = _number(limit)
        return number is not None and ((step > 0) is not (number > 0) or number % step != 0)
    return operator == "eq" or operator in (("gt", "ge") if step > 0 else ("lt", "le"))


def _step(flow: FunctionFlow, comparison: int, name: str, loop: frozenset[int]) -> int:
    """Returns what a loop adds to a register that is compared; 0 if it does not add to it.

    An unknown number of threads counts as 1.
    """
    for use in flow.index.statement(comparison):
        if flow.uses.ways[use] & READS and flow.name_of(use) == name:
            for write in flow.definitions(use).writes:
                if flow.index.block_of(write) in loop:
                    return _added(flow, write)
    return 0


def _added(flow: FunctionFlow, write: int) -> int:
    record = record_of(flow, write)
    if not isinstance(record, Shape) or record.name not in _STEPS:
        return 0
    number = _number(operand_texts(flow, write)[-1])
    if number is None:
        return int(record.name == _ADDING)
    return number * _STEPS[record.name]


def _number(text: str) -> int | None:
    sign = -1 if text.startswith("-") else 1
    number = integer(text.lstrip("-"))
    return None if number is None else sign * number
