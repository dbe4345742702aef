"""Words for the threads that execute an instruction, and the places that say why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.english import inflected, listed
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES, CauseKind, Level

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.lint.collectives.function_collectives import DividedGroup
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.threads.uniformity.levels import Cause

_MAX_PARTS: Final = 3


class DivisionReason(NamedTuple):
    """Why only some threads get to a place.

    Attributes:
        source: what the decision depends on, in words; "" if it is not one register or result.
        decision: the branch or guard that decides it.
        origin: the instruction that the decision comes from, if it is another one.
    """

    source: str
    decision: FunctionSpan
    origin: FunctionSpan | None


def reason_of(uniformity: FunctionUniformity, found: Found, level: Level) -> DivisionReason | None:
    """Returns why a statement divides groups of a level: the last branch or guard that does."""
    guard = uniformity.guard_of(found)
    if guard is not None and _is_dividing(uniformity, guard, level):
        return reason_of_use(uniformity, guard)
    block = uniformity.values.graph.number_at(found.start)
    if block is None:
        return None
    for each in sorted(uniformity.control.deciding(block), reverse=True):
        uses = uniformity.control.decided_by(each)
        if len(uses) == 1 and _is_dividing(uniformity, uses[0], level):
            return reason_of_use(uniformity, uses[0])
    return None


def _is_dividing(uniformity: FunctionUniformity, use: int, level: Level) -> bool:
    return uniformity.read(use).at_most < level


def reason_of_use(uniformity: FunctionUniformity, use: int) -> DivisionReason:
    """Returns why threads differ in the predicate or number that a use reads."""
    chain = uniformity.chain(uniformity.read(use).cause)
    decision = uniformity.flow.statement(use)
    last = chain[-1] if chain else None
    origin = None
    if last is not None and last.use >= 0:
        statement = uniformity.flow.statement(last.use)
        origin = None if statement.start == decision.start else (statement.start, statement.end)
    return DivisionReason(_name(last), (decision.start, decision.end), origin)


def _name(cause: Cause | None) -> str:
    if cause is None or cause.kind not in (CauseKind.SPECIAL, CauseKind.INSTRUCTION):
        return ""
    is_result = cause.kind is CauseKind.INSTRUCTION
    return f"the result of `{cause.name}`" if is_result else f"`{cause.name}`"


def threads_text(division: DividedGroup) -> str:
    """Returns the threads of a group that execute something: `lanes 0 to 15`."""
    return _text(division.threads, division)


def missing_text(division: DividedGroup) -> str:
    """Returns the live threads of a group that do not execute something."""
    return _text(division.missing, division)


def _text(threads: int, division: DividedGroup) -> str:
    if division.level is Level.WARP:
        return numbers(threads, division.size, "lane")
    warps = 0
    for number in range(-(-division.size // LANES)):
        if threads >> number * LANES & ALL_LANES:
            warps |= 1 << division.first // LANES + number
    return numbers(warps, warps.bit_length(), "warp")


def _range(first: int, last: int) -> tuple[str, ...]:
    """Returns successive numbers in words; two numbers are not a range."""
    if last - first > 1:
        return (f"{first} to {last}",)
    return (str(first),) if first == last else (str(first), str(last))


def numbers(members: int, size: int, word: str) -> str:
    """Returns numbers in words: `lane 0`, `lanes 0 and 1`, `lanes 0 to 15`, `lanes 0, 2 and 4`."""
    found: list[tuple[int, int]] = []
    for number in range(size):
        if members >> number & 1:
            if found and found[-1][1] == number - 1:
                found[-1] = found[-1][0], number
            else:
                found.append((number, number))
    if len(found) > _MAX_PARTS:
        return f"{members.bit_count()} {word}s"
    parts = [part for first, last in found for part in _range(first, last)]
    return f"{inflected(word, members.bit_count())} {listed(parts, 'and')}"
