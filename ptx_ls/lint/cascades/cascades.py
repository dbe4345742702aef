"""One mistake, one diagnostic: leaves out what only follows from another mismatch.

A name that nobody declared is told once in a function, with its other uses; what a statement that
cannot be read seems to declare is not missed elsewhere; a brace or head that is wrong is told
once, not once for every statement that it puts out of place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.version import target_read_as
from ptx_ls.lint.cascades.displaced import (
    without_beyond,
    without_displaced,
    without_further_headers,
)
from ptx_ls.lint.cascades.doubtful import names_in_broken, without_doubtful, without_lost
from ptx_ls.lint.cascades.misdeclared import of_wrong_declarations
from ptx_ls.lint.causes.relation import FaultyFunction
from ptx_ls.lint.causes.relations import without_effects
from ptx_ls.lint.causes.within_statement import lacks_body
from ptx_ls.lint.grouping import grouped
from ptx_ls.semantics.declarations.signature_check import BadSignature, SignatureFault
from ptx_ls.semantics.problems.instructions import (
    InstructionMismatch,
    Unavailable,
)
from ptx_ls.semantics.problems.mismatch import Mismatch

if TYPE_CHECKING:
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
