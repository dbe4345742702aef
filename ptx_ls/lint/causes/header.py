"""Problems that follow from a `.version` that is too old for the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.version import target_read_as
from ptx_ls.lint.causes.relation import Relation
from ptx_ls.semantics.declarations.signature_check import BadSignature, SignatureFault
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch

_OF_VERSIONS: Final = (SignatureFault.VERSION, SignatureFault.LIST, SignatureFault.PROTOTYPE)


def _solved_by_target(_: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects problems that the first version that supports the target would solve."""
    version, names = function.module.context.version, function.module.context.target
    target = isa.database().targets.get(names[0]) if names else None
    if target is None or version is None or version >= target.since:
        return None
    since = target.since

    def follows(effect: InstructionMismatch | Unavailable | BadSignature) -> bool:
        if isinstance(effect, BadSignature):
            return effect.fault in _OF_VERSIONS
        if (
            isinstance(effect, Unavailable)
            and (target_read_as(effect.name) or effect.name) in names
        ):
            return False
        violation = effect.violation
        versions = [needed for needed, _ in violation.needs]
        return violation.kind is ViolationKind.VERSION and bool(versions) and min(versions) <= since

    return follows


RELATIONS: Final = (
    Relation((InstructionMismatch, Unavailable, BadSignature), (), _solved_by_target, is_wide=True),
)
