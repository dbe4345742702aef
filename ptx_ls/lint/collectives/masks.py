"""Finds lanes that execute an instruction with a mask in which they are not.

Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync" and
"bar.warp.sync": the lane that executes the instruction must be a member.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.collectives.kinds import MASKED, kind_of
from ptx_ls.semantics.constants.values import integer_of
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandSyntax
from ptx_ls.syntax.record import Shape
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.launches import BlockShape
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES, Level
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.executing_threads import ThreadSet
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

_MOVE: Final = "mov"
_WIDTHS: Final = (16, 8, 4, 2, 1)
_FIRST: Final = 1
"""The thread that each block has, as a set with a bit for each."""


class MaskedStatement(NamedTuple):
    """An instruction whose mask may leave out lanes.

    `operand`: the mask. `mask`: its value if that is constant; None if the lane decides it.
    """

    found: Found
    operand: OperandSyntax
    mask: int | None
    uniformity: FunctionUniformity


def masked_statements(seen: CheckInput) -> Iterator[MaskedStatement]:
    """Yields the instructions with masks that are not known to have all lanes."""
    text = seen.text
    kinds = {each: kind_of(each) for each in text.shapes_of(MASKED)}
    shapes = {shape for shape, kind in kinds.items() if kind is not None and kind.mask is not None}
    if not shapes or not is_understood(seen.function, text):
        return
    values = function_values(seen.function, seen.module)
    registers, only = values.flow.registers, values.flow.trace.only
    full = set[int]()  # registers with one value, which is a mask of all lanes
    for found in text.instructions(shapes):
        kind = kinds.get(found.record) if isinstance(found.record, Shape) else None
        name = _last_operand(found.text)
        if kind is None or kind.mask is None or _is_full(name):
            continue
        code = registers.code(name)
        if code in full:
            continue
        is_only = code >= 0 and not (registers.shared and registers.shared[code])
        if is_only and only[code] >= 0 and _is_full_move(values.flow, only[code]):
            full.add(code)  # this is faster than to evaluate it
            continue
        instruction = values.given.decoder.of_statement(found)
        if kind.mask >= len(instruction.operands):
            continue
        operand = instruction.operands[kind.mask]
        mask = values.given.decoder.number(instruction, operand)
        if mask is None:
            mask = values.operand(found, kind.mask).constant
        if mask is None or not _has_all_or_none(mask):
            uniformity = function_uniformity(seen.function, seen.module)
            yield MaskedStatement(found, operand, mask, uniformity)
        elif is_only and only[code] >= 0:
            full.add(code)


def _is_full_move(flow: FunctionFlow, write: int) -> bool:
    """Whether an instruction alone on its line moves a literal mask of all lanes to a register."""
    row = flow.uses.rows[write]
    record = flow.text.records[row]
    if not isinstance(record, Shape) or record.name != _MOVE or record.guard:
        return False
    line = flow.text.lines[row]
    return "/" not in line and _is_full(_last_operand(line))


def _last_operand(statement: str) -> str:
    """Returns the last of several operands, which is the mask."""
    return statement.rpartition(",")[2].strip(" \t\r\n;")


@lru_cache(maxsize=1 << 8)
def _is_full(operand: str) -> bool:
    """Whether an operand is a literal mask of all lanes, as nearly all masks of compilers are."""
    number = integer_of(operand)
    return number is not None and _has_all_or_none(number)


def _has_all_or_none(mask: int) -> bool:
    return mask & ALL_LANES in (0, ALL_LANES)


class OmittedLanes(NamedTuple):
    """Lanes that are not in the mask of an instruction that they execute.

    `lanes`: those of a warp that may execute the instruction, as bits. `omitted`: those that are
    not in their own masks. `is_assumed`: whether that is only so in blocks of the largest size.
    """

    lanes: int
    omitted: int
    is_assumed: bool


def omitted_lanes(statement: MaskedStatement) -> OmittedLanes | None:
    """Returns the lanes that are not in the mask of an instruction that they execute.

    None unless some lanes are surely not in their masks, in blocks of each shape, or in blocks of
    the size that `.maxntid` states.
    """
    shapes = statement.uniformity.shapes
    if not shapes:
        return None
    is_stated = shapes[0].is_stated
    found = _omitted_in(statement, shapes if is_stated else (*shapes, *_narrow_shapes(shapes)))
    is_assumed = found is None and not is_stated
    if is_assumed:
        found = _omitted_in(statement, [*_largest_shape(statement.uniformity)])
    return None if found is None else OmittedLanes(*found, is_assumed)


def _largest_shape(uniformity: FunctionUniformity) -> Iterator[BlockShape]:
    """Yields the largest block if `.maxntid` states it and it surely has one dimension."""
    most = uniformity.values.given.bounds.max_threads
    if most < MAX_THREADS and all(each.sizes[1:] == (1, 1) for each in uniformity.shapes):
        yield BlockShape((most, 1, 1), is_stated=True)


def _omitted_in(statement: MaskedStatement, shapes: Sequence[BlockShape]) -> tuple[int, int] | None:
    """Returns lanes of a warp, and those not in their masks; None unless each shape has such."""
    uniformity, result = statement.uniformity, None
    block = uniformity.values.graph.number_at(statement.found.start)
    if block is None:
        return None
    guard = uniformity.guard_of(statement.found)
    for shape in shapes:
        masks = _masks(statement, shape)
        if masks is None:
            return None
        own = uniformity.executing(shape).of_guarded(block, guard)
        found = _omitted(own, masks, shape)
        if found is None:
            return None
        lanes, omitted, is_all = found
        if not is_all and not _is_certain(uniformity, block, shape):
            return None
        result = result or (lanes, omitted)
    return result


def _narrow_shapes(shapes: Sequence[BlockShape]) -> Iterator[BlockShape]:
    """Yields shapes of one warp in which `%tid.x` is not the lane.

    `shapes`: those that are typical for the kernel. Several have as many dimensions as one of them.
    """
    rows, planes = (max(each.sizes[at] for each in shapes) for at in (1, 2))
    for width in _WIDTHS if rows > 1 else _WIDTHS[:1]:
        n_rows = LANES // width
        yield BlockShape((width, n_rows, 1), is_stated=False)
        if planes > 1:
            for height in (each for each in _WIDTHS if each < n_rows):
                yield BlockShape((width, height, n_rows // height), is_stated=False)


def _omitted(own: ThreadSet, masks: list[int], shape: BlockShape) -> tuple[int, int, bool] | None:
    """Returns lanes of a warp, those not in their masks, and whether that is so for all lanes."""
    outside = 0
    for thread, mask in enumerate(masks):
        outside |= (~mask >> thread % LANES & 1) << thread
    first, is_all, is_each = None, True, True
    for number, warp in enumerate(shape.groups(Level.WARP)):
        lanes, omitted = ((each & warp) >> number * LANES for each in (own.threads, outside))
        omitted &= lanes if shape.is_stated or own.threads & ~outside == 0 else lanes & _FIRST
        is_all &= lanes == omitted
        is_each &= bool(omitted) or not lanes
        if first is None and omitted:
            first = lanes, omitted
    needed = Level.WARP if is_each else Level.CTA
    if first is None or not (is_all or own.together >= needed):
        return None
    return *first, is_all


def _masks(statement: MaskedStatement, shape: BlockShape) -> list[int] | None:
    """Returns the mask of each thread; None if that is unknown."""
    if statement.mask is not None:
        return [statement.mask] * shape.n_threads
    decoder = statement.uniformity.values.given.decoder
    instruction = decoder.of_statement(statement.found)
    use = decoder.reading_use(instruction, statement.operand.text)
    if use is None or not statement.uniformity.may_be_known(use):
        return None
    numbers = [each.constant for each in statement.uniformity.in_threads(use, shape)]
    known = [each for each in numbers if each is not None]
    return known if len(known) == len(numbers) else None


def _is_certain(uniformity: FunctionUniformity, block: int, shape: BlockShape) -> bool:
    """Whether the lanes that may run a block do so: no others may have ended before."""
    control, executing = uniformity.control, uniformity.executing(shape)
    for edge in control.leaving:
        if block in control.following(edge.block):
            uses = control.decided_by(edge.block)
            if len(uses) != 1 or not executing.outcome(uses[0], value=True).is_known:
                return False
    return True
