"""What is known of the names of a shape in functions with certain register banks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.operands import CONSTANT, SPECIAL

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.syntax.record import Shape

_CONSTANTS: Final = (CONSTANT, SPECIAL)


class NameBinding:
    """What is known of a shape: facts of its names, None for those to look up in each place."""

    __slots__ = (
        "facts",
        "guarded",
        "has_constant",
        "has_last",
        "n_names",
        "open",
        "shape",
        "takes_label",
        "verdicts",
    )

    def __init__(self, shape: Shape, facts: list[Facts | None]) -> None:
        self.shape = shape
        self.facts = facts
        self.guarded = bool(shape.guard)
        self.n_names = len(facts) + 1
        """With the opcode."""
        unknown = [index for index, known in enumerate(facts) if known is None]
        self.open = tuple([index + (not self.guarded or index > 0) for index in unknown])
        """Which of all names are to be looked up."""
        self.has_last = unknown == [len(facts) - 1]
        """Whether the last name is the only one to look up, as in a branch."""
        self.has_constant = any(known is not None and known.kind in _CONSTANTS for known in facts)
        """Whether a name is taken for a constant or special register, unless it is declared."""
        self.verdicts: dict[object, InstructionVerdict] = {}
        """Verdicts by the facts of the open names; by the text if there are none."""
        self.takes_label: bool | None = None
        """Whether a label may be that last name, once it is known."""
