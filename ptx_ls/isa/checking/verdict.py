"""The answer to "is this instruction legal here?": a verdict and its violations."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.notation.table import Requirement
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.isa.model import Form, OperandSpec

Part = tuple[str] | tuple[str, int] | tuple[str, int, int]
SECOND: Final = -1
"""The second name of a pair, `q` of `p|q`: used in place of the number of an element."""


class ViolationKind(StrEnum):
    """The kind of a violation; each is reported by its own lint rule."""

    UNKNOWN_MODIFIER = "unknown-modifier"
    ILLEGAL_MODIFIER = "illegal-modifier"
    MISSING_MODIFIER = "missing-modifier"
    DUPLICATE_MODIFIER = "duplicate-modifier"
    MODIFIER_ORDER = "modifier-order"
    OPERAND_COUNT = "operand-count"
    OPERAND_KIND = "operand-kind"
    OPERAND_TYPE = "operand-type"
    OPERAND_WIDTH = "operand-width"
    NARROW_ADDRESS = "narrow-address"
    VECTOR_SIZE = "vector-size"
    IMMEDIATE_RANGE = "immediate-range"
    STATE_SPACE = "state-space"
    VERSION = "version"
    TARGET = "target"
    REMOVED = "removed"
    DEPRECATED = "deprecated"
    OUT_OF_BOUNDS = "out-of-bounds"
    SPLIT_OPCODE = "split-opcode"


OF_MODIFIERS: Final = frozenset(
    {
        ViolationKind.UNKNOWN_MODIFIER,
        ViolationKind.ILLEGAL_MODIFIER,
        ViolationKind.MISSING_MODIFIER,
        ViolationKind.DUPLICATE_MODIFIER,
        ViolationKind.MODIFIER_ORDER,
    }
)
"""Kinds of violations by modifiers, which do not depend on the operands."""
GATES: Final = frozenset({ViolationKind.VERSION, ViolationKind.TARGET})
"""Kinds of violations that another version or target would solve."""


class Violation(NamedTuple):
    """One disagreement between an instruction and the ISA.

    `part` names what to underline: `("opcode",)`, `("modifier", i)`, `("operand", i)` or
    `("operand", i, j)` for element `j` of a vector or address, or `SECOND` of a pair. `found` is
    the offending text, or when a removed feature was removed ("after PTX ISA 6.3"; `last` has the
    same as data), `expected` the legal alternatives, `required` what would allow it ("PTX ISA
    7.0 and sm_80"; `needs` has the same as data), `note` one sentence of explanation. `is_mended`:
    whether one of `expected`, in that place or inserted, makes the whole instruction legal;
    `removable`: whether it is legal without the modifier. ptxas accepts lenient violations, so they
    are never errors, but the manual forbids or discourages them. `others`: the legal alternatives
    for each further modifier that is missing.
    """

    kind: ViolationKind
    part: Part
    found: str = ""
    expected: tuple[str, ...] = ()
    required: str = ""
    note: str = ""
    lenient: bool = False
    needs: tuple[Requirement, ...] = ()
    last: Requirement | None = None
    is_mended: bool = False
    removable: bool = False
    others: tuple[tuple[str, ...], ...] = ()


class Context(NamedTuple):
    """The module around an instruction: its version, targets and address size in bits.

    `version` is `(major, minor)`, `target` the names of the `.target` directive in order, options
    such as `texmode_independent` included. Empty values mean unknown, and restrict nothing.
    """

    version: tuple[int, int] | None = None
    target: tuple[str, ...] = ()
    address_size: int = 64


_NO_SLOTS: Final[Mapping[str, str]] = {}


class Verdict(NamedTuple):
    """The result of judging an instruction.

    `form` is the form in use, or the nearest one when `violations` says why it does not fit;
    `slots` maps the names in the form's notation to the modifiers that fill them; `operand_specs`
    is aligned with the operands that were written (None where there is no such operand).
    """

    form: Form | None = None
    slots: Mapping[str, str] = _NO_SLOTS
    violations: tuple[Violation, ...] = ()
    operand_specs: tuple[OperandSpec | None, ...] = ()

    @property
    def n_joined(self) -> int:
        """How many modifiers form one word with the opcode, without white space in between."""
        head = self.form.row.slots[: self.form.row.head] if self.form else ()
        return sum(slot.name in self.slots for slot in head)

    @property
    def is_accepted(self) -> bool:
        """Whether only lenient violations were found."""
        return all(violation.lenient for violation in self.violations)
