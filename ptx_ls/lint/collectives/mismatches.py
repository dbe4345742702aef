"""Mismatches that the rules about collective instructions report."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.collectives.reasons import missing_text, reason_of, threads_text
from ptx_ls.lint.rule import Related
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.lint.collectives.function_collectives import DividedGroup, FunctionCollectives
    from ptx_ls.lint.collectives.reasons import DivisionReason
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.levels import Level


class Divided(NamedTuple):
    """An instruction that only some threads of a group execute.

    Attributes:
        opcode: its opcode with modifiers.
        threads: those that execute it, in words.
        missing: those that do not.
        level: the group.
        reason: the branch or guard that divides the threads.
    """

    opcode: str
    threads: str
    missing: str
    level: Level
    reason: DivisionReason | None
    start: FunctionPosition
    end: FunctionPosition


DividedT = TypeVar("DividedT", bound=Divided)


def divided(
    collectives: FunctionCollectives, found: Found, opcode: str, division: DividedGroup
) -> Divided:
    """Returns an instruction with the threads that do not execute it."""
    reason = reason_of(collectives.uniformity, found, division.level)
    words = threads_text(division), missing_text(division)
    return Divided(opcode, *words, division.level, reason, found.start, found.end)


def first_of_each_branch(found: Iterable[DividedT]) -> Iterator[DividedT]:
    """Yields the first mismatch for each branch or guard that divides threads.

    If it is not known which branch that is, those of the same threads are taken to have one.
    """
    reported = set[FunctionSpan | str]()
    for each in found:
        key = each.threads if each.reason is None else each.reason.decision
        if key not in reported:
            reported.add(key)
            yield each


def related_to(reason: DivisionReason | None) -> tuple[Related, ...]:
    """Returns the places that say why threads part."""
    if reason is None:
        return ()
    source = f", depending on {reason.source}" if reason.source else ""
    found = [Related(*reason.decision, f"the threads diverge here{source}")]
    if reason.origin is not None:
        found.append(Related(*reason.origin, "the condition comes from here"))
    return tuple(found)
