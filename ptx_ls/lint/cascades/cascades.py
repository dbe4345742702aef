"""One mistake, one diagnostic: leaves out what only follows from another mismatch.

A name that nobody declared is told once in a function, with its other uses; what a statement that
cannot be read seems to declare is not missed elsewhere; a brace or head that is wrong is told
once, not once for every statement that it puts out of place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.cascades.misdeclared import of_wrong_declarations
from ptx_ls.lint.causes.relation import FaultyFunction
from ptx_ls.lint.causes.relations import without_effects
from ptx_ls.lint.grouping import grouped
from ptx_ls.semantics.declarations.signature_check import SignatureFault
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
    kept = without_effects(mismatches, FaultyFunction(text, facts, module, is_inside))
    return of_wrong_declarations(grouped(kept, text), text, facts)
