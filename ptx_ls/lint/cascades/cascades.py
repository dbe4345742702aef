"""One mistake, one diagnostic: leaves out what only follows from another mismatch.

A name that nobody declared is told once in a function, with its other uses; what a statement that
cannot be read seems to declare is not missed elsewhere; a brace or head that is wrong is told
once, not once for every statement that it puts out of place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.version import target_read_as
from ptx_ls.lint.cascades.displaced import (
    without_beyond,
    without_displaced,
    without_further_headers,
    without_misplaced,
)
from ptx_ls.lint.cascades.doubtful import names_in_broken, without_doubtful, without_lost
from ptx_ls.lint.cascades.misdeclared import of_wrong_declarations
from ptx_ls.lint.cascades.remnants import lacks_semicolon, without_remnants
from ptx_ls.lint.causes.relation import FaultyFunction
from ptx_ls.lint.causes.relations import without_effects
from ptx_ls.lint.causes.within_statement import lacks_body
from ptx_ls.lint.grouping import grouped
from ptx_ls.semantics.declarations.signature_check import BadSignature, SignatureFault
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    InstructionMismatch,
    Unavailable,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.syntax.offsets import NEAR

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText


_OF_VERSIONS: Final = (SignatureFault.VERSION, SignatureFault.LIST, SignatureFault.PROTOTYPE)


def independent(
    mismatches: list[Mismatch],
    text: RegionText,
    facts: RegionFacts,
    module: ModuleFacts,
    *,
    is_inside: bool,
) -> list[Mismatch]:
    """The mismatches of a function without those that follow from others, in any order.

    Names that a statement elsewhere in the module may declare, could it be read, are not missed.
    """
    kept = _without_old_version(mismatches, module)
    if not kept:
        return kept
    kept = without_effects(kept, FaultyFunction(text, facts, module, is_inside))
    kept = without_remnants(without_misplaced(kept, text), text)
    kept = _first_of_each_statement(kept, text)
    doubtful = module.doubtful | names_in_broken(text, mismatches)
    if any(map(lacks_body, kept)):
        doubtful |= {it.name for function in facts.symbols for it in function.parameters}
    kept = without_further_headers(without_doubtful(kept, text, doubtful))
    kept = without_beyond(kept, mismatches)
    kept = without_displaced(kept, text, facts, is_inside=is_inside)
    kept = without_lost(grouped(kept, text), text)
    return of_wrong_declarations(kept, text, facts)


def _without_old_version(mismatches: list[Mismatch], module: ModuleFacts) -> list[Mismatch]:
    """Where the version is too old for the target, leaves out what that target's version has."""
    context = module.context
    target = isa.database().targets.get(context.target[0]) if context.target else None
    if target is None or context.version is None or context.version >= target.since:
        return mismatches
    return [m for m in mismatches if not _is_had_since(m, target.since, context.target)]


def _is_had_since(mismatch: Mismatch, since: tuple[int, int], targets: tuple[str, ...]) -> bool:
    if isinstance(mismatch, Unavailable):
        name = target_read_as(mismatch.name) or mismatch.name
        if name in targets:
            return False
    if isinstance(mismatch, BadSignature):
        return mismatch.fault in _OF_VERSIONS
    if not isinstance(mismatch, InstructionMismatch | Unavailable):
        return False
    violation = mismatch.violation
    versions = [version for version, _ in violation.needs]
    return violation.kind is ViolationKind.VERSION and bool(versions) and min(versions) <= since


def _first_of_each_statement(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Of errors between which no statement ends, the first, if it is one of syntax."""
    errors = sorted((m for m in mismatches if isinstance(m, BadSyntax)), key=_start)
    dropped: set[int] = set()
    last: BadSyntax | None = None
    since = FUNCTION_START
    for error in errors:
        if last is not None and _goes_on(last, error, text, since):
            since = error.start
            if last.problem.found:
                dropped.add(id(error))
                continue
            dropped.add(id(last))  # what stands behind an incomplete statement says more
        last, since = error, error.start
    kept = [m for m in mismatches if id(m) not in dropped]
    firsts = {error.start[0]: error for error in errors if id(error) not in dropped}
    return [
        m
        for m in kept
        if m.start[0] not in firsts
        or isinstance(m, BadSyntax)
        or not firsts[m.start[0]].start < m.start
        or not _goes_on(firsts[m.start[0]], m, text, firsts[m.start[0]].start)
    ]


def _goes_on(last: BadSyntax, error: Mismatch, text: RegionText, since: FunctionPosition) -> bool:
    """Whether no statement ends between two errors of one line; none does before `since`."""
    line = error.start[0]
    if line != last.start[0] or line >= len(text.lines) or lacks_semicolon(last):
        return False
    if error.start[1] - since[1] > NEAR:
        return False
    between = text.lines[line][since[1] : error.start[1]]
    if _is_empty(error) and between.count("}") == 1 and between.rstrip().endswith("}"):
        return True  # of values whose `{` is missing
    return not any(mark in between for mark in ";{}")


def _is_empty(error: Mismatch) -> bool:
    return (
        isinstance(error, BadSyntax) and error.problem.found == ";" and not error.problem.expected
    )


def _start(mismatch: Mismatch) -> FunctionPosition:
    return mismatch.start
